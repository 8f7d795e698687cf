import { discover } from '../methods/start.js'
import { serverInfoOf, shortServerInfo } from '../server-info.js'
import { eraIndependentMethods } from './era-independent-methods.js'
import { type Era, writer } from './era.js'

/** How long a client may cache results that change only with an upgrade. */
const cacheTtlMs = 5 * 60 * 1000
/** Sharing of a cached result: by everyone, or by the holder of the key where keys get different ones. */
const cacheScopes: Readonly<Record<string, 'public' | 'private'>> = {
  'server/discover': 'private',
  'tools/list': 'private',
  'prompts/list': 'public',
  'resources/list': 'private',
  'resources/templates/list': 'public',
  'resources/read': 'private'
}

/** Revision 2026-07-28, without sessions: no initialize, no ping; every result states its type and its server. */
export const modernEra = (websiteUrl: string): Era => {
  const metaWith = (serverInfo: object) => ({ 'io.modelcontextprotocol/serverInfo': serverInfo })
  const [_meta, discoverMeta] = [metaWith(shortServerInfo), metaWith(serverInfoOf(websiteUrl))]
  return {
    methods: { 'server/discover': discover, ...eraIndependentMethods },
    unknownMethodStatus: 404,
    write: writer((method, result) => ({
      ...result,
      // A resource that is not frozen changes at any time.
      ...(cacheScopes[method] === undefined
        ? {}
        : { ttlMs: method === 'resources/read' && !Object.isFrozen(result) ? 0 : cacheTtlMs, cacheScope: cacheScopes[method] }),
      resultType: 'complete',
      _meta: method === 'server/discover' ? discoverMeta : _meta
    }))
  }
}
