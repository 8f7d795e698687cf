import type { OutsideAnswer, OutsideRequest } from '../http/client.js'
import type { Reading } from './formats/format.js'

/** What is asked of a source. */
export interface SourceSearch {
  /** In the source's own query language; what a project's keywords make of it where the project states none. */
  query: string
  /** First and last day of the window, YYYY-MM-DD, both within. */
  from: string
  to: string
  /** Where an earlier walk over the same window ended early; null from the beginning. */
  cursor: string | null
}

/** What a source works with: requests that wait for their turn and are tried again where that helps, and the operator's settings. */
export interface SourceContext {
  /** One request in the source's turn. An answer with a status of 400 and more is given back too, but for 429 and 5xx, which are tried again first. */
  fetch: (url: URL, request?: OutsideRequest) => Promise<OutsideAnswer>
  /** Without a slash at its end. */
  baseUrl: string
  /** Mail address of the operator, for sources that ask for one. */
  contact: string | undefined
  /** The operator's key at the source. */
  apiKey: string | undefined
}

/** Some records of a walk, and where to go on should the next request fail: null where the walk has ended with them. */
export interface SourcePage {
  readings: Reading[]
  cursor: string | null
  /** What the source has and does not give, for the project's owner; the look counts as done. */
  shortfall?: string | undefined
}

/** An outside index of papers. Adding one is a file here and a row in sources.ts. */
export interface Source {
  /** As projects name it. */
  readonly name: string
  /** As people call it. */
  readonly title: string
  /** What it has, in a sentence for a person who chooses. */
  readonly covers: string
  /** What a project's query is, for a person who writes one. */
  readonly queryHelp: string
  /** Whose limits it shares: sources of one group take turns, one request at a time. */
  readonly group: string
  /** Milliseconds from the start of a request to the start of the next; `withKey` with the operator's key. */
  readonly interval: number
  readonly intervalWithKey?: number
  /** Days before the last look that are looked at again, where the source adds papers later than most. */
  readonly overlap?: number
  /** The setting that holds its base address, and its default. */
  readonly urlSetting: string | null
  readonly defaultUrl: string
  /** The query that stands for a project that states none; empty where there is nothing to ask for. */
  queryOf (interest: { positive_keywords: readonly string[], interest_description: string }): string
  /** What is wrong with a query, for the person who wrote it; null where it can be asked. */
  check (query: string): string | null
  /** Walks over what is new in a window. @throws SourceError */
  search (context: SourceContext, search: SourceSearch): AsyncIterable<SourcePage>
}

/** bad_query: asking again as it is will not help. wrong_answer: it answered, but not with what its interface promises. */
export type SourceFault = 'bad_query' | 'rate_limited' | 'unavailable' | 'wrong_answer'

/** A source could not be looked at, which is not "nothing new". The message is for the project's owner. */
export class SourceError extends Error {
  readonly fault: SourceFault
  /** Seconds that the source asked to wait. */
  readonly retryAfter: number | undefined
  constructor (fault: SourceFault, message: string, options: ErrorOptions & { retryAfter?: number | undefined } = {}) {
    super(message, options)
    this.fault = fault
    this.retryAfter = options.retryAfter
  }
}
