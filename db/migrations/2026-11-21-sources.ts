import { type Kysely, sql } from 'kysely'

const now = sql`now()`

/** Fetching from sources: source states, candidates, relevance models, full text with its origin, jobs, alerts. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project')
    .addColumn('must_read_threshold', 'float8', column => column.notNull().defaultTo(0.6))
    .addColumn('feed_threshold', 'float8', column => column.notNull().defaultTo(0.1))
    .addColumn('scoring_due_at', 'timestamptz(3)')
    .addColumn('scored_at', 'timestamptz(3)')
    .addColumn('settings_changed_at', 'timestamptz(3)')
    .execute()
  await db.schema
    .createIndex('project_scoring_due')
    .on('project')
    .column('scoring_due_at')
    .where('scoring_due_at', 'is not', null)
    .execute()

  await db.schema.alterTable('project_paper')
    .addColumn('origin', 'text', column => column.notNull().defaultTo('import'))
    .addColumn('summary_origin', 'text', column => column.notNull().defaultTo('abstract'))
    .execute()
  for (const identifier of ['pmcid', 'openalex_id']) {
    await db.schema.createIndex(`paper_${identifier}`).on('paper').column(identifier).where(identifier, 'is not', null).execute()
  }

  await db.schema.createTable('source_state')
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('query', 'text', column => column.notNull())
    .addColumn('next_fetch_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .addColumn('fetched_through', 'date')
    .addColumn('window_from', 'date')
    .addColumn('window_to', 'date')
    .addColumn('cursor', 'text')
    .addColumn('last_attempt_at', 'timestamptz(3)')
    .addColumn('last_fetched_at', 'timestamptz(3)')
    .addColumn('last_error', 'text')
    .addColumn('failures', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('papers_found', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('papers_entered', 'integer', column => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('source_state_pkey', ['project_id', 'name', 'query'])
    .execute()
  // Existing projects start fetching from now on; their feeds count as scored now.
  await sql`update project set scored_at = now()`.execute(db)
  await sql`
    insert into source_state (project_id, name, query)
    select distinct project.id, listed.name, listed.query
    from project, jsonb_to_recordset(project.sources) as listed (name text, query text)`.execute(db)
  await db.schema.createIndex('source_state_due').on('source_state').column('next_fetch_at').execute()

  // Slots of outside services, shared by all processes. A restart needs none of them: unlogged.
  await sql`create unlogged table source_turn (name text primary key, next_at timestamptz(3) not null, holder uuid)`.execute(db)

  // Fetched papers below a project's threshold, which a change of its settings could add to the feed.
  await db.schema.createTable('candidate')
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('relevance_score', 'float8', column => column.notNull())
    .addColumn('found_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .addPrimaryKeyConstraint('candidate_pkey', ['project_id', 'paper_id'])
    .execute()
  await db.schema.createIndex('candidate_found').on('candidate').columns(['project_id', 'found_at']).execute()
  await db.schema.createIndex('candidate_paper').on('candidate').column('paper_id').execute()

  await db.schema.createTable('relevance_model')
    .addColumn('project_id', 'uuid', column => column.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('model', 'jsonb', column => column.notNull())
    .addColumn('trained_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .execute()

  // Without an account: from a full-text origin, and shared. Otherwise converted from the account's upload, and private.
  await db.schema.alterTable('markdown').dropConstraint('markdown_pkey').execute()
  await db.schema.alterTable('markdown')
    .addColumn('account_id', 'uuid', column => column.references('account.id').onDelete('cascade'))
    .addColumn('origin', 'text', column => column.notNull().defaultTo('unknown'))
    .addColumn('converter', 'text', column => column.notNull().defaultTo('unknown'))
    .addColumn('warnings', 'jsonb', column => column.notNull().defaultTo('[]'))
    .execute()
  await sql`alter table markdown add constraint markdown_once unique nulls not distinct (paper_id, account_id)`.execute(db)

  await db.schema.createTable('pdf_upload')
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('bytes', 'bytea', column => column.notNull())
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .addPrimaryKeyConstraint('pdf_upload_pkey', ['account_id', 'paper_id'])
    .execute()

  for (const naming of ['published_doi', 'preprint_doi']) {
    await sql`create index ${sql.id(`paper_${naming}`)} on paper (lower(metadata->>${sql.lit(naming)}))
      where metadata ? ${sql.lit(naming)}`.execute(db)
  }

  // Links a preprint and its published form, which are two works.
  await db.schema.createTable('paper_relation')
    .addColumn('preprint_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('published_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('paper_relation_pkey', ['preprint_id', 'published_id'])
    .execute()
  await db.schema.createIndex('paper_relation_published').on('paper_relation').column('published_id').execute()

  // References to merged papers and feed items still resolve.
  await db.schema.createTable('paper_alias')
    .addColumn('id', 'uuid', column => column.primaryKey())
    .addColumn('short_id', 'text', column => column.notNull().generatedAlwaysAs(sql`left(id::text, 8)`).stored())
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('paper_alias_short_id').on('paper_alias').column('short_id').execute()
  await db.schema.createIndex('paper_alias_paper').on('paper_alias').column('paper_id').execute()

  await db.schema.createTable('alert')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('frequency', 'text', column => column.notNull())
    .addColumn('must_read', 'boolean', column => column.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .addColumn('next_send_at', 'timestamptz(3)', column => column.notNull().defaultTo(now))
    .addColumn('last_sent_at', 'timestamptz(3)')
    .addColumn('last_error', 'text')
    .addUniqueConstraint('alert_target_once', ['project_id', 'kind', 'target'])
    .execute()
  await db.schema.createIndex('alert_due').on('alert').column('next_send_at').execute()

  await db.schema.createTable('alert_item')
    .addColumn('alert_id', 'uuid', column => column.notNull().references('alert.id').onDelete('cascade'))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('batch', 'uuid', column => column.notNull())
    .addColumn('sent_at', 'timestamptz(3)')
    .addPrimaryKeyConstraint('alert_item_pkey', ['alert_id', 'paper_id'])
    .execute()
  await db.schema.createIndex('alert_item_unsent').on('alert_item').column('alert_id').where(sql<boolean>`sent_at is null`).execute()

  await db.schema.alterTable('job')
    .addColumn('project_id', 'uuid', column => column.references('project.id').onDelete('cascade'))
    .addColumn('alert_id', 'uuid', column => column.references('alert.id').onDelete('cascade'))
    .addColumn('once_key', 'text')
    .addColumn('attempts', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('alive_at', 'timestamptz(3)')
    .addColumn('result', 'jsonb')
    .execute()
  await sql`update job set once_key = paper_id::text`.execute(db)
  await db.schema.alterTable('job').alterColumn('once_key', column => column.setNotNull()).execute()
  await db.schema.dropIndex('job_once').execute()
  await db.schema.createIndex('job_once').on('job').columns(['task', 'once_key']).unique()
    .where(sql<boolean>`state in ('waiting', 'running')`).execute()
  await db.schema.createIndex('job_newest').on('job').columns(['state', 'updated_at desc']).execute()
  await db.schema.createIndex('job_paper').on('job').column('paper_id').execute()
  await db.schema.createIndex('job_project').on('job').column('project_id').execute()
}
