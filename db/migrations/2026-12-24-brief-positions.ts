import { type Kysely, sql } from 'kysely'

/**
 * Where a reader's next brief begins in the order of a feed, and what it has acknowledged of it, so that a brief does not read what the
 * reader has acknowledged. Triggers record how far changes reach up in that order; like the tally they only add rows, so that writers do
 * not wait for each other. Items that leave, return or become other papers change what is acknowledged: these count as above all.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('brief_position')
    .addColumn('reader', 'uuid', column => column.notNull())
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('relevance_score', 'float8', column => column.notNull())
    .addColumn('ready_at', 'timestamptz', column => column.notNull())
    .addColumn('acknowledged', 'integer')
    .addPrimaryKeyConstraint('brief_position_once', ['reader', 'project_id'])
    .execute()
  await db.schema.createIndex('brief_position_project').on('brief_position').column('project_id').execute()

  // No foreign key, which would lock the project; a trigger deletes its rows.
  await db.schema.createTable('feed_change')
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('relevance_score', 'float8', column => column.notNull())
    .addColumn('ready_at', 'timestamptz', column => column.notNull())
    .execute()
  await db.schema.createIndex('feed_change_project').on('feed_change').column('project_id').execute()

  const record = async (name: string, rows: string) => await sql`
    create function ${sql.ref(name)} () returns trigger language plpgsql as $$
    begin
      insert into feed_change (project_id, relevance_score, ready_at)
        select distinct on (project_id) project_id, relevance_score, ready_at from (${sql.raw(rows)}) changed
        order by project_id, relevance_score desc, ready_at desc;
      return null;
    end $$`.execute(db)
  const aboveAll = "'infinity'::float8 as relevance_score, 'infinity'::timestamptz as ready_at"
  const ofExistingProject = 'exists (select from project where project.id = item.project_id)'
  const differing = (columns: string) => `(select ${columns} from new_items except select ${columns} from old_items) item`
  await record('feed_change_added', `
    select project_id, case when exists (
        select from brief_item
        where brief_item.paper_id = item.paper_id and brief_item.project_id = item.project_id and brief_item.reader is not null
      ) then 'infinity' else relevance_score end as relevance_score, ready_at from new_items item`)
  await record('feed_change_deleted', `select project_id, ${aboveAll} from old_items item where ${ofExistingProject}`)
  // Without a join: a plan made for one row is kept for thousands.
  await record('feed_change_updated', `
    select project_id, relevance_score, ready_at from ${differing('id, project_id, relevance_score, ready_at')}
    union all select project_id, ${aboveAll} from ${differing('id, project_id, paper_id')}`)
  await record('feed_change_unacknowledged', `
    select project_id, ${aboveAll} from old_items item where reader is not null and ${ofExistingProject}`)
  await record('feed_change_acknowledgement_moved', `select project_id, ${aboveAll} from ${differing('brief_id, project_id, paper_id')}`)

  const [oldItems, newItems] = ['old table as old_items', 'new table as new_items']
  for (const [trigger, event, table, rows] of [
    ['feed_change_added', 'insert', 'project_paper', newItems],
    ['feed_change_deleted', 'delete', 'project_paper', oldItems],
    ['feed_change_updated', 'update', 'project_paper', `${oldItems} ${newItems}`],
    ['feed_change_unacknowledged', 'delete', 'brief_item', oldItems],
    ['feed_change_acknowledgement_moved', 'update', 'brief_item', `${oldItems} ${newItems}`]
  ] as const) {
    await sql`create trigger ${sql.ref(trigger)} after ${sql.raw(event)} on ${sql.table(table)} referencing ${sql.raw(rows)} for each statement
      execute function ${sql.ref(trigger)}()`.execute(db)
  }
  await sql`
    create or replace function feed_tally_forget () returns trigger language plpgsql as $$
    begin
      delete from feed_tally using deleted_projects where project_id = deleted_projects.id;
      delete from feed_change using deleted_projects where project_id = deleted_projects.id;
      return null;
    end $$`.execute(db)
}
