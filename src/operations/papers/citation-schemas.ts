import { citationSchemas } from '../../../schemas/citation.js'
import { citationFormats } from '../../papers/citations/formats.js'

/* The schemas of citations, with the formats that there are. */

export const { CitationInput, FeedExportInput } = citationSchemas(citationFormats)

/** "BibTeX or RIS" */
export const citationTitles = new Intl.ListFormat('en', { type: 'disjunction' }).format(citationFormats.map(({ title }) => title))
