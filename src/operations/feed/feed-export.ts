import { walkFeed, walkItems } from '../../../db/queries/feed-page.js'
import { findProjectName } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedExportResult, maxExportedItems } from '../../../schemas/citation.js'
import { formats } from '../../../schemas/formats.js'
import { exportFormat } from '../../papers/citations/export-formats.js'
import { plainList } from '../../papers/citations/formats.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { slugOf } from '../../papers/identity.js'
import { searchWholeFeed } from '../../search/search.js'
import { parseQuery } from '../../search/query.js'
import { timeSlices } from '../../threads/time-slice.js'
import { interleaveExports } from '../interleave-exports.js'
import { operation } from '../operation.js'
import { FeedExportInput, exportTitles } from '../../papers/citations/schemas.js'
import { markFilterOf } from '../../papers/item-state.js'
import { feedItemOf } from '../../papers/records.js'

/** Items in memory at a time. */
const batchSize = 200

const isUuid = formats.uuid!

/** The ids of a list. @throws InvalidArguments */
function idsOf (list: string): string[] {
  const ids = list.split(',').map(id => id.trim().toLowerCase()).filter(id => id !== '')
  if (ids.length === 0 || ids.length > maxExportedItems || !ids.every(id => isUuid(id))) {
    throw new InvalidArguments(`items must be 1 to ${maxExportedItems} UUIDs of feed items, separated by commas.`)
  }
  return [...new Set(ids)]
}

/** @throws ProjectNotFound, InvalidArguments */
export const feedExport = operation({
  name: 'feed_export',
  title: 'Export a feed',
  description: `Returns the references of a feed as ${exportTitles}: all items or those that a filter admits, newest first; ` +
    'or the matches of a search, best first. Tags are keywords and notes are notes in formats that have them.',
  input: FeedExportInput,
  output: FeedExportResult,
  scope: 'read',
  async handler ({ db, account }, { project_id, q, items: chosen, format, feedback_filter, seen, saved, tag, must_read }) {
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const { type, extension, write, list: { begin, separator, end } = plainList } = exportFormat(format)
    const filter = { projectId: project_id, feedback: feedback_filter, ...markFilterOf({ seen, saved, tag }), must_read }
    const feed = { accountId: account.id, projectId: project_id }
    const ids = chosen !== undefined
      ? idsOf(chosen)
      : q === undefined
        ? undefined
        : await searchWholeFeed(searchStorage(db), feed, { ...filter, terms: parseQuery(q, { shortWords: true }) })
    const batches = ids === undefined ? walkFeed(db, account.id, filter, batchSize) : walkItems(db, account.id, filter, ids, batchSize)
    async function * parts () {
      const usedKeys = new Map<string, number>()
      yield begin
      const endOfSlice = timeSlices()
      let first = true
      for await (const items of interleaveExports(batches)) {
        const references: string[] = []
        for (const item of items) {
          references.push(write(feedItemOf(item), usedKeys))
          await endOfSlice()
        }
        yield `${first ? '' : separator}${references.join(separator)}`
        first = false
      }
      yield end
    }
    return { media_type: type, file_name: `${slugOf(project.name)}.${extension}`, parts: parts() }
  }
})
