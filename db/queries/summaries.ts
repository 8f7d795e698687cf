import { type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { listSlices, type Walk } from './feed-slices.js'

/**
 * Items of the account's feed whose summary is an excerpt of the abstract, best must-read items first, then the newest.
 * @param since only items that entered the feed since then
 * @param excludedIds items to leave out
 */
export async function listExcerptSummaries (
  db: Db,
  accountId: string,
  projectId: string,
  since: Date,
  excludedIds: readonly string[],
  limit: number
): Promise<ExcerptSummary[]> {
  const isExcerpt = sql<SqlBool>`summary_origin = 'abstract' and not (project_paper.id = ${anyUuid(excludedIds)})
    and exists (select from paper where paper.id = project_paper.paper_id and abstract is not null)`
  const isMustRead = sql<SqlBool>`relevance_class = 'must_read'`
  const isRecent = sql<SqlBool>`ready_at >= ${since}`
  const list = (walk: Pick<Walk, 'order' | 'part' | 'condition'>, wanted: number) =>
    listSlices(db, accountId, { projectId, ...walk }, { limit: wanted, offset: 0 })
  const ids = await list({ order: 'relevance', part: isMustRead, condition: sql`${isExcerpt} and ${isRecent}` }, limit)
  if (ids.length < limit) {
    ids.push(...await list({ order: 'newest', part: isRecent, condition: sql`${isExcerpt} and not ${isMustRead}` }, limit - ids.length))
  }
  const items = await db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.title']).select(sql<string>`paper.abstract`.as('abstract'))
    .where('project_paper.id', '=', anyUuid(ids)).where('project_id', '=', projectId).where('paper.abstract', 'is not', null).execute()
  return items.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

interface ExcerptSummary { id: string, title: string, abstract: string }

/**
 * Counts a call of the language model for the account.
 * @param day YYYY-MM-DD
 * @returns false, and counts nothing, if the account has had `max` on that day
 */
export const countModelCall = async (db: Db, accountId: string, { day, max }: { day: string, max: number }): Promise<boolean> =>
  await db
    .updateTable('account')
    .set(({ ref, eb }) => ({
      model_day: day,
      model_calls: eb.case().when('model_day', '=', day).then(eb(ref('model_calls'), '+', 1)).else(1).end()
    }))
    .where('id', '=', accountId)
    .where(({ eb, or }) => or([eb('model_day', 'is distinct from', day), eb('model_calls', '<', max)]))
    .returning('id')
    .executeTakeFirst() !== undefined

/** Replaces the summary of an item of the account's feeds by a written one. */
export const saveSummary = (db: Db, accountId: string, itemId: string, summary: string) =>
  db.updateTable('project_paper').set({ summary, summary_origin: 'model' }).where('id', '=', itemId)
    .where('project_id', 'in', ({ selectFrom }) => selectFrom('project').select('project.id').where('account_id', '=', accountId)).execute()
