import type { Db } from '../../db/connection.js'
import { DatabaseNotWritable } from '../../db/errors.js'
import { markCited } from '../../db/queries/notices.js'
import type { KeyScope } from '../../schemas/key.js'

interface CitationContext {
  db: Db
  account: { id: string }
  /** The grant of the call's key; undefined for calls without a key. */
  key?: { scope: KeyScope, projectIds: readonly string[] | null } | undefined
  now: () => Date
}

/**
 * Records that the account took a reference to a paper, in the projects that the call can see: cited papers are checked for retractions.
 * Calls that cannot write get references without it.
 */
export async function recordCitation ({ db, account, key, now }: CitationContext, paperId: string): Promise<void> {
  if (key?.scope === 'read') return
  try {
    await markCited(db, account.id, paperId, key?.projectIds ?? null, now())
  } catch (error) {
    if (!(error instanceof DatabaseNotWritable)) throw error
  }
}
