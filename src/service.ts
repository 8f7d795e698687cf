import { hasAccount } from '../db/queries/accounts.js'
import { type Connection, connect } from '../db/connection.js'
import { DatabaseNotWritable, DatabaseUnreachable } from '../db/errors.js'
import { migrate } from '../db/migrate.js'
import { openQueue } from '../db/queue.js'
import { accessTokens } from './accounts/access-tokens.js'
import { attempts } from './accounts/login-throttle.js'
import { feedTokens } from './accounts/feed-tokens.js'
import { keyVerifier } from './accounts/keys.js'
import { formProofs } from './accounts/csrf-tokens.js'
import { deriveSecrets, keptSecret } from './accounts/secrets.js'
import { refreshTokens } from './accounts/session-tokens.js'
import { webhookSecrets } from './alerts/webhook.js'
import { featuresOf } from './composition/features.js'
import { tasks } from './adapters/jobs/tasks.js'
import { openMetrics } from './observability/metrics.js'
import type { Log, ServiceContext } from './operations/operation.js'
import type { OutsideCheck } from './composition/external-checks.js'
import { openOutside } from './composition/external-services.js'
import type { Settings } from './settings/settings.js'

export interface Service {
  context: ServiceContext
  connection: Connection
  settings: Settings
  /** What it depends on outside. */
  outsideChecks: OutsideCheck[]
  /** Which migrations were run while opening. */
  migrated: string[]
  /** Tells the service where it listens, once it does; BASE_URL stands over it. */
  listening: (port: number) => void
  close: () => Promise<void>
}

export interface OpenOptions {
  settings: Settings
  log: Log
  /** What this process is: "litfeed serve". */
  name: string
  /** Whether an embedded database that another process has open may be used through it; a server wants it to itself. */
  share: boolean
  now?: () => Date
  onFailure?: (cause: Error) => void
}

/**
 * Opens the database, brings it up to date, and makes what every operation works with.
 * @throws DirectoryInUse, DatabaseTooNew
 */
export async function openService ({ settings, log, name, share, now = () => new Date(), onFailure }: OpenOptions): Promise<Service> {
  const { databaseUrl, dataDir, host } = settings
  let context: ServiceContext | undefined
  // A server gives the context its own log once it has one; whatever was made with this one writes there from then on.
  const current = () => context?.log ?? log
  const following: Log = {
    info: (data, message) => current().info(data, message),
    warn: (data, message) => current().warn(data, message),
    error: (data, message) => current().error(data, message)
  }
  const connection = await connect({
    databaseUrl,
    dataDir,
    name,
    share,
    onConnectionLost: cause => following.warn({ err: cause }, 'A connection to the database was lost.'),
    ...(onFailure === undefined ? {} : { onFailure })
  })
  try {
    const migrated = await migrate(connection.db)
    const secrets = deriveSecrets(settings.jwtSecret ?? keptSecret(dataDir))
    let port = settings.port
    const { db } = connection
    const metrics = openMetrics()
    const outside = openOutside({ settings, db, log: following, metrics })
    const needsSetupToken = isReachable(settings) && settings.registration !== 'closed' && !await hasAccount(db)
    context = {
      db,
      pool: connection.pool,
      metrics,
      accessTokens: accessTokens(secrets.accessToken),
      refreshTokens: refreshTokens(secrets.refreshToken),
      feedTokens: feedTokens(secrets.feedToken),
      keys: keyVerifier(db, now),
      loginAttempts: attempts(outcome => metrics.logins.inc({ outcome })),
      setupToken: needsSetupToken ? secrets.setupToken : undefined,
      registration: settings.registration,
      baseUrl: () => settings.baseUrl ?? `http://${shownHost(host)}:${port}`,
      now,
      log,
      queue: openQueue(connection, tasks, cause => following.warn({ err: cause }, 'The queue of background work has trouble.')),
      formProofs: formProofs(secrets.formProof),
      about: { startedAt: now(), databaseKind: connection.kind, dataDir, features: featuresOf(settings) },
      webhookSecret: webhookSecrets(secrets.webhook),
      fetching: settings.fetching,
      ...outside.context
    }
    const close = async () => {
      await outside.close()
      await connection.close()
    }
    return { context, connection, settings, outsideChecks: outside.checks, migrated, listening: heard => { port = heard }, close }
  } catch (cause) {
    await connection.close()
    if (cause instanceof DatabaseNotWritable) throw new Error('The database takes no writes, which the start of this version needs: its disk is full, or it is read-only. Make room and start again.', { cause })
    if (databaseUrl === undefined || !(cause instanceof DatabaseUnreachable)) throw cause
    throw new Error(`PostgreSQL at ${new URL(databaseUrl).host} (DATABASE_URL) cannot be reached. Is it running, and is the address right?`, { cause: cause.cause })
  }
}

/** Whether others than this machine's users may reach the service: by itself, or through a proxy before it. */
const isReachable = ({ host, baseUrl, trustProxy }: Settings) =>
  !isLoopback(host) || trustProxy !== false || (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname))

export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|\[::1\]|localhost)$/i.test(host)

/** An address that a person can open: every interface is reached as localhost from here. */
function shownHost (host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
