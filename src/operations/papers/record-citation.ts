import { DatabaseNotWritable } from '../../../db/errors.js'
import { markCited } from '../../../db/queries/notices.js'
import type { Context } from '../context.js'

/** Records that the account took a reference to a paper: cited papers are checked for retractions. References are given without it, too. */
export async function recordCitation ({ db, account, now }: Context, paperId: string): Promise<void> {
  try {
    await markCited(db, account.id, paperId, now())
  } catch (error) {
    if (!(error instanceof DatabaseNotWritable)) throw error
  }
}
