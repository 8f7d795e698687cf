import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutsideError } from './client.js'

/** Blocks that hold or stand for other addresses, beside those that ipaddr.js names: IPv4-compatible, local-use translation, site-local. */
const embedding: ReadonlyArray<[string, number]> = [['::', 96], ['64:ff9b:1::', 48], ['fec0::', 10], ['5f00::', 16], ['3fff::', 20]]
const embeddingBlocks = embedding.map(([address, bits]) => [ipaddr.IPv6.parse(address), bits] as const)

/**
 * Whether an address is of the public Internet: unicast, and of no block that is private, local, reserved, or that embeds another address.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export function isPublicAddress (address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || !embeddingBlocks.some(block => (parsed as ipaddr.IPv6).match(block as [ipaddr.IPv6, number]))
}

/** Whether a host of a URL is an address in itself: the URL parser has turned every way to write one into the usual form. */
export const isAddress = (hostname: string): boolean => ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))

/**
 * Resolves names for a connection and lets only public addresses through. The connection is made to what was checked here, so an
 * answer that changes between a check and a use cannot matter.
 */
export const publicLookup = (lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction => (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, [])
    const addresses = (found as unknown as Array<{ address: string, family: number }>).filter(({ address }) => isPublicAddress(address))
    if (addresses.length === 0) return done(new OutsideError('refused', `${hostname} is not on the public Internet.`), [])
    if (options.all === true) done(null, addresses)
    else done(null, addresses[0]!.address, addresses[0]!.family)
  })
}
