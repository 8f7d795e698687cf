import { walkFeed, walkItemsById } from '../../../db/queries/feed-page.js'
import { findProjectName } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { searchWholeFeed } from '../../search/search.js'
import { operation } from '../operation.js'
import { FeedExportInput, exportTitles } from '../../papers/citations/schemas.js'
import { rangeOf, readItemFilter } from '../../papers/feed-filter.js'
import { findIdentified, wordsOf } from '../../papers/identified-items.js'
import { exportBatchSize, exportedIds, exportFile } from '../../papers/citations/export-file.js'

/** @throws ProjectNotFound, InvalidArguments */
export const feedExport = operation({
  name: 'feed_export',
  title: 'Export a feed',
  description: `Returns the references of a feed as ${exportTitles}: all items or those that a filter admits, newest first; ` +
    'or the matches of a search, best first. Tags are keywords and notes are notes in formats that have them.',
  input: FeedExportInput,
  output: FeedExportResult,
  scope: 'read',
  async handler (context, { project_id, q, items: chosen, format, ...selection }) {
    const { db, sharedDb, account, key } = context
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const selected = { ...readItemFilter(selection), ...rangeOf(selection) }
    const filter = { ...selected, projectId: project_id }
    const feed = { accountId: account.id, projectId: project_id }
    const ids = chosen !== undefined
      ? exportedIds(chosen)
      : q === undefined
        ? undefined
        : await findIdentified(context, q, { ...selected, projectIds: [project_id] }) ??
          await searchWholeFeed(searchStorage(db), feed, { ...filter, ...wordsOf(q) })
    const batches = ids === undefined
      ? walkFeed(sharedDb, account.id, filter, exportBatchSize, key?.projectIds)
      : walkItemsById(sharedDb, account.id, filter, ids, exportBatchSize, key?.projectIds)
    return exportFile(context, project.name, new Map([[project_id, project.name]]), batches, format)
  }
})
