import { type ExpressionBuilder, sql } from 'kysely'
import type { Job, TaskName } from '../../schemas/job.js'
import type { Db } from '../connection.js'
import { UniqueViolation } from '../errors.js'
import type { Database } from '../tables.js'

/** Tasks of which an account has one running job, in all processes. */
const onePerAccount: ReadonlySet<TaskName> = new Set(['import-library', 'sync-zotero'])

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

/** The clock that all processes share. */
const now = sql<Date>`now()`

/** Reads the clock that all processes share. */
export async function readDatabaseTime (db: Db): Promise<Date> {
  return (await db.selectNoFrom(now.as('time')).executeTakeFirstOrThrow()).time
}

/** The clock has been set back since a time that is later than this: delays that were counted from it do not apply any more. */
const maxTime = sql<Date>`now() + interval '1 minute'`

/**
 * Claims a job of a task, except those of disabled accounts and of `skipAccounts`. Accounts take turns, however many jobs each has: the
 * account whose last turn is the longest ago is next, with its job that has been due for the longest time. Jobs that other transactions
 * are claiming are skipped.
 */
export const claimJob = (db: Db, task: TaskName, skipAccounts: readonly string[]) =>
  updateToRunning(db, task, skipAccounts).catch((error: unknown) => {
    // Another process has just claimed the one job that the account may have running.
    if (onePerAccount.has(task) && error instanceof UniqueViolation) return undefined
    throw error
  })

const updateToRunning = (db: Db, task: TaskName, skipAccounts: readonly string[]) =>
  db
    .updateTable('job')
    .set(({ eb }) => ({
      state: 'running',
      attempts: eb('attempts', '+', 1),
      locked_by: sql`gen_random_uuid()`,
      alive_at: now,
      updated_at: now
    }))
    .where('id', '=', nextJob(db, task, skipAccounts))
    .returning([
      'id',
      'task',
      'account_id',
      'requested_by',
      'paper_id',
      'project_id',
      'alert_id',
      'import_id',
      'identifier',
      'visible_projects',
      'attempts',
      'created_at',
      'locked_by',
      'traceparent'
    ])
    .executeTakeFirst()

/** A row of claimJob. */
type Claimed = NonNullable<Awaited<ReturnType<typeof claimJob>>>
/** Proof that a process holds a job. */
export type Claim = Pick<Claimed, 'id' | 'locked_by'>

/**
 * The next job of a task as an expression, locked: one that no account asked for, otherwise that of the account whose turn it is. Reads
 * one waiting job of each account, then the jobs of the first account that has one to claim.
 */
const nextJob = (db: Db, task: TaskName, skipAccounts: readonly string[]) => sql<string>`coalesce((
  ${selectClaimable(db, task).where('requested_by', 'is', null)}
), (
  with recursive requester as (
    (${selectWaiting(db, task).where('requested_by', 'is not', null)})
    union all
    select next.* from requester cross join lateral (
      ${selectWaiting(db, task).where('requested_by', '>', sql.ref<string>('requester.requested_by'))}) as next
  )
  select claimable.id from (
    select requested_by, (${lastTurn(task)}) as last_turn, run_at, id from requester
    where requested_by <> all(${skipAccounts}::uuid[]) order by last_turn nulls first, run_at, id
  ) as turn cross join lateral (
    ${selectClaimable(db, task).where('requested_by', '=', sql.ref<string>('turn.requested_by'))}) as claimable
  order by turn.last_turn nulls first, turn.run_at, turn.id limit 1
))`

/** A waiting job, by the order of the index `job_turn`: the first one of the first account. */
const selectWaiting = (db: Db, task: TaskName) =>
  db.selectFrom('job').select(['requested_by', 'run_at', 'id']).where('task', '=', task).where('state', '=', 'waiting')
    .orderBy('requested_by').orderBy('run_at').orderBy('id').limit(1)

/** The job that has been due for the longest time, of those that may run. */
const selectClaimable = (db: Db, task: TaskName) =>
  db
    .selectFrom('job')
    .select('job.id')
    .where('task', '=', task)
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('run_at', '<=', now), eb('updated_at', '>', maxTime)]))
    .where(isAccountEnabled)
    .$if(onePerAccount.has(task), query => query.where(isOnlyOfAccount))
    .orderBy('run_at')
    .orderBy('job.id')
    .limit(1)
    .forUpdate()
    .skipLocked()

/** When a job of the task that an account asked for was last attempted, by the condition of the index `job_last_turn`. */
const lastTurn = (task: TaskName) => sql`
  select updated_at from job as served where served.task = ${task} and served.requested_by = requester.requested_by
    and (served.state <> 'waiting' or served.attempts > 0) order by updated_at desc limit 1`

/** Whether a job's account has no running job of the same task, as an SQL condition. */
const isOnlyOfAccount = ({ not, exists, selectFrom }: ExpressionBuilder<Database, 'job'>) =>
  not(
    exists(
      selectFrom('job as running')
        .select('running.id')
        .whereRef('running.task', '=', 'job.task')
        .whereRef('running.account_id', '=', 'job.account_id')
        .where('running.state', '=', 'running')
    )
  )

const unlocked = { locked_by: null, alive_at: null, updated_at: now } as const
/** Updates a job only while this claim holds it. */
const updateClaimed = (db: Db, { id, locked_by }: Claim) =>
  db.updateTable('job').where('id', '=', id).where('locked_by', '=', locked_by).where('state', '=', 'running')

/** Marks a job as done. The rejected records of an import, which can be many, are stored with the import alone. */
export const completeJob = (db: Db, claim: Claim, result: object) =>
  updateClaimed(db, claim)
    .set({
      ...unlocked,
      state: 'done',
      error: null,
      result: sql`${JSON.stringify(result)}::jsonb - case when import_id is null then '{}'::text[] else '{rejected}' end`
    })
    .execute()

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

/** Puts a job that continues in another attempt behind the others. That attempt is its second, but former failures no longer count. */
export const yieldSlot = (db: Db, claim: Claim) =>
  updateClaimed(db, claim).set({ ...unlocked, state: 'waiting', attempts: 1, run_at: inSeconds(0) }).execute()

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
