import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'

/** Number of statements that wait for a lock on a PostgreSQL server. */
export const countWaiting = async (db: Db): Promise<number> =>
  (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)).rows.length
