import { type Kysely, sql } from 'kysely'

/**
 * A person's own marks on a feed item: seen, saved for later, tags and a note. `tag_keys` holds the tags in the form that compares
 * without regard to case. A candidate keeps when its item was seen, for the case that it enters the feed again.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project_paper')
    .addColumn('seen_at', 'timestamptz(3)')
    .addColumn('saved', 'boolean', column => column.notNull().defaultTo(false))
    .addColumn('tags', sql`text[]`, column => column.notNull().defaultTo('{}'))
    .addColumn('tag_keys', sql`text[]`, column => column.notNull().defaultTo('{}'))
    .addColumn('note', 'text')
    .execute()
  await db.schema.alterTable('candidate').addColumn('seen_at', 'timestamptz(3)').execute()
  // Whoever voted has seen the paper.
  await sql`update project_paper set seen_at = voted_at where voted_at is not null`.execute(db)
  await sql`create index project_paper_new on project_paper (project_id, ready_at desc, id) where seen_at is null`.execute(db)
  await sql`create index project_paper_seen on project_paper (project_id, ready_at desc, id) where seen_at is not null`.execute(db)
  await sql`create index project_paper_saved on project_paper (project_id, ready_at desc, id) where saved`.execute(db)
  await sql`create index project_paper_tagged on project_paper (project_id) where tags <> '{}'`.execute(db)
}
