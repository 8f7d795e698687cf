import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpResponse, type HttpClient, HttpError, type HttpRequest } from '../../http/client.js'
import { minuteMs } from '../../../schemas/durations.js'
import { isTransient, readRetryAfter } from '../../http/retry-after.js'
import { type Source, SourceError, type SourceRequest } from '../source.js'

/** The retry policy for requests to sources: attempts, and the delay before the second, which doubles with each. */
const retryPolicy = { attempts: 4, firstDelayMs: 500 }
/** Maximum Retry-After that a request waits for; a longer one postpones the whole fetch. */
const maxWaitSeconds = 30
/** Milliseconds that a source is left alone which answers 429 and does not say for how long; by attempt. */
const unstatedPausesMs = [1000, 4000, 16_000, 2 * minuteMs]
/** Maximum interval between requests that a source can ask for in its rate headers. */
const maxIntervalMs = 10_000

/**
 * Runs a request in the next slot; `pauseAfter` gives the milliseconds that no other request may start after its result. @throws
 * SourceError
 */
export type Slot = <T>(url: URL, request: () => Promise<T>, pauseAfter: (result: T) => number) => Promise<T>

/** Dependencies of a fetch with retries. */
export interface RetryOptions {
  client: HttpClient
  source: Pick<Source, 'title'>
  slot: Slot
  /** Cooldown of a host that lets a request time out; such a request is not retried. */
  cooldownMs?: number
  /** The longest pause of a host that the answer of another one, which it redirects to, causes. Default: as long as that asks. */
  maxPauseElsewhereMs?: number
  signal: AbortSignal | undefined
}

/**
 * Requests that are retried where it helps: connection failures, timeouts and transient statuses, with backoff or after `Retry-After`.
 * Resolves with other answers as they are. @throws SourceError
 */
export const fetchWithRetry = ({ client, source: { title }, slot, cooldownMs = 0, maxPauseElsewhereMs = Infinity, signal }: RetryOptions) =>
  async (url: URL, { isUnrepeatable = false, ...request }: SourceRequest = {}): Promise<HttpResponse> => {
    for (let attempts = 1; ; attempts++) {
      const statedPause = (result: HttpResponse | SourceError) =>
        Math.min(pauseAfter(result), isElsewhere(result, url) ? maxPauseElsewhereMs : Infinity)
      const pause = (result: HttpResponse | SourceError) =>
        isTimeout(result) ? cooldownMs : isUnstatedLimit(result) ? unstatedPausesMs[attempts - 1]! : statedPause(result)
      const result = await slot(url, () => attempt(client, url, { ...request, signal }, title), pause)
      if (!(result instanceof SourceError) && !isTransient(result.status)) return result
      const failure = result instanceof SourceError ? result : refusal(result, title)
      const wait = failure.retryAfter ?? 0
      const isFinal = failure.fault === 'wrong_answer' || wait > maxWaitSeconds || (isUnrepeatable && failure.fault !== 'rate_limited') ||
        (cooldownMs > 0 && (isTimeout(result) || isTimeoutElsewhere(result)))
      if (attempts === retryPolicy.attempts || isFinal) throw failure
      await sleep(Math.max(wait * 1000, retryPolicy.firstDelayMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2)), undefined, { signal })
    }
  }

/**
 * Milliseconds that an answer asks for, by `Retry-After` or by its rate. @see
 * https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
 */
export function pauseAfter (result: HttpResponse | SourceError): number {
  if (result instanceof SourceError) return 0
  const { status, headers } = result
  if (isTransient(status)) return (readRetryAfter(headers.get('retry-after')) ?? 0) * 1000
  const limit = Number(headers.get('x-rate-limit-limit'))
  const seconds = Number(/^(\d{1,6})s$/.exec(headers.get('x-rate-limit-interval') ?? '')?.[1])
  return limit > 0 && seconds > 0 ? Math.min(seconds * 1000 / limit, maxIntervalMs) : 0
}

/** Whether an answer limits requests without a time. */
const isUnstatedLimit = (result: HttpResponse | SourceError) =>
  !(result instanceof SourceError) && result.status === 429 && readRetryAfter(result.headers.get('retry-after')) === undefined

const isTimeout = (result: HttpResponse | SourceError) =>
  result instanceof SourceError && result.cause instanceof HttpError && result.cause.fault === 'timeout'

/** Whether another host answered, to which the address redirects. */
const isElsewhere = (result: HttpResponse | SourceError, { host }: URL) =>
  !(result instanceof SourceError) && URL.canParse(result.url) && new URL(result.url).host !== host

/** Whether the address that a host redirects to did not answer in time, which is no reason to pause that host. */
const isTimeoutElsewhere = (result: HttpResponse | SourceError) =>
  result instanceof SourceError && result.cause instanceof HttpError && result.cause.cause instanceof HttpError &&
  result.cause.cause.fault === 'timeout'

async function attempt (client: HttpClient, url: URL, request: HttpRequest, title: string): Promise<HttpResponse | SourceError> {
  try {
    return await client.fetch(url, request)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const options = { cause: error, detail: error.cause instanceof Error ? error.cause.message : undefined }
    return error.fault === 'unreachable' || error.fault === 'timeout'
      ? new SourceError('unavailable', `${title} did not respond: ${error.message}`, options)
      : new SourceError('wrong_answer', `${title} sent an invalid response: ${error.message}`, options)
  }
}

function refusal ({ status, headers }: HttpResponse, title: string): SourceError {
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  if (status === 429) return new SourceError('rate_limited', `${title} is rate-limiting requests (status 429).`, { retryAfter })
  return new SourceError('unavailable', `${title} is temporarily unavailable (status ${status}).`, { retryAfter })
}
