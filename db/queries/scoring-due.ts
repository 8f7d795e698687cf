import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * When a project is rescored next, as SQL: at a time, but not after `scoring_latest_at`. Calls that come to the same time each move it by a
 * millisecond: a rescoring under way sees by it that another one has to follow.
 * @param latest until when later calls may delay the rescoring; null: earlier calls alone limit it
 */
export function nextScoring (at: Date, latest: Date | null) {
  const scoring_latest_at = sql<Date | null>`least(scoring_latest_at, ${latest}::timestamptz)`
  const scoring_due_at = sql<Date>`(
    select case when scoring_due_at between due and due + interval '1 second' then scoring_due_at + interval '1 millisecond' else due end
    from (select least(${at}::timestamptz, ${scoring_latest_at}) as due) as next)`
  return { scoring_due_at, scoring_latest_at }
}

/** Has the account's project rescored now. Papers that a fetch changes meanwhile do not delay it. */
export const scheduleScoringNow = (db: Db, accountId: string, projectId: string, now: Date) =>
  db.updateTable('project').set(nextScoring(now, now)).where('account_id', '=', accountId).where('id', '=', projectId).execute()
