import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { searchQuery } from '../search/query.js'
import { type FeedFilter, type ItemDetails, matching, selectItems } from './feed.js'

/** What a match counts for: abstract and identifiers, summary, authors, title. */
const weights = sql.lit('{0.1, 0.3, 0.5, 1.0}')
/** Divides the rank by 1 + the logarithm of the length, so that a long abstract does not win by its length. */
const byLength = sql.lit(1)

export interface Search extends FeedFilter {
  /** As db/search/words.ts makes them; at least one. */
  terms: readonly string[]
  limit: number
  offset: number
}

export type Found = ItemDetails & { has_all: boolean }

/**
 * One page of a search over a whole feed, and one item more where another page follows. Items that have every term come first, then
 * those that have some; within each by rank, ties newest first, then by id.
 * @see literature-feed-mcp, section 4.1, rules 2 to 4; contract, section 7
 */
export const searchFeed = (db: Db, { terms, limit, offset, ...filter }: Search): Promise<Found[]> => {
  const { all, some } = searchQuery(terms)
  const vector = sql.ref('project_paper.search_vector')
  const rank = sql<number>`ts_rank(${weights}::float4[], ${vector}, ${some}::tsquery, ${byLength})`
  // The page is found among narrow rows first; papers are joined to it alone.
  const found = db.selectFrom('project_paper')
    .select(['project_paper.id', 'project_paper.ready_at'])
    .select([sql<boolean>`${vector} @@ ${all}::tsquery`.as('has_all'), rank.as('rank')])
    .where(matching(filter))
    .where(sql<boolean>`${vector} @@ ${some}::tsquery`)
    .orderBy('has_all', 'desc').orderBy('rank', 'desc').orderBy('ready_at', 'desc').orderBy('id')
    .limit(limit + 1).offset(offset)
  return selectItems(db).innerJoin(found.as('found'), 'found.id', 'project_paper.id')
    .select('found.has_all')
    .orderBy('found.has_all', 'desc').orderBy('found.rank', 'desc').orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id')
    .execute()
}
