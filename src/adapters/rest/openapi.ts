import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { version } from '../../settings/version.js'

/** Adds `GET /api/openapi.json`, which describes every route registered after this plugin. */
export default fp<{ baseUrl: () => string }>(async function openapi (fastify, { baseUrl }) {
  // Generated once, before the first request, since that takes tens of milliseconds. Its text has 1.5 MB, and is hardly ever requested.
  let compressed: Buffer
  await fastify.register(swagger, {
    transformObject: described => {
      compressed = gzipSync(JSON.stringify((described as { openapiObject: object }).openapiObject), { level: 1 })
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
          mcpKey: { type: 'http', scheme: 'bearer', description: 'An MCP key, within its scope.' },
          mcpKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An MCP key, within its scope.' },
          mcpKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'An MCP key, for clients that accept only a URL.' }
        }
      }
    }
  })
  fastify.addHook('onReady', async () => { fastify.swagger() })
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const text = (await promisify(gunzip)(compressed)).toString()
    const servers = JSON.stringify([{ url: baseUrl() }])
    return await reply.type('application/json; charset=utf-8').send(`${text.slice(0, -1)},"servers":${servers}}`)
  })
}, { name: 'openapi', fastify: '5.x' })
