import { Type } from 'typebox'
import { feedExport } from '../../../operations/feed/feed-export.js'
import { feedsExport } from '../../../operations/feed/feeds-export.js'
import { fromText } from '../fields.js'
import { downloadPage } from '../page.js'

/** A feed, optionally filtered or searched, as a download of citations. */
export const feedExportPage = downloadPage({
  url: '/projects/:project_id/export',
  operations: [feedExport],
  query: Type.Object({ ...feedExport.input.properties, filter: feedExport.input.properties.feedback_filter }),
  async show (context, { filter, ...input }) {
    const { media_type, file_name, parts } = await feedExport.run(
      context,
      { ...input, feedback_filter: filter ?? input.feedback_filter },
      fromText
    )
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})

/** The papers of all projects, likewise. */
export const allFeedsExportPage = downloadPage({
  url: '/feed/export',
  operations: [feedsExport],
  query: Type.Object({ ...feedsExport.input.properties, filter: feedsExport.input.properties.feedback_filter }),
  async show (context, { filter, ...input }) {
    const { media_type, file_name, parts } = await feedsExport.run(
      context,
      { ...input, feedback_filter: filter ?? input.feedback_filter },
      fromText
    )
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})
