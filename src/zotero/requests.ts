import { minuteMs } from '../../schemas/durations.js'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from '../http/client.js'
import { isTransient, readRetryAfter } from '../http/retry-after.js'
import { ZoteroError } from './errors.js'

/** A longer pause postpones the whole sync. */
const maxWaitSeconds = 30
const maxAttempts = 4
const firstDelaySeconds = 2
const timeoutMs = minuteMs

/** Waits; rejects if the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>

export interface RequestOptions { url: string, http: HttpClient, wait: Wait, apiKey: string, signal: AbortSignal | undefined }

export interface ZoteroRequest {
  query?: Readonly<Record<string, string | number>>
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON with POST. */
  body?: unknown
  maxBytes: number
}

/**
 * Sends a request to a path of the API. Resolves with any status but those that are retried.
 * @throws ZoteroError, HttpError for an answer that is too large
 */
export type SendRequest = (path: string, request: ZoteroRequest) => Promise<HttpResponse>

export interface ZoteroRequests {
  send: SendRequest
  /** Seconds that Zotero asked to wait before the next request; 0 if it did not. */
  backoff: () => number
}

/**
 * Sends requests with one key sequentially. Waits after `Backoff` and retries after `Retry-After` if the pause is short. A longer pause is
 * an error, which frees the worker.
 * @see https://www.zotero.org/support/dev/web_api/v3/basics#rate_limiting
 */
export function zoteroRequests ({ url, http, wait, apiKey, signal }: RequestOptions): ZoteroRequests {
  /** Seconds that Zotero asked to wait before the next request. */
  let backoff = 0

  async function pause (seconds: number): Promise<void> {
    if (seconds > maxWaitSeconds) {
      throw new ZoteroError('busy', `Zotero asked for a pause of ${seconds} seconds.`, { retryAfter: seconds })
    }
    if (seconds > 0) await wait(seconds * 1000, signal)
  }

  const send: SendRequest = async (path, { query = {}, headers = {}, body, maxBytes }) => {
    const address = new URL(`${url}/${path}`)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
    for (let attempt = 1; ; attempt++) {
      const due = backoff
      backoff = 0
      await pause(due)
      const result = await attemptRequest(http, address, {
        method: body === undefined ? 'GET' as const : 'POST' as const,
        headers: {
          'zotero-api-version': '3',
          'zotero-api-key': apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        maxBytes,
        timeoutMs,
        signal
      })
      if (!(result instanceof ZoteroError)) {
        backoff = readRetryAfter(result.headers.get('backoff')) ?? 0
        if (!isTransient(result.status)) return result
      }
      const asked = result instanceof ZoteroError ? undefined : readRetryAfter(result.headers.get('retry-after'))
      if (attempt === maxAttempts && asked === undefined) throw result instanceof ZoteroError ? result : unavailable(result.status)
      if (attempt === maxAttempts) throw new ZoteroError('busy', 'Zotero is rate-limiting requests.', { retryAfter: asked! })
      // The longer of the two applies.
      const seconds = Math.max(asked ?? firstDelaySeconds * 2 ** (attempt - 1), backoff)
      backoff = 0
      await pause(seconds)
    }
  }
  return { send, backoff: () => backoff }
}

const unavailable = (status: number) => new ZoteroError('unavailable', `Zotero is temporarily unavailable (status ${status}).`)

async function attemptRequest (http: HttpClient, address: URL, request: HttpRequest): Promise<HttpResponse | ZoteroError> {
  try {
    return await http.fetch(address, request)
  } catch (cause) {
    if (!(cause instanceof HttpError) || cause.fault === 'too_large' || cause.fault === 'fragmented') throw cause
    return new ZoteroError('unavailable', `Zotero did not respond: ${cause.message}`, { cause })
  }
}
