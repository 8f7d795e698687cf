import type { Caller } from '../../db/caller.js'
import { listItems } from '../../db/queries/feed.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { listProjectNames } from '../../db/queries/projects.js'
import { hasWord, searchedPart } from '../../schemas/search-text.js'
import { parseQuery } from '../search/query.js'
import { searchFeeds } from './all-feeds/search.js'
import { isSpecificTitle, normalizedTitle } from './identity.js'

/** Items that a search by the title gives, among which the paper is. */
const maxItems = 20

/**
 * The items of the account's feeds, or of those that a key can see, whose paper has exactly this title, if it is one paper and the title
 * is specific enough.
 * @returns an empty list for any other title
 */
export async function findTitled (
  { db, account }: Caller,
  title: string,
  visibleProjects: ProjectIds = null
) {
  if (!isSpecificTitle(title) || !hasWord(title)) return []
  const projects = await listProjectNames(db, account.id, visibleProjects)
  const { ids } = await searchFeeds({ db, account }, projects, { terms: parseQuery(searchedPart(title)) }, { limit: maxItems, offset: 0 })
  const words = normalizedTitle(title)
  const items = (await listItems(db, account.id, ids)).filter(item => normalizedTitle(item.title) === words)
  return new Set(items.map(({ id }) => id)).size === 1 ? items : []
}
