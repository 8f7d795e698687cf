import type { LookupFunction } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher, fetch, RequestInit, Response as UndiciResponse } from 'undici'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'
import { isPublicHost, publicLookup } from './addresses.js'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from './client.js'
import { connectionFault } from './connection-fault.js'
import { limitWire, tooLarge } from './limit-wire.js'

const maxRedirects = 5
const defaults = { maxBytes: 32 * bytesPerMebibyte, timeoutMs: 30_000 }

export interface GuardedClientOptions {
  userAgent: string
  /** Origins that may have private addresses. */
  trustedOrigins?: readonly string[]
  /** Resolves names. Default: the host's name servers. */
  lookup?: LookupFunction
}

/** A client that decides about the addresses that it requests. */
export interface GuardedClient extends HttpClient {
  /** Whether it may request an address, as far as the host's name tells. */
  allows (url: string): boolean
  close (): Promise<void>
}

/**
 * Creates an HTTP client for addresses that come from data: http and https only, public addresses only, bounded time and decoded size.
 * Every connection is checked, including redirects. Trusted origins come from the operator and may be private; their redirect targets may
 * not.
 */
export function guardedClient ({ userAgent, trustedOrigins = [], lookup }: GuardedClientOptions): GuardedClient {
  let opened: Promise<Transport> | undefined
  const trusted = new Set(trustedOrigins)

  return {
    allows (url) {
      if (!URL.canParse(url)) return false
      const { origin, hostname } = new URL(url)
      return trusted.has(origin) || isPublicHost(hostname)
    },
    async fetch (url, {
      method = 'GET', headers = {}, body, maxBytes = defaults.maxBytes, timeoutMs = defaults.timeoutMs, signal, redirect = 'follow',
      readBody
    } = {}) {
      const deadline = AbortSignal.timeout(timeoutMs)
      const limit = new AbortController()
      const aborted = AbortSignal.any([deadline, limit.signal, ...signal === undefined ? [] : [signal]])
      const first = parseAddress(url)
      let address = first
      const content = await encodeBody(body)
      let request: RequestInit = {
        method,
        body: content.body,
        headers: { 'user-agent': userAgent, ...content.headers, ...headers },
        redirect: 'manual',
        signal: aborted
      }
      try {
        const { fetch, guarded, unguarded } = await (opened ??= openTransport(lookup))
        for (let redirects = 0; ; redirects++) {
          const dispatcher = trusted.has(address.origin) ? unguarded : guarded
          if (dispatcher === guarded) refusePrivate(address)
          const limited = dispatcher.compose(limitWire(address.host, maxBytes, error => { limit.abort(error) }))
          const response = await fetch(address, { ...request, dispatcher: limited })
          const next = redirect === 'follow' ? redirectOf(response, address) : null
          if (next === null) return await readResponse(response, address, { maxBytes, readBody })
          await response.body?.cancel()
          if (redirects === maxRedirects) throw new HttpError('refused', `${first.host} redirects more than ${maxRedirects} times.`)
          request = redirectRequest(request, response.status, next.origin === address.origin)
          address = next
        }
      } catch (cause) {
        // An abort by the caller is reported with its own reason, not with undici's error: it says nothing about the server.
        signal?.throwIfAborted()
        throw toHttpError(cause, { first, address, timedOut: deadline.aborted, timeoutMs })
      }
    },
    async close () {
      if (opened === undefined) return
      const { guarded, unguarded } = await opened
      await Promise.all([guarded.destroy(), unguarded.destroy()])
    }
  }
}

/** Connections to public addresses alone, and to any. */
interface Transport { fetch: typeof fetch, guarded: Dispatcher, unguarded: Dispatcher }

/**
 * Imports undici, whose 130 modules take a tenth of a second of the event loop. Commands do with their first request, since most of them
 * send none; a server does before it listens.
 */
export const importUndici = async () => await import('undici')

async function openTransport (lookup: LookupFunction | undefined): Promise<Transport> {
  const { Agent, fetch } = await importUndici()
  // Each request has its own total deadline; some services need minutes before they send headers.
  const shared = { headersTimeout: 0, bodyTimeout: 30_000, maxHeaderSize: 64 * 1024, connections: 8 }
  return {
    fetch,
    guarded: new Agent({ ...shared, connect: { timeout: 10_000, lookup: publicLookup(lookup) } }),
    unguarded: new Agent({ ...shared, connect: { timeout: 10_000 } })
  }
}

/** Encodes forms, since undici's fetch does not accept Node's global FormData. */
async function encodeBody (body: HttpRequest['body']): Promise<{ body: string | Uint8Array | null, headers: Record<string, string> }> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers: {} }
  const form = new Response(body)
  return { body: new Uint8Array(await form.arrayBuffer()), headers: { 'content-type': form.headers.get('content-type')! } }
}

/** @throws HttpError */
function parseAddress (url: string | URL, base?: URL): URL {
  let address: URL
  try {
    address = new URL(url, base)
  } catch (cause) {
    throw new HttpError('refused', `"${String(url).slice(0, 100)}" is not a valid address.`, { cause })
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new HttpError('refused', `Addresses must start with http:// or https://, not ${address.protocol.slice(0, 20)}.`)
  }
  address.username = ''
  address.password = ''
  address.hash = ''
  return address
}

/** Literal addresses skip the DNS lookup that checks names. @throws HttpError */
function refusePrivate ({ hostname }: URL): void {
  if (!isPublicHost(hostname)) throw new HttpError('refused', `${hostname} is not on the public Internet.`)
}

function redirectOf (response: UndiciResponse, from: URL): URL | null {
  const location = response.headers.get('location')
  return [301, 302, 303, 307, 308].includes(response.status) && location !== null ? parseAddress(location, from) : null
}

/** Drops headers for another origin, since they can contain keys. @see https://fetch.spec.whatwg.org/#http-redirect-fetch */
function redirectRequest (request: RequestInit, status: number, sameOrigin: boolean): RequestInit {
  const { 'user-agent': userAgent, accept } = request.headers as Record<string, string>
  const headers = sameOrigin ? request.headers! : { 'user-agent': userAgent!, ...(accept === undefined ? {} : { accept }) }
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST')
  return { ...request, headers, ...(becomesGet || !sameOrigin ? { method: 'GET', body: null } : {}) }
}

/** Reads a body, to memory unless the caller reads it. */
async function readResponse (
  response: UndiciResponse,
  { href, host }: URL,
  { maxBytes, readBody }: { maxBytes: number, readBody: HttpRequest['readBody'] }
): Promise<HttpResponse> {
  const { status, headers } = response
  const chunks: Uint8Array[] = []
  if (readBody === undefined) for await (const chunk of chunksOf(response, host, maxBytes)) chunks.push(chunk)
  else if (response.ok) await readBody(chunksOf(response, host, maxBytes))
  else await response.body?.cancel()
  return { status, headers: headers as unknown as Headers, url: href, bytes: await concat(chunks) }
}

/** Yields a body chunk by chunk and stops at maxBytes, which bounds decompression bombs. */
async function * chunksOf (response: UndiciResponse, host: string, maxBytes: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength
    // Leaving the loop cancels the body and closes the connection.
    if (size > maxBytes) throw tooLarge(host, maxBytes)
    yield chunk as Uint8Array
  }
}

/** Bytes that are copied in one turn of the event loop, in a few milliseconds. */
const maxCopiedBytes = bytesPerMebibyte

/** Like `Buffer.concat`, which would hold up other requests for tens of milliseconds with a large body. */
async function concat (chunks: readonly Uint8Array[]): Promise<Buffer> {
  const all = Buffer.allocUnsafe(chunks.reduce((size, { byteLength }) => size + byteLength, 0))
  let end = 0
  let turnEnd = maxCopiedBytes
  for (const chunk of chunks) {
    if (end >= turnEnd) {
      await setImmediate()
      turnEnd = end + maxCopiedBytes
    }
    all.set(chunk, end)
    end += chunk.byteLength
  }
  return all
}

interface Failure { first: URL, address: URL, timedOut: boolean, timeoutMs: number }

/**
 * Turns a failure of undici into an HttpError. The message quotes nothing that a server sent: where a redirect led is for the log.
 */
function toHttpError (cause: unknown, { first, address, timedOut, timeoutMs }: Failure): Error {
  const error = describeFailure(cause, address.host, { timedOut, timeoutMs })
  if (!(error instanceof HttpError) || address.host === first.host) return error
  // Callers pause hosts that time out; the host that redirects is not to blame.
  const fault = error.fault === 'timeout' ? 'unreachable' : error.fault
  return new HttpError(fault, `${first.host} redirects to an address that Litfeed cannot fetch.`, { cause: error })
}

function describeFailure (cause: unknown, host: string, { timedOut, timeoutMs }: Pick<Failure, 'timedOut' | 'timeoutMs'>): Error {
  const known = [cause, (cause as Error).cause].find(each => each instanceof HttpError)
  if (known !== undefined) return known as HttpError
  if (timedOut) return new HttpError('timeout', `${host} did not answer within ${timeoutMs / 1000} s.`, { cause })
  // The message of undici's own error is always "fetch failed".
  const reason = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  return new HttpError('unreachable', `${host} cannot be reached: ${connectionFault(reason)}.`, { cause: reason })
}
