import { sql } from 'kysely'
import type { Feedback } from '../../schemas/feedback.js'
import type { Db } from '../connection.js'
import { retryConflicts } from './retry.js'
import { nextScoring } from './scoring-due.js'

/** An import that votes, and what keeps it from being undone meanwhile. */
interface VotingImport { importId?: string | null | undefined, lock?: ((transaction: Db) => Promise<void>) | undefined }

/**
 * Sets the vote on an item of the account's feeds, which is then seen, and schedules the feed to be rescored. The time of its first vote
 * is kept. The same vote again counts from now on: it may be for another interest than the first.
 * @param feedback null removes the vote
 * @param scoring.at when to rescore; some seconds later, so that one rescoring covers votes given in a row
 * @param scoring.latest until when further votes delay the rescoring
 * @throws RowNotFound if the item is missing or another account's
 */
export const setFeedback = (
  db: Db,
  accountId: string,
  itemId: string,
  feedback: Feedback | null,
  scoring: { at: Date, latest: Date },
  { importId = null, lock }: VotingImport = {}
) =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      // Locks the project first, as its deletion does: another order could deadlock.
      const project = await transaction
        .updateTable('project')
        .set(nextScoring(scoring.at, scoring.latest))
        .where('account_id', '=', accountId)
        .where('id', '=', ({ selectFrom }) => selectFrom('project_paper').select('project_id').where('project_paper.id', '=', itemId))
        .returning('id')
        .executeTakeFirstOrThrow()
      await lock?.(transaction)
      await transaction
        .updateTable('project_paper')
        .set({
          vote: feedback?.vote ?? null,
          vote_import_id: importId,
          downvote_reason: feedback?.downvote_reason ?? null,
          voted_at: feedback === null ? null : new Date(feedback.updated_at),
          // A paper that an import voted on was rated as it entered: it never was among the unrated ones.
          rated_weight: ratedWeight(project.id),
          rated_at: sql`coalesce(rated_at, case when vote_import_id is null then voted_at else coalesce(entered_at, ready_at) end)`,
          // Without the vote, an item is new again unless it was seen before.
          seen_at: feedback === null
            ? sql<Date | null>`nullif(seen_at, voted_at)`
            : sql<Date>`coalesce(seen_at, ${new Date(feedback.updated_at)})`
        })
        .where('project_id', '=', project.id)
        .where('id', '=', itemId)
        .returning('id')
        .executeTakeFirstOrThrow()
    })
  )

/** Newest items of a feed, of which a vote is compared with the unrated ones: more would slow each vote down. */
const compared = 1000

/**
 * The `rated_weight` of an item that gets a vote: of its first vote, its score relative to the mean of the unrated items, 1 at most.
 * @param projectId of the item
 */
const ratedWeight = (projectId: string) => sql<number | null>`case when coalesce(rated_at, voted_at) is not null then rated_weight
  else least(1, coalesce(relevance_score / nullif((
    select avg(newest.relevance_score) filter (where newest.vote is null) from (
      select relevance_score, vote from project_paper where project_id = ${projectId} order by ready_at desc, id limit ${compared}
    ) as newest
  ), 0), 1)) end`
