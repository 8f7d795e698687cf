import type { Source, SourceContext, SourcePage, SourceSearch } from '../source.js'

/**
 * Characters of a query in an address, percent-encoded. A longer query is split. OpenAlex limits an address to 4 kB, most servers to 8 kB,
 * and other parameters need room.
 */
const maxEncodedLength = 3000

const encodedLength = (query: string): number => String(new URLSearchParams({ query })).length

/** The terms between OR of a query without other operators, such as `all:"lung cancer" OR (all:sleep AND all:rem)`; otherwise undefined. */
function termsIn (query: string): string[] | undefined {
  const words = query.match(/(?:"[^"]*"|\((?:"[^"]*"|[^"()])*\)|[^\s"()])+/g) ?? []
  const isDisjunction = words.length % 2 === 1 && words.every((word, at) => (at % 2 === 1) === (word === 'OR'))
  return isDisjunction && words.join(' ') === query ? words.filter((_word, at) => at % 2 === 0) : undefined
}

/** Splits a query at OR into queries that fit into an address and together find the same papers. Other queries stay whole. */
export function splitQuery (query: string): string[] {
  const terms = encodedLength(query) > maxEncodedLength ? termsIn(query) ?? [] : []
  const [first = query, ...others] = terms
  return others.reduce((parts, term) => {
    const extended = `${parts.at(-1)!} OR ${term}`
    if (encodedLength(extended) > maxEncodedLength) parts.push(term)
    else parts.splice(-1, 1, extended)
    return parts
  }, [first])
}

/**
 * A search that may be split: it lists one part of the query after the other, and then the cursor "part 2 …" is a cursor of the second
 * part. A paper that two parts find is listed twice.
 */
export const searchInParts = (search: Source['search']): Source['search'] =>
  async function * (context: SourceContext, { query, cursor, ...window }: SourceSearch): AsyncIterable<SourcePage> {
    const parts = splitQuery(query)
    const [inParts, reached, rest] = /^part (\d+)(?: ([^]+))?$/.exec(cursor ?? '') ?? []
    if (parts.length === 1) {
      yield * search(context, { ...window, query, cursor: inParts === undefined ? cursor : null })
      return
    }
    // A cursor of another split would skip papers.
    const isReached = reached !== undefined && Number(reached) <= parts.length
    for (let number = isReached ? Number(reached) : 1, start = isReached ? rest ?? null : null; number <= parts.length; number++) {
      const next = number < parts.length ? `part ${number + 1}` : null
      for await (const page of search(context, { ...window, query: parts[number - 1]!, cursor: start })) {
        yield { ...page, cursor: page.cursor === null ? next : `part ${number} ${page.cursor}` }
      }
      start = null
    }
  }
