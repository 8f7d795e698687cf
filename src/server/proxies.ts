import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Settings } from '../settings/settings.js'

/** Whether what an address says of the request before it is believed; hop 0 is the one that connects to this service. */
export type Trusts = (address: string, hop: number) => boolean

/** TRUST_PROXY as a question: nobody, everybody, so many proxies counted from here outwards, or these addresses and networks. */
export function trustedProxies (setting: Settings['trustProxy']): Trusts {
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

/** Letters, digits and hyphens: a key or token of ours has a mark that is not among them. */
const form = /^[0-9A-Za-z-]{8,64}$/

/** The id of a request: what a trusted proxy gives it, so that its log and ours can be read together; else one of our own. */
export const requestIds = (trusts: Trusts) => ({ headers, socket }: IncomingMessage): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && form.test(given) && trusts(socket.remoteAddress ?? '', 0) ? given : randomUUID()
}
