import { citationFormats } from '../../../../papers/citations/formats.js'
import { useView } from '../../view.js'
import { feedAddress, type Place } from './address.js'

interface SummaryProps {
  place: Place
  /** Of a search, null. */
  total: number | null
  /** Whether it is all of them. */
  has_all_counted: boolean
  /** Rows on this page. */
  shown: number
  has_more: boolean
  /** As it was processed; null where nothing was searched. */
  query: string | null
}

const kinds: Readonly<Record<string, string>> = { unrated: 'unrated ', starred: 'starred ', liked: 'liked ', disliked: 'disliked ', 'not-relevant': 'not relevant ', 'low-quality': 'low-quality ' }

/** How much is listed, said to screen readers whenever it changes, and what can be done with all of it. */
export function Summary ({ place, total, has_all_counted, shown, has_more, query }: SummaryProps) {
  const { to } = useView()
  const { project_id, q, filter, must_read = false } = place
  const address = (format: string) => {
    const path = to(feedAddress({ project_id, q: query === null ? '' : q, filter, must_read }, `/projects/${project_id}/export`))
    return `${path}${path.includes('?') ? '&' : '?'}format=${format}`
  }
  return (
    <div class='summary'>
      <p id='count' role='status'>{countOf({ place, total, has_all_counted, shown, has_more, query })}</p>
      <button type='button' class='quiet keys-button' data-keys='' hidden>Shortcuts</button>
      <a id='must-read-link' class='must-read-link' href={to(feedAddress({ project_id, q, filter, must_read: !must_read }))} aria-current={must_read ? 'true' : undefined}>Must read</a>
      <details class='menu'>
        <summary>Export</summary>
        <div class='menu-list'>
          <p class='menu-title'>{query !== null ? 'Search results' : kinds[filter ?? ''] === undefined && !must_read ? 'Entire feed' : 'Filtered papers'}</p>
          {citationFormats.map(({ name, title }) => <a key={name} href={address(name)} download>{title}</a>)}
        </div>
      </details>
    </div>
  )
}

function countOf ({ place: { q = '', filter = 'all', must_read, offset = 0 }, total, has_all_counted, shown, has_more, query }: SummaryProps): string {
  const kind = `${must_read === true ? 'must-read ' : ''}${kinds[filter] ?? ''}`
  const papers = (count: number, noun: string) => `${count === 0 ? 'No' : count.toLocaleString('en')} ${kind}${noun}${count === 1 ? '' : 's'}`
  if (query === null) return `${has_all_counted ? '' : 'More than '}${papers(total ?? 0, 'paper')}${q.trim() === '' ? '' : '. Type at least three characters to search.'}`
  const known = offset + shown
  return `${has_more ? 'More than ' : ''}${papers(known, 'match').replace('matchs', 'matches')}${query.includes(' OR ') ? ' (includes partial matches)' : ''}`
}
