/** Names that models use for arguments of other names. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  q: ['query', 'search', 'text', 'term', 'terms', 'keywords', 'question'],
  limit: ['count', 'size', 'max', 'max_results', 'page_size', 'top_k', 'n'],
  offset: ['page', 'skip', 'start', 'cursor'],
  since: ['days', 'from', 'after', 'start_date', 'date_from', 'period'],
  until: ['to', 'before', 'end_date', 'date_to'],
  project_id: ['project', 'project_name', 'feed', 'feed_id', 'id', 'name'],
  paper_id: ['paper', 'id', 'doi', 'pmid', 'arxiv_id', 'item_id', 'feed_item_id', 'title', 'ref'],
  feedback_filter: ['feedback', 'filter', 'vote'],
  sort: ['order', 'order_by', 'sort_by'],
  detail: ['format', 'fields', 'view'],
  max_chars: ['max_length', 'length', 'max_tokens'],
  section: ['heading', 'section_title', 'section_number']
}

/** The argument that an unknown name most likely means; undefined where none is near. */
export function nearestArgument (unknown: string, names: readonly string[]): string | undefined {
  const written = unknown.slice(0, 64).toLowerCase().replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_')
  const synonym = names.find(name => Object.hasOwn(synonyms, name) && synonyms[name]!.includes(written))
  if (synonym !== undefined) return synonym
  const [nearest] = names
    .map(name => ({ name, distance: distanceOf(written.replaceAll('_', ''), name.replaceAll('_', '')) }))
    .sort((a, b) => a.distance - b.distance)
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(nearest.name.length / 3)) ? nearest.name : undefined
}

/** Levenshtein's distance. */
function distanceOf (one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1]
    for (let column = 0; column < other.length; column++) {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + (character === other[column] ? 0 : 1)))
    }
    row = next
  }
  return row[other.length]!
}
