import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { Db } from '../connection.js'
import { type CoverageRow, selectCoverage } from './coverage.js'
import { countSlices } from './feed-slices.js'
import { type FeedFilter, matching, walkedPart } from './feed.js'

/** Number of matching items, and what decides whether the feed is complete; undefined if the project is missing or another account's. */
export async function countFeed (db: Db, accountId: string, filter: FeedFilter): Promise<CoverageRow & { total: number } | undefined> {
  const tallied = talliedValues(filter)
  if (tallied !== undefined) {
    const total = sql<number>`(
      select coalesce(sum(change), 0) from feed_tally
      where project_id = ${filter.projectId} and measure = ${tallied.measure} and ${tallied.condition}
    )`
    const counted = await selectCoverage(db, accountId, filter.projectId).select(total.as('total')).executeTakeFirst()
    return counted === undefined ? undefined : { ...counted, total: Number(counted.total) }
  }
  const coverage = await selectCoverage(db, accountId, filter.projectId).executeTakeFirst()
  return coverage === undefined ? undefined : { ...coverage, total: await countWalked(db, accountId, filter) }
}

/** Number of matching items that no tally has. Rated items are few, and have an index of their own. */
function countWalked (db: Db, accountId: string, filter: FeedFilter): Promise<number> {
  const order = filter.rated === true || !['all', 'unrated'].includes(filter.feedback ?? 'all') ? 'voted' : 'newest'
  return countSlices(db, accountId, {
    projectId: filter.projectId,
    order,
    part: walkedPart(filter, order),
    condition: matching(filter)
  })
}

/** The values of the tally that a filter counts; undefined if no measure alone does. */
function talliedValues ({ projectId: _, must_read, feedback = 'all', ...others }: FeedFilter): TalliedValues | undefined {
  if (Object.values(others).some(value => value !== undefined)) return undefined
  const isMustRead = sql.lit(must_read === true ? 'must_read' : 'related')
  if (feedback === 'all') return { measure: 'class', condition: must_read === undefined ? sql`true` : sql`value = ${isMustRead}` }
  return must_read === undefined ? { measure: 'vote', condition: tallyCondition[feedback] } : undefined
}

interface TalliedValues { measure: 'class' | 'vote', condition: RawBuilder<SqlBool> }

/** The votes of each feedback filter, as the tally names them. */
const tallyCondition: Record<Exclude<FeedbackFilter, 'all'>, RawBuilder<SqlBool>> = {
  unrated: sql`value = 'none'`,
  liked: sql`value = 'upvote'`,
  disliked: sql`(value = 'downvote' or value like 'downvote %')`,
  starred: sql`value = 'star'`,
  'not-relevant': sql`value = 'downvote not_relevant'`,
  'low-quality': sql`value = 'downvote low_quality'`
}
