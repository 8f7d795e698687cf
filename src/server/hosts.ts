import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../http/loopback.js'

/** Headers that proxies add. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'cf-connecting-ip',
  'true-client-ip'
]

/** Returns the host name of a Host header, without port and brackets; empty if the header is missing or malformed. */
function hostNameOf (header: string | undefined): string {
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([^:@/\s]+))(?::\d{1,5})?$/i.exec(header ?? '') ?? []
  return (bracketed ?? name ?? '').toLowerCase()
}

/** Whether a request was sent on this machine directly to the service: by its loopback name and not through a proxy. */
export function isLocalRequest ({ headers, socket }: FastifyRequest): boolean {
  return (
    isLoopback(hostNameOf(headers.host)) &&
    isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    forwardingHeaders.every(name => headers[name] === undefined)
  )
}

/**
 * Whether a request's Origin is the IP address to which it was sent, over plain HTTP. Such a page came from that address: DNS rebinding
 * cannot change an IP address.
 */
export function isFromOwnAddress ({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin !== undefined && origin === `http://${host}` && isIP(hostNameOf(host)) !== 0
}

/**
 * Whether a Host header names this service: an IP address, a name of this machine or its own network (without a dot), or the host of a
 * known origin. A web page that rebinds its own domain to this address cannot send any of these.
 */
export function isOwnHost (header: string | undefined, origins: readonly string[]): boolean {
  const name = hostNameOf(header)
  if (name === '') return false
  return isIP(name) !== 0 || !name.includes('.') || origins.some(origin => hostNameOf(new URL(origin).host) === name)
}
