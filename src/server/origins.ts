import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { OriginNotAllowed } from '../errors/operation-errors.js'
import { isFromOwnAddress } from './hosts.js'

/** Origins allowed to call the service. */
export interface OriginsOptions {
  allowedOrigins: readonly string[]
  /** Origin of the service's own pages. A function, since the port can be unknown until the server listens. */
  ownOrigin: () => string
  /** Whether the service listens on a loopback address only; then it is reached under every loopback name, at its own port. */
  loopback: boolean
  /** Whether the service is reached under addresses that it does not know: it listens on every interface, without a BASE_URL. */
  anyAddress: boolean
}

/** Request headers that CORS allows. */
export const requestHeaders = [
  'Authorization', 'Content-Type', 'Accept', 'X-API-Key', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id',
  'Last-Event-ID', 'If-None-Match', 'If-Modified-Since', 'traceparent', 'tracestate'
]
/** Response headers that web pages can read. */
export const exposedHeaders = ['WWW-Authenticate', 'Retry-After', 'X-Request-Id', 'Link', 'Content-Disposition', 'ETag', 'Allow']
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']
const daySeconds = 24 * 60 * 60

/**
 * Handles CORS and rejects other origins, against DNS rebinding and cross-site requests.
 * Requests without Origin pass, since no web page sent them; the origin "null" is never allowed.
 */
export default fp<OriginsOptions>(async function origins (fastify, { allowedOrigins, ownOrigin, loopback, anyAddress }) {
  const ownPort = () => {
    const address = fastify.server.address()
    return typeof address === 'object' && address !== null ? String(address.port) : new URL(ownOrigin()).port
  }
  const allows = (origin: string) => allowedOrigins.includes(origin) || origin === ownOrigin() ||
    (loopback && loopbackNames.some(name => origin === `http://${name}:${ownPort()}`))

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
    if (origin === undefined || request.method === 'OPTIONS' || allows(origin)) return
    if (!(anyAddress && isFromOwnAddress(request))) throw new OriginNotAllowed()
  })
}, { name: 'origins', fastify: '5.x' })
