import { type Kysely, sql } from 'kysely'

/**
 * Less work for each item that is added or scored: short ids are found by the range of ids that begin with them, and items that are added
 * with their publication date need not look it up.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`drop index project_paper_short_id, paper_short_id, paper_alias_short_id`.execute(db)
  await sql`drop trigger feed_item_publication on project_paper`.execute(db)
  await sql`create trigger feed_item_publication before insert on project_paper
    for each row when (new.published_date is null) execute function feed_item_publication()`.execute(db)
  await sql`create trigger feed_item_publication_moved before update of paper_id on project_paper
    for each row execute function feed_item_publication()`.execute(db)
}
