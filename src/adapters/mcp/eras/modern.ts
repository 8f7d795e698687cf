import { complete } from '../methods/completion.js'
import { getPrompt, listPrompts } from '../methods/prompts.js'
import { discover } from '../methods/start.js'
import { callTool, listTools } from '../methods/tools.js'
import { serverInfoOf } from '../server-info.js'
import { type Era, writer } from './era.js'

/** How long a client may keep what is the same for every key and changes only with an upgrade. */
const fiveMinutes = 5 * 60 * 1000
const cached = new Set(['server/discover', 'tools/list', 'prompts/list'])

/** Revision 2026-07-28, without sessions: no initialize, no ping; every result says what it is and who gave it. */
export const modernEra = (websiteUrl: string): Era => {
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfoOf(websiteUrl) }
  return {
    methods: {
      'server/discover': discover,
      'tools/list': listTools,
      'tools/call': callTool,
      'prompts/list': listPrompts,
      'prompts/get': getPrompt,
      'completion/complete': complete
    },
    unknownMethodStatus: 404,
    write: writer((method, result) => ({
      ...result,
      ...(cached.has(method) ? { ttlMs: fiveMinutes, cacheScope: 'public' } : {}),
      resultType: 'complete',
      _meta
    }))
  }
}
