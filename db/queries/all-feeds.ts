import { sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'
import type { Db } from '../connection.js'
import { type FeedFilter, filterCondition } from './feed.js'
import { sortKeys } from './feed-page.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

/** A filter of the items of all feeds. */
export type AllFeedsFilter = Omit<FeedFilter, 'projectId'>

/**
 * Ids of one page of the items of the account's feeds, in an order, ties by id. Each feed gives as many of its first items as the page can
 * need, by its own indexes.
 * @param projectIds those that a key can see; null: all
 */
export async function listAllItems (
  db: Db,
  accountId: string,
  filter: AllFeedsFilter & { projectIds: ProjectIds },
  { limit, offset, sort }: { limit: number, offset: number, sort: FeedSort }
): Promise<string[]> {
  const order = sql.join([...sortKeys[sort], sql`project_paper.id`])
  const rows = await db
    .selectFrom('project')
    .innerJoinLateral(
      eb => eb
        .selectFrom('project_paper')
        .select(['project_paper.id', 'project_paper.ready_at', 'project_paper.relevance_score', 'project_paper.published_date'])
        .whereRef('project_paper.project_id', '=', 'project.id')
        .where(filterCondition(filter))
        .orderBy(order)
        .limit(limit + offset)
        .as('project_paper'),
      join => join.onTrue()
    )
    .select('project_paper.id')
    .where('project.account_id', '=', accountId)
    .where(isVisibleToKey(filter.projectIds))
    .orderBy(order)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

/** Number of matching items of the account's feeds, at most `max`. */
export async function countAllItems (
  db: Db,
  accountId: string,
  filter: AllFeedsFilter & { projectIds: ProjectIds },
  max: number
): Promise<number> {
  const counted = db
    .selectFrom('project')
    .innerJoin('project_paper', 'project_paper.project_id', 'project.id')
    .select('project_paper.id')
    .where('project.account_id', '=', accountId)
    .where(isVisibleToKey(filter.projectIds))
    .where(filterCondition(filter))
    .limit(max)
  return (await db.selectFrom(counted.as('counted')).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}
