import type { FeedRow } from '../../../../../schemas/feed-page.js'
import { originTitle } from '../../../../sources/index.js'
import { publishedOn } from '../../components/paper.js'
import { useView } from '../../view.js'
import { feedAddress, type Place } from './address.js'
import { VoteSign } from './vote.js'

interface ListProps {
  place: Place
  items: readonly FeedRow[]
  /** `short_id` of the item that is open. */
  current: string | undefined
  offset: number
  limit: number
  has_more: boolean
  total: number | null
  empty: preact.ComponentChildren
}

/** One page of the feed, dense. A row opens its item beside the list. */
export function List ({ place, items, current, offset, limit, has_more, total, empty }: ListProps) {
  const { to } = useView()
  const page = (from: number) => to(feedAddress({ ...place, offset: Math.max(from, 0), item: undefined }))
  const count = new Intl.NumberFormat('en')
  return (
    <div id='list' class='list' tabIndex={-1}>
      {items.length === 0
        ? <div class='empty'>{empty}</div>
        : (
          <ol class='rows' start={offset + 1} data-rows='' hx-boost='true' hx-target='#details' hx-select='#details' hx-swap='outerHTML show:none' hx-sync='#feed:replace'>
            {items.map(item => <Row key={item.id} item={item} address={to(feedAddress({ ...place, item: item.short_id }))} isCurrent={item.short_id === current} />)}
          </ol>
          )}
      {(offset > 0 || has_more) && (
        <nav class='pager' aria-label='Pagination'>
          {offset > 0 ? <a id='previous-page' rel='prev' href={page(offset - limit)}>Previous</a> : <span />}
          <span class='quiet-text'>{items.length === 0 ? 'Empty page' : `${count.format(offset + 1)}–${count.format(offset + items.length)}`}{total !== null && ` of ${count.format(total)}`}</span>
          {has_more ? <a id='next-page' rel='next' href={page(offset + limit)}>Next</a> : <span />}
        </nav>
      )}
    </div>
  )
}

function Row ({ item, address, isCurrent }: { item: FeedRow, address: string, isCurrent: boolean }) {
  const { short_id, paper_title, relevance_score, must_read, feedback } = item
  const score = Math.round(relevance_score * 100)
  return (
    <li id={`row-${short_id}`} class={feedback === null ? 'row' : 'row rated'}>
      <a href={address} aria-current={isCurrent ? 'true' : undefined}>
        <span class={must_read ? 'score must-read' : 'score'}>
          <span class='unseen'>Match </span><span class='figure'>{score}</span><span class='unseen'> of 100{must_read ? ', must read' : ''}.</span>
          <svg class='score-bar' viewBox='0 0 100 4' preserveAspectRatio='none' width='28' height='3' aria-hidden='true'><rect class='track' width='100' height='4' /><rect class='fill' width={score} height='4' /></svg>
        </span>
        <span class='row-title'>{paper_title}</span>
        <Meta item={item} />
        {feedback !== null && <VoteSign feedback={feedback} />}
      </a>
    </li>
  )
}

/** Authors, where it came out, and when; the day stays whole where there is too little room. */
function Meta ({ item: { authors, author_count, venue_name, source_name, published_date } }: { item: FeedRow }) {
  const named = author_count > authors.length ? `${authors[0] ?? ''} et al.` : authors.join(', ')
  return (
    <span class='row-meta'>
      {named !== '' && <span class='row-authors'>{named}</span>}
      <span class='row-venue'>{named === '' ? '' : ' · '}{venue_name ?? originTitle(source_name)}</span>
      {published_date !== null && <span class='row-date'> · {publishedOn(published_date)}</span>}
    </span>
  )
}
