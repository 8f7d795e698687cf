import { type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { ProjectPaperTable } from '../tables/feed.js'
import { countSlices } from './feed-slices.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** When an item was added to its feed: later than `ready_at` for one that a weekly limit had excluded in an earlier week. */
const addedAt = sql<Date>`coalesce(entered_at, ready_at)`

/** When an item was first rated: a vote that is changed or repeated later is no further draw from the unrated papers. */
const ratedAt = sql<Date>`coalesce(rated_at, voted_at)`

/** Whether a paper had been in the feed without a vote before it got one that no import gave, as the index of these votes has it. */
const isRatedLater = sql<boolean>`vote is not null and vote_import_id is null and ${ratedAt} > ${addedAt}`

/** A period of votes, without its beginning; null: from the first vote on. */
export interface Period { after: Date | null, until: Date }

/** A vote on a paper that had been in the feed without one. */
interface LaterRating {
  vote: ProjectPaperTable['vote']
  rated_weight: ProjectPaperTable['rated_weight']
  voted_at: Date
  rated_at: Date
  added_at: Date
}

/** Whether a vote was cast in one of these periods. */
const isVotedIn = (periods: readonly Period[]) => sql<boolean>`exists (
  select from unnest(${periods.map(({ after }) => after)}::timestamptz[], ${periods.map(({ until }) => until)}::timestamptz[])
    as period (after, until)
  where voted_at > coalesce(after, '-infinity') and voted_at <= until)`

/**
 * The interest of a project, since when it records when papers entered its feed, when papers last left it, and what changes with its
 * candidates; undefined if it is another account's.
 */
export const findRecallSettings = (db: Db, accountId: string, projectId: string) =>
  db
    .selectFrom('project')
    .select(['interest_description', 'positive_keywords', 'recall_since', 'items_left_at'])
    .select(['weekly_limit', 'feed_threshold', 'updated_at', 'last_fetched_at', 'learned_at', 'scoring_due_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .executeTakeFirst()

/**
 * The latest votes on papers that had been in the feed without one, newest first, with the times of the vote, of the first one and of the
 * paper, and the weight of the first one. @param since only votes that were cast, changed or repeated after it, or in one of the earlier
 * periods, which are disjoint; null returns all
 */
export async function listRatings (
  db: Db,
  accountId: string,
  projectId: string,
  { since, earlier, limit }: { since: Date | null, earlier: readonly Period[], limit: number }
): Promise<LaterRating[]> {
  const ratings: LaterRating[] = []
  const periods = since === null ? [] : [...earlier].sort((a, b) => b.until.getTime() - a.until.getTime())
  // One condition for all periods would read every vote between them.
  for (const { after, until } of [{ after: since, until: null }, ...periods]) {
    if (ratings.length === limit) break
    ratings.push(...await readInIndexOrder(db, transaction => transaction
      .selectFrom('project_paper')
      .select(['vote', 'rated_weight', sql<Date>`voted_at`.as('voted_at'), ratedAt.as('rated_at'), addedAt.as('added_at')])
      .where('project_id', '=', projectId)
      .where(isOwnProject(accountId, projectId))
      .where(isRatedLater)
      .$if(after !== null, query => query.where('voted_at', '>', after))
      .$if(until !== null, query => query.where('voted_at', '<=', until))
      .orderBy('voted_at', 'desc')
      .orderBy('id')
      .limit(limit - ratings.length)
      .execute()))
  }
  return ratings
}

/**
 * Counts the papers of a feed that `listRatings` leaves out because their votes were all cast by then, but not in these periods.
 * @param until null counts none
 */
export const countFormerlyRated = async (
  db: Db,
  accountId: string,
  projectId: string,
  { until, except }: { until: Date | null, except: readonly Period[] }
): Promise<number> => until === null
  ? 0
  : await countSlices(db, accountId, {
    projectId,
    order: 'voted',
    part: sql<SqlBool>`${isRatedLater} and voted_at <= ${until}`,
    condition: except.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`not ${isVotedIn(except)}`
  })

/** The `ready_at` of the item of a feed that has this many newer ones; undefined if there is none. */
export const findNthNewestItem = (db: Db, accountId: string, projectId: string, newer: number): Promise<{ ready_at: Date } | undefined> =>
  readInIndexOrder(db, transaction => transaction
    .selectFrom('project_paper')
    .select('ready_at')
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .orderBy('ready_at', 'desc')
    .orderBy('id')
    .offset(newer)
    .limit(1)
    .executeTakeFirst())

/**
 * Counts a feed's unrated papers per interval between the given ascending times, by the time they were added; the first is 1. The index of
 * the feed's order answers for `ready_at`; the few papers that were added later are moved from one interval to another.
 */
export async function countUnratedSince (db: Db, accountId: string, projectId: string, times: readonly Date[]) {
  const first = times[0]!
  const bounds = sql`${[...times]}::timestamptz[]`
  const unrated = sql`project_paper where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and vote is null`
  const { rows } = await sql<{ time: number, papers: number }>`
    select time, sum(papers)::integer as papers from (
      select width_bucket(ready_at, ${bounds}) as time, count(*) as papers from ${unrated} and ready_at >= ${first} group by 1
      union all
      select width_bucket(ready_at, ${bounds}), -count(*) from ${unrated} and entered_at is not null and ready_at >= ${first} group by 1
      union all
      select width_bucket(entered_at, ${bounds}), count(*) from ${unrated} and entered_at >= ${first} group by 1
    ) as counted group by time`.execute(db)
  return rows
}

/** Counts, as `countUnratedSince` does, papers that were in a feed at each time and left it since, by how that number changes. */
export async function countLeftSince (db: Db, accountId: string, projectId: string, times: readonly Date[]) {
  const first = times[0]!
  const bounds = sql`${[...times]}::timestamptz[]`
  const left = sql`candidate where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and left_at >= ${first}`
  const { rows } = await sql<{ time: number, papers: number }>`
    select time, sum(papers)::integer as papers from (
      select width_bucket(left_at, ${bounds}) as time, count(*) as papers from ${left} group by 1
      union all
      select width_bucket(found_at, ${bounds}), -count(*) from ${left} and found_at >= ${first} group by 1
    ) as counted group by time`.execute(db)
  return rows
}
