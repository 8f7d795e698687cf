import { type RawBuilder, sql } from 'kysely'

/**
 * The new `scoring_due_at` of a project, as SQL: a time, but no later than its votes wait. Calls that come to the same time each move it by
 * a millisecond: a rescoring under way sees by it that another one has to follow.
 * @param latest until when the votes wait, unless earlier ones set that; null: only those limit it
 */
export const nextScoringDue = (at: Date, latest: Date | null): RawBuilder<Date> => sql`(
  select case when scoring_due_at between due and due + interval '1 second' then scoring_due_at + interval '1 millisecond' else due end
  from (select least(${at}::timestamptz, coalesce(scoring_latest_at, ${latest}::timestamptz)) as due) as next)`
