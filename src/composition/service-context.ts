import { join } from 'node:path'
import { dayMs, hourMs, minuteMs } from '../../schemas/durations.js'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'
import { hasAccount } from '../../db/queries/accounts.js'
import type { Connection } from '../../db/connection.js'
import { consistentReadsOf } from '../../db/consistent-read.js'
import { accessTokens } from '../accounts/access-tokens.js'
import { accountSlots } from '../accounts/account-slots.js'
import { exportSlots } from '../accounts/export-slots.js'
import { loginThrottle } from '../accounts/login-throttle.js'
import { feedTokens } from '../accounts/feed-tokens.js'
import { keyVerifier } from '../accounts/keys.js'
import { csrfTokens } from '../accounts/csrf-tokens.js'
import { deviceTokens } from '../accounts/device-tokens.js'
import { deriveSecrets, loadOrCreateSecret } from '../accounts/secrets.js'
import { sealedSecrets } from '../accounts/sealed-secrets.js'
import { refreshTokens } from '../accounts/session-tokens.js'
import { refreshThrottle } from '../accounts/refresh-throttle.js'
import { resetThrottle } from '../accounts/reset-throttle.js'
import { confirmationThrottle } from '../alerts/confirmation-throttle.js'
import { testThrottle } from '../alerts/test-throttle.js'
import { unsubscribeTokens } from '../alerts/unsubscribe-tokens.js'
import { webhookSecrets } from '../alerts/webhook.js'
import { featuresOf } from './features.js'
import { isLoopback, isWildcard } from '../http/loopback.js'
import { openJobQueue } from '../jobs/queue.js'
import { openTemporaryFiles } from '../files/temporary-files.js'
import type { ServiceContext } from '../operations/context.js'
import type { Log } from '../observability/log.js'
import type { openExternalServices } from './external-services.js'
import type { Settings } from '../settings/settings.js'
import type { Metrics } from '../observability/metrics.js'
import { FairQueue } from '../threads/fair-queue.js'

/** Parts of the context. */
export interface ContextParts {
  settings: Settings
  connection: Connection
  external: ReturnType<typeof openExternalServices>
  metrics: Metrics
  log: Log
  now: () => Date
  /** Its port is known once the service listens. */
  address: { port: number }
}

/** The context of all operations, one part for each domain. */
export async function createContext (
  { settings, connection, external, metrics, log, now, address }: ContextParts
): Promise<ServiceContext> {
  const { db } = connection
  const { dataDir } = settings
  const secrets = deriveSecrets(settings.jwtSecret ?? loadOrCreateSecret(dataDir))
  const mayRegisterFirst = settings.registration !== 'closed' && !await hasAccount(db)
  return Object.freeze({
    db,
    sharedDb: db,
    dbFor: connection.dbFor,
    dbForNetwork: connection.dbForNetwork,
    readConsistently: consistentReadsOf(connection, cause =>
      log.warn({ err: cause }, 'The database could not be copied. The backup reads it in place, and requests wait meanwhile.')),
    now,
    log,
    metrics,
    baseUrl: () => settings.baseUrl ?? `http://${urlHost(settings.host)}:${address.port}`,
    queue: openJobQueue(db),
    accounts: Object.freeze({
      accessTokens: accessTokens(secrets.accessToken),
      refreshTokens: refreshTokens(secrets.refreshToken),
      feedTokens: feedTokens(secrets.feedToken),
      keys: keyVerifier(db, now),
      loginThrottle: loginThrottle(outcome => metrics.logins.inc({ outcome })),
      resetThrottle: resetThrottle(),
      refreshThrottle: refreshThrottle(),
      csrfTokens: csrfTokens(secrets.csrfToken),
      deviceTokens: deviceTokens(secrets.deviceToken),
      setupToken: mayRegisterFirst ? secrets.setupToken : undefined,
      trustsLocalSetup: !isReachable(settings),
      registration: settings.registration,
      maxProjects: settings.maxProjects
    }),
    alerts: Object.freeze({
      mailer: external.mailer,
      webhooks: external.webhooks,
      webhookSecret: webhookSecrets(secrets.webhook),
      unsubscribeTokens: unsubscribeTokens(secrets.unsubscribe),
      testThrottle: testThrottle(),
      confirmationThrottle: confirmationThrottle()
    }),
    sources: Object.freeze({
      contextFor: external.sourceContext,
      pages: external.pages,
      fetching: { intervalMs: settings.fetchInterval * hourMs, days: settings.fetchDays },
      watchIntervalMs: settings.watchDays === 0 ? null : settings.watchDays * dayMs
    }),
    zotero: Object.freeze({ secrets: sealedSecrets(secrets.sealedSecret), open: external.zotero }),
    allowsAddress: external.allowsAddress,
    fulltext: external.fulltext,
    // The embedded database, on the same disk, stores a file in a table and in its write-ahead log.
    files: openTemporaryFiles(join(dataDir, 'temporary'), connection.kind === 'embedded' ? 2 : 0),
    uploadQuotaBytes: settings.uploadQuota === 0 ? Infinity : settings.uploadQuota * bytesPerMebibyte,
    sharedTextBytes: settings.textStorage === 0 ? undefined : settings.textStorage * bytesPerMebibyte,
    maxPapers: settings.maxPapers,
    relevance: external.relevance,
    sharedWork: Object.freeze({
      scans: new FairQueue(),
      textReads: new FairQueue(),
      // An account can ask for as many: two messages of a batch in each of its requests.
      longTexts: accountSlots({ name: 'long text', running: 2, perAccount: 2 * settings.maxConcurrentRequests, waiting: 60 }),
      projectReads: new FairQueue(),
      exports: new FairQueue(),
      sharedExports: new FairQueue(),
      // A few networks with slow readers, or those of one account's lists, leave slots to others.
      sharedLists: exportSlots({ perList: 4, perNetwork: 4, perAccount: 10, total: 40, durationMs: minuteMs, what: 'shared lists' }),
      // Ten of the largest ones take that long together.
      publishedArchives: exportSlots({
        perList: 4, perNetwork: 2, perAccount: 6, total: 20, durationMs: 10 * minuteMs, what: 'published snapshots'
      }),
      projectPreviews: accountSlots({ name: 'preview', running: 4, perAccount: 3, waiting: 40 }),
      changePreviews: accountSlots({ name: 'preview', running: 2, perAccount: 3, waiting: 20 }),
      suggestions: accountSlots({ name: 'suggestion', running: 4, perAccount: 3, waiting: 40 }),
      votePreviews: accountSlots({ name: 'preview', running: 2, perAccount: 3, waiting: 20 }),
      connectionTests: accountSlots({ name: 'connection test', running: 4, perAccount: 1, waiting: 40 })
    }),
    summaries: external.summaries,
    maxModelCalls: settings.llmDailyCalls === 0 ? undefined : settings.llmDailyCalls,
    installation: Object.freeze({
      startedAt: now(),
      databaseKind: connection.kind,
      dataDir,
      pool: connection.pool,
      backups: settings.backupDir === undefined
        ? undefined
        : { directory: settings.backupDir, everyMs: settings.backupEvery * hourMs, keep: settings.backupKeep },
      features: featuresOf(settings)
    })
  })
}

/** Whether other machines can reach the service, directly or through a proxy. */
const isReachable = ({ host, baseUrl, trustProxy }: Settings) =>
  !isLoopback(host) || trustProxy !== false || (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname))

/** Returns a host for URLs: wildcard addresses become localhost. */
function urlHost (host: string): string {
  if (isWildcard(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
