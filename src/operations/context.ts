import type { Db, PoolState } from '../../db/connection.js'
import type { ReadConsistently } from '../../db/consistent-read.js'
import type { AccessTokens } from '../accounts/access-tokens.js'
import type { AccountSlots } from '../accounts/account-slots.js'
import type { CsrfTokens } from '../accounts/csrf-tokens.js'
import type { DeviceTokens } from '../accounts/device-tokens.js'
import type { ExportSlots } from '../accounts/export-slots.js'
import type { FeedTokens } from '../accounts/feed-tokens.js'
import type { KeyGrant, KeyVerifier } from '../accounts/keys.js'
import type { LoginThrottle } from '../accounts/login-throttle.js'
import type { RefreshThrottle } from '../accounts/refresh-throttle.js'
import type { ResetThrottle } from '../accounts/reset-throttle.js'
import type { SealedSecrets } from '../accounts/sealed-secrets.js'
import type { SessionTokens } from '../accounts/session-tokens.js'
import type { ConfirmationThrottle } from '../alerts/confirmation-throttle.js'
import type { Mailer } from '../alerts/mail.js'
import type { UnsubscribeTokens } from '../alerts/unsubscribe-tokens.js'
import type { Fulltext } from '../fulltext/access.js'
import type { TemporaryFiles } from '../files/temporary-files.js'
import type { HttpClient } from '../http/client.js'
import type { JobQueue } from '../jobs/queue.js'
import type { Log } from '../observability/log.js'
import type { Metrics } from '../observability/metrics.js'
import type { Trace } from '../observability/trace.js'
import type { RelevanceWorker } from '../relevance/worker.js'
import type { SummaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import type { SourceServices } from '../sources/fetching/incremental-fetch.js'
import type { FairQueue } from '../threads/fair-queue.js'
import type { Zotero } from '../zotero/client.js'

/* The composition root creates the context once, and it never changes. A call adds its caller in a copy. */

/** Services that operations use, independent of the caller. */
export interface ServiceContext {
  readonly db: Db
  /**
   * The database for the steps of fair queues (fair-queue.ts). Waiting for the account's own connections, such a step would hold up the
   * steps of others.
   */
  readonly sharedDb: Db
  /** The database for requests of one account, with limits on what it uses at a time. */
  readonly dbFor: (accountId: string) => Db
  /** The database for requests of a network whose account is unknown, with limits for it and for all of them. */
  readonly dbForNetwork: (network: string) => Db
  /** Runs a read-only transaction that sees the database as of its start, however long, while others use the database. */
  readonly readConsistently: ReadConsistently
  readonly now: () => Date
  readonly log: Log
  readonly metrics: Metrics
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: () => string
  readonly queue: JobQueue
  /** Characters of JSON that a response to this call can hold at most; undefined: the result is not sent as JSON. */
  readonly maxResultLength?: number | undefined
  /** The trace of this call. */
  readonly trace?: Trace | undefined
  /** Ends background work before its next step, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  readonly accounts: AccountServices
  readonly alerts: AlertServices
  readonly sources: SourceServices
  readonly zotero: ZoteroServices
  /** Whether journal feeds and webhooks may have an address, as far as its host's name tells. */
  readonly allowsAddress: (url: string) => boolean
  readonly fulltext: Fulltext
  readonly files: TemporaryFiles
  /** Bytes that an account may use for its uploads and its own texts. */
  readonly uploadQuotaBytes: number
  /** Bytes that the full texts that accounts share may have; undefined: no limit. */
  readonly sharedTextBytes: number | undefined
  /** Papers of its own that an account may store. */
  readonly maxPapers: number
  /** Scoring and learning, off this thread. */
  readonly relevance: RelevanceWorker
  readonly sharedWork: SharedWork
  /** Writes summaries; undefined if summaries are sentences of the abstract. */
  readonly summaries: SummaryWriter | undefined
  /** Calls of the language model that an account may cause in a day; undefined: no limit. */
  readonly maxModelCalls: number | undefined
  readonly installation: Installation
  /** Sends an HTTP request to this process; undefined in commands, which do not listen. */
  readonly request?: ((call: LoopbackRequest) => Promise<LoopbackResponse>) | undefined
}

/** Expensive work of which this process does a little at a time, for all accounts. */
export interface SharedWork {
  /** Scans of feeds for conditions without an index. */
  readonly scans: FairQueue
  /** Statements that read long full texts. */
  readonly textReads: FairQueue
  /** Whole full texts that are long, while they are read. */
  readonly longTexts: AccountSlots
  /** Statements that read projects, which can be large. */
  readonly projectReads: FairQueue
  /** Exports of accounts, a piece at a time. */
  readonly exports: FairQueue
  /** Exports through share links and of published snapshots: readers without an account delay no account. */
  readonly sharedExports: FairQueue
  /** Downloads through share links. */
  readonly sharedLists: ExportSlots
  /** Downloads of published snapshots. */
  readonly publishedArchives: ExportSlots
  /** Previews of new projects: each queries many sources, and parses and scores thousands of papers. */
  readonly projectPreviews: AccountSlots
  /** Previews of changed projects: each scores up to 10,000 papers. */
  readonly changePreviews: AccountSlots
  /** Suggestions of keywords: each reads a long text, and can send many requests to sources. */
  readonly suggestions: AccountSlots
  /** Previews of votes: each learns twice. */
  readonly votePreviews: AccountSlots
  /**
   * Tests of the MCP endpoint. A test has a request slot and needs another one, so an account runs one at a time: several would wait for
   * each other.
   */
  readonly connectionTests: AccountSlots
}

/** Tokens, keys and limits of accounts. */
export interface AccountServices {
  readonly accessTokens: AccessTokens
  readonly refreshTokens: SessionTokens
  readonly feedTokens: FeedTokens
  readonly keys: KeyVerifier
  readonly loginThrottle: LoginThrottle
  readonly resetThrottle: ResetThrottle
  readonly refreshThrottle: RefreshThrottle
  readonly csrfTokens: CsrfTokens
  readonly deviceTokens: DeviceTokens
  /** Needed to register the first account; undefined if none is needed. */
  readonly setupToken: string | undefined
  /** Whether local requests may register the first account without the setup token: nobody else is expected to reach the service. */
  readonly trustsLocalSetup: boolean
  readonly registration: Settings['registration']
  /** Projects that an account may have. */
  readonly maxProjects: number
}

/** How alerts leave the service. */
export interface AlertServices {
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined
  /** Reaches public addresses only. */
  readonly webhooks: HttpClient
  /** The secret that signs a webhook's calls. */
  readonly webhookSecret: (alertId: string) => string
  readonly unsubscribeTokens: UnsubscribeTokens
  /** Counts a test of an account's alerts. @throws RateLimited */
  readonly testThrottle: (accountId: string) => Promise<void>
  readonly confirmationThrottle: ConfirmationThrottle
}

/** How accounts reach their Zotero libraries. */
export interface ZoteroServices {
  /** Encrypts the keys of accounts. */
  readonly secrets: SealedSecrets
  /** Opens Zotero's API with a key. */
  readonly open: (apiKey: string, signal?: AbortSignal) => Zotero
}

/** Facts about this process, for administrators. */
export interface Installation {
  readonly startedAt: Date
  readonly databaseKind: 'embedded' | 'postgresql'
  readonly dataDir: string
  /** State of the connections to the database. */
  readonly pool: () => PoolState
  /** Scheduled backups; undefined if this process makes none. */
  readonly backups: { directory: string, everyMs: number, keep: number } | undefined
  /** Features that settings turn on, without secrets. */
  readonly features: Array<{ name: string, on: boolean, setting: string, detail: string | null }>
}

/** A request to this process, and its response. */
export interface LoopbackRequest { method: 'POST', path: string, headers: Record<string, string>, body: string }
export interface LoopbackResponse { status: number, body: string }

/** A call by an account. */
export interface Context extends ServiceContext {
  readonly account: { readonly id: string }
  /** Grant of the call's key; undefined for sessions, pages and commands, which may do everything. */
  readonly key?: KeyGrant | undefined
  /** The session of the call; undefined for a key. */
  readonly sessionId?: string | undefined
}

/** A call by anyone, with the network address it came from; of IPv6, the /64. */
export interface AnonymousContext extends ServiceContext {
  readonly address: string
  /** Whether the call was made on this machine and not through a proxy. */
  readonly isLocal?: boolean
  /** The User-Agent header. */
  readonly userAgent?: string | undefined
}
