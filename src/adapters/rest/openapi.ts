import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { version } from '../../settings/version.js'

/** Adds `GET /api/openapi.json`, which describes every route registered after this plugin. */
export default fp<{ baseUrl: () => string }>(async function openapi (fastify, { baseUrl }) {
  await fastify.register(swagger, {
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
  // Generated once, before the first request: the document takes tens of milliseconds, and only its address can change.
  let document: { url: string, text: string } | undefined
  const text = () => {
    const url = baseUrl()
    if (document?.url !== url) document = { url, text: JSON.stringify({ ...fastify.swagger(), servers: [{ url }] }) }
    return document.text
  }
  fastify.addHook('onReady', async () => { text() })
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text()))
}, { name: 'openapi', fastify: '5.x' })
