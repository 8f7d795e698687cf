import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * The new `scoring_due_at` of a project, as SQL: a time, but no later than its votes wait. Calls that come to the same time each move it by
 * a millisecond: a rescoring under way sees by it that another one has to follow.
 * @param latest until when the votes wait, unless earlier ones set that; null: only those limit it
 */
export const nextScoringDue = (at: Date, latest: Date | null): RawBuilder<Date> => sql`(
  select case when scoring_due_at between due and due + interval '1 second' then scoring_due_at + interval '1 millisecond' else due end
  from (select least(${at}::timestamptz, coalesce(scoring_latest_at, ${latest}::timestamptz)) as due) as next)`

/** Has the account's project rescored now. Papers that a fetch changes meanwhile do not delay it. */
export const scheduleScoringNow = (db: Db, accountId: string, projectId: string, now: Date) =>
  db.updateTable('project').set({
    scoring_due_at: nextScoringDue(now, null),
    scoring_latest_at: sql<Date>`least(scoring_latest_at, ${now}::timestamptz)`
  }).where('account_id', '=', accountId).where('id', '=', projectId).execute()
