import { walkFeed, walkItems } from '../../../db/queries/feed-page.js'
import { findProjectName } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import { citationFormat } from '../../papers/citations/formats.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { slugOf } from '../../papers/identity.js'
import { searchWholeFeed } from '../../search/search.js'
import { parseQuery } from '../../search/query.js'
import { operation } from '../operation.js'
import { FeedExportInput, citationTitles } from '../../papers/citations/schemas.js'
import { paperOf } from '../../papers/records.js'

/** Items in memory at a time. */
const itemsAtOnce = 200

/** @throws ProjectNotFound, InvalidArguments */
export const feedExport = operation({
  name: 'feed_export',
  title: 'Export a feed',
  description: `Gives the references of a whole feed, or of those of its items that a filter or a search lets through, as ${citationTitles}, newest or best first.`,
  input: FeedExportInput,
  output: FeedExportResult,
  async handler ({ db, account }, { project_id, q, format, feedback_filter, must_read }) {
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const { type, extension, write } = citationFormat(format)
    const filter = { projectId: project_id, feedback: feedback_filter, must_read }
    const ids = q === undefined ? undefined : await searchWholeFeed(searchStorage(db), { accountId: account.id, projectId: project_id }, { terms: parseQuery(q), feedback: feedback_filter, must_read })
    const found = ids === undefined ? walkFeed(db, account.id, filter, itemsAtOnce) : walkItems(db, account.id, ids, itemsAtOnce)
    async function * parts () {
      const taken = new Map<string, number>()
      let first = true
      for await (const items of found) {
        yield `${first ? '' : '\n'}${items.map(item => write(paperOf(item), taken)).join('\n')}`
        first = false
      }
    }
    return { media_type: type, file_name: `${slugOf(project.name)}.${extension}`, parts: parts() }
  }
})
