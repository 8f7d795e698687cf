import { listFormerInterests } from '../../db/queries/former-interests.js'
import { countCharacters, walkVotes } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'

const batchSize = 100

/**
 * The newest votes on a feed, newest first, with the index of the former interest that each was given under, and those interests.
 * @param limits.maxCharacters of their texts: a vote beyond it is left out, and so are all older ones
 */
export async function readTrainingVotes (
  db: Db,
  accountId: string,
  projectId: string,
  { maxVotes, maxCharacters }: { maxVotes: number, maxCharacters: number }
) {
  const former = await listFormerInterests(db, accountId, projectId)
  const votes = []
  let characters = 0
  for await (const batch of walkVotes(db, accountId, projectId, batchSize)) {
    for (const { voted_at, ...vote } of batch) {
      characters += countCharacters([vote])
      if (votes.length === maxVotes || characters > maxCharacters) return { votes, former }
      const index = former.findIndex(({ until }) => voted_at <= until)
      votes.push({ ...vote, former: index === -1 ? null : index })
    }
  }
  return { votes, former }
}
