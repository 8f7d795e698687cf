/** Names that models use for arguments of other names; where two fit, the first. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  q: ['query', 'search', 'text', 'term', 'terms', 'keywords', 'question'],
  query: ['q', 'search', 'text', 'term', 'terms', 'keywords', 'question'],
  limit: ['count', 'size', 'max', 'max_results', 'page_size', 'top_k', 'n'],
  offset: ['next_offset', 'page', 'skip', 'start', 'cursor'],
  since: ['days', 'from', 'after', 'start_date', 'date_from', 'period'],
  until: ['to', 'before', 'end_date', 'date_to'],
  consumer: ['name', 'reader', 'agent', 'client'],
  acknowledge: ['brief_id', 'brief', 'ack', 'acknowledged'],
  project_id: ['project', 'project_name', 'feed', 'feed_id', 'id', 'name'],
  paper_id: ['paper', 'id', 'doi', 'pmid', 'arxiv_id', 'item_id', 'feed_item_id', 'ref'],
  identifier: ['doi', 'pmid', 'pmcid', 'arxiv_id', 'arxiv', 'paper_id', 'id', 'url', 'title', 'query', 'paper', 'reference'],
  id: ['paper_id', 'paper', 'doi', 'url'],
  feedback_filter: ['feedback', 'filter', 'vote'],
  sort: ['order', 'order_by', 'sort_by'],
  detail: ['format', 'fields', 'view'],
  format: ['style', 'type', 'citation_style'],
  vote: ['feedback', 'rating', 'value'],
  downvote_reason: ['reason', 'why'],
  name: ['title', 'project_name'],
  interest_description: ['description', 'interest', 'topic'],
  positive_keywords: ['keywords', 'include', 'include_keywords'],
  negative_keywords: ['exclude', 'exclude_keywords'],
  max_chars: ['max_length', 'length', 'max_tokens'],
  matching_state: ['state', 'status', 'active', 'paused'],
  feed_threshold: ['threshold', 'min_score', 'minimum_score'],
  section: ['heading', 'section_title', 'section_number']
}

const ofVotes = 'for papers without a vote, use feedback_filter: "unrated"'
const toFindByTitle = 'to find a paper by its title, call feed_search with q'
const wordsOfTitle = { title: toFindByTitle, query: toFindByTitle, q: toFindByTitle, search: toFindByTitle }

/** What to do instead, for arguments of other operations, by the operation that was called with them. */
const elsewhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  feed_get: {
    q: 'to search, call feed_search',
    query: 'to search, call feed_search with q',
    search: 'to search, call feed_search with q',
    unread: ofVotes,
    unseen: ofVotes
  },
  feed_search: { sort: 'it has one order, best match first; for the newest, call feed_get', unread: ofVotes, unseen: ofVotes },
  feed_brief: {
    since: 'for a period, call feed_get',
    until: 'for a period, call feed_get',
    q: 'to search, call feed_search',
    query: 'to search, call feed_search with q',
    offset: 'for the next items, pass the brief_id of the used brief as acknowledge'
  },
  paper_get: wordsOfTitle,
  paper_cite: wordsOfTitle,
  // Its offset counts characters.
  paper_markdown: {
    ...wordsOfTitle,
    page: 'use offset, with the next_offset of the part before',
    cursor: 'use offset, with the next_offset of the part before',
    limit: 'use max_chars'
  }
}

/** Counts that are not offsets, so that a value must be converted. */
const otherOffsets: Readonly<Record<string, string>> = {
  page: 'use offset = (page - 1) × limit',
  cursor: 'use offset, the number of items to skip'
}

/** What to do instead of an unknown argument; undefined where nothing is near. @param names arguments that are still free */
export function hintFor (unknown: string, names: readonly string[], operation: string): string | undefined {
  const other = Object.hasOwn(elsewhere, operation) ? elsewhere[operation]! : {}
  if (Object.hasOwn(other, unknown)) return other[unknown]
  const nearest = nearestArgument(unknown, names)
  if (nearest === 'offset' && Object.hasOwn(otherOffsets, unknown)) return otherOffsets[unknown]
  return nearest === undefined ? undefined : `use ${nearest}`
}

/** The argument that an unknown name most likely means; undefined where none is near. */
export function nearestArgument (unknown: string, names: readonly string[]): string | undefined {
  const written = unknown.slice(0, 64).replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replaceAll('-', '_')
  const synonym = Object.keys(synonyms).find(name => names.includes(name) && synonyms[name]!.includes(written))
  if (synonym !== undefined) return synonym
  const [nearest] = names
    .map(name => ({ name, distance: distanceOf(written.replaceAll('_', ''), name.replaceAll('_', '')) }))
    .sort((a, b) => a.distance - b.distance)
  if (nearest === undefined) return undefined
  // Of a short word, a third of a long name is most of it: "unread" is not must_read.
  const maxDistance = Math.max(1, Math.floor(Math.min(nearest.name.length, written.length) / 3))
  return nearest.distance <= maxDistance ? nearest.name : undefined
}

/** Edit distance in which exchanging two neighbors is one edit (optimal string alignment). */
function distanceOf (one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 0; at < one.length; at++) {
    const row = [at + 1]
    for (let column = 0; column < other.length; column++) {
      const isExchanged = at > 0 && column > 0 && one[at] === other[column - 1] && one[at - 1] === other[column]
      row.push(Math.min(
        last![column + 1]! + 1,
        row[column]! + 1,
        last![column]! + (one[at] === other[column] ? 0 : 1),
        isExchanged ? beforeLast![column - 1]! + 1 : Infinity
      ))
    }
    [beforeLast, last] = [last, row]
  }
  return last![other.length]!
}
