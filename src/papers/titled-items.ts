import type { KeyedCaller } from '../../db/caller.js'
import { type ItemDetails, listItems } from '../../db/queries/feed.js'
import { listProjectNames } from '../../db/queries/projects.js'
import { searchFeeds } from './all-feeds/search.js'
import { normalizedTitle } from './identity.js'
import { wordsOf } from './identified-items.js'
import { searchProject } from './project-search.js'

/** Best matches of a search among which the titled papers are. */
const maxMatches = 50
/** Titles are compared, of records that may be large. */
const extract = { authors: 1, abstract: 0 }
/** Characters of a title that are searched for. */
const maxSearchedLength = 200

/** The item of a feed whose paper has exactly this title, whatever its spelling; undefined if none or several papers have it. */
export async function findTitledItem (context: KeyedCaller, projectId: string, title: string): Promise<ItemDetails | undefined> {
  const words = normalizedTitle(title)
  const search = { projectId, q: title.slice(0, maxSearchedLength), filter: {}, limit: maxMatches, offset: 0 }
  const { db, account, key } = context
  const { items } = await searchProject(context, search, async ids => await listItems(db, account.id, ids, { extract }))
  const titled = items.filter(item => normalizedTitle(item.title) === words)
  if (titled.length !== 1) return undefined
  return (await listItems(db, account.id, [titled[0]!.item_id], { visibleProjectIds: key?.projectIds }))[0]
}

/** The papers of all feeds that a key can see whose titles have each of these words or begin one with it, best match first. */
export async function findTitledPapers (
  context: KeyedCaller,
  text: string
): Promise<Array<{ id: string, title: string }>> {
  const { db, account, key } = context
  const words = wordsOf(text.slice(0, maxSearchedLength))
  if (words.terms.length === 0) return []
  const projects = await listProjectNames(db, account.id, key?.projectIds)
  const { ids } = await searchFeeds(context, projects, words, { limit: maxMatches, offset: 0 })
  const starts = normalizedTitle(text.slice(0, maxSearchedLength)).split(' ')
  const isTitled = (title: string) => {
    const found = normalizedTitle(title).split(' ')
    return starts.every(start => found.some(word => word.startsWith(start)))
  }
  const papers = new Map((await listItems(db, account.id, ids, { extract })).map(({ id, title }) => [id, title]))
  return [...papers].filter(([, title]) => isTitled(title)).map(([id, title]) => ({ id, title }))
}
