import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { sessionCookie } from '../../server/browser-sessions.js'
import { networkOf } from '../../server/client-network.js'
import { version } from '../../settings/version.js'

/** How long the uncompressed document is kept after its last use. */
const keptMs = 10_000

/** Adds `GET /api/openapi.json`, which describes every route registered after this plugin. */
export default fp<{ baseUrl: () => string }>(async function openapi (fastify, { baseUrl }) {
  // Generated once, before the first request, since that takes tens of milliseconds. Its text has a megabyte, and is hardly ever requested.
  let compressed: Buffer
  await fastify.register(swagger, {
    transformObject: described => {
      const { openapiObject } = described as { openapiObject: Document }
      requireNeededBodies(openapiObject)
      compressed = gzipSync(JSON.stringify(openapiObject), { level: 1 })
      // The plugin would keep the document.
      return {}
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Litfeed',
        version,
        description: 'Research-literature feeds: the REST interface. The MCP endpoint, POST /api/mcp, uses JSON-RPC and lists its own ' +
          'tools.'
      },
      components: {
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access_token of POST /api/auth/login.' },
          browserSession: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie({ baseUrl }).name,
            description: 'The session of a browser that signed in to the pages, for scripts of the same origin.'
          },
          mcpKey: { type: 'http', scheme: 'bearer', description: 'An MCP key, within its scope.' },
          mcpKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An MCP key, within its scope.' },
          mcpKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'An MCP key, for clients that accept only a URL.' }
        }
      }
    }
  })
  fastify.addHook('onReady', async () => { fastify.swagger() })

  // All responses share these bytes, also those that their clients do not read.
  let document: { servers: string, bytes: Promise<Buffer> } | undefined
  let expiry: NodeJS.Timeout | undefined
  async function readDocument (): Promise<Buffer> {
    const servers = JSON.stringify([{ url: baseUrl() }])
    if (document?.servers !== servers) document = { servers, bytes: decompress(compressed, servers) }
    clearTimeout(expiry)
    expiry = setTimeout(() => { document = undefined }, keptMs).unref()
    return await document.bytes
  }

  fastify.get('/api/openapi.json', {
    schema: { hide: true },
    async onRequest (request, reply) {
      await fastify.countAnonymous(networkOf(request))
      await fastify.admitRequest(`openapi ${networkOf(request)}`, request, reply)
    }
  }, async (_request, reply) => await reply.type('application/json; charset=utf-8').send(await readDocument()))
}, { name: 'openapi', fastify: '5.x' })

interface Body { required: boolean, content: Record<string, { schema: { type?: string, required?: string[] } }> }
interface Document { paths: Record<string, Record<string, { requestBody?: Body }>> }

/** The plugin requires every body; one of which nothing is required may be missing. */
function requireNeededBodies ({ paths }: Document): void {
  for (const { requestBody } of Object.values(paths).flatMap(methods => Object.values(methods))) {
    if (requestBody === undefined) continue
    requestBody.required = Object.values(requestBody.content)
      .some(({ schema: { type, required = [] } }) => type !== 'object' || required.length > 0)
  }
}

/** Decompresses the document and adds its servers, as bytes: a string of it would block for milliseconds. */
async function decompress (compressed: Buffer, servers: string): Promise<Buffer> {
  const bytes = await promisify(gunzip)(compressed)
  return Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"servers":${servers}}`)])
}
