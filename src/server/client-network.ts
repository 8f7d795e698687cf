import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The network of a client, which limits count: its IPv4 address, or the /64 of its IPv6 address, whose other addresses a single machine may
 * use at will.
 * @see RFC 4291, section 2.5.4; RFC 8981
 */
export function networkOf ({ ip }: Pick<FastifyRequest, 'ip'>): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toString()
}
