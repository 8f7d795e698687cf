import { sql } from 'kysely'
import type { SourceUser } from '../../schemas/administration.js'
import type { TaskName } from '../../schemas/job.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { isSourceEnabled } from './disabled-sources.js'
import { isAccountEnabled } from './job-claims.js'

/** Number of unfinished and failed jobs by task and state, with the time of the oldest change. Leaves out jobs of disabled accounts. */
export const summarizeJobs = (db: Db) =>
  db.selectFrom('job').select(({ fn }) => ['task', 'state', fn.countAll<number>().as('jobs'), fn.min('updated_at').as('oldest')])
    .where('state', 'in', ['waiting', 'running', 'failed']).where(isAccountEnabled).groupBy(['task', 'state']).orderBy('task').execute()

/** A project that gives no query concerns its owner: the source does not fail. */
const isFailing = sql<boolean>`(failures > 0 and last_fault is distinct from 'no_query')`

/**
 * For each source, over active projects of enabled accounts: number of queries, how many of them are failing, the last success, and the
 * next due time.
 */
export const summarizeSources = (db: Db) =>
  db
    .selectFrom('source_state')
    .innerJoin('project', 'project.id', 'source_state.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(({ fn }) => [
      'source_state.name',
      fn.countAll<number>().as('queries'),
      fn.countAll<number>().filterWhere(isFailing).as('failing'),
      fn.max('source_state.last_fetched_at').as('last_success'),
      fn.min('next_fetch_at').as('next_due')
    ])
    .where('matching_state', '=', 'active').where('account.disabled_at', 'is', null).where(isSourceEnabled())
    .groupBy('source_state.name').execute()

/** The use that each account that is not disabled makes of each source, and its place among the accounts that have the source. */
const selectAccountUse = (db: Db) =>
  db
    .selectFrom('source_state')
    .innerJoin('project', 'project.id', 'source_state.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(({ fn, ref }) => [
      'source_state.name',
      'account.email',
      fn.count<number>('project.id').distinct().as('projects'),
      sql<number>`count(distinct project.id) filter (where not exists (
        select from source_state other where other.project_id = project.id and other.name <> source_state.name
          and not exists (select from disabled_source where disabled_source.name = other.name)))`.as('sole_projects'),
      fn.countAll<number>().as('queries'),
      fn.countAll<number>().filterWhere(isFailing).as('failing'),
      sql<Date | null>`min(coalesce(source_state.last_fetched_at, project.created_at)) filter (where ${isFailing})`.as('failing_since'),
      sql<string | null>`(array_agg(last_fault order by last_attempt_at desc) filter (where ${isFailing}))[1]`.as('fault'),
      fn.max('source_state.last_fetched_at').as('last_success'),
      fn.max(ref('source_state.last_attempt_at')).filterWhere(isFailing).as('last_failure'),
      sql<number>`row_number() over (
        partition by source_state.name order by count(distinct project.id) desc, account.email)`.as('place')
    ])
    .where('matching_state', '=', 'active')
    .where('account.disabled_at', 'is', null)
    .groupBy(['source_state.name', 'account.id'])

/**
 * How each source is used by accounts that are not disabled: active projects, those of them whose other sources are all disabled or
 * missing, accounts, queries, how many of them are failing since when and why, and the last success. With a page of the accounts, those
 * with the most projects first.
 */
export const listSourceUse = (db: Db, { limit, offset }: { limit: number, offset: number }) =>
  db
    .selectFrom(selectAccountUse(db).as('use'))
    .select(({ fn }) => [
      'name',
      sql<number>`sum(projects)::bigint`.as('projects'),
      sql<number>`sum(sole_projects)::bigint`.as('sole_projects'),
      fn.countAll<number>().as('users'),
      sql<number>`sum(queries)::bigint`.as('queries'),
      sql<number>`sum(failing)::bigint`.as('failing'),
      fn.min('failing_since').as('failing_since'),
      sql<string | null>`(array_agg(fault order by last_failure desc) filter (where failing > 0))[1]`.as('fault'),
      fn.max('last_success').as('last_success'),
      sql<SourceUser[]>`coalesce(
        jsonb_agg(jsonb_build_object('email', email, 'projects', projects, 'sole_projects', sole_projects) order by place)
          filter (where place > ${offset} and place <= ${offset + limit}), '[]')`.as('affected')
    ])
    .groupBy('name')
    .execute()

/** Bytes that count towards the upload quota of each of these accounts: PDFs and files that wait, and its own texts. */
export async function listAccountStorage (db: Db, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string, bytes: number }>`
    select account_id, sum(bytes)::bigint as bytes from (
      select account_id, size_bytes as bytes from pdf_upload
      union all select account_id, pending_bytes from library_import where pending_bytes > 0
      union all select account_id, octet_length(markdown) from markdown where account_id is not null
    ) as used where account_id = ${anyUuid(accountIds)} group by account_id`.execute(db)
  return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
}

/** PDFs and files that wait for their job. */
export async function countWaitingUploads (db: Db): Promise<{ count: number, bytes: number }> {
  const { rows: [waiting] } = await sql<{ count: number, bytes: number }>`
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from (
      select size_bytes as bytes from pdf_upload union all select pending_bytes from library_import where pending_bytes > 0
    ) as waiting`.execute(db)
  return waiting!
}

/** The last job of a task that is done, and the last that failed, except those that a clock that ran ahead dated later than now. */
export const findLastJobs = (db: Db, task: TaskName) =>
  db.selectFrom('job').distinctOn('state').select(['state', 'updated_at', 'error', 'result'])
    .where('task', '=', task).where('state', 'in', ['done', 'failed']).where('updated_at', '<', sql<Date>`now() + interval '1 minute'`)
    .orderBy('state').orderBy('updated_at', 'desc').execute()

/** Number of alerts whose last delivery failed. Leaves out those of disabled accounts, and those that wait for a confirmation. */
export async function countFailingAlerts (db: Db): Promise<number> {
  return (
    await db
      .selectFrom('alert')
      .innerJoin('project', 'project.id', 'alert.project_id')
      .innerJoin('account', 'account.id', 'project.account_id')
      .select(({ fn }) => fn.countAll<number>().as('failing'))
      .where('last_error', 'is not', null)
      .where('unsubscribed_at', 'is', null)
      .where('account.disabled_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).failing
}

/** Whether the database accepts writes. A replica does not, nor does the embedded database while its disk is nearly full. */
export async function isWritable (db: Db): Promise<boolean> {
  const {
    rows: [setting]
  } = await sql<{ writable: boolean }>`select current_setting('transaction_read_only') = 'off' as writable`.execute(db)
  return setting!.writable
}

/** Bytes of all tables and indexes. */
export async function databaseSize (db: Db): Promise<number> {
  const { rows: [size] } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return size!.bytes
}
