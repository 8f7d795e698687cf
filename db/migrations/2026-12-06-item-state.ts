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
  await markVotedSeen(db)
  await sql`create index project_paper_new on project_paper (project_id, ready_at desc, id) where seen_at is null`.execute(db)
  await sql`create index project_paper_seen on project_paper (project_id, ready_at desc, id) where seen_at is not null`.execute(db)
  await sql`create index project_paper_saved on project_paper (project_id, ready_at desc, id) where saved`.execute(db)
  await sql`create index project_paper_tagged on project_paper (project_id) where tags <> '{}'`.execute(db)
  // The indexes of a feed's orders also cover what was not seen at an earlier time, which a partial index cannot.
  await sql`drop index project_paper_feed, project_paper_days, project_paper_best, project_paper_published`.execute(db)
  await sql`
    create index project_paper_feed on project_paper (project_id, ready_at desc, id)
    include (relevance_class, vote, downvote_reason, voted_at, seen_at)`.execute(db)
  await sql`
    create index project_paper_days
    on project_paper (project_id, ((ready_at at time zone 'UTC')::date) desc, relevance_score desc, id)
    include (ready_at, relevance_class, vote, downvote_reason, voted_at, seen_at)`.execute(db)
  await sql`
    create index project_paper_best on project_paper (project_id, relevance_score desc, ready_at desc, id)
    include (relevance_class, vote, downvote_reason, voted_at, seen_at)`.execute(db)
  await sql`
    create index project_paper_published on project_paper (project_id, published_date desc nulls last, id)
    include (ready_at, relevance_class, vote, downvote_reason, voted_at, seen_at)`.execute(db)
}

/** Marks the papers with a vote as seen. Idempotent. */
export async function markVotedSeen (db: Kysely<any>): Promise<void> {
  await sql`update project_paper set seen_at = voted_at where voted_at is not null and seen_at is null`.execute(db)
}
