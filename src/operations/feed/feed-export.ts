import { walkFeed, walkItems } from '../../../db/queries/feed-page.js'
import { findProjectName } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import { citationFormat, plainList } from '../../papers/citations/formats.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { slugOf } from '../../papers/identity.js'
import { searchWholeFeed } from '../../search/search.js'
import { parseQuery } from '../../search/query.js'
import { timeSlices } from '../../threads/time-slice.js'
import { inExportTurns } from '../export-turns.js'
import { operation } from '../operation.js'
import { FeedExportInput, citationTitles } from '../../papers/citations/schemas.js'
import { paperOf } from '../../papers/records.js'

/** Items in memory at a time. */
const batchSize = 200

/** @throws ProjectNotFound, InvalidArguments */
export const feedExport = operation({
  name: 'feed_export',
  title: 'Export a feed',
  description: `Returns the references of a feed as ${citationTitles}: all items or those that a filter admits, newest first; ` +
    'or the matches of a search, best first.',
  input: FeedExportInput,
  output: FeedExportResult,
  scope: 'read',
  async handler ({ db, account }, { project_id, q, format, feedback_filter, must_read }) {
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const { type, extension, write, list: { begin, separator, end } = plainList } = citationFormat(format)
    const filter = { projectId: project_id, feedback: feedback_filter, must_read }
    const feed = { accountId: account.id, projectId: project_id }
    const ids = q === undefined
      ? undefined
      : await searchWholeFeed(searchStorage(db), feed, { terms: parseQuery(q, { shortWords: true }), feedback: feedback_filter, must_read })
    const batches = ids === undefined ? walkFeed(db, account.id, filter, batchSize) : walkItems(db, account.id, ids, batchSize)
    async function * parts () {
      const usedKeys = new Map<string, number>()
      yield begin
      const endOfSlice = timeSlices()
      let first = true
      for await (const items of inExportTurns(batches)) {
        const references: string[] = []
        for (const item of items) {
          references.push(write(paperOf(item), usedKeys))
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
