import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Job, Task } from '../../schemas/job.js'
import type { ImportProgress } from '../../schemas/library-import.js'
import type { Db } from '../connection.js'
import { UniqueViolation } from '../errors.js'
import type { Database } from '../tables.js'
import { deleteBatches } from './delete-batches.js'
import { isAccountEnabled } from './job-claims.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

const listColumns = ['id', 'task', 'state', 'paper_id', 'project_id', 'attempts', 'error', 'created_at', 'updated_at'] as const
const columns = [...listColumns, 'result'] as const
/** How far the import of a job is. */
const importProgress = sql<ImportProgress | null>`(select progress from library_import where library_import.id = job.import_id)`.as(
  'progress'
)
const unfinished = ['waiting', 'running'] as const

/**
 * The account's own jobs, and jobs without an account on a paper that one of its feeds contains. A limited key sees only those of its
 * projects.
 */
function isVisibleTo (accountId: string, projectIds: ProjectIds): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  const hasPaper = eb.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
    .whereRef('project_paper.paper_id', '=', 'job.paper_id').where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
  const isVisible = eb.or([eb('job.account_id', '=', accountId), eb.and([eb('job.account_id', 'is', null), eb.exists(hasPaper)])])
  if (projectIds === null) return isVisible
  return eb.and([
    isVisible,
    eb.or([isVisibleToKey(projectIds, 'job.project_id'), eb.and([eb('job.project_id', 'is', null), eb.exists(hasPaper)])])
  ])
}

/** Undefined if the job is missing or not visible to the account. */
export const findJob = (db: Db, accountId: string, id: string, projectIds: ProjectIds = null) =>
  db
    .selectFrom('job')
    .select(columns)
    .select(importProgress)
    .where('id', '=', id)
    .where(isVisibleTo(accountId, projectIds))
    .executeTakeFirst()

/** Filters jobs. `accountId` null: all accounts, for the operator. */
export interface JobFilter { accountId: string | null, projectIds?: ProjectIds | undefined, state?: Job['state'] | undefined }

/** One page of the matching jobs, last changed first, their results without the rejected records, which can be many. */
export const listJobs = (db: Db, filter: JobFilter, { limit, offset }: { limit: number, offset: number }) =>
  selectFiltered(db, filter)
    .select(listColumns)
    .select(sql<Record<string, unknown> | null>`result - 'rejected'`.as('result'))
    .select(importProgress)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Number of matching jobs. */
export async function countJobs (db: Db, filter: JobFilter): Promise<number> {
  return (await selectFiltered(db, filter).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}

const selectFiltered = (db: Db, { accountId, projectIds = null, state }: JobFilter) => db.selectFrom('job')
  .$if(accountId !== null, query => query.where(isVisibleTo(accountId!, projectIds)))
  .$if(state !== undefined, query => query.where('state', '=', state!))

/** The newest failure of a task for one key. */
export const findLastFailure = (db: Db, task: Task, onceKey: string) =>
  selectEnded(db, task, onceKey).where('state', '=', 'failed').executeTakeFirst()

/** The last job of a task and key that has ended. */
export const findLastEnded = (db: Db, task: Task, onceKey: string) =>
  selectEnded(db, task, onceKey).where('state', 'in', ['done', 'failed']).executeTakeFirst()

const selectEnded = (db: Db, task: Task, onceKey: string) =>
  db.selectFrom('job').select(['state', 'updated_at', 'error', 'result']).where('task', '=', task).where('once_key', '=', onceKey)
    .orderBy('updated_at', 'desc').limit(1)

/** The account's newest conversion of its own PDF of a paper. */
export const findUploadJob = (db: Db, accountId: string, paperId: string) =>
  db
    .selectFrom('job')
    .select(columns)
    .select(importProgress)
    .where('paper_id', '=', paperId)
    .where('account_id', '=', accountId)
    .where('task', '=', 'convert-markdown')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A job to enqueue. At most one job of a task and `once_key` is unfinished. */
export interface NewJob {
  task: Task
  once_key: string
  account_id?: string | null
  /** The account whose turn it takes; default: `account_id`. */
  requested_by?: string | null
  paper_id?: string | null
  project_id?: string | null
  alert_id?: string | null
  import_id?: string | null
  identifier?: string | null
  traceparent?: string | null
}

/** Inserts a job, or finds the unfinished one of its task and key. */
export async function insertJob (db: Db, job: NewJob): Promise<{ id: string, created: boolean }> {
  for (;;) {
    const created = await db.insertInto('job').values({ ...job, requested_by: job.requested_by ?? job.account_id ?? null })
      .onConflict(conflict => conflict.columns(['task', 'once_key']).where(sql<boolean>`state in ('waiting', 'running')`).doNothing())
      .returning('id').executeTakeFirst()
    if (created !== undefined) return { id: created.id, created: true }
    const existing = await db.selectFrom('job').select('id').where('task', '=', job.task).where('once_key', '=', job.once_key)
      .where('state', 'in', unfinished).executeTakeFirst()
    if (existing !== undefined) return { id: existing.id, created: false }
    // It finished between the two statements: insert again.
  }
}

/** Number of waiting jobs of a task that an account asked for. */
export const countWaiting = async (db: Db, task: Task, accountId: string): Promise<number> =>
  (await db.selectFrom('job').select(({ fn }) => fn.countAll<number>().as('count'))
    .where('task', '=', task).where('state', '=', 'waiting').where('requested_by', '=', accountId).executeTakeFirstOrThrow()).count

/** Gives a waiting job of several accounts to this one, which asks for the same, if fewer of its jobs wait than of the other. */
export const moveToRequester = (db: Db, id: string, accountId: string) => sql`
  update job set requested_by = ${accountId}::uuid
  where id = ${id} and state = 'waiting' and account_id is null and requested_by is distinct from ${accountId}::uuid
    and (requested_by is null or
      (select count(*) from job as own where own.task = job.task and own.state = 'waiting' and own.requested_by = ${accountId}::uuid) <
      (select count(*) from job as other where other.task = job.task and other.state = 'waiting'
        and other.requested_by = job.requested_by))`.execute(db)

/** Deletes a job in any state. */
export const deleteJob = (db: Db, id: string) => db.deleteFrom('job').where('id', '=', id).execute()

/** Filters the jobs of all accounts. */
export interface AllJobsFilter {
  state?: Job['state'] | undefined
  task?: Task | undefined
  /** Leaves out jobs of disabled accounts. */
  ofEnabled?: boolean
}

/** Every account's jobs, last changed first, for administrators: the account, but not the paper or project. */
export const listAllJobs = (
  db: Db,
  { state, task, ofEnabled = false }: AllJobsFilter,
  { limit, offset }: { limit: number, offset: number }
) =>
  db
    .selectFrom('job')
    .leftJoin('account', 'account.id', 'job.account_id')
    .select([
      'job.id',
      'job.task',
      'job.state',
      'job.attempts',
      'job.error',
      'job.created_at',
      'job.updated_at',
      'account.email as account_email'
    ])
    .$if(state !== undefined, query => query.where('job.state', '=', state!))
    .$if(task !== undefined, query => query.where('job.task', '=', task!))
    .$if(ofEnabled, query => query.where('account.disabled_at', 'is', null))
    .orderBy('job.updated_at', 'desc').orderBy('job.id').limit(limit).offset(offset).execute()

/** Number of jobs by state, of one kind or all; states without jobs are missing. */
export const countJobsByState = (db: Db, task?: Task) =>
  db.selectFrom('job').select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .$if(task !== undefined, query => query.where('task', '=', task!)).groupBy('state').execute()

/**
 * Requeues a failed job with a full set of attempts. @returns undefined if no such job failed, or another of its task and key is unfinished
 */
export const retryFailedJob = (db: Db, accountId: string | null, id: string, projectIds: ProjectIds = null) =>
  db
    .updateTable('job')
    .set({ state: 'waiting', attempts: 0, run_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .$if(accountId !== null, query => query.where(isVisibleTo(accountId!, projectIds)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('job as other').select('other.id')
      .whereRef('other.task', '=', 'job.task').whereRef('other.once_key', '=', 'job.once_key').where('other.state', 'in', unfinished))))
    .returning('task').executeTakeFirst()

/**
 * Requeues the failed jobs of a task with a full set of attempts: for each key the newest, unless a job of it is unfinished. The older
 * failures of these keys are deleted, since the retry stands for them. Jobs of disabled accounts stay as they are.
 * @returns their number
 */
export async function retryAllFailedJobs (db: Db, task: Task): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requeueFailed(db, task)
    } catch (error) {
      // A job of one of the keys was enqueued meanwhile.
      if (!(error instanceof UniqueViolation) || attempt === maxAttempts) throw error
    }
  }
}

const maxAttempts = 5

async function requeueFailed (db: Db, task: Task): Promise<number> {
  const { rows } = await sql`
    with requeued as (
      update job set state = 'waiting', attempts = 0, run_at = now(), updated_at = now()
      where state = 'failed' and id in (
        select distinct on (once_key) id from job where task = ${task} and state = 'failed'
          and ${isAccountEnabled(expressionBuilder<Database, 'job'>())}
          and not exists (select from job as other where other.task = job.task and other.once_key = job.once_key
            and other.state in ('waiting', 'running'))
        order by once_key, updated_at desc, id)
      returning id, once_key
    ), deleted as (
      delete from job where task = ${task} and state = 'failed'
        and once_key in (select once_key from requeued) and id not in (select id from requeued)
    )
    select id from requeued`.execute(db)
  return rows.length
}

/** Deletes jobs that were done or failed before a time, batch by batch. */
export async function deleteEndedJobs (db: Db, before: Date): Promise<void> {
  for (const state of ['done', 'failed']) {
    await deleteBatches(db, 'job', sql`state = ${state} and updated_at < ${before}`, 500)
  }
}
