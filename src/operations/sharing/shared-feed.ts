import { writeIfWritable } from '../../../db/connection.js'
import { listFeed } from '../../../db/queries/feed.js'
import { findSharedFeed, markShareLinkOpened } from '../../../db/queries/share-links.js'
import { SharedFeed, SharedFeedInput, type SharedPaper, sharedPageSize } from '../../../schemas/sharing.js'
import { tagKey } from '../../../schemas/tags.js'
import { shareTokens } from '../../accounts/link-tokens.js'
import { NotFound } from '../../errors/operation-errors.js'
import { paperOf } from '../../papers/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export type SharingContext = Pick<ServiceContext, 'db' | 'now'>

/** Precision of last_opened_at, so that reading does not cause a write each. */
const openedPrecisionMs = 60_000

/** A wrong, an expired and a revoked link look the same. */
export const sharedFeedNotFound = () => new NotFound('This link does not work. It may have expired, or its owner has revoked it.')

/** Finds what a token opens, and notes that it was opened. @throws NotFound */
export async function openSharedFeed ({ db, now }: SharingContext, token: string) {
  const hash = shareTokens.hashOf(token)
  const time = now()
  const link = hash === undefined ? undefined : await findSharedFeed(db, hash, time)
  if (link === undefined) throw sharedFeedNotFound()
  if (link.last_opened_at === null || time.getTime() - link.last_opened_at.getTime() >= openedPrecisionMs) {
    await writeIfWritable(markShareLinkOpened(db, link.account_id, link.project_id, link.id, time))
  }
  const filter = { projectId: link.project_id, ...(link.tag === null ? {} : { tagKey: tagKey(link.tag) }) }
  return { ...link, filter }
}

/** @throws NotFound, the same for a wrong, an expired and a revoked token */
export const sharedFeed = operation({
  name: 'shared_feed',
  title: 'Read a shared feed',
  description: 'Returns the papers of a share link to anyone who has it, newest first, without anything of their owner.',
  input: SharedFeedInput,
  output: SharedFeed,
  async handler (context: SharingContext, { token, offset = 0 }) {
    const { id, account_id, title, created_at, filter } = await openSharedFeed(context, token)
    const rows = await listFeed(context.db, account_id, filter, { limit: sharedPageSize + 1, offset })
    const items = rows.slice(0, sharedPageSize)
    return {
      id,
      title,
      updated_at: new Date(Math.max(created_at.getTime(), ...items.map(({ ready_at }) => ready_at.getTime()))).toISOString(),
      items: items.map((row): SharedPaper => {
        const { id, title, abstract, authors, published_date, url, pdf_url, doi, venue_name, index_url, external_ids } = paperOf(row)
        const added_at = row.ready_at.toISOString()
        return { id, title, abstract, authors, published_date, url, pdf_url, doi, venue_name, index_url, external_ids, added_at }
      }),
      offset,
      has_more: rows.length > sharedPageSize
    }
  }
})
