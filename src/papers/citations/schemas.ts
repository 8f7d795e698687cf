import { citationSchemas } from '../../../schemas/citation.js'
import { exportFormats } from './export-formats.js'
import { citationFormats } from './formats.js'

/** Input schemas that name the registered citation formats. */
export const { CitationInput, PaperCiteInput, FeedExportInput, FeedsExportInput } = citationSchemas(citationFormats, exportFormats)

const anyOf = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
const titlesOf = (formats: ReadonlyArray<{ title: string }>) => anyOf(formats.map(({ title }) => title))

/** The titles of the formats as a phrase: "BibTeX or RIS". */
export const citationTitles = titlesOf(citationFormats)
export const exportTitles = titlesOf(exportFormats)
