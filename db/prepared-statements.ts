import pg from 'pg'
import { WatchedClient } from './connection-watchdog.js'
import { StatementNames } from './statement-names.js'

/** Executions in this process before a statement gets a name. */
const minUses = 50
/**
 * Seconds after which a connection is replaced: it keeps the plans of the named statements that it ran until it closes, also of those that
 * are not used any more, or that fit tables as they were.
 */
export const maxConnectionSeconds = 300
/** Longer statements, such as insertions of many rows, are hardly ever sent twice. */
const maxTextLength = 16_384
/** Milliseconds for the question that a new connection asks before the connection watchdog knows it. */
const timeoutMs = 2500
/** A name that the session does not know, and a plan whose columns have changed: both end the use of names. */
const lostPlanCodes = new Set(['26000', '0A000'])

/** Names the statements that this process sends often, so that each connection plans them once. */
export class FrequentStatements {
  readonly #names = new StatementNames({ minUses, prefix: 'litfeed_' })
  #enabled = true

  /** Counts a use. @returns the statement's name; undefined unless it is frequent */
  nameOf (text: string): string | undefined {
    return this.#enabled && text.length <= maxTextLength ? this.#names.use(text)?.name : undefined
  }

  /** Stops naming statements: another process has migrated the schema, or a pooler was not recognized. */
  disable (): void {
    this.#enabled = false
  }
}

/** A client that sends frequent statements by name once `statements` is set. */
export class PreparingClient extends WatchedClient {
  statements: FrequentStatements | undefined

  // The driver's overloads have no common type.
  override query (...args: any[]): any {
    const [text, values] = args
    const isPlain = args.length === 2 && typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = isPlain ? this.statements?.nameOf(text) : undefined
    const send = super.query.bind(this) as (...args: any[]) => any
    if (name === undefined) return send(...args)
    return send({ name, text, values }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && lostPlanCodes.has(error.code ?? '')) this.statements?.disable()
      throw error
    })
  }

  /**
   * Sends frequent statements by name if PostgreSQL itself is at the other end. A pooler gives each transaction another session, which may
   * not know the name; it makes up the process id that clients get for cancelling statements.
   */
  async prepareFrequent (statements: FrequentStatements): Promise<void> {
    const query: pg.QueryConfig & pg.ClientConfig = { text: 'select pg_backend_pid() as pid', query_timeout: timeoutMs }
    const { processID } = this as unknown as { processID: number | null }
    try {
      const { rows: [server] } = await super.query<{ pid: number }>(query)
      if (server?.pid === processID) this.statements = statements
    } catch (error) {
      // A busy pooler answers late. Later queries wait behind this one.
      if (!(error instanceof Error && error.message === 'Query read timeout')) throw error
    }
  }
}
