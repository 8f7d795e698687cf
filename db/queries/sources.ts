import { type ExpressionBuilder, type Updateable, sql } from 'kysely'
import { minuteMs } from '../../schemas/durations.js'
import type { ProjectSource } from '../../schemas/project.js'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'
import type { SourceStateTable } from '../tables/projects.js'
import { isSourceEnabled } from './disabled-sources.js'
import { deleteBatches } from './delete-batches.js'
import { listDue } from './due.js'
import { isOwnProject } from './ownership.js'

/**
 * Aligns the stored states with the list of sources of the account's project: new sources are due at once, states of removed ones are
 * deleted.
 */
export async function syncSources (
  db: Db,
  accountId: string,
  projectId: string,
  sources: readonly ProjectSource[],
  now: Date
): Promise<void> {
  const listed = JSON.stringify(sources)
  await sql`
    delete from source_state where project_id = ${projectId} and ${isOwnProject(accountId, projectId)}
      and not exists (select from jsonb_to_recordset(${listed}::jsonb) as listed (name text, query text)
        where listed.name = source_state.name and listed.query = source_state.query)
  `.execute(db)
  await sql`
    insert into source_state (project_id, name, query, next_fetch_at)
    select distinct ${projectId}::uuid, name, query, ${now}::timestamptz
    from jsonb_to_recordset(${listed}::jsonb) as listed (name text, query text)
    where ${isOwnProject(accountId, projectId)}
    on conflict do nothing`.execute(db)
}

/** The states of the sources of the account's project, each with the account, except for sources that are disabled. */
export const listSourceStates = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('source_state').selectAll().select(sql<string>`${accountId}::uuid`.as('account_id'))
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).where(isSourceEnabled())
    .orderBy('name').orderBy('query').execute()

/** State of one source of a project, with the project's account. */
export type SourceStateDetails = Awaited<ReturnType<typeof listSourceStates>>[number]
/** Names one source of one account's project. */
export type StateKey = Pick<SourceStateDetails, 'account_id' | 'project_id' | 'name' | 'query'>

/** When a fetch began, the days that it covers (YYYY-MM-DD), and where it continues: by default where the last one stopped. */
export interface FetchWindow { last_attempt_at: Date, window_from: string, window_to: string, cursor?: string | null }

/**
 * Records that a fetch of a source begins, and its window.
 * @param planWindow computes the window from the current state
 * @returns the state with the project's current interest; undefined if the project no longer has the source, or it is disabled
 */
export const beginFetch = (
  db: Db,
  { account_id, project_id, name, query }: StateKey,
  planWindow: (state: Omit<SourceStateDetails, 'account_id'>) => FetchWindow
) =>
  db.transaction().execute(async transaction => {
    // Locked before the project is read: a change of the interest is either seen here, or resets this state later and so ends this fetch.
    const state = await transaction
      .selectFrom('source_state')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('name', '=', name)
      .where('query', '=', query)
      .where(isOwnProject(account_id, project_id))
      .where(isSourceEnabled())
      .forUpdate()
      .executeTakeFirst()
    if (state === undefined) return undefined
    const interest = await transaction
      .selectFrom('project')
      .select(['positive_keywords', 'interest_description'])
      .where('id', '=', project_id)
      .executeTakeFirstOrThrow()
    const window = planWindow(state)
    await transaction
      .updateTable('source_state')
      .set(window)
      .where('project_id', '=', project_id)
      .where('name', '=', name)
      .where('query', '=', query)
      .execute()
    return { interest, ...state, ...window }
  })

/** Records the progress of the fetch that began at `attempt`; does nothing if another has begun or was requested since. */
export const updateFetch = (
  db: Db,
  { account_id, project_id, name, query }: StateKey,
  attempt: Date,
  change: Updateable<SourceStateTable>
) =>
  db
    .updateTable('source_state')
    .set(change)
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .where('query', '=', query)
    .where('last_attempt_at', '=', attempt)
    .where(isOwnProject(account_id, project_id))
    .execute()

/** Restarts sources that are queried by the project's keywords, since these have changed. */
export const restartKeywordQueries = (db: Db, accountId: string, projectId: string, now: Date) =>
  db
    .updateTable('source_state')
    .set({ next_fetch_at: now, fetched_through: null, window_from: null, window_to: null, cursor: null, last_attempt_at: null })
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('query', '=', '')
    .execute()

/** Clocks of processes may differ by less. What was set later than this after now does not count: the clock has been set back since. */
const maxClockDifferenceMs = minuteMs
const latestSetAt = (now: Date) => new Date(now.getTime() + maxClockDifferenceMs)

/** Whether a source is due. Its times that are later than now were set by a clock that ran ahead. */
export const isFetchDue = ({ next_fetch_at, last_attempt_at }: Pick<SourceStateDetails, 'next_fetch_at' | 'last_attempt_at'>, now: Date) =>
  next_fetch_at <= now || (last_attempt_at ?? next_fetch_at) > latestSetAt(now)

/** `isFetchDue` as an SQL condition. */
const isSourceDue = (now: Date) => ({ or, eb, fn }: ExpressionBuilder<Database, 'source_state'>) =>
  or([eb('next_fetch_at', '<=', now), eb(fn.coalesce('last_attempt_at', 'next_fetch_at'), '>', latestSetAt(now))])

/** Service-wide, for the ticker: active projects with a source that is due, of accounts that are not disabled; see `listDue`. */
export const listDueProjects = (db: Db, now: Date, id?: string) => {
  const due = db
    .selectFrom('source_state')
    .innerJoin('project', 'project.id', 'source_state.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(({ fn }) => ['project.id', 'project.account_id', fn.min('next_fetch_at').as('due_at')])
    .groupBy('project.id')
    .where(isSourceDue(now))
    .where('project.matching_state', '=', 'active')
    .where('account.disabled_at', 'is', null)
    .where(isSourceEnabled())
  return listDue(db, 'fetch-project', due, id)
}

/** When a fetch of the account's project last succeeded; null: never. */
export async function findLastFetch (db: Db, accountId: string, projectId: string): Promise<Date | null> {
  const project = await db.selectFrom('project').select('last_fetched_at').where('account_id', '=', accountId).where('id', '=', projectId)
    .executeTakeFirst()
  return project?.last_fetched_at ?? null
}

/** Records that a fetch of the account's project succeeded. */
export const markFetched = (db: Db, accountId: string, projectId: string, now: Date) =>
  db.updateTable('project').set({ last_fetched_at: now }).where('account_id', '=', accountId).where('id', '=', projectId).execute()

/**
 * Acquires the slot of an outside service if it is free. All processes share it. A holder that does not release it, as after a crash, loses
 * it at `heldUntil`.
 * @returns whether it was acquired
 */
export async function acquireSlot (db: Db, name: string, holder: string, now: Date, heldUntil: Date): Promise<boolean> {
  const row = { holder, next_at: heldUntil, set_at: now }
  const acquired = await db.insertInto('source_slot').values({ name, ...row })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row)
      .where(({ or, eb }) => or([eb('source_slot.next_at', '<=', now), eb('source_slot.set_at', '>', latestSetAt(now))])))
    .returning('name').executeTakeFirst()
  return acquired !== undefined
}

/** Releases a slot; nobody can acquire it before `nextAt`. */
export const releaseSlot = (db: Db, name: string, holder: string, now: Date, nextAt: Date) =>
  db
    .updateTable('source_slot')
    .set({ holder: null, next_at: nextAt, set_at: now })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()

/** Deletes slots that expired before a time. Hosts come from data, and most are fetched from only once. */
export const deleteExpiredSlots = (db: Db, before: Date) => deleteBatches(db, 'source_slot', sql`next_at < ${before}`, 1000)

/** Finds the holder of a slot, and when it is free; undefined if it was never used, or if the clock has been set back since. */
export const findSlot = (db: Db, name: string, now: Date) =>
  db.selectFrom('source_slot').select(['next_at', 'holder']).where('name', '=', name)
    .where(({ or, eb }) => or([eb('set_at', 'is', null), eb('set_at', '<=', latestSetAt(now))])).executeTakeFirst()

/** Makes every source of the account's project due now. */
export const makeSourcesDue = (db: Db, accountId: string, projectId: string, now: Date) =>
  db
    .updateTable('source_state')
    .set({ next_fetch_at: now })
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('next_fetch_at', '>', now)
    .execute()
