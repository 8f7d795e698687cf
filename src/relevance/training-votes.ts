import { listFormerInterests } from '../../db/queries/former-interests.js'
import { listVotes } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'

/** The newest votes on a feed, newest first, with the index of the former interest that each was given under, and those interests. */
export async function readTrainingVotes (db: Db, accountId: string, projectId: string, limit: number) {
  const former = await listFormerInterests(db, accountId, projectId)
  const votes = (await listVotes(db, accountId, projectId, limit)).map(({ voted_at, ...vote }) => {
    const index = former.findIndex(({ until }) => voted_at <= until)
    return { ...vote, former: index === -1 ? null : index }
  })
  return { votes, former }
}
