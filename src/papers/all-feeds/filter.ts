import pLimit from 'p-limit'
import type { Caller } from '../../../db/caller.js'
import type { AllFeedsFilter, NamedFeedsFilter } from '../../../db/queries/feed-filter.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import type { PaperFilter } from '../../../schemas/search-filter.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { maxNamedItems } from '../../search/names.js'
import { findByNames } from '../../search/search.js'
import { issnIn, openalexAuthorIn, orcidIn } from '../identifiers.js'

/** Feeds that are searched at the same time. */
export const searchConcurrency = 4

interface Stated { year_from?: number, year_to?: number, venue?: string, author?: string, has_full_text?: boolean }

/** Converts the filters of a request by the papers' records. @throws InvalidArguments if the years are in the wrong order */
export function paperFilterOf ({ year_from, year_to, venue, author, has_full_text }: Stated): PaperFilter | undefined {
  if (year_from !== undefined && year_to !== undefined && year_from > year_to) {
    throw new InvalidArguments('year_from is after year_to. Swap them.', { userMessage: 'The first year is after the last.' })
  }
  const filter = { yearFrom: year_from, yearTo: year_to, ...venueFilter(venue), ...authorFilter(author), hasFullText: has_full_text }
  return Object.values(filter).every(value => value === undefined) ? undefined : filter
}

/** An ISSN, or a part of a name. */
function venueFilter (venue?: string): Pick<PaperFilter, 'venue' | 'issn'> {
  const issn = issnIn(venue)
  return issn === null ? { venue: venue?.trim() } : { issn }
}

/** An id of an author, or a part of a name. */
function authorFilter (author?: string): Pick<PaperFilter, 'author' | 'authorId'> {
  const [orcid, openalex] = [orcidIn(author), openalexAuthorIn(author)]
  return orcid !== null ? { authorId: { orcid } } : openalex !== null ? { authorId: { openalex } } : { author: author?.trim() }
}

/** Whether a filter has a condition without an index. */
export const needsScan = (
  { papers: { venue, author, issn, authorId, hasFullText } = {}, items }: Pick<AllFeedsFilter, 'papers' | 'items'>
): boolean =>
  items === undefined && [venue, author, issn, authorId, hasFullText].some(condition => condition !== undefined)

/** Items of which stored texts are looked up without a scan. */
const maxChecked = 1000

/**
 * Replaces a filter by names with the items that the search index finds by them. The filter stays as it is without such an index, for very
 * many items, and with a condition that only a scan checks on so many items.
 */
export async function narrowByNames ({ db, account }: Caller, filter: NamedFeedsFilter): Promise<NamedFeedsFilter> {
  const { venue, author, ...papers } = filter.papers ?? {}
  if (venue === undefined && author === undefined) return filter
  const limitConcurrency = pLimit(searchConcurrency)
  const found = await Promise.all(filter.projectIds.map(projectId => limitConcurrency(async () =>
    await findByNames(searchStorage(db), { accountId: account.id, projectId }, { venue, author }))))
  const items = { ids: found.flatMap(each => each?.ids || []).join(','), count: found.reduce((sum, each) => sum + (each?.count ?? 0), 0) }
  const maxItems = needsScan({ papers }) ? maxChecked : maxNamedItems
  if (found.includes(undefined) || items.count > maxItems) return filter
  return { ...filter, papers, items }
}
