import { DatabaseNotWritable } from '../../../db/errors.js'
import { markCited } from '../../../db/queries/notices.js'
import type { Context } from '../context.js'

/**
 * Records that the account took a reference to a paper, in the projects that the call can see: cited papers are checked for retractions.
 * Calls that cannot write get references without it.
 */
export async function recordCitation ({ db, account, key, now }: Context, paperId: string): Promise<void> {
  if (key?.scope === 'read') return
  try {
    await markCited(db, account.id, paperId, key?.projectIds ?? null, now())
  } catch (error) {
    if (!(error instanceof DatabaseNotWritable)) throw error
  }
}
