import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { OriginNotAllowed } from '../errors/operation-errors.js'

/** Which web pages may call the service. */
export interface OriginsOptions {
  allowedOrigins: readonly string[]
  /** Origin of the service's own pages. A function, since the port can be unknown until the server listens. */
  ownOrigin: () => string
  /** Whether the service listens on a loopback address only; then every loopback origin may call. */
  loopback: boolean
}

/** Request headers that CORS allows. */
export const requestHeaders = ['Authorization', 'Content-Type', 'Accept', 'X-API-Key', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID', 'traceparent', 'tracestate']
/** Response headers that web pages can read. */
export const exposedHeaders = ['WWW-Authenticate', 'Retry-After', 'X-Request-Id']
const daySeconds = 24 * 60 * 60

/**
 * Handles CORS and rejects other origins, against DNS rebinding and cross-site requests.
 * Requests without Origin pass, since no web page sent them; the origin "null" is never allowed.
 */
export default fp<OriginsOptions>(async function origins (fastify, { allowedOrigins, ownOrigin, loopback }) {
  const allows = (origin: string) => allowedOrigins.includes(origin) || origin === ownOrigin() || (loopback && isLoopbackOrigin(origin))

  await fastify.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && allows(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    allowedHeaders: requestHeaders,
    exposedHeaders,
    maxAge: daySeconds,
    strictPreflight: false
  })
  fastify.addHook('onRequest', async request => {
    const { origin } = request.headers
    if (origin !== undefined && request.method !== 'OPTIONS' && !allows(origin)) throw new OriginNotAllowed()
  })
}, { name: 'origins', fastify: '5.x' })

function isLoopbackOrigin (origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname, protocol } = new URL(origin)
  return /^https?:$/.test(protocol) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
