import type { LookupFunction } from 'node:net'
import { Agent, fetch, type RequestInit, type Response as OutsideResponse } from 'undici'
import { isAddress, isPublicAddress, publicLookup } from './addresses.js'
import { type OutsideAnswer, type OutsideClient, OutsideError, type OutsideRequest } from './client.js'

const mostRedirects = 5
const megabyte = 1024 * 1024
const defaults = { maxBytes: 32 * megabyte, timeout: 30_000 }

export interface HttpOptions {
  userAgent: string
  /** Origins that may be reached wherever they are. */
  trustedOrigins?: readonly string[]
  /** Resolves names; the system's where it is left out. */
  lookup?: LookupFunction
}

/**
 * The guarded client: http and https only, public addresses only (checked as the connection is made, for every redirect anew), limits on time
 * and on decoded bytes. Trusted origins are the operator's: they may be private, and what they redirect to is guarded again.
 */
export function outsideClient ({ userAgent, trustedOrigins = [], lookup }: HttpOptions): OutsideClient & { close: () => Promise<void> } {
  // Each request has a deadline of its own for everything; some services work for minutes before they answer.
  const shared = { headersTimeout: 0, bodyTimeout: 30_000, maxHeaderSize: 64 * 1024, connections: 8 }
  const guarded = new Agent({ ...shared, connect: { timeout: 10_000, lookup: publicLookup(lookup) } })
  const open = new Agent({ ...shared, connect: { timeout: 10_000 } })
  const trusted = new Set(trustedOrigins)

  return {
    async fetch (url, { method = 'GET', headers = {}, body, maxBytes = defaults.maxBytes, timeout = defaults.timeout, signal } = {}) {
      const deadline = AbortSignal.timeout(timeout)
      const ended = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      let address = readAddress(url)
      const content = await encoded(body)
      let request: RequestInit = { method, body: content.body, headers: { 'user-agent': userAgent, ...content.headers, ...headers }, redirect: 'manual', signal: ended }
      try {
        for (let redirects = 0; ; redirects++) {
          const dispatcher = trusted.has(address.origin) ? open : guarded
          if (dispatcher === guarded) refusePrivate(address)
          const response = await fetch(address, { ...request, dispatcher })
          const next = redirectOf(response, address)
          if (next === null) return await read(response, address, maxBytes)
          await response.body?.cancel()
          if (redirects === mostRedirects) throw new OutsideError('refused', `${address.host} redirects more than ${mostRedirects} times.`)
          request = redirected(request, response.status, next.origin === address.origin)
          address = next
        }
      } catch (cause) {
        throw explain(cause, address, { timedOut: deadline.aborted && signal?.aborted !== true, timeout })
      }
    },
    async close () {
      await Promise.all([guarded.destroy(), open.destroy()])
    }
  }
}

/** A form is encoded here: undici knows its own forms only, and not those of Node's globals. */
async function encoded (body: OutsideRequest['body']): Promise<{ body: string | Uint8Array | null, headers: Record<string, string> }> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers: {} }
  const form = new Response(body)
  return { body: new Uint8Array(await form.arrayBuffer()), headers: { 'content-type': form.headers.get('content-type')! } }
}

/** @throws OutsideError */
function readAddress (url: string | URL, base?: URL): URL {
  let address: URL
  try {
    address = new URL(url, base)
  } catch (cause) {
    throw new OutsideError('refused', `"${String(url).slice(0, 100)}" is no address.`, { cause })
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') throw new OutsideError('refused', `An address must begin with http:// or https://, not ${address.protocol.slice(0, 20)}.`)
  address.username = ''
  address.password = ''
  address.hash = ''
  return address
}

/** Addresses are not looked up when a connection is made, so they are checked here. */
function refusePrivate ({ hostname }: URL): void {
  const isLocal = /(^|\.)localhost\.?$/.test(hostname)
  if (isLocal || (isAddress(hostname) && !isPublicAddress(hostname))) throw new OutsideError('refused', `${hostname} is not on the public Internet.`)
}

function redirectOf (response: OutsideResponse, from: URL): URL | null {
  const location = response.headers.get('location')
  return [301, 302, 303, 307, 308].includes(response.status) && location !== null ? readAddress(location, from) : null
}

/** Another origin gets no header that was meant for the first: keys are among them. Source: Fetch standard, HTTP-redirect fetch. */
function redirected (request: RequestInit, status: number, sameOrigin: boolean): RequestInit {
  const { 'user-agent': userAgent, accept } = request.headers as Record<string, string>
  const headers = sameOrigin ? request.headers! : { 'user-agent': userAgent!, ...(accept === undefined ? {} : { accept }) }
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST')
  return { ...request, headers, ...(becomesGet || !sameOrigin ? { method: 'GET', body: null } : {}) }
}

/** Reads a body piece by piece as it is decoded, so that a small one that unfolds into a huge one is left in time. */
async function read (response: OutsideResponse, { href, host }: URL, maxBytes: number): Promise<OutsideAnswer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += (piece as Uint8Array).byteLength
    // Leaving the loop cancels the body and closes its connection.
    if (size > maxBytes) throw new OutsideError('too_large', `${host} sent more than ${Math.round(maxBytes / megabyte * 10) / 10} MB.`)
    pieces.push(piece as Uint8Array)
  }
  return { status: response.status, headers: response.headers as unknown as Headers, url: href, bytes: Buffer.concat(pieces) }
}

function explain (cause: unknown, { host }: URL, { timedOut, timeout }: { timedOut: boolean, timeout: number }): Error {
  const known = [cause, (cause as Error).cause].find(each => each instanceof OutsideError)
  if (known !== undefined) return known as OutsideError
  if (timedOut) return new OutsideError('timeout', `${host} did not answer within ${timeout / 1000} s.`, { cause })
  if ((cause as Error).name === 'AbortError') return cause as Error
  const inner = (cause as Error).cause as NodeJS.ErrnoException | undefined
  const reason = inner?.code ?? inner?.message ?? (cause as Error).message
  return new OutsideError('unreachable', `${host} cannot be reached (${reason}).`, { cause })
}
