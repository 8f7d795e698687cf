import { type Kysely, sql } from 'kysely'

/** The tally also counts the bytes of the tags and notes of a feed, because those of an account are limited. */
export async function up (db: Kysely<any>): Promise<void> {
  const replaceTrigger = async (name: string, rows: string) => await sql`
    create or replace function ${sql.ref(name)} () returns trigger language plpgsql as $$
    begin
      insert into feed_tally (project_id, measure, value, change)
        select project_id,
          case when grouping(score) = 0 then 'score' when grouping(class) = 0 then 'class' when grouping(week) = 0 then 'week'
            when grouping(vote) = 0 then 'vote' else 'text' end,
          case
            when grouping(score) = 0 then score::text
            when grouping(class) = 0 then class
            when grouping(week) = 0 then to_char(week, 'YYYY-MM-DD')
            when grouping(vote) = 1 then 'bytes'
            when vote is null then 'none'
            else concat_ws(' ', vote, reason)
          end,
          case when grouping(score, class, week, vote) = 15 then sum(change * bytes) else sum(change) end
        from (${sql.raw(rows)}) changed
        group by grouping sets ((project_id, score), (project_id, class), (project_id, week), (project_id, vote, reason), (project_id))
        having case when grouping(score, class, week, vote) = 15 then sum(change * bytes) else sum(change) end <> 0;
      return null;
    end $$`.execute(db)
  // The length of a long note is stored beside it, so that counting it does not read it.
  const bytes = "(coalesce(octet_length(note), 0) + case when tags = '{}' then 0 else octet_length(array_to_string(tags, '')) end)::bigint"
  const counted = (table: string, change: string) => `
    select project_id, least(floor(relevance_score * 20), 19) as score, relevance_class as class,
      date_trunc('week', ready_at at time zone 'UTC') as week, vote, downvote_reason as reason, ${bytes} as bytes,
      ${change} as change from ${table} item`
  await replaceTrigger(
    'feed_tally_come_or_go',
    `${counted('changed_items', "case tg_op when 'INSERT' then 1 else -1 end")}
    where tg_op = 'INSERT' or exists (select from project where project.id = item.project_id)`
  )
  await replaceTrigger('feed_tally_change', `${counted('new_items', '1')} union all ${counted('old_items', '-1')}`)
  await sql`
    insert into feed_tally (project_id, measure, value, change)
      select project_id, 'text', 'bytes', least(sum(${sql.raw(bytes)}), 2147483647) from project_paper
      where note is not null or tags <> '{}' group by project_id`.execute(db)
}
