import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import { type Job, type TaskName, unfinishedStates } from '../../schemas/job.js'
import type { ImportProgress } from '../../schemas/library-import.js'
import type { Db } from '../connection.js'
import { UniqueViolation } from '../errors.js'
import type { Database } from '../tables.js'
import { deleteBatches } from './delete-batches.js'
import { isAccountEnabled } from './job-claims.js'
import { readInIndexOrder } from './index-order.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { retryOn, undefinedIfTaken } from './retry.js'

const listColumns = ['id', 'task', 'state', 'paper_id', 'project_id', 'attempts', 'error', 'created_at', 'updated_at'] as const
const columns = [...listColumns, 'result'] as const
/** How far the import of a job is. */
const importProgress = sql<ImportProgress | null>`(select progress from library_import where library_import.id = job.import_id)`.as(
  'progress'
)
const ended = ['done', 'failed'] as const

/** Whether a feed of the account that a key can see contains the paper of a job, as an SQL condition. */
function hasPaper (accountId: string, projectIds: ProjectIds): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  return eb.exists(eb.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
    .whereRef('project_paper.paper_id', '=', 'job.paper_id').where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
    // Looks up the paper of each job: as a join, it could read all papers of the account.
    .offset(0))
}

/** Whether the account can read the paper of a job: a feed contains it, or it was found for one. */
const canReadPaper = (accountId: string, projectIds: ProjectIds) => sql<SqlBool>`(${hasPaper(accountId, projectIds)} or exists (
  select from candidate inner join project on project.id = candidate.project_id
  where candidate.paper_id = job.paper_id and project.account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)} offset 0))`

/** Whether a limited key can see the project of a job, or its paper if it has none, as an SQL condition. */
function isInScope (accountId: string, projectIds: ProjectIds): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  if (projectIds === null) return isVisibleToKey(projectIds)
  return eb.or([
    isVisibleToKey(projectIds, 'job.project_id'),
    eb.and([eb('job.project_id', 'is', null), canReadPaper(accountId, projectIds)])
  ])
}

/**
 * The account's own jobs, and jobs without an account on a paper that it can read. A limited key sees only those of its projects.
 */
function isVisibleTo (accountId: string, projectIds: ProjectIds): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  const isShared = eb.and([eb('job.account_id', 'is', null), canReadPaper(accountId, projectIds)])
  return eb.and([eb.or([eb('job.account_id', '=', accountId), isShared]), isInScope(accountId, projectIds)])
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

/**
 * Jobs without an account that a list looks at, the newest of all, or of a state: the conversions of shared papers that any account asked
 * for, of which each account sees some.
 */
const maxSharedJobs = 1000

/** One page of the matching jobs, last changed first, their results without the rejected records, which can be many. */
export const listJobs = (db: Db, filter: JobFilter, { limit, offset }: { limit: number, offset: number }) =>
  readInIndexOrder(db, transaction => transaction.selectFrom('job')
    .select(listColumns)
    .select(sql<Record<string, unknown> | null>`result - 'rejected'`.as('result'))
    .select(importProgress)
    .where('id', '=', sql<string>`any(array(
      select id from ${filtered(transaction, filter, offset + limit)}
      order by updated_at desc, id limit ${sql.lit(limit)} offset ${sql.lit(offset)}))`)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute())

/** Number of matching jobs, at most `max`. */
export const countJobs = (db: Db, filter: JobFilter, max: number): Promise<number> =>
  readInIndexOrder(db, async transaction => {
    const { rows: [counted] } = await sql<{ total: number }>`
      select least(count(*), ${sql.lit(max)})::integer as total from ${filtered(transaction, filter, max)}`.execute(transaction)
    return counted!.total
  })

/**
 * The newest matching jobs as a subquery: `max` of the account's own, `max` of the shared ones that it asked for, both read by their
 * indexes, and those that others asked for.
 */
function filtered (db: Db, { accountId, projectIds = null, state }: JobFilter, max: number) {
  const newestFirst = db.selectFrom('job').select(['id', 'updated_at']).orderBy('updated_at', 'desc').orderBy('id').limit(max)
  if (accountId === null) return sql`(${newestFirst.$if(state !== undefined, query => query.where('state', '=', state!))}) as filtered`
  const ofAccount = newestFirst.where(isInScope(accountId, projectIds))
    // An expression, since the index by state has the jobs of all accounts.
    .$if(state !== undefined, query => query.where(sql`(state || '')`, '=', state!))
  const own = ofAccount.where('account_id', '=', accountId)
  const requested = ofAccount.where('requested_by', '=', accountId).where('account_id', 'is', null).where('paper_id', 'is not', null)
    .where(hasPaper(accountId, projectIds))
  const newest = db.selectFrom('job').select(['id', 'updated_at', 'requested_by', 'paper_id', 'project_id'])
    .where('account_id', 'is', null).where('paper_id', 'is not', null).$if(state !== undefined, query => query.where('state', '=', state!))
    .orderBy('updated_at', 'desc').orderBy('id').limit(maxSharedJobs)
  const byOthers = db.selectFrom(newest.as('job')).select(['id', 'updated_at']).where('requested_by', 'is distinct from', accountId)
    .where(hasPaper(accountId, projectIds)).where(isInScope(accountId, projectIds))
  return sql`((${own}) union all (${requested}) union all (${byOthers})) as filtered`
}

/** The newest failure of a task for one key. */
export const findLastFailure = (db: Db, task: TaskName, onceKey: string) =>
  selectEnded(db, task, onceKey).where('state', '=', 'failed').executeTakeFirst()

/** The last job of a task and key that has ended. */
export const findLastEnded = (db: Db, task: TaskName, onceKey: string) =>
  selectEnded(db, task, onceKey).where('state', 'in', ended).executeTakeFirst()

const selectEnded = (db: Db, task: TaskName, onceKey: string) =>
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
  task: TaskName
  once_key: string
  account_id?: string | null
  /** The account whose turn it takes; default: `account_id`. */
  requested_by?: string | null
  paper_id?: string | null
  project_id?: string | null
  alert_id?: string | null
  import_id?: string | null
  identifier?: string | null
  visible_projects?: ProjectIds
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
      .where('state', 'in', unfinishedStates).executeTakeFirst()
    if (existing !== undefined) return { id: existing.id, created: false }
    // It finished between the two statements: insert again.
  }
}

/** Number of waiting jobs of a task that an account asked for. */
export const countWaiting = async (db: Db, task: TaskName, accountId: string): Promise<number> =>
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
  task?: TaskName | undefined
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
export const countJobsByState = (db: Db, task?: TaskName) =>
  db.selectFrom('job').select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .$if(task !== undefined, query => query.where('task', '=', task!)).groupBy('state').execute()

/**
 * Requeues a failed job with a full set of attempts. @returns undefined if no such job failed, or another of its task and key is unfinished
 */
export const retryFailedJob = (db: Db, accountId: string | null, id: string, projectIds: ProjectIds = null) =>
  undefinedIfTaken(db
    .updateTable('job')
    .set({ state: 'waiting', attempts: 0, run_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    // A job of several accounts takes the turn of the one that retries it.
    .$if(accountId !== null, query => query.set({
      requested_by: sql<string | null>`case when job.account_id is null then ${accountId}::uuid else job.requested_by end`
    }))
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .$if(accountId !== null, query => query.where(isVisibleTo(accountId!, projectIds)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('job as other').select('other.id')
      .whereRef('other.task', '=', 'job.task').whereRef('other.once_key', '=', 'job.once_key')
      .where('other.state', 'in', unfinishedStates))))
    .returning('task').executeTakeFirst())

/**
 * Requeues the failed jobs of a task with a full set of attempts: for each key the newest, unless a job of it is unfinished. The older
 * failures of these keys are deleted, since the retry stands for them. Jobs of disabled accounts stay as they are.
 * @returns their number
 */
export const retryAllFailedJobs = async (db: Db, task: TaskName): Promise<number> =>
  // A job of one of the keys can be enqueued meanwhile.
  await retryOn(UniqueViolation, () => requeueFailed(db, task))

async function requeueFailed (db: Db, task: TaskName): Promise<number> {
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

/** Jobs that one transaction deletes: their results can be large. */
const deletedJobs = 500

/**
 * Deletes jobs that were done or failed before a time, and all but about `maxKept` of those of an account, a task and a state, and of those
 * that several accounts share and this one asked for, batch by batch: what succeeds often displaces neither failures nor other kinds of
 * jobs.
 */
export async function deleteEndedJobs (db: Db, { before, maxKept }: { before: Date, maxKept: number }): Promise<void> {
  for (const state of ended) await deleteBatches(db, 'job', sql`state = ${state} and updated_at < ${before}`, deletedJobs)
  for (const owner of ['account_id', 'requested_by'] as const) await deleteBeyond(db, owner, maxKept)
}

/** Deletes all but about `maxKept` ended jobs of an account, a task and a state: its own, or shared ones that it asked for. */
async function deleteBeyond (db: Db, owner: 'account_id' | 'requested_by', maxKept: number): Promise<void> {
  const column = sql.ref(owner)
  const isOfKind = owner === 'account_id' ? sql<SqlBool>`true` : sql<SqlBool>`account_id is null`
  const many = await db.selectFrom('job').select([owner, 'task', 'state']).where(owner, 'is not', null).where(isOfKind)
    .where('state', 'in', ended).groupBy([owner, 'task', 'state']).having(({ fn }) => fn.countAll(), '>', maxKept).execute()
  for (const { [owner]: accountId, task, state } of many) {
    const isEnded = sql<SqlBool>`${column} = ${accountId}::uuid and ${isOfKind} and task = ${task} and state = ${state}`
    const oldestKept = await readInIndexOrder(db, transaction => transaction.selectFrom('job').select('updated_at').where(isEnded)
      .orderBy('updated_at', 'desc').orderBy('id').offset(maxKept - 1).limit(1).executeTakeFirst())
    if (oldestKept === undefined) continue
    await deleteBatches(db, 'job', sql`${isEnded} and updated_at < ${oldestKept.updated_at}`, deletedJobs)
  }
}
