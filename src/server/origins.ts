import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { OriginNotAllowed } from '../errors/operation-errors.js'

export interface OriginsOptions {
  allowedOrigins: readonly string[]
  /** Origin of the service's own pages; asked on each request, because the port may be known only once it listens. */
  ownOrigin: () => string
  /** Whether the service listens on a loopback address alone, where every loopback origin may call. */
  loopback: boolean
}

/** What clients send; source: the order of checks in docs/architecture.md. */
export const requestHeaders = ['Authorization', 'Content-Type', 'Accept', 'X-API-Key', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID', 'traceparent', 'tracestate']
export const exposedHeaders = ['WWW-Authenticate', 'Retry-After', 'X-Request-Id']
const day = 24 * 60 * 60

/**
 * Answers preflight requests and refuses web pages of other origins, against DNS rebinding and forged requests.
 * A request without Origin comes from no web page and passes; the origin "null" is never allowed.
 */
export default fp<OriginsOptions>(async function origins (fastify, { allowedOrigins, ownOrigin, loopback }) {
  const allows = (origin: string) => allowedOrigins.includes(origin) || origin === ownOrigin() || (loopback && isLoopbackOrigin(origin))

  await fastify.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && allows(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    allowedHeaders: requestHeaders,
    exposedHeaders,
    maxAge: day,
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
