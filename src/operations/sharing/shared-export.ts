import { walkFeed } from '../../../db/queries/feed-page.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import type { Paper } from '../../../schemas/paper.js'
import { SharedExportInput } from '../../../schemas/sharing.js'
import { citationFormat, plainList } from '../../papers/citations/formats.js'
import { slugOf } from '../../papers/identity.js'
import { paperOf } from '../../papers/records.js'
import { timeSlices } from '../../threads/time-slice.js'
import { interleaveExports } from '../interleave-exports.js'
import { operation } from '../operation.js'
import { openSharedFeed, type SharingContext } from './shared-feed.js'

/** Items in memory at a time. */
const batchSize = 200
/** References of a file; anyone may ask for one. */
const maxReferences = 2000

/** What a reference needs. Other metadata, such as keywords and keys of an imported file, can be its owner's own. */
const published = [
  'type', 'publication_types', 'published', 'volume', 'issue', 'pages', 'issn', 'isbn', 'issn_or_isbn', 'publisher', 'language', 'preprint',
  'primary_category'
] as const

const withoutPrivate = (paper: Paper): Paper => ({
  ...paper,
  metadata: Object.fromEntries(published.filter(name => paper.metadata[name] !== undefined).map(name => [name, paper.metadata[name]]))
})

/** @throws NotFound, the same for a wrong, an expired and a revoked token */
export const sharedExport = operation({
  name: 'shared_export',
  title: 'Export a shared feed',
  description: `Returns the newest ${maxReferences} papers of a share link as references, without anything of their owner.`,
  input: SharedExportInput,
  output: FeedExportResult,
  async handler (context: SharingContext, { token, format }) {
    const { account_id, title, filter } = await openSharedFeed(context, token)
    const { type, extension, write, list: { begin, separator, end } = plainList } = citationFormat(format)
    async function * parts () {
      const usedKeys = new Map<string, number>()
      const endOfSlice = timeSlices()
      let written = 0
      yield begin
      for await (const items of interleaveExports(walkFeed(context.db, account_id, filter, batchSize))) {
        const references: string[] = []
        for (const item of items.slice(0, maxReferences - written)) {
          references.push(write(withoutPrivate(paperOf(item)), usedKeys))
          await endOfSlice()
        }
        if (references.length > 0) yield `${written > 0 ? separator : ''}${references.join(separator)}`
        written += references.length
        if (written >= maxReferences) break
      }
      yield end
    }
    return { media_type: type, file_name: `${slugOf(title)}.${extension}`, parts: parts() }
  }
})
