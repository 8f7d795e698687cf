import { buildApp } from '../../src/app.js'
import { updateAccount } from '../../db/queries/accounts.js'
import { openMetrics } from '../../src/observability/metrics.js'
import { testService } from './service.js'

/** A statement that reached the database. */
export interface Statement {
  sql: string
  /** The operation whose handler sent it, such as "feed/feed-get"; undefined for authentication. */
  operation: string | undefined
  /** Whether a page sent it to show itself. */
  isOfPage: boolean
}

/** A handler awaits its queries, so the stack of a statement names the file of its operation, also after other awaits. */
const framesOfStatement = 60

function statementOf (sql: string, { stack = '' }: Error): Statement {
  const operation = /\/src\/operations\/(\w+\/[\w-]+)\.[jt]s/.exec(stack)?.[1]
  return { sql, operation, isOfPage: /\bshow \(\S*\/adapters\/web\/routes\./.test(stack) }
}

/** The service with an administrator, and every statement that is sent to its database. */
export async function watchedService (t: Parameters<typeof testService>[0]) {
  const service = await testService(t)
  const owner = await service.user()
  await updateAccount(service.context.db, owner.context.account.id, { administrator: true })
  let sent: Array<[sql: string, at: Error]> = []
  const watch = (db: typeof service.context.db): typeof db => db.withPlugin({
    transformQuery ({ node }) {
      const { stackTraceLimit } = Error
      Error.stackTraceLimit = framesOfStatement
      sent.push([service.context.db.getExecutor().compileQuery(node, { queryId: 'watched' } as never).sql, new Error('statement')])
      Error.stackTraceLimit = stackTraceLimit
      return node
    },
    transformResult: async ({ result }) => result
  })
  const { db, sharedDb, dbFor, dbForNetwork } = service.context
  const watched = {
    db: watch(db),
    sharedDb: watch(sharedDb),
    dbFor: (accountId: string) => watch(dbFor(accountId)),
    dbForNetwork: (network: string) => watch(dbForNetwork(network))
  }
  const context = Object.freeze({ ...service.context, ...watched, metrics: openMetrics() })
  const app = await buildApp({ context, settings: service.settings, logStream: { write: line => { service.logged.push(line) } } })
  t.teardown(async () => { await app.close() })
  /** Runs something, and gives the statements that it caused. */
  const during = async <T>(work: () => Promise<T>): Promise<[T, Statement[]]> => {
    sent = []
    const result = await work()
    return [result, sent.map(([sql, at]) => statementOf(sql, at))]
  }
  return { ...service, app, context, owner, during }
}
