import type { Caller } from '../../db/caller.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { ProjectNotFound } from '../errors/operation-errors.js'
import { formatQuery } from '../search/query.js'
import { searchFeed, type SearchQuery } from '../search/search.js'
import { findIdentified, pageOf, wordsOf } from './identified-items.js'

interface ProjectSearch {
  projectId: string
  q: string
  filter: Omit<SearchQuery, 'terms' | 'onlyFull'>
  limit: number
  offset: number
}

/** A page of the ids of items, best match first, with the query as it was used. */
interface FoundItems { ids: string[], hasMore: boolean, query: string }

/**
 * Searches a feed for words, or for the paper that an identifier means.
 * @throws ProjectNotFound if the account does not have the project
 */
export async function searchProject (
  context: Caller,
  { projectId, q, filter, limit, offset }: ProjectSearch
): Promise<FoundItems> {
  const { db, account } = context
  const words = wordsOf(q)
  const identified = await findIdentified(context, q, { ...filter, projectIds: [projectId] })
  if (identified !== undefined) {
    const { ids, hasMore } = pageOf(identified, { limit, offset })
    return { ids, hasMore, query: formatQuery(words.terms, true) }
  }
  const page = await searchFeed(searchStorage(db), { accountId: account.id, projectId }, { ...words, ...filter }, { limit, offset })
  if (page === undefined) throw new ProjectNotFound(projectId)
  return { ids: page.items.map(({ id }) => id), hasMore: page.hasMore, query: formatQuery(words.terms, page.hasAllTerms) }
}
