import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HttpError } from './client.js'
import { nameLookup } from './name-lookup.js'

/** The only block of IPv6 that IANA has opened for public addresses. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** A block for documentation that ipaddr.js reports as unicast. */
const documentation: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('3fff::'), 20]
/** Azure's internal service, which answers virtual machines at an address of the public range. */
const azureHost = '168.63.129.16'

/**
 * Whether an address is on the public Internet: unicast, and in no private, local, reserved or embedding block.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export function isPublicAddress (address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv4) return parsed.toString() !== azureHost
  return parsed.match(globalUnicast) && !parsed.match(documentation) && !isIsatap(parsed)
}

/** ISATAP embeds an IPv4 address behind any prefix. @see RFC 5214, section 6.1 */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe

/**
 * Whether a URL's host may be public, judged by its name: not if the name is local by convention or an address that is not public.
 * The addresses of a name are checked on each call.
 */
export const isPublicHost = (hostname: string): boolean => isAddress(hostname) ? isPublicAddress(hostname) : !localName.test(hostname)

/** Names without a dot, and names that no public server has. @see RFC 6761, RFC 6762, RFC 8375 */
const localName = /^[^.]+\.?$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/i

/** Whether a URL's hostname is an IP address. The URL parser has already normalized its notation. */
export const isAddress = (hostname: string): boolean => ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))

/**
 * Resolves a name to its public addresses. The connection uses exactly these addresses, so DNS rebinding between check and use has no
 * effect. The lookup fails with HttpError `unreachable` if it finds none, for any reason.
 */
export const publicLookup = (lookup = nameLookup()): LookupFunction => (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const resolved = (Array.isArray(found) ? found : []) as Array<{ address: string, family: number }>
    const addresses = resolved.filter(({ address }) => isPublicAddress(address))
    if (addresses.length === 0) {
      // Names that are internal, that do not exist and that the resolver fails on look alike, so that nobody can find out internal names.
      // The cause is for the log.
      return done(new HttpError('unreachable', `${hostname} cannot be found on the public Internet.`, { cause: error ?? undefined }), [])
    }
    if (options.all === true) done(null, addresses)
    else done(null, addresses[0]!.address, addresses[0]!.family)
  })
}
