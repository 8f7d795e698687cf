import { isLongEnough } from '../../../../../schemas/search-text.js'
import { tokenize } from '../../../../search/tokenizer.js'

/** The distinct words of a search, to be marked in its results; none while the search field has too few characters. */
export const searchTerms = (q: string | undefined): string[] => q === undefined || !isLongEnough(q) ? [] : [...new Set(tokenize(q))]

/** Whether a search is written with operators of other search engines: quotes, a minus before a word, AND, OR or NOT. */
export const hasOperator = (q: string): boolean => /["“”„«»]|(?<!\S)[-−]\p{L}|(?<!\S)(?:AND|OR|NOT)(?!\S)/u.test(q)
