import { type FeedSort, feedSorts } from '../../../../../schemas/feed-page.js'
import { maxCountedItems } from '../../../../papers/all-feeds/list.js'
import { maxSearchOffset } from '../../../../papers/all-feeds/search.js'
import { minimumLength } from '../../../../../schemas/search-text.js'
import { hasOperator, plainQuery } from '../../../../search/operators.js'
import { exportFormats } from '../../../../papers/citations/export-formats.js'
import { tagKey } from '../../../../../schemas/tags.js'
import { useView } from '../../view.js'
import type { TagsListResult } from '../../../../../schemas/item-state.js'
import { feedAddress, type FeedLocation, filtersOf, isFiltered } from './address.js'
import { ShortcutsButton } from './keys.js'

interface SummaryProps {
  location: FeedLocation
  /** Null for a search. */
  total: number | null
  /** Whether `total` is exact. */
  has_all_counted: boolean
  /** Rows on this page. */
  rowCount: number
  has_more: boolean
  /** The processed query; null without a search. */
  query: string | null
  /** Tags of the listed feeds: a search for the name of one offers its filter. */
  tags: TagsListResult['items']
}

type Listed = Omit<SummaryProps, 'tags'>

const sorts: Readonly<Record<FeedSort, string>> = { day: 'Best by day', best: 'Best', newest: 'Newest', published: 'Published' }

const kinds: Readonly<Record<string, string>> = {
  unrated: 'unrated ',
  starred: 'starred ',
  liked: 'upvoted ',
  disliked: 'downvoted ',
  'not-relevant': 'not relevant ',
  'low-quality': 'low-quality '
}

/** The number of listed papers, announced to screen readers, and the export menu. */
export function Summary ({ tags, ...listed }: SummaryProps) {
  const { location, query } = listed
  const { to } = useView()
  const { base, q, defaultSort = 'day', sort = defaultSort } = location
  const filters = filtersOf(location)
  const address = (format: string) => {
    const path = to(feedAddress({ ...filters, q: query === null ? '' : q, sort: undefined }, `${base}/export`))
    return `${path}${path.includes('?') ? '&' : '?'}format=${format}`
  }
  return (
    <div class='summary'>
      <p id='count' role='status'>
        <Count {...listed} />
        {query !== null && <TagLink location={location} tags={tags} />}
      </p>
      <p id='search-hint' class='search-hint' role='status'>
        {query !== null && q !== undefined && hasOperator(q) &&
          `Search has no operators: papers with more words of “${plainQuery(q)}” come first.`}
      </p>
      <button type='button' class='quiet select-button scripts-only' data-press='selecting' aria-pressed='false'>
        Select
      </button>
      <ShortcutsButton />
      <AddMenu project_id={location.project_id} />
      <details id='sort' class='menu' hidden={query !== null}>
        <summary><span class='unseen'>Sort: </span>{sorts[sort]}</summary>
        <div class='menu-list'>
          <p class='menu-title'>Sort</p>
          {feedSorts.map(name => (
            <a
              key={name}
              href={to(feedAddress({ ...filters, q: undefined, sort: name }))}
              aria-current={name === sort ? 'true' : undefined}
            >
              {sorts[name]}
            </a>
          ))}
        </div>
      </details>
      <details id='export' class='menu'>
        <summary>Export</summary>
        <div class='menu-list'>
          <p class='menu-title'>
            {exportedOf(listed)}
          </p>
          {exportFormats.map(({ name, title }) => (
            <a key={name} href={address(name)}>
              {title}
            </a>
          ))}
        </div>
      </details>
    </div>
  )
}

/** The filter of the tag that a search names: tags are not searched. */
function TagLink ({ location, tags }: Pick<SummaryProps, 'location' | 'tags'>) {
  const { to } = useView()
  const named = tags.find(({ tag }) => tagKey(tag) === tagKey(location.q?.trim() ?? ''))
  if (named === undefined || location.tag !== undefined) return null
  return (
    <>
      {'. '}
      <a href={to(feedAddress({ ...filtersOf(location), q: undefined, tag: named.tag }))}>
        Tagged “<span dir='auto'>{named.tag}</span>”: {named.papers.toLocaleString('en')}
      </a>
    </>
  )
}

/** The ways to bring papers into the feed. */
function AddMenu ({ project_id }: Pick<FeedLocation, 'project_id'>) {
  const { to } = useView()
  const project = `/projects/${project_id ?? ''}`
  return (
    <details id='add' class='menu'>
      <summary>Add</summary>
      <div class='menu-list'>
        <a href={to(project_id === undefined ? '/add' : `/add?project=${project_id}`)}>Add a paper</a>
        {project_id !== undefined && (
          <>
            <a href={to(`${project}/import`)}>Import files</a>
            <a href={to(`${project}/import#paste-title`)}>Paste papers</a>
            <a href={to(`${project}/zotero`)}>Sync with Zotero</a>
          </>
        )}
      </div>
    </details>
  )
}

/** Names what an export has. Exports of all projects have a maximum. */
function exportedOf ({ location, total, rowCount, has_more, query }: Listed): string {
  const { project_id, offset = 0 } = location
  const ofAll = project_id === undefined
  if (query !== null) {
    const isLong = ofAll && (has_more || offset + rowCount >= maxSearchOffset)
    return isLong ? `Up to ${maxSearchOffset.toLocaleString('en')} matches` : 'Search results'
  }
  if (ofAll && (total ?? 0) >= maxCountedItems) return `First ${maxCountedItems.toLocaleString('en')} papers`
  if (isFiltered(location)) return 'Filtered papers'
  return ofAll ? 'All papers' : 'Entire feed'
}

function Count ({
  location: { q = '', filter = 'all', must_read, seen, saved, tag, offset = 0 },
  total,
  has_all_counted,
  rowCount,
  has_more,
  query
}: Listed) {
  const marks = `${seen === undefined ? '' : seen ? 'seen ' : 'unseen '}${saved === undefined ? '' : saved ? 'saved ' : 'unsaved '}`
  const kind = `${must_read === true ? 'must-read ' : ''}${marks}${kinds[filter] ?? ''}`
  const tagged = tag === undefined ? '' : ` tagged “${tag}”`
  const counted = (count: number, one: string, several: string) =>
    `${count === 0 ? 'No' : count.toLocaleString('en')} ${count === 1 ? one : several}`
  if (query !== null) {
    const matches = counted(offset + rowCount, `${kind}match${tagged}`, `${kind}matches${tagged}`)
    return <>{has_more ? 'More than ' : ''}{matches}{query.includes(' OR ') ? ' (includes partial matches)' : ''}</>
  }
  const [one, several] = [`${kind}paper${tagged}`, `${kind}papers${tagged}`]
  const papers = counted(total ?? 0, one, several)
  return (
    <>
      {has_all_counted
        // Scripts take papers off that no longer pass the filter, without announcing each.
        ? <span aria-live='off' data-total={total ?? 0} data-one={one} data-several={several}>{papers}</span>
        : `More than ${papers}`}
      {q.trim() === '' ? '' : `. Type at least ${minimumLength(q)} characters to search.`}
    </>
  )
}
