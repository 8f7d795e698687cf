import type { Methods } from '../method.js'
import { complete } from '../methods/completion.js'
import { getPrompt, listPrompts } from '../methods/prompts.js'
import { listResourceTemplates, listResources, readResource } from '../methods/resources.js'
import { callTool, listTools } from '../methods/tools.js'

/** The methods that are the same in both eras. */
export const eraIndependentMethods: Methods = {
  'tools/list': listTools,
  'tools/call': callTool,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'completion/complete': complete
}
