import { complete } from '../methods/completion.js'
import { getPrompt, listPrompts } from '../methods/prompts.js'
import { initialize, ping } from '../methods/start.js'
import { callTool, listTools } from '../methods/tools.js'
import { type Era, writer } from './era.js'

/** Revisions 2024-11-05 to 2025-11-25. Results go out as they are: a client of this era refuses a ping with anything in it. */
export const legacyEra = (): Era => ({
  methods: {
    initialize,
    ping,
    'tools/list': listTools,
    'tools/call': callTool,
    'prompts/list': listPrompts,
    'prompts/get': getPrompt,
    'completion/complete': complete
  },
  // These clients take 404 for an expired session.
  unknownMethodStatus: 200,
  write: writer((_method, result) => result)
})
