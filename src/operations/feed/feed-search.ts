import { listItems } from '../../../db/queries/feed.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedSearchInput, FeedSearchResult, queryLength } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { formatCount } from '../../errors/validator.js'
import { searchFeed } from '../../search/search.js'
import { tokenize } from '../../search/tokenizer.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../records.js'

/**
 * Searches a whole feed, best match first.
 * @see literature-feed-mcp, section 4.1, rules 2 to 5; contract, sections 3 and 7
 * @throws ProjectNotFound also if the project is another account's
 * @throws InvalidArguments if `q` has the wrong length or no words
 */
export const feedSearch = operation({
  name: 'feed_search',
  title: 'Search a project feed',
  description: [
    'Searches titles, authors, abstracts, summaries and identifiers (DOI, PMID, arXiv id) of a project\'s entire feed on the server and gives the best matches first.',
    'Each word matches as a prefix ("neur" finds "neuronal"); case, accents and punctuation do not matter; there are no operators.',
    'Items with every word come first, then those with some.',
    'Use it to find papers on a subject, by a person or with an identifier; use feed_get for what is newest.',
    'No total is given: follow has_more with offset. An item is about 700 tokens: ask for 10 to 20.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11", "q": "sleep spindles memory", "feedback_filter": "unrated", "limit": 10}'
  ].join(' '),
  input: FeedSearchInput,
  output: FeedSearchResult,
  async handler ({ db, account }, { project_id, q, feedback_filter, must_read, limit = defaultLimit, offset = 0 }) {
    const terms = termsOf(q)
    const page = await searchFeed(searchStorage(db), { accountId: account.id, projectId: project_id }, { terms, must_read, feedback: feedback_filter }, { limit, offset })
    if (page === undefined) throw new ProjectNotFound(project_id)
    const items = await listItems(db, account.id, page.items.map(({ id }) => id))
    return { items: items.map(feedItemOf), limit, offset, has_more: page.hasMore, query: queryOf(terms, page.hasAllTerms) }
  }
})

/** The query as it was processed. @param hasAllTerms whether every item of the page has all terms */
export const queryOf = (terms: readonly string[], hasAllTerms: boolean): string => terms.join(hasAllTerms ? ' ' : ' OR ')

/** The distinct words of a query, in order. @throws InvalidArguments */
export function termsOf (q: string): string[] {
  const length = [...q.trim()].length
  if (length < queryLength.minimum || length > queryLength.maximum) {
    throw new InvalidArguments(`q has ${formatCount(length, 'character')} after trimming; allowed: ${queryLength.minimum} to ${queryLength.maximum}.`, { userMessage: `A search needs ${queryLength.minimum} to ${queryLength.maximum} characters.` })
  }
  const terms = [...new Set(tokenize(bareIdentifiers(q)))]
  if (terms.length === 0) throw new InvalidArguments('q holds no word; send at least one letter or digit.', { userMessage: 'Enter at least one letter or digit to search for.' })
  return terms
}

/** Prefixes that people paste with identifiers, and what the index holds instead. */
const pastedForms: ReadonlyArray<[form: RegExp, identifier: string]> = [
  [/\b(?:https?:\/\/)?(?:dx\.)?doi\.org\/(?=10\.)|\bdoi:\s*(?=10\.)/gi, ''],
  [/\b(?:https?:\/\/)?(?:www\.)?arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/gi, '$1'],
  [/\barxiv:\s*(\d{4}\.\d{4,5})(?:v\d+)?/gi, '$1'],
  [/\b(?:https?:\/\/)?pubmed\.ncbi\.nlm\.nih\.gov\/(\d+)\/?/gi, '$1'],
  [/\bpmid:\s*(?=\d)/gi, '']
]

const bareIdentifiers = (q: string) => pastedForms.reduce((text, [form, identifier]) => text.replace(form, identifier), q)
