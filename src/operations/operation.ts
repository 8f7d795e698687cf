import type { Static, TObject } from 'typebox'
import type { Db, PoolState } from '../../db/connection.js'
import type { Queue } from '../../db/queue.js'
import type { AccessTokens } from '../accounts/access-tokens.js'
import type { FormProofs } from '../accounts/csrf-tokens.js'
import type { FeedTokens } from '../accounts/feed-tokens.js'
import type { KeyVerifier } from '../accounts/keys.js'
import type { Attempts } from '../accounts/login-throttle.js'
import type { SessionTokens } from '../accounts/session-tokens.js'
import type { Mailer } from '../alerts/mail.js'
import type { Fulltext } from '../fulltext/access.js'
import type { Metrics } from '../observability/metrics.js'
import type { OutsideClient } from '../http/client.js'
import type { RelevanceWork } from '../relevance/worker.js'
import type { SummaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import type { Source, SourceContext } from '../sources/source.js'
import type { Trace } from '../observability/trace.js'

export interface Log {
  info: (data: object, message: string) => void
  warn: (data: object, message: string) => void
  error: (data: object, message: string) => void
}

/** What every operation may touch, whoever calls it. `service.ts` makes it; nothing below imports upwards. */
export interface ServiceContext {
  db: Db
  /** How the connections to the database stand. */
  pool: () => PoolState
  metrics: Metrics
  accessTokens: AccessTokens
  refreshTokens: SessionTokens
  feedTokens: FeedTokens
  keys: KeyVerifier
  loginAttempts: Attempts
  formProofs: FormProofs
  /** Passwords of the first account's registration; undefined where none is needed. */
  setupToken: string | undefined
  registration: Settings['registration']
  /** Address of the service without a slash at its end. */
  baseUrl: () => string
  now: () => Date
  log: Log
  /** The trace that the caller counts this call to. */
  trace?: Trace | undefined
  /** Background work on its way to a process. */
  queue: Queue
  /** Reaches addresses that stand in data: public ones alone. */
  outside: OutsideClient
  /** What a source fetches with, in its turn. */
  sourceContext: (source: Source, signal?: AbortSignal) => SourceContext
  fetching: Settings['fetching']
  /** Scoring and learning, off this thread. */
  relevance: RelevanceWork
  fulltext: Fulltext
  /** Writes summaries; undefined: they are sentences of the abstract. */
  summaries: SummaryWriter | undefined
  /** Sends mail; undefined where the operator has set no server. */
  mailer: Mailer | undefined
  /** The secret that a webhook's calls are signed with. */
  webhookSecret: (alertId: string) => string
  /** What is known of this process, for whoever administers it. */
  about: About
  /** Sends a request to this very process, through everything that a request from outside goes through; undefined where nothing listens. */
  request?: ((call: OwnRequest) => Promise<OwnAnswer>) | undefined
}

export interface About {
  startedAt: Date
  databaseKind: 'embedded' | 'postgresql'
  dataDir: string
  /** What the settings turn on, with nothing secret. */
  features: Array<{ name: string, on: boolean, setting: string, detail: string | null }>
}

export interface OwnRequest { method: 'POST', path: string, headers: Record<string, string>, body: string }
export interface OwnAnswer { status: number, body: string }

/** The caller, once it is known who calls. */
export interface Context extends ServiceContext {
  account: { id: string }
  /** The login that the call belongs to; undefined for a key. */
  sessionId?: string | undefined
}

/** A call that may come from anybody, with the address it came from. */
export interface AnonymousContext extends ServiceContext {
  address: string
  /** What the caller says that it is. */
  userAgent?: string | undefined
}

export interface Operation<I extends TObject, O extends TObject, C extends ServiceContext = Context> {
  /** The contract's name; also the MCP tool's. */
  readonly name: string
  readonly title: string
  /** Written for whoever chooses what to call: what it gives, when to use it, when another is better, an example. */
  readonly description: string
  readonly input: I
  readonly output: O
  run (context: C, input: Static<I>): Promise<Static<O>>
}

/** An operation in a table, where the types of its neighbours differ. */
export type AnyOperation = Operation<any, any, any>

/** Infers the types of `run` from the two schemas; does nothing at run time. */
export function operation<I extends TObject, O extends TObject, C extends ServiceContext = Context> (definition: Operation<I, O, C>): Operation<I, O, C> {
  return definition
}
