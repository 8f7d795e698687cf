import { havingOf, idf } from './bm25.js'
import type { RankedItem } from './ranking.js'
import type { SearchPage } from './search.js'

/** A feed whose best item is below this share of the best of all is about something else. */
const minRelatedShare = 0.4

/**
 * Merges the first pages of several feeds, each from its best item on and with shares, into one order: items with every term first, then
 * by the share of the query that an item has. A term weighs by its rarity in all feeds together: "sleep" is common in a feed about sleep
 * and rare in others. The order within a feed stays, and does not depend on how long the pages are.
 * @param options.dropUnrelated whether the partial matches of feeds about something else are dropped
 */
export function mergePages (pages: readonly SearchPage[], { dropUnrelated = false }: { dropUnrelated?: boolean } = {}): RankedItem[] {
  const weights = pooledWeights(pages)
  const valued = pages.map(({ items }) => {
    // No item counts more than one that its feed ranks before it.
    const lowest = { true: Infinity, false: Infinity }
    return items.map(({ id, hasAllTerms, shares = new Float32Array() }, rank) => {
      const value = shares.reduce((sum, share, term) => sum + share * weights[term]!, 0)
      const bound = lowest[`${hasAllTerms}`] = Math.min(lowest[`${hasAllTerms}`], value)
      return { id, hasAllTerms, rank, value: bound }
    })
  })
  const best = Math.max(...valued.flat().map(({ value }) => value))
  return valued
    .map(items => {
      const isRelated = !dropUnrelated || items.some(({ value }) => value >= minRelatedShare * best)
      return isRelated ? items : items.filter(({ hasAllTerms }) => hasAllTerms)
    })
    .flat()
    .sort((a, b) => Number(b.hasAllTerms) - Number(a.hasAllTerms) || b.value - a.value || a.rank - b.rank)
    .map(({ id, hasAllTerms }) => ({ id, hasAllTerms }))
}

/** The idf of each term in all feeds together. */
function pooledWeights (pages: readonly SearchPage[]): number[] {
  const indexes = pages.flatMap(({ index }) => index === undefined || index.total === 0 ? [] : [index])
  const total = indexes.reduce((sum, index) => sum + index.total, 0)
  return (indexes[0]?.termWeights ?? []).map((_weight, term) =>
    idf(total, indexes.reduce((sum, { total, termWeights }) => sum + havingOf(total, termWeights[term]!), 0)))
}
