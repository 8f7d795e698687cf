import { findPaperIds, listItems } from '../../../db/queries/feed.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { SearchInput, SearchResult } from '../../../schemas/chatgpt.js'
import { searchFeeds } from '../../papers/all-feeds/search.js'
import { findIdentified, wordsOf } from '../../papers/identified-items.js'
import { titleWithWarning } from '../../papers/notices.js'
import { paperAddress } from '../../papers/paper-address.js'
import { paperOf } from '../../papers/records.js'
import { isVagueTerm } from '../../relevance/terms.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

const maxResults = 20
/** Items that are found, in turn, until their papers are enough: a paper is an item of each project that has it. */
const itemLimits = [60, 240, 960]
/** Results name a paper and its notices. */
const extract = { authors: 1, abstract: 0 }
/** As many as fit into a search of one project, which bounds the work of a query. */
const maxTerms = 100

export const search = operation({
  name: 'search',
  title: 'Search all projects',
  description: [
    'Searches the papers of all the user\'s projects and returns the best matches with id, title and url.',
    'Use fetch with an id for the text of a paper.',
    'Example: {"query": "sleep spindles memory"}'
  ].join(' '),
  input: SearchInput,
  output: SearchResult,
  scope: 'read',
  async handler (context, { query }) {
    const { db, account, key, baseUrl } = context
    const identified = await findIdentified(context, query, { projectIds: key?.projectIds ?? null })
    const ids = identified === undefined ? await findByWords(context, query) : await firstItems(context, identified)
    const items = await listItems(db, account.id, ids, { extract, visibleProjectIds: key?.projectIds })
    return {
      results: items.map(item => {
        const { id, title, metadata } = paperOf(item)
        return { id, title: titleWithWarning(title, metadata), url: paperAddress(item, baseUrl()) }
      })
    }
  }
})

/** Ids of the items that a search of every project finds, best first, one for each paper. */
async function findByWords (context: Context, query: string): Promise<string[]> {
  const { db, account, key } = context
  const words = wordsOf(query.trim())
  const searched = { ...words, terms: mostTelling(words.terms) }
  const projects = await listProjectNames(db, account.id, key?.projectIds)
  let found: string[] = []
  for (const limit of itemLimits) {
    const { ids, hasMore } = await searchFeeds(context, projects, searched, { limit, offset: 0 }, { dropUnrelated: true })
    found = await firstItems(context, ids)
    if (found.length === maxResults || !hasMore) break
  }
  return found
}

/** The first of these items of each paper, for as many papers as there are results. */
async function firstItems ({ db, account }: Context, itemIds: readonly string[]): Promise<string[]> {
  const papers = await findPaperIds(db, account.id, itemIds)
  const first = new Map<string, string>()
  for (const id of itemIds) {
    const paper = papers.get(id)
    if (paper !== undefined && !first.has(paper)) first.set(paper, id)
  }
  return [...first.values()].slice(0, maxResults)
}

/** The terms of a long query that are searched for, in its order, without those that papers of any subject have. */
function mostTelling (terms: readonly string[]): readonly string[] {
  if (terms.length <= maxTerms) return terms
  const telling = terms.filter(term => !isVagueTerm(term))
  return (telling.length === 0 ? terms : telling).slice(0, maxTerms)
}
