import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { LinkFilter } from '../../schemas/relevance.js'
import type { FeedScope, GroupFilter, PaperFilter } from '../../schemas/search-filter.js'
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
  /** Ignores later items, votes and seen marks, which keeps pages stable while items enter and are rated and read. */
  asOf?: Date | undefined
}

/**
 * Turns a filter into lists of document numbers.
 * @param maxListed groups up to this size are listed
 * @returns also what has larger groups: the caller then filters pages of results by it
 */
export async function readFilters (
  storage: SearchStorage,
  feed: FeedScope,
  filter: SearchFilter,
  maxListed: number
): Promise<{ filters: NumberFilter[], unlisted: GroupFilter[] }> {
  const [filters, unlisted]: [NumberFilter[], GroupFilter[]] = [[], []]
  for (const each of groupsOf(filter)) {
    const numbers = await storage.listNumbers(feed, each, maxListed)
    if (numbers === undefined) unlisted.push(each)
    else filters.push({ numbers, keep: each.keep })
  }
  return { filters, unlisted }
}

function groupsOf ({ must_read, feedback = 'all', seen, saved, tagKey, link, asOf }: SearchFilter): GroupFilter[] {
  const groups: GroupFilter[] = []
  if (feedback === 'unrated') groups.push({ group: 'rated', keep: false, asOf })
  else if (feedback !== 'all') groups.push({ group: feedback, keep: true })
  if (saved !== undefined) groups.push({ group: 'saved', keep: saved })
  if (tagKey !== undefined) groups.push({ group: 'tagged', keep: true, tagKey })
  if (link !== undefined) groups.push({ group: 'linked', keep: true, link })
  if (seen !== undefined) groups.push({ group: 'seen', keep: seen, asOf: seen ? undefined : asOf })
  if (must_read !== undefined) groups.push({ group: 'must_read', keep: must_read })
  return groups
}
