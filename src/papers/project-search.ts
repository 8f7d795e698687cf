import type { Caller } from '../../db/caller.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { ProjectNotFound } from '../errors/operation-errors.js'
import { formatQuery } from '../search/query.js'
import { type ItemReader, searchItems, type SearchQuery } from '../search/search.js'
import { findIdentified, pageOf, wordsOf } from './identified-items.js'

interface ProjectSearch {
  projectId: string
  q: string
  filter: Omit<SearchQuery, 'terms' | 'compounds' | 'onlyFull'>
  limit: number
  offset: number
}

/** A page of items, best match first, with the query as it was used. */
interface FoundItems<Item> { items: Item[], hasMore: boolean, query: string }

/**
 * Searches a feed for words, or for the paper that an identifier means.
 * @param read reads items of the account
 * @throws ProjectNotFound if the account does not have the project
 */
export async function searchProject<Item extends { is_current?: boolean }> (
  context: Caller,
  { projectId, q, filter, limit, offset }: ProjectSearch,
  read: ItemReader<Item>
): Promise<FoundItems<Item>> {
  const { db, account } = context
  const words = wordsOf(q)
  const identified = await findIdentified(context, q, { ...filter, projectIds: [projectId] })
  if (identified !== undefined) {
    const { ids, hasMore } = pageOf(identified, { limit, offset })
    return { items: await read(ids), hasMore, query: formatQuery(words.terms, true) }
  }
  const feed = { accountId: account.id, projectId }
  const page = await searchItems(searchStorage(db), feed, { ...words, ...filter }, { limit, offset }, read)
  if (page === undefined) throw new ProjectNotFound(projectId)
  return { items: page.found, hasMore: page.hasMore, query: formatQuery(words.terms, page.hasAllTerms) }
}
