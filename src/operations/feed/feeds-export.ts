import { listAllItems } from '../../../db/queries/all-feeds.js'
import { walkItems } from '../../../db/queries/feed-page.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { FeedExportResult } from '../../../schemas/citation.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { FeedsExportInput, exportTitles } from '../../papers/citations/schemas.js'
import { markFilterOf } from '../../papers/item-state.js'
import { parseQuery } from '../../search/query.js'
import { operation } from '../operation.js'
import { exportBatchSize, exportedIds, exportFile } from './exported-items.js'
import { inLimitedTime, maxCountedItems, maxSearchOffset, paperFilterOf, searchAll } from './feeds-get.js'

/** @throws ProjectNotFound, InvalidArguments */
export const feedsExport = operation({
  name: 'feeds_export',
  title: 'Export all feeds',
  description: `Returns the references of the items of all feeds as ${exportTitles}, narrowed like a page of them: ` +
    `the first ${maxCountedItems.toLocaleString('en')} items, or the first ${maxSearchOffset.toLocaleString('en')} matches of a search.`,
  input: FeedsExportInput,
  output: FeedExportResult,
  async handler (context, { q = '', project_id, items: chosen, format, feedback_filter, seen, saved, tag, link, must_read, ...record }) {
    const { db, account, key } = context
    const visible = await listProjectNames(db, account.id, key?.projectIds)
    const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    const filter = { must_read, feedback: feedback_filter, ...markFilterOf({ seen, saved, tag, link }), papers: paperFilterOf(record) }
    const list = async () => {
      if (chosen !== undefined) return exportedIds(chosen)
      if (q.trim() !== '') {
        const terms = parseQuery(q, { shortWords: true })
        return (await searchAll(context, projects, { ...filter, terms }, { limit: maxSearchOffset, offset: 0 })).ids
      }
      const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
      const page = { limit: maxCountedItems, offset: 0, sort: 'day' } as const
      return await inLimitedTime(db, filter.papers, async reader => await listAllItems(reader, account.id, inProjects, page))
    }
    const name = project_id === undefined ? 'All projects' : projects[0]!.name
    return exportFile(name, walkItems(db, account.id, undefined, await list(), exportBatchSize), format)
  }
})
