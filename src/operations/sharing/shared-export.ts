import { walkFeed, walkItemsById } from '../../../db/queries/feed-page.js'
import { listTagged } from '../../../db/queries/share-links.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import type { Paper } from '../../../schemas/paper.js'
import { SharedExportInput } from '../../../schemas/sharing.js'
import { citationFormat, plainList } from '../../papers/citations/formats.js'
import { slugOf } from '../../papers/identity.js'
import { publicPaperOf } from '../../papers/records.js'
import { createYielder } from '../../threads/yielder.js'
import { interleave } from '../../threads/interleave.js'
import { operation } from '../operation.js'
import type { AnonymousContext } from '../context.js'
import { openSharedFeed, type SharingContext } from './shared-feed.js'

/** Items in memory at a time. */
const batchSize = 200
/** References of a file; anyone may ask for one. */
const maxReferences = 2000

/** Metadata that a reference needs. Other metadata, such as keywords and keys of an imported file, can be its owner's own. */
const publicFields: ReadonlySet<string> = new Set([
  'type', 'publication_types', 'published', 'volume', 'issue', 'pages', 'issn', 'isbn', 'issn_or_isbn', 'publisher', 'language', 'preprint',
  'primary_category', 'retracted'
])

const withoutPrivate = (paper: Paper): Paper => ({
  ...paper,
  metadata: Object.fromEntries(Object.entries(paper.metadata).filter(([name]) => publicFields.has(name)))
})

/** @throws NotFound, the same for a wrong, an expired and a revoked token; RateLimited */
export const sharedExport = operation({
  name: 'shared_export',
  title: 'Export a shared feed',
  description: `Returns the newest ${maxReferences} papers of a share link as references, without votes, notes and scores.`,
  input: SharedExportInput,
  output: FeedExportResult,
  async handler (context: SharingContext & Pick<AnonymousContext, 'address' | 'sharedWork'>, { token, format }) {
    const { address, db, sharedWork: { sharedExports, sharedLists } } = context
    const { id, account_id, title, filter, tagOfAll } = await openSharedFeed(context, token)
    const { type, extension, write, list: { begin, separator, end } = plainList } = citationFormat(format)
    async function * walk () {
      if (tagOfAll === undefined) return yield * walkFeed(db, account_id, filter, batchSize)
      const ids = await listTagged(db, account_id, tagOfAll, { limit: maxReferences, offset: 0 })
      yield * walkItemsById(db, account_id, undefined, ids, batchSize)
    }
    async function * parts () {
      const usedKeys = new Map<string, number>()
      const yieldIfDue = createYielder()
      let written = 0
      yield begin
      for await (const items of interleave(sharedExports, id, walk())) {
        const references: string[] = []
        for (const item of items.slice(0, maxReferences - written)) {
          references.push(write(withoutPrivate(publicPaperOf(item)), usedKeys))
          await yieldIfDue()
        }
        if (references.length > 0) yield `${written > 0 ? separator : ''}${references.join(separator)}`
        written += references.length
        if (written >= maxReferences) break
      }
      yield end
    }
    const download = { listId: id, accountId: account_id, network: address }
    return { media_type: type, file_name: `${slugOf(title)}.${extension}`, parts: sharedLists(download, parts()) }
  }
})
