/** Boolean operators, as search engines have them: in capitals. */
const booleans = /(?<!\S)(?:AND|OR|NOT)(?!\S)/g
/** Prefixes and suffixes that name a field: "author:Smith", "sleep[tiab]". Before a space, a colon ends a word of a title. */
const fields = new RegExp(
  '(?<![^\\s("])(?:title|ti|author|authors|au|abstract|ab|tiab|journal|venue|year|keyword|keywords|mesh):' +
    '(?="?[\\p{L}\\p{N}])|' +
    '\\[(?:tiab|ti|title|au|author|ab|abstract|tw|all fields|mh|mesh|mesh terms|majr|title/abstract)\\]', 'giu'
)

/** A query without operators and the names of fields, which search has none of. They would count as words. */
export const withoutOperators = (q: string): string => q.replace(fields, ' ').replace(booleans, ' ').replace(/\s+/g, ' ').trim()

/** The words of a query alone, as they were written, for readers. */
export const plainQuery = (q: string): string =>
  withoutOperators(q.replace(/["“”„«»]/g, ' ').replace(/(?<!\S)[-−](?=\p{L})/gu, ''))

/**
 * Whether a query is written for another search engine: with quotes, a minus before a word, AND, OR or NOT, or the name of a field.
 */
export const hasOperator = (q: string): boolean => /["“”„«»]|(?<!\S)[-−]\p{L}/u.test(q) || q.search(booleans) >= 0 || q.search(fields) >= 0
