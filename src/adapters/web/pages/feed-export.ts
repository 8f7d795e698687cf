import { Type } from 'typebox'
import { CitationFormat, FeedExportInput } from '../../../../schemas/citation.js'
import { FeedbackFilter } from '../../../../schemas/feedback.js'
import { ProjectId } from '../../../../schemas/ids.js'
import { feedExport } from '../../../operations/feed/feed-export.js'
import { accountPage } from '../page.js'

/** A whole feed, or what a filter or a search lists of it, as references to save. */
export const feedExportPage = accountPage({
  url: '/projects/:project_id/export',
  query: Type.Object({ project_id: ProjectId, q: FeedExportInput.properties.q, format: Type.Optional(CitationFormat), filter: Type.Optional(FeedbackFilter), must_read: Type.Optional(Type.Boolean()) }),
  async show (context, { filter, ...input }) {
    const { media_type, file_name, parts } = await feedExport.run(context, { ...input, ...(filter === undefined ? {} : { feedback_filter: filter }) })
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})
