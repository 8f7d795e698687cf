import { join } from 'node:path'
import { hasAccount } from '../db/queries/accounts.js'
import { type Connection, connect } from '../db/connection.js'
import { DatabaseNotWritable, DatabaseUnreachable } from '../db/errors.js'
import { migrate } from '../db/migrate.js'
import { searchStorage } from '../db/queries/search-storage.js'
import { accessTokens } from './accounts/access-tokens.js'
import { loginThrottle } from './accounts/login-throttle.js'
import { feedTokens } from './accounts/feed-tokens.js'
import { keyVerifier } from './accounts/keys.js'
import { csrfTokens } from './accounts/csrf-tokens.js'
import { deviceTokens } from './accounts/device-tokens.js'
import { deriveSecrets, loadOrCreateSecret } from './accounts/secrets.js'
import { sealedSecrets } from './accounts/sealed-secrets.js'
import { refreshTokens } from './accounts/session-tokens.js'
import { resetThrottle } from './accounts/reset-throttle.js'
import { testThrottle } from './alerts/test-throttle.js'
import { unsubscribeTokens } from './alerts/unsubscribe-tokens.js'
import { webhookSecrets } from './alerts/webhook.js'
import { featuresOf } from './composition/features.js'
import { isLoopback } from './http/loopback.js'
import { openJobQueue } from './jobs/queue.js'
import { openTemporaryFiles } from './files/temporary-files.js'
import { openMetrics } from './observability/metrics.js'
import type { ServiceContext } from './operations/context.js'
import type { Log } from './observability/log.js'
import type { ExternalCheck } from './composition/external-checks.js'
import { openExternalServices } from './composition/external-services.js'
import { indexAllPending } from './search/indexing.js'
import type { Settings } from './settings/settings.js'

/** An opened database and the context of operations. */
export interface Service {
  context: ServiceContext
  connection: Connection
  settings: Settings
  /** Checks of external services. */
  externalChecks: ExternalCheck[]
  /** Migrations that ran during opening. */
  migrated: string[]
  /** Sets the port of addresses once the server listens. BASE_URL takes precedence. */
  setPort: (port: number) => void
  /** Redirects log lines, for example to the server's logger. */
  logTo: (log: Log) => void
  close: () => Promise<void>
}

/** Options of openService. */
export interface OpenOptions {
  settings: Settings
  log: Log
  /** Name of this process, such as "litfeed serve". */
  name: string
  /** Whether to connect through a process that has the embedded database open. A server must own it. */
  share: boolean
  /** Clock. Default: the system's. */
  now?: () => Date
  /** Called if the database fails after opening. */
  onFailure?: (cause: Error) => void
}

/**
 * Opens the database, migrates it and creates the context of all operations.
 * @throws DirectoryInUse, DatabaseTooNew
 */
export async function openService ({ settings, log, name, share, now = () => new Date(), onFailure }: OpenOptions): Promise<Service> {
  const { databaseUrl, dataDir, host } = settings
  let target = log
  const current: Log = {
    info: (data, message) => target.info(data, message),
    warn: (data, message) => target.warn(data, message),
    error: (data, message) => target.error(data, message)
  }
  const connection = await connect({
    databaseUrl,
    dataDir,
    name,
    share,
    onConnectionLost: cause => current.warn({ err: cause }, 'Lost a connection to the database.'),
    onWarning: message => current.warn({ detail: message }, 'The new database was created without its prepared copy.'),
    ...(onFailure === undefined ? {} : { onFailure })
  })
  try {
    const migrated = await migrate(connection.db)
    // A migration can leave all papers pending, since indexing them would exceed its transaction.
    if (migrated.length > 0) await indexAllPending(searchStorage(connection.db))
    const secrets = deriveSecrets(settings.jwtSecret ?? loadOrCreateSecret(dataDir))
    let port = settings.port
    const { db } = connection
    const metrics = openMetrics()
    const external = openExternalServices({ settings, db, log: current, metrics })
    const mayRegisterFirst = settings.registration !== 'closed' && !await hasAccount(db)
    const context: ServiceContext = Object.freeze({
      db,
      sharedDb: db,
      dbFor: connection.dbFor,
      now,
      log: current,
      metrics,
      baseUrl: () => settings.baseUrl ?? `http://${urlHost(host)}:${port}`,
      queue: openJobQueue(db),
      accounts: Object.freeze({
        accessTokens: accessTokens(secrets.accessToken),
        refreshTokens: refreshTokens(secrets.refreshToken),
        feedTokens: feedTokens(secrets.feedToken),
        keys: keyVerifier(db, now),
        loginThrottle: loginThrottle(outcome => metrics.logins.inc({ outcome })),
        resetThrottle: resetThrottle(),
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
        testThrottle: testThrottle()
      }),
      sources: Object.freeze({
        contextFor: external.sourceContext,
        pages: external.pages,
        fetching: { intervalMs: settings.fetchInterval * 60 * 60 * 1000, days: settings.fetchDays },
        watchIntervalMs: settings.watchDays === 0 ? null : settings.watchDays * 24 * 60 * 60 * 1000
      }),
      zotero: Object.freeze({ secrets: sealedSecrets(secrets.sealedSecret), open: external.zotero }),
      allowsAddress: external.allowsAddress,
      fulltext: external.fulltext,
      files: openTemporaryFiles(join(dataDir, 'temporary')),
      uploadQuotaBytes: settings.uploadQuota === 0 ? Infinity : settings.uploadQuota * 1024 * 1024,
      relevance: external.relevance,
      summaries: external.summaries,
      installation: Object.freeze({
        startedAt: now(),
        databaseKind: connection.kind,
        dataDir,
        pool: connection.pool,
        backups: settings.backupDir === undefined
          ? undefined
          : { directory: settings.backupDir, everyMs: settings.backupEvery * 60 * 60 * 1000, keep: settings.backupKeep },
        features: featuresOf(settings)
      })
    })
    const close = async () => {
      await external.close()
      await connection.close()
    }
    return {
      context,
      connection,
      settings,
      externalChecks: external.checks,
      migrated,
      setPort: actual => {
        port = actual
      },
      logTo: log => {
        target = log
      },
      close
    }
  } catch (cause) {
    await connection.close()
    if (cause instanceof DatabaseNotWritable) {
      throw new Error(
        'The database rejects writes, but starting requires them: its disk is full, or it is read-only. Free disk space and start again.',
        { cause }
      )
    }
    if (databaseUrl === undefined || !(cause instanceof DatabaseUnreachable)) throw cause
    throw new Error(
      `PostgreSQL at ${new URL(databaseUrl).host} (DATABASE_URL) is unreachable. Check that it is running and that the address is correct.`,
      { cause: cause.cause }
    )
  }
}

/** Whether other machines can reach the service, directly or through a proxy. */
const isReachable = ({ host, baseUrl, trustProxy }: Settings) =>
  !isLoopback(host) || trustProxy !== false || (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname))

/** Returns a host for URLs: wildcard addresses become localhost. */
function urlHost (host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
