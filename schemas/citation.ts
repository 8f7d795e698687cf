import { Type } from 'typebox'
import { AllFeedsInput } from './all-feeds.js'
import { FeedItemInput } from './feed.js'
import { rangeFilters } from './feed-page.js'
import { FeedbackFilter } from './feedback.js'
import { ProjectReference, Uuid } from './ids.js'
import { markFilters } from './item-state.js'
import { Words } from './nullable.js'
import { PaperInput } from './paper.js'
import { SearchText } from './search-text.js'

const file = {
  media_type: Type.String({ description: 'Type of the text.' }),
  file_name: Type.String({ description: 'File name, in ASCII.' })
}

/** One reference as a file. */
export const CitationResult = Type.Object({ ...file, text: Type.String({ description: 'The reference.' }) })

/** The reference of one paper. */
export const PaperCiteResult = Type.Object({
  paper_id: Uuid,
  format: Type.String({ description: 'Format of the citation.' }),
  citation: Type.String({ description: 'The reference.' })
})

/** The references of a feed as a file, streamed in parts. */
export const FeedExportResult = Type.Object({
  ...file,
  parts: Type.Unsafe<AsyncIterable<string>>({ description: 'The references, piece by piece.' })
})

/** Items that one request can name. */
export const maxExportedItems = 200

interface NamedFormat { name: string, readBy: string }

const formatSchema = (formats: readonly NamedFormat[], { hasDefault = true } = {}) =>
  Words(formats.map(({ name }) => name), {
    description: `${formats.map(({ name, readBy }) => `${name} for ${readBy}`).join('; ')}.`,
    ...(hasDefault && formats[0] !== undefined ? { default: formats[0].name } : {})
  })

/** The shapes that name formats of citations, for these formats; src/papers/citations/schemas.ts makes them from the table of formats. */
export function citationSchemas (formats: readonly NamedFormat[], exportFormats: readonly NamedFormat[]) {
  const [CitationFormat, ExportFormat] = [formatSchema(formats), formatSchema(exportFormats)]

  const PaperCiteInput = Type.Object(
    { ...PaperInput.properties, format: formatSchema(formats, { hasDefault: false }) },
    { additionalProperties: false }
  )

  const CitationInput = Type.Object({ ...FeedItemInput.properties, format: Type.Optional(CitationFormat) }, { additionalProperties: false })

  const FeedExportInput = Type.Object(
    {
      project_id: ProjectReference,
      q: Type.Optional(
        SearchText({
          hasShortWords: true,
          description:
            'Only what a search for these words finds, best match first: the items that have every word, or where none has, those that ' +
            'have some.'
        })
      ),
      format: Type.Optional(ExportFormat),
      items: Type.Optional(
        Type.String({
          maxLength: 40 * maxExportedItems,
          description: `Only these items: up to ${maxExportedItems} UUIDs, separated by commas. In their order.`
        })
      ),
      feedback_filter: Type.Optional(FeedbackFilter),
      ...markFilters,
      must_read: Type.Optional(Type.Boolean({ description: 'true: only items classed must_read; false: only the others. Default: both.' })),
      ...rangeFilters
    },
    { additionalProperties: false }
  )

  const { sort: _sort, as_of: _time, limit: _limit, offset: _offset, ...filters } = AllFeedsInput.properties
  const FeedsExportInput = Type.Object(
    { ...filters, format: FeedExportInput.properties.format, items: FeedExportInput.properties.items },
    { additionalProperties: false }
  )

  return { CitationInput, PaperCiteInput, FeedExportInput, FeedsExportInput }
}
