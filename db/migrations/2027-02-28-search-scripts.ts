import { type Kysely, sql } from 'kysely'

/**
 * Indexes all papers again: Japanese, Korean, Greek, Hebrew, Thai, Lao, Khmer, Burmese and Persian words have other entries. An upgrade of
 * several versions has noted the papers already.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    insert into search_pending (project_id, item_id) select project_id, id from project_paper
    where not exists (
      select from search_pending where search_pending.project_id = project_paper.project_id and search_pending.item_id = project_paper.id
    )`.execute(db)
}
