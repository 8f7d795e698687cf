import { type Kysely, sql } from 'kysely'

/**
 * The table `job` becomes the queue: it says itself when a job is due and which claim holds it. What pg-boss knew of unfinished jobs (the time of
 * their next attempt, their trace) moves there, and its schema goes, unless other queues are in it. Running jobs keep their heartbeat: their
 * process finishes them, or another takes them over once it is silent. A former process that is still up can neither claim nor enqueue.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('job')
    // Without rounding to milliseconds, which could set a new job's time later than that of the claim that follows.
    .addColumn('run_at', 'timestamptz', column => column.notNull().defaultTo(sql`now()`))
    .addColumn('locked_by', 'uuid')
    .addColumn('traceparent', 'text')
    .execute()
  await sql`update job set run_at = created_at where state = 'waiting'`.execute(db)
  const { rows: [pgboss] } = await sql<{ found: boolean }>`select to_regclass('pgboss.job') is not null and to_regclass('pgboss.queue') is not null as found`.execute(db)
  if (pgboss!.found) await replacePgboss(db)
  await db.schema.createIndex('job_due').on('job').columns(['task', 'run_at', 'id']).where(sql<boolean>`state = 'waiting'`).execute()
}

async function replacePgboss (db: Kysely<any>): Promise<void> {
  await sql`
    update job set run_at = delivery.start_after, traceparent = delivery.data->>'traceparent' from pgboss.job delivery
    where job.state = 'waiting' and delivery.name = job.task and delivery.id = job.id and delivery.state in ('created', 'retry')`.execute(db)
  const { rows: [others] } = await sql<{ found: boolean }>`
    select exists (select from pgboss.queue where name not in ('fetch-project', 'score-project', 'write-summaries', 'convert-markdown', 'send-alert')) as found`.execute(db)
  if (!others!.found) await sql`drop schema pgboss cascade`.execute(db)
}
