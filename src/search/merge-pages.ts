import { documentFrequencyOf, idf } from './bm25.js'
import type { ListedItem } from './ranker.js'
import type { RankedItem } from './ranking.js'
import type { SearchPage } from './search.js'

/** A feed whose best item is below this share of the best of all is about something else. */
const minRelatedShare = 0.4

interface MergeOptions {
  /** How many items are wanted. */
  limit?: number
  /** Whether the partial matches of feeds about something else are dropped. */
  dropUnrelated?: boolean
}

/**
 * Merges the first pages of several feeds, each from its best item on and with shares, into one order: items with every term first, then
 * by the share of the query that an item has. A term weighs by its rarity in all feeds together: "sleep" is common in a feed about sleep
 * and rare in others. The order within a feed stays, and does not depend on how long the pages are.
 */
export function mergePages (
  pages: readonly SearchPage[], { limit = Infinity, dropUnrelated = false }: MergeOptions = {}
): RankedItem[] {
  const weights = pooledWeights(pages)
  const valueOf = ({ shares }: ListedItem) => shares?.reduce((sum, share, term) => sum + share * weights[term]!, 0) ?? 0
  const feeds = pages.map(({ items }) => {
    const firstPartial = items.findIndex(({ hasAllTerms }) => !hasAllTerms)
    const full = firstPartial < 0 ? items.length : firstPartial
    return { items, full, best: Math.max(...[items[0], items[full]].map(item => item === undefined ? 0 : valueOf(item))) }
  })
  const best = feeds.reduce((best, feed) => Math.max(best, feed.best), 0)
  const heads = feeds.map(({ items, full, best: ofFeed }) => {
    const end = dropUnrelated && ofFeed < minRelatedShare * best ? full : items.length
    return { items, end, full, at: 0, value: items[0] === undefined ? 0 : valueOf(items[0]) }
  })
  const merged: RankedItem[] = []
  while (merged.length < limit) {
    let next: typeof heads[number] | undefined
    for (const head of heads) if (head.at < head.end && (next === undefined || isBefore(head, next))) next = head
    if (next === undefined) break
    const { id, hasAllTerms } = next.items[next.at++]!
    merged.push({ id, hasAllTerms })
    const following = next.items[next.at]
    // No item counts more than one that its feed ranks before it.
    if (following !== undefined) next.value = Math.min(next.at === next.full ? Infinity : next.value, valueOf(following))
  }
  return merged
}

/** Where the merge is in a feed: the place and the value of its next item, and how many have every term. */
interface Head { at: number, value: number, full: number }

function isBefore (a: Head, b: Head): boolean {
  const [aIsFull, bIsFull] = [a.at < a.full, b.at < b.full]
  if (aIsFull !== bIsFull) return aIsFull
  return a.value > b.value || (a.value === b.value && a.at < b.at)
}

/** The idf of each term in all feeds together. */
function pooledWeights (pages: readonly SearchPage[]): number[] {
  const indexes = pages.flatMap(({ index }) => index === undefined || index.total === 0 ? [] : [index])
  const total = indexes.reduce((sum, index) => sum + index.total, 0)
  return (indexes[0]?.termWeights ?? []).map((_weight, term) =>
    idf(total, indexes.reduce((sum, { total, termWeights }) => sum + documentFrequencyOf(total, termWeights[term]!), 0)))
}
