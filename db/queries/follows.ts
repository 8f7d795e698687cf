import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { ProjectFollowTable } from '../tables/projects.js'
import { isOwnProject, lockProject } from './ownership.js'
import { scheduleScoringNow } from './scoring-due.js'

const columns = ['id', 'kind', 'name', 'ids', 'created_at'] as const

/** The follows of the account's project, newest first. */
export const listFollows = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project_follow').select(columns).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('created_at', 'desc').orderBy('id').execute()

/** A row of listFollows. */
export type FollowDetails = Awaited<ReturnType<typeof listFollows>>[number]

/**
 * Lets a project of the account follow something, or adds ids to what it follows, and schedules its feed for rescoring.
 * @param findSame finds it among what the project follows already @param maxIds ids of a follow
 * @returns what it follows; undefined if the project is missing or another account's, 'full' if it follows `max`
 */
export const addFollow = (
  db: Db,
  accountId: string,
  follow: Insertable<ProjectFollowTable>,
  { max, maxIds, now, findSame }: {
    max: number, maxIds: number, now: Date, findSame: (follows: readonly FollowDetails[]) => FollowDetails | undefined
  }
): Promise<FollowDetails | 'full' | undefined> =>
  db.transaction().execute(async transaction => {
    // Locks the project, so that concurrent calls count one after another.
    if (!await lockProject(transaction, accountId, follow.project_id)) return undefined
    const present = await listFollows(transaction, accountId, follow.project_id)
    const same = findSame(present)
    if (same !== undefined) {
      const ids = [...new Set([...same.ids, ...follow.ids])].slice(0, maxIds)
      if (ids.length === same.ids.length) return same
      await scheduleScoringNow(transaction, accountId, follow.project_id, now)
      return await transaction.updateTable('project_follow').set({ ids }).where('id', '=', same.id).returning(columns)
        .executeTakeFirstOrThrow()
    }
    if (present.length >= max) return 'full'
    await scheduleScoringNow(transaction, accountId, follow.project_id, now)
    return await transaction.insertInto('project_follow').values(follow).returning(columns).executeTakeFirstOrThrow()
  })

/** Ends a follow of the account's project, and schedules its feed for rescoring. @returns whether there was one */
export const deleteFollow = (db: Db, accountId: string, projectId: string, id: string, now: Date): Promise<boolean> =>
  db.transaction().execute(async transaction => {
    const deleted = await transaction.deleteFrom('project_follow').where('id', '=', id).where('project_id', '=', projectId)
      .where(isOwnProject(accountId, projectId)).returning('id').executeTakeFirst()
    if (deleted === undefined) return false
    await scheduleScoringNow(transaction, accountId, projectId, now)
    return true
  })

/** The newest papers of the account's feed. */
export const listNewestPapers = (db: Db, accountId: string, projectId: string, limit: number) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id').select(['paper.id as paper_id', 'paper.title'])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').limit(limit).execute()

/** Ids of journals in a paper's metadata. */
export interface JournalIds { issn?: string, issn_l?: string, issns?: string[], openalex_source?: string }

/** The fields of a row of `paper` that identify its journal. */
export const journalIds = sql<JournalIds>`jsonb_strip_nulls(jsonb_build_object('issn', paper.metadata->'issn',
  'issn_l', paper.metadata->'issn_l', 'issns', paper.metadata->'issns', 'openalex_source', paper.metadata->'openalex_source'))`
