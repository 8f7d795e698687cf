import { queryLength } from '../../../../../schemas/feed.js'
import type { FeedbackFilter } from '../../../../../schemas/feedback.js'
import { Icon } from '../../components/icon.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation } from './address.js'

const filters: ReadonlyArray<[filter: FeedbackFilter, label: string]> = [
  ['all', 'All'],
  ['unrated', 'Unrated'],
  ['starred', 'Starred'],
  ['liked', 'Liked'],
  ['not-relevant', 'Not relevant'],
  ['low-quality', 'Low quality']
]

/** Search field and filters of the feed. */
export function Filters ({ location }: { location: FeedLocation }) {
  const { to } = useView()
  const { project_id, q, filter = 'all', must_read = false, sort } = location
  const address = (change: Partial<FeedLocation>) => to(feedAddress({ project_id, q, filter, must_read, sort, ...change }))
  return (
    <div class='filters'>
      <form class='search' role='search' method='get' action={to(`/projects/${project_id}`)}>
        {filter !== 'all' && <input type='hidden' name='filter' value={filter} />}
        {must_read && <input type='hidden' name='must_read' value='true' />}
        {sort !== undefined && <input type='hidden' name='sort' value={sort} />}
        <Icon name='search' />
        <label class='unseen' for='q'>Search this feed</label>
        <input
          id='q'
          type='search'
          name='q'
          value={q}
          placeholder='Search titles, authors, abstracts, identifiers'
          maxLength={queryLength.maximum}
          autocomplete='off'
          spellcheck={false}
          hx-get={to(`/projects/${project_id}`)}
          hx-trigger='input changed delay:200ms, search'
          hx-target='#list'
          hx-select='#list'
          hx-swap='outerHTML'
          hx-select-oob='#details,#count:innerHTML,#filter-links,#must-read-link,#sort'
          hx-include='closest form'
          hx-replace-url='true'
          hx-sync='this:replace'
        />
      </form>
      <nav id='filter-links' class='filter-links' aria-label='Filters'>
        {filters.map(([name, label]) => (
          <a key={name} href={address({ filter: name })} aria-current={name === filter ? 'true' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}
