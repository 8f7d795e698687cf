import type { Caller } from '../../db/caller.js'
import { writeIfWritable } from '../../db/connection.js'
import { markCited } from '../../db/queries/notices.js'
import type { KeyScope } from '../../schemas/key.js'

interface CitationContext extends Caller {
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
  await writeIfWritable(markCited(db, account.id, paperId, key?.projectIds ?? null, now()))
}
