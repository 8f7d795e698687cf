import { type Kysely, sql } from 'kysely'

/**
 * Counts a feed's items by week, score, class and vote. Triggers record changes and only add rows, so that writers do not wait for each
 * other; db/queries/tally.ts sums and compacts them. An index on the counted columns would cost writers more.
 */
export async function up (db: Kysely<any>): Promise<void> {
  // No foreign key, which would lock the project for every row; a trigger below deletes its rows.
  await db.schema.createTable('feed_tally')
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('measure', 'text', column => column.notNull())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('change', 'integer', column => column.notNull())
    .execute()
  await db.schema.createIndex('feed_tally_project').on('feed_tally').column('project_id').execute()

  await sql`
    create function feed_tally_of (ready_at timestamptz, relevance_score float8, relevance_class text, vote text, downvote_reason text)
    returns table (measure text, value text) language sql stable as $$
      values
        ('week', to_char(date_trunc('week', ready_at at time zone 'UTC'), 'YYYY-MM-DD')),
        ('score', least(floor(relevance_score * 20), 19)::text),
        ('class', relevance_class),
        ('vote', case when vote is null then 'none' else concat_ws(' ', vote, downvote_reason) end)
    $$`.execute(db)
  const countedOf = (row: string) =>
    sql.raw(`feed_tally_of(${row}.ready_at, ${row}.relevance_score, ${row}.relevance_class, ${row}.vote, ${row}.downvote_reason)`)

  await sql`
    create function feed_tally_come_or_go () returns trigger language plpgsql as $$
    begin
      insert into feed_tally (project_id, measure, value, change)
        select item.project_id, counted.measure, counted.value, case tg_op when 'INSERT' then 1 else -1 end * count(*)
        from changed_items item, ${countedOf('item')} counted
        where tg_op = 'INSERT' or exists (select from project where project.id = item.project_id)
        group by item.project_id, counted.measure, counted.value;
      return null;
    end $$`.execute(db)
  await sql`create trigger feed_tally_added after insert on project_paper referencing new table as changed_items for each statement
    execute function feed_tally_come_or_go()`.execute(db)
  await sql`create trigger feed_tally_deleted after delete on project_paper referencing old table as changed_items for each statement
    execute function feed_tally_come_or_go()`.execute(db)

  await sql`
    create function feed_tally_change () returns trigger language plpgsql as $$
    begin
      insert into feed_tally (project_id, measure, value, change)
        select project_id, measure, value, sum(change) from (
          select item.project_id, counted.measure, counted.value, 1 as change from new_items item, ${countedOf('item')} counted
          union all
          select item.project_id, counted.measure, counted.value, -1 from old_items item, ${countedOf('item')} counted
        ) changes
        group by project_id, measure, value having sum(change) <> 0;
      return null;
    end $$`.execute(db)
  await sql`create trigger feed_tally_changed after update on project_paper referencing old table as old_items new table as new_items
    for each statement execute function feed_tally_change()`.execute(db)

  await sql`
    create function feed_tally_forget () returns trigger language plpgsql as $$
    begin
      delete from feed_tally using deleted_projects where project_id = deleted_projects.id;
      return null;
    end $$`.execute(db)
  await sql`create trigger feed_tally_project_deleted after delete on project referencing old table as deleted_projects for each statement
    execute function feed_tally_forget()`.execute(db)

  await sql`
    insert into feed_tally (project_id, measure, value, change)
      select item.project_id, counted.measure, counted.value, count(*) from project_paper item, ${countedOf('item')} counted
      group by item.project_id, counted.measure, counted.value`.execute(db)
}
