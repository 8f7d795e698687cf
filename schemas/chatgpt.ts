import { Type } from 'typebox'
import { PaperReference } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { SearchText } from './search-text.js'

/* The two tools that ChatGPT asks for by name. @see https://platform.openai.com/docs/mcp */

const Url = Type.String({ minLength: 1, description: 'Address to cite: of the paper, or of its page here.' })

/** Input of `search`. */
export const SearchInput = Type.Object({
  query: SearchText({ hasShortWords: true, maxLength: 2000, description: 'Words to search for, or an identifier.' })
}, { additionalProperties: false })

/** Papers that a search found in all projects. */
export const SearchResult = Type.Object({
  results: Type.Array(Type.Object({
    id: Type.String({ description: 'Id for fetch.' }),
    title: Type.String({ description: 'Title, after a warning such as "Retracted:" if there is one.' }),
    url: Url
  }, { description: 'A paper.' }), { description: 'Best match first, at most 20.' })
})

/** Input of `fetch`. */
export const FetchInput = Type.Object({ id: PaperReference }, { additionalProperties: false })

/** One paper with its text. */
export const FetchedPaper = Type.Object({
  id: Type.String({ description: 'The paper\'s UUID.' }),
  title: Type.String({ description: 'Title.' }),
  text: Type.String({ description: 'Full text if it is ready, otherwise the abstract, between marks, after any notices.' }),
  url: Url,
  metadata: Type.Object({
    text: Words(['full_text', 'abstract', 'none'], { description: 'Type of the text.' }),
    notices: Nullable(Type.String(), 'Retractions, corrections and new versions, in words.'),
    authors: Type.String({ description: 'Authors, separated by semicolons.' }),
    published_date: Nullable(Type.String(), 'YYYY-MM-DD.'),
    venue_name: Nullable(Type.String(), 'Journal, conference or server.'),
    reference_label: Nullable(Type.String(), 'Citation label.'),
    doi: Nullable(Type.String(), 'DOI.'),
    index_url: Nullable(Type.String(), 'Address in the outside index.')
  }, { description: 'Summary of the record.' })
})
