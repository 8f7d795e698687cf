import { type Expression, type ExpressionBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Job, Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'
import { type ProjectIds, isAmong } from './ownership.js'

const columns = ['id', 'task', 'state', 'paper_id', 'project_id', 'attempts', 'error', 'result', 'created_at', 'updated_at'] as const
const unfinished = ['waiting', 'running'] as const

/** Whether a job's account is enabled, as an SQL condition; jobs of disabled accounts wait. True for jobs without an account. */
export const isAccountEnabled = (eb: ExpressionBuilder<Database, 'job'>) =>
  eb.not(
    eb.exists(
      eb
        .selectFrom('account')
        .select('account.id')
        .whereRef('account.id', '=', 'job.account_id')
        .where('account.disabled_at', 'is not', null)
    )
  )

/**
 * The account's own jobs, and jobs without an account on a paper that one of its feeds contains. A limited key sees only those of its
 * projects.
 */
function isVisibleTo (accountId: string, projectIds: ProjectIds): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  const hasPaper = eb.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
    .whereRef('project_paper.paper_id', '=', 'job.paper_id').where('project.account_id', '=', accountId).where(isAmong(projectIds))
  const isVisible = eb.or([eb('job.account_id', '=', accountId), eb.and([eb('job.account_id', 'is', null), eb.exists(hasPaper)])])
  if (projectIds === null) return isVisible
  return eb.and([
    isVisible,
    eb.or([isAmong(projectIds, 'job.project_id'), eb.and([eb('job.project_id', 'is', null), eb.exists(hasPaper)])])
  ])
}

/** Undefined if the job is missing or not visible to the account. */
export const findJob = (db: Db, accountId: string, id: string, projectIds: ProjectIds = null) =>
  db.selectFrom('job').select(columns).where('id', '=', id).where(isVisibleTo(accountId, projectIds)).executeTakeFirst()

/** Which jobs to list. `accountId` null: every account's, for the operator. */
export interface JobFilter { accountId: string | null, projectIds?: ProjectIds | undefined, state?: Job['state'] | undefined }

/** One page of the matching jobs, last changed first. */
export const listJobs = (db: Db, filter: JobFilter, { limit, offset }: { limit: number, offset: number }) =>
  selectFiltered(db, filter).select(columns).orderBy('updated_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()

/** Number of matching jobs. */
export async function countJobs (db: Db, filter: JobFilter): Promise<number> {
  return (await selectFiltered(db, filter).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}

const selectFiltered = (db: Db, { accountId, projectIds = null, state }: JobFilter) => db.selectFrom('job')
  .$if(accountId !== null, query => query.where(isVisibleTo(accountId!, projectIds)))
  .$if(state !== undefined, query => query.where('state', '=', state!))

/** The newest failure of a task for one key. */
export const findLastFailure = (db: Db, task: Task, onceKey: string) =>
  db
    .selectFrom('job')
    .select(['updated_at', 'error'])
    .where('task', '=', task)
    .where('once_key', '=', onceKey)
    .where('state', '=', 'failed')
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The account's newest conversion of its own PDF of a paper. */
export const findUploadJob = (db: Db, accountId: string, paperId: string) =>
  db
    .selectFrom('job')
    .select(columns)
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
  paper_id?: string | null
  project_id?: string | null
  alert_id?: string | null
  identifier?: string | null
  traceparent?: string | null
}

/** Inserts a job, or finds the unfinished one of its task and key. */
export async function insertJob (db: Db, job: NewJob): Promise<{ id: string, created: boolean }> {
  for (;;) {
    const created = await db.insertInto('job').values(job)
      .onConflict(conflict => conflict.columns(['task', 'once_key']).where(sql<boolean>`state in ('waiting', 'running')`).doNothing())
      .returning('id').executeTakeFirst()
    if (created !== undefined) return { id: created.id, created: true }
    const existing = await db.selectFrom('job').select('id').where('task', '=', job.task).where('once_key', '=', job.once_key)
      .where('state', 'in', unfinished).executeTakeFirst()
    if (existing !== undefined) return { id: existing.id, created: false }
    // It finished between the two statements: insert again.
  }
}

/** Deletes a job in any state. */
export const deleteJob = (db: Db, id: string) => db.deleteFrom('job').where('id', '=', id).execute()

/** The clock that all processes share. */
const now = sql<Date>`now()`

/** Reads the clock that all processes share. */
export async function readDatabaseTime (db: Db): Promise<Date> {
  return (await db.selectNoFrom(now.as('time')).executeTakeFirstOrThrow()).time
}

/** The clock has been set back since a time that is later than this: delays that were counted from it do not apply any more. */
const maxTime = sql<Date>`now() + interval '1 minute'`

/**
 * Claims the job of a task that has been due for the longest time, except those of disabled accounts and of `skipAccounts`. Jobs that other
 * transactions are claiming are skipped.
 */
export const claimJob = (db: Db, task: Task, skipAccounts: readonly string[]) =>
  db
    .updateTable('job')
    .set(({ eb }) => ({
      state: 'running',
      attempts: eb('attempts', '+', 1),
      locked_by: sql`gen_random_uuid()`,
      alive_at: now,
      updated_at: now
    }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('job')
        .select('id')
        .where('task', '=', task)
        .where('state', '=', 'waiting')
        .where(({ or, eb }) => or([eb('run_at', '<=', now), eb('updated_at', '>', maxTime)]))
        .where(isAccountEnabled)
        .$if(skipAccounts.length > 0, query =>
          query.where(({ or, eb }) => or([eb('account_id', 'is', null), eb('account_id', 'not in', skipAccounts)]))
        )
        .orderBy('run_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
    )
    .returning(['id', 'task', 'account_id', 'paper_id', 'project_id', 'alert_id', 'identifier', 'attempts', 'locked_by', 'traceparent'])
    .executeTakeFirst()

/** A row of claimJob. */
type Claimed = NonNullable<Awaited<ReturnType<typeof claimJob>>>
/** Proof that a process holds a job. */
export type Claim = Pick<Claimed, 'id' | 'locked_by'>

const unlocked = { locked_by: null, alive_at: null, updated_at: now } as const
/** Updates a job only while this claim holds it. */
const updateClaimed = (db: Db, { id, locked_by }: Claim) =>
  db.updateTable('job').where('id', '=', id).where('locked_by', '=', locked_by).where('state', '=', 'running')

/** Marks a job as done. */
export const completeJob = (db: Db, claim: Claim, result: object) =>
  updateClaimed(db, claim).set({ ...unlocked, state: 'done', error: null, result: JSON.stringify(result) }).execute()

/** Ends an attempt. @param retryInSeconds undefined: no further attempt */
export const failJob = (db: Db, claim: Claim, error: string, retryInSeconds: number | undefined) =>
  updateClaimed(db, claim)
    .set({
      ...unlocked,
      error,
      ...(retryInSeconds === undefined ? { state: 'failed' } : { state: 'waiting', run_at: inSeconds(retryInSeconds) })
    })
    .execute()

/** Returns a job without counting the attempt. @param retryInSeconds undefined: it keeps its place in the queue */
export const releaseJob = (db: Db, claim: Claim, retryInSeconds: number | undefined) =>
  updateClaimed(db, claim)
    .set(({ eb }) => ({
      ...unlocked,
      state: 'waiting',
      attempts: eb('attempts', '-', 1),
      ...(retryInSeconds === undefined ? {} : { run_at: inSeconds(retryInSeconds) })
    }))
    .execute()

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Records that the process of these claims is alive. */
export const recordHeartbeats = (db: Db, claims: readonly Claim[]) =>
  db
    .updateTable('job')
    .set({ alive_at: now })
    .where(
      'id',
      'in',
      claims.map(({ id }) => id)
    )
    .where(
      'locked_by',
      'in',
      claims.map(({ locked_by }) => locked_by)
    )
    .execute()

/**
 * Requeues running jobs whose last heartbeat is older than `silentSeconds`, or later than now. A job that has been attempted `maxAttempts`
 * times fails with `error` instead.
 */
export const requeueSilentJobs = (
  db: Db,
  { silentSeconds, maxAttempts, error }: { silentSeconds: number, maxAttempts: number, error: string }
) =>
  db
    .updateTable('job')
    .set(({ eb }) => ({
      ...unlocked,
      state: eb
        .case()
        .when('attempts', '<', maxAttempts)
        .then(sql.lit<Job['state']>('waiting'))
        .else(sql.lit<Job['state']>('failed'))
        .end(),
      run_at: now,
      error
    }))
    .where('state', '=', 'running')
    .where(({ or, eb }) => or([eb('alive_at', '<', inSeconds(-silentSeconds)), eb('alive_at', '>', maxTime)]))
    .execute()

/** Every account's jobs, last changed first, for administrators: the account, but not the paper or project. */
export const listAllJobs = (db: Db, state: Job['state'] | undefined, { limit, offset }: { limit: number, offset: number }) =>
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
    .orderBy('job.updated_at', 'desc').orderBy('job.id').limit(limit).offset(offset).execute()

/** Number of jobs by state; states without jobs are missing. */
export const countJobsByState = (db: Db) =>
  db.selectFrom('job').select(({ fn }) => ['state', fn.countAll<number>().as('count')]).groupBy('state').execute()

/**
 * Requeues a failed job with a full set of attempts. @returns undefined if no such job failed, or another of its task and key is unfinished
 */
export const retryFailedJob = (db: Db, accountId: string | null, id: string, projectIds: ProjectIds = null) =>
  db
    .updateTable('job')
    .set({ state: 'waiting', attempts: 0, run_at: now, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .$if(accountId !== null, query => query.where(isVisibleTo(accountId!, projectIds)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('job as other').select('other.id')
      .whereRef('other.task', '=', 'job.task').whereRef('other.once_key', '=', 'job.once_key').where('other.state', 'in', unfinished))))
    .returning('task').executeTakeFirst()

/** Deletes jobs that were done or failed before a time. */
export const deleteEndedJobs = (db: Db, before: Date) =>
  db.deleteFrom('job').where('state', 'in', ['done', 'failed']).where('updated_at', '<', before).execute()
