import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { version } from '../../settings/version.js'

/** `GET /api/openapi.json`: every route that is registered after this plugin, from its schemas. */
export default fp<{ baseUrl: () => string }>(async function openapi (fastify, { baseUrl }) {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Litfeed', version, description: 'Research-literature feeds. The MCP endpoint, POST /api/mcp, speaks JSON-RPC and describes itself there; this describes the REST interface.' },
      components: {
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access_token of POST /api/auth/login.' },
          mcpKey: { type: 'http', scheme: 'bearer', description: 'The MCP key; it can read only.' },
          mcpKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The MCP key; it can read only.' },
          mcpKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'The MCP key, for clients that take only an address.' }
        }
      }
    }
  })
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async () => ({ ...fastify.swagger(), servers: [{ url: baseUrl() }] }))
}, { name: 'openapi', fastify: '5.x' })
