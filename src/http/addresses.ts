import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HttpError } from './client.js'

/** Reserved blocks that ipaddr.js reports as unicast: IPv4-compatible, local NAT64, site-local, segment routing, documentation. */
const reserved: ReadonlyArray<[string, number]> = [['::', 96], ['64:ff9b:1::', 48], ['fec0::', 10], ['5f00::', 16], ['3fff::', 20]]
const reservedBlocks = reserved.map(([address, bits]) => [ipaddr.IPv6.parse(address), bits] as const)

/**
 * Whether an address is on the public Internet: unicast, and in no private, local, reserved or embedding block.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export function isPublicAddress (address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || !reservedBlocks.some(block => (parsed as ipaddr.IPv6).match(block as [ipaddr.IPv6, number]))
}

/** Whether a URL's hostname is an IP address. The URL parser has already normalized its notation. */
export const isAddress = (hostname: string): boolean => ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))

/**
 * Resolves a name to its public addresses. The connection uses exactly these addresses, so DNS rebinding between check and use has no effect.
 * The lookup fails with HttpError `refused` if a name has none.
 */
export const publicLookup = (lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction => (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, [])
    const addresses = (found as unknown as Array<{ address: string, family: number }>).filter(({ address }) => isPublicAddress(address))
    if (addresses.length === 0) return done(new HttpError('refused', `${hostname} is not on the public Internet.`), [])
    if (options.all === true) done(null, addresses)
    else done(null, addresses[0]!.address, addresses[0]!.family)
  })
}
