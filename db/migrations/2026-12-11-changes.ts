import { type Kysely, sql } from 'kysely'

/** The tally counts the changed rows in one pass and formats the values of groups; rows that keep a value cancel each other. */
export async function up (db: Kysely<any>): Promise<void> {
  const replaceTrigger = async (name: string, rows: string) => await sql`
    create or replace function ${sql.ref(name)} () returns trigger language plpgsql as $$
    begin
      insert into feed_tally (project_id, measure, value, change)
        select project_id,
          case when grouping(score) = 0 then 'score' when grouping(class) = 0 then 'class' when grouping(week) = 0 then 'week' else 'vote' end,
          case
            when grouping(score) = 0 then score::text
            when grouping(class) = 0 then class
            when grouping(week) = 0 then to_char(week, 'YYYY-MM-DD')
            when vote is null then 'none'
            else concat_ws(' ', vote, reason)
          end,
          sum(change)
        from (${sql.raw(rows)}) changed
        group by grouping sets ((project_id, score), (project_id, class), (project_id, week), (project_id, vote, reason))
        having sum(change) <> 0;
      return null;
    end $$`.execute(db)
  const counted = (table: string, change: string) => `
    select project_id, least(floor(relevance_score * 20), 19) as score, relevance_class as class,
      date_trunc('week', ready_at at time zone 'UTC') as week, vote, downvote_reason as reason, ${change} as change from ${table} item`
  await replaceTrigger(
    'feed_tally_come_or_go',
    `${counted('changed_items', "case tg_op when 'INSERT' then 1 else -1 end")}
    where tg_op = 'INSERT' or exists (select from project where project.id = item.project_id)`
  )
  await replaceTrigger('feed_tally_change', `${counted('new_items', '1')} union all ${counted('old_items', '-1')}`)
  await sql`
    drop function feed_tally_of (timestamptz, float8, text, text, text)`.execute(db)
}
