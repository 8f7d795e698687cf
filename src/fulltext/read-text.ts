import { writeIfWritable } from '../../db/connection.js'
import { findMarkdown, markTextRead } from '../../db/queries/markdown.js'
import type { Caller } from '../../db/caller.js'
import { dayMs } from '../../schemas/durations.js'

interface Reader extends Caller {
  readonly now: () => Date
}

/**
 * The full text that the account may read: its own, else the shared one. Shared texts that nobody reads may be deleted, so reading one is
 * recorded, once a day.
 */
export async function readText ({ db, account, now }: Reader, paperId: string) {
  const text = await findMarkdown(db, account.id, paperId)
  const readBefore = new Date(now().getTime() - dayMs)
  if (text === undefined || text.account_id !== null || text.read_at > readBefore) return text
  // Texts can be read although the database accepts no writes.
  await writeIfWritable(markTextRead(db, paperId, { now: now(), readBefore }))
  return text
}
