import { walkItemsById } from '../../../db/queries/feed-page.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { FeedsExportInput, exportTitles } from '../../papers/citations/schemas.js'
import { operation } from '../operation.js'
import { exportBatchSize, exportedIds, exportFile } from '../../papers/citations/export-file.js'
import { readItemFilter } from '../../papers/feed-filter.js'
import { narrowByNames, needsScan, paperFilterOf } from '../../papers/all-feeds/filter.js'
import { maxCountedItems } from '../../papers/all-feeds/list.js'
import { mergeFeeds } from '../../papers/all-feeds/merge.js'
import { scanFeeds } from '../../papers/all-feeds/scan.js'
import { findIdentified, wordsOf } from '../../papers/identified-items.js'
import { maxSearchOffset, searchFeeds } from '../../papers/all-feeds/search.js'

/** @throws ProjectNotFound, InvalidArguments */
export const feedsExport = operation({
  name: 'feeds_export',
  title: 'Export all feeds',
  description: `Returns the references of the items of all feeds as ${exportTitles}, narrowed like a page of them: ` +
    `the first ${maxCountedItems.toLocaleString('en')} items, or the first ${maxSearchOffset.toLocaleString('en')} matches of a search.`,
  input: FeedsExportInput,
  output: FeedExportResult,
  scope: 'read',
  async handler (context, { q, project_id, items: chosen, format, ...selection }) {
    const { db, sharedDb, account, key } = context
    const visible = await listProjectNames(db, account.id, key?.projectIds)
    const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    const projectIds = projects.map(({ id }) => id)
    const filter = { ...readItemFilter(selection), papers: paperFilterOf(selection) }
    const list = async () => {
      if (chosen !== undefined) return exportedIds(chosen)
      if (q !== undefined) {
        return await findIdentified(context, q, { ...filter, projectIds }) ??
          (await searchFeeds(context, projects, { ...filter, ...wordsOf(q) }, { limit: maxSearchOffset, offset: 0 })).ids
      }
      const inProjects = await narrowByNames(context, { ...filter, projectIds })
      const page = { limit: maxCountedItems, offset: 0, sort: 'day' } as const
      return needsScan(inProjects)
        ? (await scanFeeds(context, inProjects, page)).ids
        : (await mergeFeeds(context, inProjects, page)).map(({ id }) => id)
    }
    const name = project_id === undefined ? 'All projects' : projects[0]!.name
    const batches = walkItemsById(sharedDb, account.id, { projectIds }, await list(), exportBatchSize, key?.projectIds)
    return exportFile(context, name, new Map(projects.map(({ id, name }) => [id, name])), batches, format)
  }
})
