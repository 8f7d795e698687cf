import { type FeedSort, feedSorts } from '../../../../../schemas/feed-page.js'
import { citationFormats } from '../../../../papers/citations/formats.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation } from './address.js'

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
}

const sorts: Readonly<Record<FeedSort, string>> = { day: 'Best by day', best: 'Best', newest: 'Newest', published: 'Published' }

const kinds: Readonly<Record<string, string>> = {
  unrated: 'unrated ',
  starred: 'starred ',
  liked: 'liked ',
  disliked: 'disliked ',
  'not-relevant': 'not relevant ',
  'low-quality': 'low-quality '
}

/** The number of listed papers, announced to screen readers, and the export menu. */
export function Summary ({ location, total, has_all_counted, rowCount, has_more, query }: SummaryProps) {
  const { to } = useView()
  const { project_id, q, filter, must_read = false, sort = 'day' } = location
  const address = (format: string) => {
    const path = to(feedAddress({ project_id, q: query === null ? '' : q, filter, must_read }, `/projects/${project_id}/export`))
    return `${path}${path.includes('?') ? '&' : '?'}format=${format}`
  }
  return (
    <div class='summary'>
      <p id='count' role='status'>
        {countOf({ location, total, has_all_counted, rowCount, has_more, query })}
      </p>
      <button type='button' class='quiet keys-button' data-keys='' hidden>
        Shortcuts
      </button>
      <a
        id='must-read-link'
        class='must-read-link'
        href={to(feedAddress({ project_id, q, filter, must_read: !must_read, sort }))}
        aria-current={must_read ? 'true' : undefined}
      >
        Must read
      </a>
      <details id='sort' class='menu' hidden={query !== null}>
        <summary><span class='unseen'>Sort: </span>{sorts[sort]}</summary>
        <div class='menu-list'>
          <p class='menu-title'>Sort</p>
          {feedSorts.map(name => (
            <a
              key={name}
              href={to(feedAddress({ project_id, filter, must_read, sort: name }))}
              aria-current={name === sort ? 'true' : undefined}
            >
              {sorts[name]}
            </a>
          ))}
        </div>
      </details>
      <details class='menu'>
        <summary>Export</summary>
        <div class='menu-list'>
          <p class='menu-title'>
            {query !== null ? 'Search results' : kinds[filter ?? ''] === undefined && !must_read ? 'Entire feed' : 'Filtered papers'}
          </p>
          {citationFormats.map(({ name, title }) => (
            <a key={name} href={address(name)} download>
              {title}
            </a>
          ))}
        </div>
      </details>
    </div>
  )
}

function countOf ({
  location: { q = '', filter = 'all', must_read, offset = 0 },
  total,
  has_all_counted,
  rowCount,
  has_more,
  query
}: SummaryProps): string {
  const kind = `${must_read === true ? 'must-read ' : ''}${kinds[filter] ?? ''}`
  const papers = (count: number, noun: string) =>
    `${count === 0 ? 'No' : count.toLocaleString('en')} ${kind}${noun}${count === 1 ? '' : 's'}`
  if (query === null) {
    return `${has_all_counted ? '' : 'More than '}${papers(total ?? 0, 'paper')}${q.trim() === '' ? '' : '. Type at least three characters to search.'}`
  }
  const known = offset + rowCount
  return `${has_more ? 'More than ' : ''}${papers(known, 'match').replace('matchs', 'matches')}${query.includes(' OR ') ? ' (includes partial matches)' : ''}`
}
