import { sql } from 'kysely'
import type { Db } from '../connection.js'

/* The embedded database's log, by which a copy of its files knows that it is whole. */

/**
 * Runs a function right after a checkpoint of the embedded database, before any other statement.
 * @param run gets the name of the first segment of the log that a recovery from this checkpoint needs
 */
export const atCheckpoint = <T>(db: Db, run: (segment: string) => T): Promise<T> =>
  db.transaction().execute(async transaction => {
    await sql`checkpoint`.execute(transaction)
    const { rows: [control] } = await sql<{ segment: string }>`
      select redo_wal_file as segment from pg_control_checkpoint()`.execute(transaction)
    return run(control!.segment)
  })

/** Writes a mark into the log, to disk. @returns its position, which is after that of every change in the other files */
export async function markLog (db: Db): Promise<string> {
  const { rows: [mark] } = await sql<{ position: string }>`
    select pg_logical_emit_message(false, 'litfeed', 'copied', true)::text as position`.execute(db)
  return mark!.position
}

/** Whether the recovery of a database got to a position in its log when it was opened. */
export async function hasRecovered (db: Db, position: string): Promise<boolean> {
  const { rows: [log] } = await sql<{ reached: boolean | null }>`
    select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as reached`.execute(db)
  return log!.reached === true
}
