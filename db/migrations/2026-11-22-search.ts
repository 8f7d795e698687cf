import { type Kysely, sql } from 'kysely'

const project = (column: any) => column.notNull().references('project.id').onDelete('cascade')

/**
 * Replaces text-search vectors by posting lists of our own, described in src/search/segment.ts. Triggers record every change and only add
 * rows, so that writers do not wait for each other; db/queries/search-index.ts indexes the changes.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('project_paper_search').execute()
  await db.schema.alterTable('project_paper').dropColumn('search_vector').execute()

  await db.schema.createTable('search_segment')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('project_id', 'uuid', project)
    .addColumn('live', 'boolean', column => column.notNull())
    .addColumn('first_number', 'integer', column => column.notNull())
    .addColumn('documents', 'integer', column => column.notNull())
    .addColumn('words', 'float8', column => column.notNull())
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema.createIndex('search_segment_project').on('search_segment').columns(['project_id', 'first_number']).execute()
  await db.schema
    .createIndex('search_segment_building')
    .on('search_segment')
    .column('project_id')
    .unique()
    .where(sql<boolean>`not live`)
    .execute()

  await db.schema.createTable('search_block')
    .addColumn('segment_id', 'uuid', column => column.notNull().references('search_segment.id').onDelete('cascade'))
    .addColumn('part', 'integer', column => column.notNull())
    .addColumn('bytes', 'bytea', column => column.notNull())
    .addPrimaryKeyConstraint('search_block_pkey', ['segment_id', 'part'])
    .execute()
  // Parts are encoded compactly already.
  await sql`alter table search_block alter column bytes set storage external`.execute(db)

  // These three tables have no foreign key to the project, which would take a lock for every row; a trigger below deletes their rows.
  await sql`create sequence search_number as integer`.execute(db)
  await db.schema.createTable('search_document')
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('item_id', 'uuid', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('search_document_pkey', ['project_id', 'item_id'])
    .execute()
  await db.schema.createTable('search_gone')
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('search_gone_pkey', ['project_id', 'number'])
    .execute()
  await db.schema.createTable('search_pending')
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('id', 'bigint', column => column.notNull().generatedAlwaysAsIdentity())
    .addColumn('item_id', 'uuid', column => column.notNull())
    .addPrimaryKeyConstraint('search_pending_pkey', ['project_id', 'id'])
    .execute()

  // Filters select few items of many.
  await db.schema
    .createIndex('project_paper_rated')
    .on('project_paper')
    .columns(['project_id', 'vote', 'downvote_reason'])
    .where(sql<boolean>`vote is not null`)
    .execute()
  await db.schema
    .createIndex('project_paper_must_read')
    .on('project_paper')
    .columns(['project_id', 'id'])
    .where(sql<boolean>`relevance_class = 'must_read'`)
    .execute()

  await sql`
    create function search_note_items () returns trigger language plpgsql as $$
    begin
      insert into search_pending (project_id, item_id)
        select item.project_id, item.id from changed_items item
        where tg_op <> 'DELETE' or exists (select from project where project.id = item.project_id);
      return null;
    end $$`.execute(db)
  await sql`create trigger search_item_added after insert on project_paper referencing new table as changed_items for each statement
    execute function search_note_items()`.execute(db)
  await sql`create trigger search_item_deleted after delete on project_paper referencing old table as changed_items for each statement
    execute function search_note_items()`.execute(db)

  await sql`
    create function search_note_item () returns trigger language plpgsql as $$
    begin
      insert into search_pending (project_id, item_id) values (new.project_id, new.id);
      return null;
    end $$`.execute(db)
  // Only for searchable columns: scores and votes change often and are not indexed.
  await sql`
    create trigger search_item_changed after update of paper_id, summary, ready_at on project_paper for each row
    when ((old.paper_id, old.summary, old.ready_at) is distinct from (new.paper_id, new.summary, new.ready_at))
      execute function search_note_item()`.execute(db)

  await sql`
    create function search_note_paper () returns trigger language plpgsql as $$
    begin
      insert into search_pending (project_id, item_id) select project_id, id from project_paper where paper_id = new.id;
      return null;
    end $$`.execute(db)
  const found = sql.raw('title, abstract, authors, doi, arxiv_id, pmid, pmcid, openalex_id')
  const row = (name: string) =>
    sql.raw(
      `(${['title', 'abstract', 'authors', 'doi', 'arxiv_id', 'pmid', 'pmcid', 'openalex_id'].map(column => `${name}.${column}`).join(', ')})`
    )
  await sql`
    create trigger search_paper_changed after update of ${found} on paper for each row
    when (${row('old')} is distinct from ${row('new')}) execute function search_note_paper()`.execute(db)

  await sql`
    create function search_forget_projects () returns trigger language plpgsql as $$
    begin
      delete from search_pending using deleted_projects where project_id = deleted_projects.id;
      delete from search_gone using deleted_projects where project_id = deleted_projects.id;
      delete from search_document using deleted_projects where project_id = deleted_projects.id;
      return null;
    end $$`.execute(db)
  await sql`create trigger search_project_deleted after delete on project referencing old table as deleted_projects for each statement
    execute function search_forget_projects()`.execute(db)

  // Existing items are indexed after this migration, in batches.
  await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
}
