import { type Expression, type ExpressionBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { Job, Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'
import { isUndelivered } from './deliveries.js'

const columns = ['id', 'task', 'state', 'paper_id', 'project_id', 'attempts', 'error', 'result', 'created_at', 'updated_at'] as const
const unfinished = ['waiting', 'running'] as const

/** A disabled account's jobs rest: they wait until it is enabled. */
export const mayRun = (eb: ExpressionBuilder<Database, 'job'>) => eb.not(eb.exists(eb.selectFrom('account').select('account.id').whereRef('account.id', '=', 'job.account_id').where('account.disabled_at', 'is not', null)))

/** The account's own jobs, and those of no account on a paper that it has: these are everybody's who has the paper. */
function visibleTo (accountId: string): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'job'>()
  const hasPaper = eb.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
    .whereRef('project_paper.paper_id', '=', 'job.paper_id').where('project.account_id', '=', accountId)
  return eb.or([eb('job.account_id', '=', accountId), eb.and([eb('job.account_id', 'is', null), eb.exists(hasPaper)])])
}

export const findJob = (db: Db, accountId: string, id: string) =>
  db.selectFrom('job').select(columns).where('id', '=', id).where(visibleTo(accountId)).executeTakeFirst()

export interface JobFilter { accountId: string | null, state?: Job['state'] | undefined }

/** Last changed first. @param accountId null: every account's, for the operator */
export const listJobs = (db: Db, { accountId, state }: JobFilter, { limit, offset }: { limit: number, offset: number }) =>
  filtered(db, { accountId, state }).select(columns).orderBy('updated_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()

export async function countJobs (db: Db, filter: JobFilter): Promise<number> {
  return (await filtered(db, filter).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}

const filtered = (db: Db, { accountId, state }: JobFilter) => db.selectFrom('job')
  .$if(accountId !== null, query => query.where(visibleTo(accountId!)))
  .$if(state !== undefined, query => query.where('state', '=', state!))

/** The newest failure of a task for one key. */
export const findLastFailure = (db: Db, task: Task, onceKey: string) =>
  db.selectFrom('job').select(['updated_at', 'error']).where('task', '=', task).where('once_key', '=', onceKey).where('state', '=', 'failed')
    .orderBy('updated_at', 'desc').limit(1).executeTakeFirst()

/** The account's newest conversion of its own PDF of a paper. */
export const findUploadJob = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('job').select(columns).where('paper_id', '=', paperId).where('account_id', '=', accountId).where('task', '=', 'convert-markdown')
    .orderBy('created_at', 'desc').limit(1).executeTakeFirst()

export interface NewJob {
  task: Task
  once_key: string
  account_id?: string | null
  paper_id?: string | null
  project_id?: string | null
  alert_id?: string | null
}

/** Adds a job, or finds the one with its key that waits or runs already: there is never a second. */
export async function addJob (db: Db, job: NewJob): Promise<{ id: string, created: boolean }> {
  for (;;) {
    const created = await db.insertInto('job').values(job)
      .onConflict(conflict => conflict.columns(['task', 'once_key']).where(sql<boolean>`state in ('waiting', 'running')`).doNothing())
      .returning('id').executeTakeFirst()
    if (created !== undefined) return { id: created.id, created: true }
    const waiting = await db.selectFrom('job').select('id').where('task', '=', job.task).where('once_key', '=', job.once_key)
      .where('state', 'in', unfinished).executeTakeFirst()
    if (waiting !== undefined) return { id: waiting.id, created: false }
    // It ended between the two statements: add it after all.
  }
}

export const removeJob = (db: Db, id: string) => db.deleteFrom('job').where('id', '=', id).execute()

/** Begins a try. @returns undefined when the job is gone or ended already, since a delivery may come twice, and when its account is disabled */
export const beginJob = (db: Db, id: string, now: Date) =>
  db.updateTable('job').set(({ eb }) => ({ state: 'running', attempts: eb('attempts', '+', 1), alive_at: now, updated_at: now }))
    .where('id', '=', id).where('state', 'in', unfinished).where(mayRun)
    .returning(['id', 'task', 'account_id', 'paper_id', 'project_id', 'alert_id', 'attempts']).executeTakeFirst()

export type RunningJob = NonNullable<Awaited<ReturnType<typeof beginJob>>>

/** Ends a try, unless a later one has begun meanwhile. */
export async function endJob (db: Db, { id, attempts }: Pick<RunningJob, 'id' | 'attempts'>, end: { state: Job['state'], error?: string | null, result?: object | null, now: Date }): Promise<boolean> {
  const ended = await db.updateTable('job')
    .set({ state: end.state, error: end.error ?? null, ...(end.result == null ? {} : { result: JSON.stringify(end.result) }), alive_at: null, updated_at: end.now })
    .where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'running').returning('id').executeTakeFirst()
  return ended !== undefined
}

/** Returns a try that was not its own fault: it does not count. @returns false when a later try has begun meanwhile */
export async function returnJob (db: Db, { id, attempts }: Pick<RunningJob, 'id' | 'attempts'>, now: Date): Promise<boolean> {
  const returned = await db.updateTable('job').set({ state: 'waiting', attempts: attempts - 1, alive_at: null, updated_at: now })
    .where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'running').returning('id').executeTakeFirst()
  return returned !== undefined
}

export const showAlive = (db: Db, ids: string[], now: Date) =>
  db.updateTable('job').set({ alive_at: now }).where('id', 'in', ids).where('state', '=', 'running').execute()

/** Puts jobs whose process says nothing any more back to waiting; one that has ended several processes has failed. */
export const takeBackSilent = (db: Db, before: Date, mostAttempts: number) =>
  db.updateTable('job').set(({ eb }) => ({
    state: eb.case().when('attempts', '<', mostAttempts).then(sql.lit<Job['state']>('waiting')).else(sql.lit<Job['state']>('failed')).end(),
    alive_at: null,
    error: 'The process that ran it ended.'
  }))
    .where('state', '=', 'running').where('alive_at', '<', before).returning(['id', 'task', 'state']).execute()

/**
 * Jobs that wait, since before a time or of one account, and are not on their way: their delivery was lost, or refused while the account was disabled.
 * Held until the transaction ends: who sends one that another has sent meanwhile would take it from the process that works on it.
 */
export const holdUndelivered = (transaction: Db, { before, accountId }: { before?: Date, accountId?: string }) =>
  transaction.selectFrom('job').select(['id', 'task']).where('state', '=', 'waiting').where(mayRun).where(isUndelivered)
    .$if(before !== undefined, query => query.where('updated_at', '<', before!))
    .$if(accountId !== undefined, query => query.where('account_id', '=', accountId!))
    .limit(500).forUpdate().skipLocked().execute()

/** Every account's jobs for whoever administers the service, last changed first: whose they are, and nothing of what they work on. */
export const listAllJobs = (db: Db, state: Job['state'] | undefined, { limit, offset }: { limit: number, offset: number }) =>
  db.selectFrom('job').leftJoin('account', 'account.id', 'job.account_id')
    .select(['job.id', 'job.task', 'job.state', 'job.attempts', 'job.error', 'job.created_at', 'job.updated_at', 'account.email as account_email'])
    .$if(state !== undefined, query => query.where('job.state', '=', state!))
    .orderBy('job.updated_at', 'desc').orderBy('job.id').limit(limit).offset(offset).execute()

/** How many jobs there are in each state that has any. */
export const countJobsByState = (db: Db) =>
  db.selectFrom('job').select(({ fn }) => ['state', fn.countAll<number>().as('count')]).groupBy('state').execute()

/** Lets a failed job wait again. @returns undefined where there is none that failed, or another with its key waits already */
export const reviveJob = (db: Db, accountId: string | null, id: string, now: Date) =>
  db.updateTable('job').set({ state: 'waiting', attempts: 0, updated_at: now }).where('id', '=', id).where('state', '=', 'failed')
    .$if(accountId !== null, query => query.where(visibleTo(accountId!)))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('job as other').select('other.id')
      .whereRef('other.task', '=', 'job.task').whereRef('other.once_key', '=', 'job.once_key').where('other.state', 'in', unfinished))))
    .returning('task').executeTakeFirst()

export const deleteEndedJobs = (db: Db, before: Date) =>
  db.deleteFrom('job').where('state', 'in', ['done', 'failed']).where('updated_at', '<', before).execute()
