import { setTimeout as sleep } from 'node:timers/promises'
import { type OutsideAnswer, type OutsideClient, OutsideError, type OutsideRequest } from '../http/client.js'
import { type Source, SourceError } from './source.js'

const mostTries = 4
const firstDelay = 500
/** Seconds that are waited here where a source asks for it; for longer, the whole look is put off. */
const longestWait = 30
/** Seconds that a source is left alone at most, whatever it asks for. */
const longestRest = 24 * 60 * 60
/** Milliseconds between requests that a source may ask for by stating its rate. */
const slowestPace = 10_000

/** Runs a request when its turn has come; `pause` says for how many milliseconds nobody is to ask again after it. @throws SourceError */
export type Turn = <T>(url: URL, work: () => Promise<T>, pause: (result: T) => number) => Promise<T>

export interface PatienceOptions {
  client: OutsideClient
  source: Pick<Source, 'title'>
  /** Gives each request its turn at the source. */
  turn: Turn
  /** Milliseconds that one that lets a request run out of time is left alone; it is not asked again here then. */
  rest?: number
  signal: AbortSignal | undefined
}

/**
 * Makes requests that are tried again where that helps: no connection, too slow, 429 and 5xx, each time after about twice the delay, or as
 * long as `Retry-After` asks. Other answers are given back as they are. @throws SourceError
 */
export const patientFetch = ({ client, source: { title }, turn, rest = 0, signal }: PatienceOptions) =>
  async (url: URL, request: OutsideRequest = {}): Promise<OutsideAnswer> => {
    for (let tries = 1; ; tries++) {
      const result = await turn(url, () => attempt(client, url, { ...request, signal }), result => isTimeout(result) ? rest : pauseAfter(result))
      if (!(result instanceof SourceError) && !isPassing(result.status)) return result
      const failure = result instanceof SourceError ? described(result, title) : refusal(result, title)
      const wait = failure.retryAfter ?? 0
      if (tries === mostTries || failure.fault === 'wrong_answer' || wait > longestWait || (rest > 0 && isTimeout(result))) throw failure
      await sleep(Math.max(wait * 1000, firstDelay * 2 ** (tries - 1) * (0.75 + Math.random() / 2)), undefined, { signal })
    }
  }

/** Milliseconds that an answer asks all to wait, by `Retry-After` or by its rate. @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/ */
function pauseAfter (result: OutsideAnswer | SourceError): number {
  if (result instanceof SourceError) return 0
  const { status, headers } = result
  if (isPassing(status)) return (readRetryAfter(headers.get('retry-after')) ?? 0) * 1000
  const limit = Number(headers.get('x-rate-limit-limit'))
  const seconds = Number(/^(\d{1,6})s$/.exec(headers.get('x-rate-limit-interval') ?? '')?.[1])
  return limit > 0 && seconds > 0 ? Math.min(seconds * 1000 / limit, slowestPace) : 0
}

const isTimeout = (result: OutsideAnswer | SourceError) => result instanceof SourceError && result.cause instanceof OutsideError && result.cause.fault === 'timeout'

const isPassing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500

async function attempt (client: OutsideClient, url: URL, request: OutsideRequest): Promise<OutsideAnswer | SourceError> {
  try {
    return await client.fetch(url, request)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const passing = error.fault === 'unreachable' || error.fault === 'timeout'
    return new SourceError(passing ? 'unavailable' : 'wrong_answer', error.message, { cause: error })
  }
}

const described = ({ fault, message, cause }: SourceError, title: string) => new SourceError(fault, `${title} could not be asked: ${message}`, { cause })

function refusal ({ status, headers }: OutsideAnswer, title: string): SourceError {
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  if (status === 429) return new SourceError('rate_limited', `${title} answered that it is asked too often (status 429).`, { retryAfter })
  return new SourceError('unavailable', `${title} cannot answer now (status ${status}).`, { retryAfter })
}

/** Seconds or a date; a day at most, since nobody would take back a mistake of years. Source: RFC 9110, section 10.2.3. */
function readRetryAfter (value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), longestRest)
}
