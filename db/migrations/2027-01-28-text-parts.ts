import { type Kysely, sql } from 'kysely'

/**
 * Full texts are stored in parts, so that one part can be read without the others. The first row of a text states its length and sections;
 * texts of earlier versions have one row without them, and are divided when a part of them is first read.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table markdown
    add column start integer not null default 0, add column characters integer, add column sections jsonb`.execute(db)
  await sql`alter table markdown drop constraint markdown_once,
    add constraint markdown_once unique nulls not distinct (paper_id, account_id, start)`.execute(db)
}
