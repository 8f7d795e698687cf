import { minuteMs } from '../../../schemas/durations.js'
import { writeIfWritable } from '../../../db/connection.js'
import { listFeed, listItems } from '../../../db/queries/feed.js'
import { findSharedFeed, listTagged, markShareLinkOpened } from '../../../db/queries/share-links.js'
import {
  SharedFeed, SharedFeedInput, type SharedPaper, maxSharedOffset, maxTaggedPapers, sharedPageSize
} from '../../../schemas/sharing.js'
import { publicExtract } from '../../../schemas/feed.js'
import { tagKey } from '../../../schemas/tags.js'
import { shareTokens } from '../../accounts/link-tokens.js'
import { NotFound } from '../../errors/operation-errors.js'
import { paperChanges } from '../../papers/notices.js'
import { publicPaperOf } from '../../papers/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'

export type SharingContext = Pick<ServiceContext, 'db' | 'now'>

/** Precision of last_opened_at, so that reading does not cause a write each. */
const openedPrecisionMs = minuteMs

/** A wrong, an expired and a revoked link look the same. */
export const sharedFeedNotFound = () =>
  new NotFound('This link does not work. It may have expired or been revoked. Ask the person who sent it for a new one.')

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
  /** The tag of a link over all projects. */
  const tagOfAll = link.all_projects ? filter.tagKey : undefined
  return { ...link, filter, tagOfAll }
}

/** The part of a page that a link over all projects shows. */
const firstTagged = ({ limit, offset }: { limit: number, offset: number }) =>
  ({ limit: Math.max(0, Math.min(limit, maxTaggedPapers - offset)), offset: Math.min(offset, maxTaggedPapers) })

/** @throws NotFound, the same for a wrong, an expired and a revoked token */
export const sharedFeed = operation({
  name: 'shared_feed',
  title: 'Read a shared feed',
  description: 'Returns the papers of a share link to anyone who has it, newest first, without votes, notes and scores.',
  input: SharedFeedInput,
  output: SharedFeed,
  async handler (context: SharingContext, { token, offset = 0 }) {
    const { db } = context
    const { id, account_id, title, created_at, filter, tagOfAll } = await openSharedFeed(context, token)
    const { rows, page: { has_more } } = await readPage({ limit: sharedPageSize, offset }, async page => tagOfAll === undefined
      ? await listFeed(db, account_id, filter, { ...page, extract: publicExtract })
      : await listItems(db, account_id, await listTagged(db, account_id, tagOfAll, firstTagged(page)), { extract: publicExtract }))
    return {
      id,
      title,
      updated_at: new Date(Math.max(created_at.getTime(), ...rows.map(({ ready_at }) => ready_at.getTime()))).toISOString(),
      items: rows.map((row): SharedPaper => {
        const paper = publicPaperOf(row)
        const { id, title, abstract, authors, published_date, url, pdf_url, doi, venue_name, index_url, external_ids, metadata } = paper
        const added_at = row.ready_at.toISOString()
        const record = { id, title, abstract, authors, published_date, url, pdf_url, doi, venue_name, index_url, external_ids, added_at }
        return { ...record, author_count: row.author_count!, published: metadata.published ?? null, changes: paperChanges(metadata) }
      }),
      offset,
      has_more: has_more && offset + sharedPageSize <= maxSharedOffset
    }
  }
})
