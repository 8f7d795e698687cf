import { sql } from 'kysely'

/** Newest items of a feed, of which a vote is compared with the unrated ones: more would slow each vote down. */
const compared = 1000

/**
 * The `rated_weight` of an item that gets a vote: of its first vote, its score relative to the mean of the unrated items, 1 at most.
 * @param projectId of the item
 */
export const ratedWeight = (projectId: string) => sql<number | null>`case when coalesce(rated_at, voted_at) is not null then rated_weight
  else least(1, coalesce(relevance_score / nullif((
    select avg(newest.relevance_score) filter (where newest.vote is null) from (
      select relevance_score, vote from project_paper where project_id = ${projectId} order by ready_at desc, id limit ${compared}
    ) as newest
  ), 0), 1)) end`
