import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { Db } from '../connection.js'
import { type CoverageRow, selectCoverage } from './coverage.js'
import type { FeedFilter } from './feed-filter.js'
import { walkToCount } from './feed-listing.js'
import { countSlices } from './feed-slices.js'

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
  return coverage === undefined ? undefined : { ...coverage, total: await countSlices(db, accountId, walkToCount(filter)) }
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
