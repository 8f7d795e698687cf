import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { Db } from '../connection.js'
import { type CoverageRow, selectCoverage } from './coverage.js'
import { type FeedFilter, isLinked, isTagged, matching } from './feed.js'
import { isListedAfter } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** Number of matching items, and what decides whether the feed is complete; undefined if the project is missing or another account's. */
export async function countFeed (db: Db, accountId: string, filter: FeedFilter): Promise<CoverageRow & { total: number } | undefined> {
  const walked = walkedPart(filter)
  if (walked !== undefined) {
    const coverage = await selectCoverage(db, accountId, filter.projectId).executeTakeFirst()
    return coverage === undefined ? undefined : { ...coverage, total: await countWalked(db, accountId, filter, walked) }
  }
  const tallied = talliedValues(filter)
  const total = tallied === undefined
    ? sql<number>`(select count(*) from project_paper where ${matching(filter)})`
    : sql<number>`(
        select coalesce(sum(change), 0) from feed_tally
        where project_id = ${filter.projectId} and measure = ${tallied.measure} and ${tallied.condition}
      )`
  const counted = await selectCoverage(db, accountId, filter.projectId).select(total.as('total')).executeTakeFirst()
  return counted === undefined ? undefined : { ...counted, total: Number(counted.total) }
}

/** The part of a feed whose rows a count must read, as no index has what the filter asks for; undefined if an index has. */
const walkedPart = ({ saved, tagKey, link }: FeedFilter): RawBuilder<SqlBool> | undefined =>
  tagKey !== undefined ? isTagged : link !== undefined ? isLinked : saved === false ? sql`true` : undefined

/** Rows that one statement of a count reads. */
const rowsPerCount = 10_000

/** Number of matching items in a part of a feed. No statement is long. */
async function countWalked (db: Db, accountId: string, filter: FeedFilter, part: RawBuilder<SqlBool>): Promise<number> {
  let total = 0
  for (let last: { ready_at: Date, id: string } | undefined; ;) {
    const { rows: [slice] } = await sql<{ count: number, ready_at: Date | null, id: string | null }>`
      with slice as materialized (
        select ready_at, id, (${matching(filter)}) as matches from project_paper
        where project_id = ${filter.projectId} and ${isOwnProject(accountId, filter.projectId)} and ${part}
          and ${last === undefined ? sql`true` : isListedAfter(last)}
        order by ready_at desc, id limit ${rowsPerCount}
      )
      select (select count(*)::int from slice where matches) as count, last.ready_at, last.id
      from (select) as one left join (select ready_at, id from slice offset ${rowsPerCount - 1}) as last on true`.execute(db)
    total += slice?.count ?? 0
    if (slice?.id == null) return total
    last = { ready_at: slice.ready_at!, id: slice.id }
  }
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
