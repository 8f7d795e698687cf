import { type Kysely, sql } from 'kysely'

/** Records changes of a feed's order in one pass over the changed items; items that become other papers have a trigger of their own. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create or replace function feed_change_updated () returns trigger language plpgsql as $$
    begin
      insert into feed_change (project_id, relevance_score, ready_at)
        select project_id, max(relevance_score), 'infinity' from (
          select id, project_id, relevance_score, ready_at from new_items
          except select id, project_id, relevance_score, ready_at from old_items
        ) moved group by project_id;
      return null;
    end $$`.execute(db)
  await sql`
    create function feed_change_merged () returns trigger language plpgsql as $$
    begin
      insert into feed_change (project_id, relevance_score, ready_at) values (new.project_id, 'infinity', 'infinity');
      return null;
    end $$`.execute(db)
  await sql`create trigger feed_change_merged after update of paper_id on project_paper for each row
    when (old.paper_id is distinct from new.paper_id) execute function feed_change_merged()`.execute(db)
}
