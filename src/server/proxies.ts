import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Settings } from '../settings/settings.js'

/** Whether to trust the forwarding headers of an address. Hop 0 is the peer that connects to this service. */
export type TrustsProxy = (address: string, hop: number) => boolean

/** Creates the check for TRUST_PROXY: none, all, a number of hops, or a list of addresses and networks. */
export function trustedProxies (setting: Settings['trustProxy']): TrustsProxy {
  if (typeof setting === 'boolean') return () => setting
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  const list = new BlockList()
  for (const each of setting) {
    const [address, bits] = each.split('/') as [string, string?]
    const family = familyOf(address)!
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return address => {
    const family = familyOf(address)
    return family !== undefined && list.check(address, family)
  }
}

const familyOf = (address: string) => ({ 0: undefined, 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address) as 0 | 4 | 6]

/** Excludes Litfeed's keys and tokens, which contain an underscore or a dot. */
const form = /^[0-9A-Za-z-]{8,64}$/

/** Creates the generator of request ids: X-Request-Id of a trusted proxy, so logs can be correlated, else a UUID. */
export const requestIds = (trusts: TrustsProxy) => ({ headers, socket }: IncomingMessage): string => {
  const requestId = headers['x-request-id']
  return typeof requestId === 'string' && form.test(requestId) && trusts(socket.remoteAddress ?? '', 0) ? requestId : randomUUID()
}
