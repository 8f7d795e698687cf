import type { Caller } from '../../db/caller.js'
import { listAllItems } from '../../db/queries/all-feeds.js'
import type { FeedsFilter } from '../../db/queries/feed-filter.js'
import { type IdentifierForms, listItemsByIdentifier } from '../../db/queries/identifiers.js'
import { visibleText } from '../../schemas/visible-text.js'
import { compoundsIn, hyphenateGreek, parseQuery } from '../search/query.js'
import type { SearchQuery } from '../search/search.js'
import { namedIdentifier } from './identifier-in-text.js'
import { openalexIn } from './identifiers.js'
import { allVersions } from './pasted-identifier.js'

/** Items of one paper, one in each project. */
const maxItems = 1000

/**
 * The words of a query. Those of an identifier count only together: papers that share some of its digits are not what was asked for, while
 * one whose text names it, or whose identifier goes on, may be. Hidden characters are removed, as from papers.
 */
export function wordsOf (q: string): QueryWords {
  const text = visibleText(q)
  const identifier = namedIdentifier(text)
  const words = identifier?.value ?? hyphenateGreek(text)
  return { terms: parseQuery(words), compounds: compoundsIn(words), onlyFull: identifier !== undefined }
}

type QueryWords = Pick<SearchQuery, 'terms' | 'compounds' | 'onlyFull'>

/**
 * Ids of the items whose paper has the identifier that a whole query is, if a filter admits them. Digits alone are a PMID if a paper has
 * it.
 * @returns undefined for a query of words, and for an identifier that no paper has
 */
export async function findIdentified (
  { db, account }: Caller,
  q: string,
  { projectIds, ...filter }: FeedsFilter
): Promise<string[] | undefined> {
  const forms = formsOf(visibleText(q))
  if (forms === undefined) return undefined
  const found = await listItemsByIdentifier(db, account.id, forms, projectIds)
  if (found.length === 0) return undefined
  const ids = found.filter(({ paper_id }) => paper_id === found[0]!.paper_id).map(({ id }) => id)
  const items = { ids: ids.join(','), count: ids.length }
  const listed = await listAllItems(db, account.id, { ...filter, projectIds, items }, { limit: maxItems, offset: 0, sort: 'newest' })
  return listed.map(({ id }) => id)
}

/** A work of OpenAlex by its id or address. */
const openalexForm = /^(?:(?:https?:\/\/)?(?:(?:api|www)\.)?openalex\.org\/(?:works\/)?)?(W\d{5,15})\/?$/i

function formsOf (q: string): IdentifierForms | undefined {
  const identifier = namedIdentifier(q, { digitsArePmid: true })
  if (identifier !== undefined) return allVersions(identifier)
  const openalex = openalexIn(openalexForm.exec(q.trim())?.[1])
  return openalex === null ? undefined : [{ kind: 'openalex', values: [openalex] }]
}

/** A page of such items in the form of a search's. */
export const pageOf = (ids: readonly string[], { limit, offset }: { limit: number, offset: number }) =>
  ({ ids: ids.slice(offset, offset + limit), hasMore: ids.length > offset + limit, hasAllTerms: true })
