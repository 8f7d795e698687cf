import { type Static, Type } from 'typebox'
import { FeedItemInput } from './feed.js'
import { FeedbackFilter } from './feedback.js'
import { ProjectId } from './ids.js'
import { Words } from './nullable.js'

export const CitationFormat = Words(['bibtex', 'ris'], { description: 'bibtex for LaTeX, JabRef and Zotero; ris for EndNote, Mendeley, Zotero and others.', default: 'bibtex' })
export type CitationFormat = Static<typeof CitationFormat>

export const CitationInput = Type.Object({ ...FeedItemInput.properties, format: Type.Optional(CitationFormat) }, { additionalProperties: false })

const file = {
  media_type: Type.String({ description: 'Type of the text.' }),
  file_name: Type.String({ description: 'A name for it, in ASCII.' })
}

export const CitationResult = Type.Object({ ...file, text: Type.String({ description: 'The reference.' }) })

export const FeedExportInput = Type.Object({
  project_id: ProjectId,
  q: Type.Optional(Type.String({ description: 'Only what a search for these words finds, 3 to 200 characters after trimming, best match first: the items that have every word, or where none has, those that have some.' })),
  format: Type.Optional(CitationFormat),
  feedback_filter: Type.Optional(FeedbackFilter),
  must_read: Type.Optional(Type.Boolean({ description: 'true: only items classed must_read; false: only the others. Left out: both.' }))
}, { additionalProperties: false })

export const FeedExportResult = Type.Object({ ...file, parts: Type.Unsafe<AsyncIterable<string>>({ description: 'The references, piece by piece.' }) })
