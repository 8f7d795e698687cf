import { citationSchemas } from '../../../schemas/citation.js'
import { citationFormats } from './formats.js'

/** Input schemas that name the registered citation formats. */
export const { CitationInput, PaperCiteInput, FeedExportInput } = citationSchemas(citationFormats)

/** The titles of the formats as a phrase: "BibTeX or RIS". */
export const citationTitles = new Intl.ListFormat('en', { type: 'disjunction' }).format(citationFormats.map(({ title }) => title))
