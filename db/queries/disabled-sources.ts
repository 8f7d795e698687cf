import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'

/** Whether administrators have not disabled the source of a row of source_state. */
export function isSourceEnabled (): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'source_state'>()
  return eb.not(eb.exists(
    eb.selectFrom('disabled_source').select('disabled_source.name').whereRef('disabled_source.name', '=', 'source_state.name')
  ))
}

/** Names of the sources that administrators disabled, and since when. */
export const listDisabledSources = (db: Db) => db.selectFrom('disabled_source').select(['name', 'disabled_at']).orderBy('name').execute()

/** Whether administrators disabled a source. */
export const isSourceDisabled = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('disabled_source').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** Disables a source for all accounts. A source that is disabled already stays so since then. */
export const disableSource = (db: Db, name: string, now: Date) =>
  db.insertInto('disabled_source').values({ name, disabled_at: now }).onConflict(conflict => conflict.doNothing()).execute()

/** Enables a source for all accounts. */
export const enableSource = (db: Db, name: string) => db.deleteFrom('disabled_source').where('name', '=', name).execute()
