import type { CheckedPaper, WatchedIdentifier, WatchedPaper } from '../../db/queries/notice-checks.js'
import type { JsonObject } from '../../schemas/json-object.js'
import type { FollowTarget } from '../../schemas/follow.js'
import type { HttpResponse, HttpRequest } from '../http/client.js'
import type { Log } from '../observability/log.js'
import type { PastedIdentifier } from '../papers/pasted-identifier.js'
import type { NoticeOrigin, SourceTraits } from '../papers/source-traits.js'
import type { SourceSettings } from '../settings/settings.js'
import type { ParsedRecord, ParseResult } from './formats/format.js'

/** The parts of a project's interest that a query contains. */
export interface SearchInterest { positive_keywords: readonly string[], interest_description: string }

/** A search at a source. */
export interface SourceSearch {
  /** In the source's query language: the project's custom query, or one made of its keywords. */
  query: string
  /** First and last day of the window, YYYY-MM-DD, both within. */
  from: string
  to: string
  /** Where an earlier fetch of the same window stopped early; null from the start. */
  cursor: string | null
}

/** A request to a source. */
export interface SourceRequest extends HttpRequest {
  /** Set where the source would answer the same request otherwise, as with the next page: it is repeated after a rate limit alone. */
  isUnrepeatable?: boolean
}

/** Tools of a source: requests with rate limit and retries, and the operator's settings. */
export interface SourceContext {
  /** Sends one request in a slot of the source, with retries on 429 and 5xx. Resolves with answers of other statuses as they are. */
  fetch: (url: URL, request?: SourceRequest) => Promise<HttpResponse>
  /** Without a slash at its end. */
  baseUrl: string
  /** Mail address of the operator, for sources that ask for one. */
  contact: string | undefined
  /** The operator's key at the source. */
  apiKey: string | undefined
  /** The account that the search is for: accounts share what parses documents. */
  account?: string | undefined
  /** Ends the search. */
  signal?: AbortSignal | undefined
  /** Takes what an operator should know of the source's answers. */
  log?: Pick<Log, 'info'> | undefined
}

/** Parses the items in a source's answers in JSON. The thread that parses large answers finds it by its name. */
export interface ItemParser { readonly name: string, readonly parse: (item: JsonObject) => ParseResult }

/** Some records of a listing, and the cursor to continue from should the next request fail: null where they end the listing. */
export interface SourcePage {
  parsed: ParsedRecord[]
  cursor: string | null
  /** Message to the project's owner about papers that the source has but does not return. The fetch counts as complete. */
  shortfall?: string | undefined
}

/** How a source reports retractions, corrections and further forms of papers. */
export interface NoticeSource {
  /** Identifiers by which it finds papers. A paper needs one of them. */
  readonly identifiers: readonly WatchedIdentifier[]
  /** The DOIs of the papers that it may know, as a regular expression of JavaScript and PostgreSQL; without one, of any. */
  readonly dois?: string
  /** Papers of one batch, which takes one request, or one for each kind of identifier or each paper where the source needs them. */
  readonly batchSize: number
  /** Names under which it states notices: its own, and those of others whose notices it passes on. */
  readonly statedAs: readonly NoticeOrigin[]
  /** @returns the papers that it knows, each with all its notices @throws SourceError */
  check (context: SourceContext, papers: readonly WatchedPaper[]): Promise<CheckedPaper[]>
}

/** Kinds of ids of authors, journals and institutions. OpenAlex has ids of all three. */
export type FollowIdKind = 'orcid' | 'issn' | 'ror' | 'openalex'

/** How a source finds the papers of what a project follows. Each function makes a query in the source's language. */
export interface FollowQueries {
  /** Queries by all ids of a kind, of which any matches. The first kind that the target has is used. */
  readonly byId?: { readonly [Kind in FollowTarget['kind']]?: { readonly [Id in FollowIdKind]?: (ids: readonly string[]) => string } }
  /** Queries by name, which has no characters that query languages give a meaning. */
  readonly byName?: {
    /** @param readings family name and initials in each likely order: "LI X" and "Xiaoming L" for "Xiaoming LI" */
    readonly author?: (name: string, readings: readonly string[]) => string
    readonly journal?: (name: string) => string
  }
}

/**
 * Everything that Litfeed knows about one source of papers. Adding a source is one file that exports this, and its row in index.ts:
 * settings, schemas, docs, checks and pages derive from the two.
 */
export interface Source extends SourceTraits {
  /** Its coverage, in a sentence for a person who chooses. */
  readonly covers: string
  /** Help on its query language. */
  readonly queryHelp: string
  /** Whether a new project that names no sources searches it. */
  readonly isDefault?: true
  /** Its address and key; null where each project's query is the address. */
  readonly settings: SourceSettings | null
  /** Rate limit that it shares with all sources of the same group: one request at a time. */
  readonly group: string
  /** Milliseconds between the starts of two requests, by default and with the operator's key. Source: its terms of use. */
  readonly intervalMs: number
  readonly intervalWithKeyMs?: number
  /** Hosts whose requests count against the rate limit too, such as those of full texts. */
  readonly hosts?: RegExp
  /** Days before the last fetch that are fetched again, where the source adds papers later than most. */
  readonly overlapDays?: number
  /** Makes a query for a project without a custom one; empty where the interest has nothing to search for. */
  buildQuery (interest: SearchInterest): string
  /** The error of a query, as a clause for the person who wrote it; null for a valid one. */
  checkQuery (query: string): string | null
  /** Parses the items of its answers in JSON, where it sends such. */
  readonly itemParser?: ItemParser
  /** Finds one paper by its identifier, where the source can. */
  readonly lookup?: {
    readonly kinds: ReadonlyArray<PastedIdentifier['kind']>
    /** @returns what the source has, perhaps other papers too; empty where it has none @throws SourceError */
    find (context: SourceContext, identifier: PastedIdentifier): Promise<ParsedRecord[]>
  }
  /** Makes the query that finds a paper by its title, for sources that list the best matches first or few. */
  titleQuery? (title: string): string
  /** Finds the papers of authors, journals and institutions, where the source can. */
  readonly followQueries?: FollowQueries
  /** Reports what became of papers after their publication, where the source can. */
  readonly notices?: NoticeSource
  /** Lists the records in a window. @throws SourceError */
  search (context: SourceContext, search: SourceSearch): AsyncIterable<SourcePage>
}

/**
 * bad_query: the same query will fail again. no_query: the project gives none. wrong_answer: the response is not what the source's
 * interface promises.
 */
export type SourceFault = 'bad_query' | 'no_query' | 'rate_limited' | 'unavailable' | 'wrong_answer'

/**
 * A failed search, which is not "nothing new". The message quotes nothing from the source and goes to the project's owner and to models.
 * The source's own message may contain anything, instructions to a model included: it is `detail` and goes to the log only.
 */
export class SourceError extends Error {
  readonly fault: SourceFault
  /** Seconds that the source asked to wait. */
  readonly retryAfter: number | undefined
  /** An excerpt of the source's answer, for the log. */
  readonly detail: string | undefined
  constructor (
    fault: SourceFault,
    message: string,
    { retryAfter, detail, ...options }: ErrorOptions & { retryAfter?: number | undefined, detail?: string | undefined } = {}
  ) {
    super(message, options)
    this.fault = fault
    this.retryAfter = retryAfter
    this.detail = detail
  }
}
