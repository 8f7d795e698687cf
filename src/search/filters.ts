import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { LinkFilter } from '../../schemas/relevance.js'
import type { FeedScope, ItemFilter, PaperFilter } from '../../schemas/search-filter.js'
import type { NumberFilter } from './ranking.js'
import type { SearchStorage } from './storage.js'

/** Narrows a search to some items of the feed. */
export interface SearchFilter {
  must_read?: boolean | undefined
  feedback?: FeedbackFilter | undefined
  seen?: boolean | undefined
  saved?: boolean | undefined
  tagKey?: string | undefined
  link?: LinkFilter | undefined
  papers?: PaperFilter | undefined
  /** Bounds of `ready_at`, the upper one exclusive. */
  since?: Date | undefined
  until?: Date | undefined
  /** Ignores later votes and seen marks, which keeps pages stable while items are rated and read. */
  asOf?: Date | undefined
}

/** The filters whose groups are too large for a list. */
type UnlistedFilter = Pick<ItemFilter, 'mustRead' | 'seen' | 'seenBy'>

/** Groups up to this size are read as a list of document numbers. */
const maxListedNumbers = 2000

/**
 * Turns a filter into lists of document numbers.
 * @returns also what has too many items for a list: the caller then filters pages of results by it
 */
export async function readFilters (
  storage: SearchStorage,
  feed: FeedScope,
  { must_read, feedback = 'all', seen, saved, tagKey, link, asOf }: SearchFilter
): Promise<{ filters: NumberFilter[], unlisted: UnlistedFilter }> {
  const filters: NumberFilter[] = []
  if (feedback === 'unrated') filters.push({ numbers: await storage.listNumbers(feed, 'rated', { asOf }), keep: false })
  else if (feedback !== 'all') filters.push({ numbers: await storage.listNumbers(feed, feedback, {}), keep: true })
  if (saved !== undefined) filters.push({ numbers: await storage.listNumbers(feed, 'saved', {}), keep: saved })
  if (tagKey !== undefined) filters.push({ numbers: await storage.listNumbers(feed, 'tagged', { tagKey }), keep: true })
  if (link !== undefined) filters.push({ numbers: await storage.listNumbers(feed, 'linked', { link }), keep: true })
  const unlisted: UnlistedFilter = {}
  const limit = maxListedNumbers
  if (seen !== undefined) {
    const seenBy = seen ? undefined : asOf
    const numbers = await storage.listFewNumbers(feed, 'seen', { asOf: seenBy, limit })
    if (numbers === undefined) Object.assign(unlisted, { seen, seenBy })
    else filters.push({ numbers, keep: seen })
  }
  if (must_read !== undefined) {
    const numbers = await storage.listFewNumbers(feed, 'must_read', { limit })
    if (numbers === undefined) unlisted.mustRead = must_read
    else filters.push({ numbers, keep: must_read })
  }
  return { filters, unlisted }
}
