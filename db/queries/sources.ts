import { type Updateable, sql } from 'kysely'
import type { ProjectSource } from '../../schemas/project.js'
import type { Db } from '../connection.js'
import type { SourceStateTable } from '../tables/projects.js'

/** Makes the states of a project's sources those of its list: new ones are due at once, those that left it go. */
export async function syncSources (db: Db, projectId: string, sources: readonly ProjectSource[], now: Date): Promise<void> {
  const listed = JSON.stringify(sources)
  await sql`
    delete from source_state where project_id = ${projectId}
      and not exists (select from jsonb_to_recordset(${listed}::jsonb) as listed (name text, query text) where listed.name = source_state.name and listed.query = source_state.query)
  `.execute(db)
  await sql`
    insert into source_state (project_id, name, query, next_fetch_at)
    select distinct ${projectId}::uuid, name, query, ${now}::timestamptz from jsonb_to_recordset(${listed}::jsonb) as listed (name text, query text)
    on conflict do nothing`.execute(db)
}

export const listSourceStates = (db: Db, projectId: string) =>
  db.selectFrom('source_state').selectAll().where('project_id', '=', projectId).orderBy('name').orderBy('query').execute()

export type SourceStateDetails = Awaited<ReturnType<typeof listSourceStates>>[number]
export type StateKey = Pick<SourceStateDetails, 'project_id' | 'name' | 'query'>

interface Look { last_attempt_at: Date, window_from: string, window_to: string }

/**
 * Notes that a look begins, and over which window.
 * @param lookAt makes the look of where the source stands now
 * @returns with what the project asks for now; undefined where it does not have the source any more
 */
export const beginLook = (db: Db, { project_id, name, query }: StateKey, lookAt: (state: SourceStateDetails) => Look) =>
  db.transaction().execute(async transaction => {
    // Held before the project is read: a change of what is asked for is seen here, or comes to the state after this and ends the look.
    const state = await transaction.selectFrom('source_state').selectAll().where('project_id', '=', project_id).where('name', '=', name).where('query', '=', query).forUpdate().executeTakeFirst()
    if (state === undefined) return undefined
    const interest = await transaction.selectFrom('project').select(['positive_keywords', 'interest_description']).where('id', '=', project_id).executeTakeFirstOrThrow()
    const look = lookAt(state)
    await transaction.updateTable('source_state').set(look).where('project_id', '=', project_id).where('name', '=', name).where('query', '=', query).execute()
    return { interest, ...state, ...look }
  })

/** Notes how a look goes on, unless another has begun or is wanted since: what this one found out is out of date then. */
export const updateLook = (db: Db, { project_id, name, query }: StateKey, attempt: Date, change: Updateable<SourceStateTable>) =>
  db.updateTable('source_state').set(change).where('project_id', '=', project_id).where('name', '=', name).where('query', '=', query)
    .where('last_attempt_at', '=', attempt).execute()

/** Has the sources that are asked for a project's keywords looked at from the beginning: the question is another now. */
export const restartOwnQueries = (db: Db, projectId: string, now: Date) =>
  db.updateTable('source_state').set({ next_fetch_at: now, fetched_through: null, window_from: null, window_to: null, cursor: null, last_attempt_at: null })
    .where('project_id', '=', projectId).where('query', '=', '').execute()

/** Active projects with a source that is to be looked at; those of a disabled account rest. @param id that one alone, where it is due */
export const listDueProjects = (db: Db, now: Date, id?: string) =>
  db.selectFrom('source_state').innerJoin('project', 'project.id', 'source_state.project_id').innerJoin('account', 'account.id', 'project.account_id')
    .select(['project.id', 'project.account_id']).distinct()
    .where('next_fetch_at', '<=', now).where('project.matching_state', '=', 'active').where('account.disabled_at', 'is', null)
    .$if(id !== undefined, query => query.where('project.id', '=', id!)).limit(200).execute()

export const markFetched = (db: Db, projectId: string, now: Date) =>
  db.updateTable('project').set({ last_fetched_at: now }).where('id', '=', projectId).execute()

/**
 * Takes the turn at an outside service when it is free: nobody else has it, and its time has come. A holder that vanished loses it
 * at `heldUntil`.
 * @returns whether it was taken
 */
export async function takeTurn (db: Db, name: string, holder: string, now: Date, heldUntil: Date): Promise<boolean> {
  const taken = await db.insertInto('source_turn').values({ name, holder, next_at: heldUntil })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ holder, next_at: heldUntil }).where('source_turn.next_at', '<=', now))
    .returning('name').executeTakeFirst()
  return taken !== undefined
}

/** Gives the turn back; the next one begins at `nextAt` at the earliest. */
export const endTurn = (db: Db, name: string, holder: string, nextAt: Date) =>
  db.updateTable('source_turn').set({ holder: null, next_at: nextAt }).where('name', '=', name).where('holder', '=', holder).execute()

/** Hosts are named by data, and most are asked once. */
export const forgetTurns = (db: Db, before: Date) => db.deleteFrom('source_turn').where('next_at', '<', before).execute()

export const whenTurn = (db: Db, name: string) =>
  db.selectFrom('source_turn').select(['next_at', 'holder']).where('name', '=', name).executeTakeFirst()

/** Has every source of a project looked at as soon as may be. */
export const makeDue = (db: Db, projectId: string, now: Date) =>
  db.updateTable('source_state').set({ next_fetch_at: now }).where('project_id', '=', projectId).where('next_fetch_at', '>', now).execute()
