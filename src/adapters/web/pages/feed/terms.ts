import { isLongEnough } from '../../../../../schemas/search-text.js'
import { parseQuery } from '../../../../search/query.js'

/** The distinct words that a search looks for, to be marked in its results; none while the search field has too few characters. */
export const searchTerms = (q: string | undefined): string[] => q === undefined || !isLongEnough(q) ? [] : parseQuery(q)
