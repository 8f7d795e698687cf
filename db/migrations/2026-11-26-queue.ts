import { type Kysely, sql } from 'kysely'

/**
 * Makes the table `job` the queue: its rows have the due time and the claim of a job. Moves what pg-boss stored about unfinished jobs (due
 * time, trace) into it, and drops the schema of pg-boss unless it has other queues. Running jobs keep their heartbeat: their process
 * finishes them, or another one takes them over. A process of an earlier version can neither claim nor enqueue.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('job')
    // Not rounded to milliseconds: a job's due time could be later than the claim that follows.
    .addColumn('run_at', 'timestamptz', column => column.notNull().defaultTo(sql`now()`))
    .addColumn('locked_by', 'uuid')
    .addColumn('traceparent', 'text')
    .execute()
  await sql`update job set run_at = created_at where state = 'waiting'`.execute(db)
  const {
    rows: [pgboss]
  } = await sql<{
    found: boolean
  }>`select to_regclass('pgboss.job') is not null and to_regclass('pgboss.queue') is not null as found`.execute(db)
  if (pgboss!.found) await replacePgboss(db)
  await db.schema.createIndex('job_due').on('job').columns(['task', 'run_at', 'id']).where(sql<boolean>`state = 'waiting'`).execute()
}

async function replacePgboss (db: Kysely<any>): Promise<void> {
  await sql`
    update job set run_at = delivery.start_after, traceparent = delivery.data->>'traceparent' from pgboss.job delivery
    where job.state = 'waiting' and delivery.name = job.task and delivery.id = job.id
    and delivery.state in ('created', 'retry')`.execute(db)
  const { rows: [others] } = await sql<{ found: boolean }>`
    select exists (select from pgboss.queue where name not in ('fetch-project', 'score-project', 'write-summaries', 'convert-markdown',
    'send-alert')) as found`.execute(db)
  if (!others!.found) await sql`drop schema pgboss cascade`.execute(db)
}
