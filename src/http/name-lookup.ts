import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/** A name whose servers do not answer fails after two of these, before a connection gives up. */
const timeoutMs = 2000

/**
 * Resolves names by asking the host's name servers from the event loop. The system's own resolver would hold one of two threads of the
 * process until it ends, regardless of any deadline: a few names with slow servers would hold up every other connection.
 * Hosts whose name servers cannot be asked, such as those that resolve names in another way, use the system's resolver nevertheless.
 * @param servers addresses of name servers. Default: those of the host
 */
export function nameLookup ({ servers }: { servers?: readonly string[] } = {}): LookupFunction {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)

  async function resolve (hostname: string) {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer, at) =>
      answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family: at === 0 ? 4 : 6 })) : [])
    const [first] = answers
    return { addresses, error: first.status === 'rejected' ? first.reason as NodeJS.ErrnoException : undefined }
  }

  return (hostname, options, done) => {
    const began = performance.now()
    // c-ares of older Node.js calls a refused connection a timeout, too, but at once.
    const isRefused = (code: string | undefined) =>
      code === 'ECONNREFUSED' || (code === 'ETIMEOUT' && performance.now() - began < timeoutMs)
    resolve(hostname).then(({ addresses, error }) => {
      if (addresses.length > 0) done(null, addresses)
      else if (isRefused(error?.code)) systemLookup(hostname, { ...options, all: true }, done)
      else done(error ?? new Error(`${hostname} has no address.`), [])
    }, (error: NodeJS.ErrnoException) => done(error, []))
  }
}
