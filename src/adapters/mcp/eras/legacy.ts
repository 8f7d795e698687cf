import { complete } from '../methods/completion.js'
import { getPrompt, listPrompts } from '../methods/prompts.js'
import { listResourceTemplates, listResources, readResource } from '../methods/resources.js'
import { initialize, ping } from '../methods/start.js'
import { callTool, listTools } from '../methods/tools.js'
import { type Era, writer } from './era.js'

/** Revisions 2024-11-05 to 2025-11-25. Results have no envelope, because clients of this era reject a ping result with content. */
export const legacyEra = (): Era => ({
  methods: {
    initialize,
    ping,
    'tools/list': listTools,
    'tools/call': callTool,
    'prompts/list': listPrompts,
    'prompts/get': getPrompt,
    'resources/list': listResources,
    'resources/templates/list': listResourceTemplates,
    'resources/read': readResource,
    'completion/complete': complete
  },
  // These clients interpret 404 as an expired session.
  unknownMethodStatus: 200,
  write: writer((_method, result) => result)
})
