import { isLongEnough } from '../../../../search/query.js'
import { tokenize } from '../../../../search/tokenizer.js'

/** Words of a search, to be marked in its results; none while the search field has too few characters. */
export const searchTerms = (q: string | undefined): string[] => q === undefined || !isLongEnough(q) ? [] : tokenize(q)
