import { type Kysely, sql } from 'kysely'

/**
 * Records when papers left a feed: estimates of recall count them among the unrated papers until then. Those that left before may have
 * done so at any time until their feed's settings last changed, or until now under a weekly limit.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('candidate').addColumn('left_at', 'timestamptz(3)').execute()
  await db.schema.alterTable('project').addColumn('items_left_at', 'timestamptz(3)').execute()
  await sql`create index candidate_left on candidate (project_id, left_at) include (found_at) where left_at is not null`.execute(db)
  await dateLeftItems(db)
}

/** Gives papers that left a feed before their time was recorded the latest possible one. Rescorings follow a change within a day. */
export async function dateLeftItems (db: Kysely<any>): Promise<void> {
  await sql`
    update project set items_left_at = case when weekly_limit > 0 then now() else least(settings_changed_at + interval '1 day', now()) end
    where items_left_at is null and (weekly_limit > 0 or settings_changed_at is not null)`.execute(db)
  await sql`
    update candidate set left_at = greatest(candidate.found_at, coalesce(project.items_left_at, now())) from project
    where project.id = candidate.project_id and candidate.item_id is not null and candidate.left_at is null`.execute(db)
}
