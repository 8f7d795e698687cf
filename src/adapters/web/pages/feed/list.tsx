import { Fragment } from 'preact'
import type { FeedRow, FeedSort } from '../../../../../schemas/feed-page.js'
import { dayAt } from '../../../../papers/time-zones.js'
import { originTitle } from '../../../../sources/index.js'
import { ChangeBadges } from '../../components/changes.js'
import { Form } from '../../components/form.js'
import { publishedOn } from '../../../../papers/published-on.js'
import { plainTitle, RichText } from '../../components/rich-text.js'
import { ScorePill } from '../../components/score.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation } from './address.js'
import { MarkSigns, RowTags } from './marks.js'
import { VoteIcon, voteValue } from './vote.js'
import { dayAfter } from '../../../../../schemas/utc-time.js'

/** A row, with its project if the list is of several. */
export type ListedRow = FeedRow & { project_id?: string | undefined, project_name?: string | undefined }

interface ListProps {
  location: FeedLocation
  items: ReadonlyArray<ListedRow>
  /** `short_id` of the open item. */
  current: string | undefined
  offset: number
  limit: number
  has_more: boolean
  total: number | null
  /** Undefined for a search. */
  order: FeedSort | undefined
  /** Terms of a search. */
  terms: readonly string[]
  now: Date
  empty: preact.ComponentChildren
}

/** One page of the feed. A click on a row opens its item. */
export function List ({ location, items, current, offset, limit, has_more, total, order, terms, now, empty }: ListProps) {
  const { to, account } = useView()
  const page = (from: number) => to(feedAddress({ ...location, offset: Math.max(from, 0), item: undefined }))
  const count = new Intl.NumberFormat('en')
  return (
    <div id='list' class='list' tabIndex={-1}>
      {offset > 0 && items.length > 0 && (
        <p class='earlier-page'>
          <a id='earlier-page' rel='prev' href={page(offset - limit)}>
            Show the {offset === 1 ? 'paper' : `${count.format(offset)} papers`} before these
          </a>
        </p>
      )}
      {items.length === 0
        ? <div class='empty'>{empty}</div>
        : (
          <div data-rows=''>
            {daysOf(items, { order, now, timeZone: account?.time_zone ?? 'UTC' }).map(({ day, title, items, from }) => (
              <Fragment key={day}>
                {title !== undefined && (
                  <DayHead day={day} title={title} location={location} hasNew={items.some(({ seen_at }) => seen_at === null)} />
                )}
                <ol class='rows' start={offset + from + 1}>
                  {items.map(item => (
                    <Row
                      key={item.id}
                      item={item}
                      terms={terms}
                      address={to(feedAddress({ ...location, item: item.short_id }))}
                      isCurrent={item.short_id === current}
                    />
                  ))}
                </ol>
              </Fragment>
            ))}
          </div>
          )}
      {(offset > 0 || has_more) && (
        <nav class='pager' aria-label='Pagination'>
          {offset > 0
            ? (
              <a id='previous-page' rel='prev' href={page(offset - limit)}>
                Previous
              </a>
              )
            : (
              <span />
              )}
          <span class='quiet-text' data-range={count.format(offset + 1)}>
            {items.length === 0 ? 'Empty page' : `${count.format(offset + 1)}–${count.format(offset + items.length)}`}
            {total !== null && ` of ${count.format(total)}`}
          </span>
          {has_more
            ? (
              <a id='next-page' rel='next' href={page(offset + limit)}>
                Next
              </a>
              )
            : (
              <span />
              )}
        </nav>
      )}
    </div>
  )
}

interface Day { day: string, title: string | undefined, items: ListedRow[], from: number }

const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

interface Calendar { order: FeedSort | undefined, now: Date, timeZone: string }

/** Groups rows by the day on which they entered the feed, if the list is in that order. */
function daysOf (items: readonly ListedRow[], { order, now, timeZone }: Calendar): Day[] {
  if (order !== 'day' && order !== 'newest') return [{ day: '', title: undefined, items: [...items], from: 0 }]
  const days: Day[] = []
  for (const [at, item] of items.entries()) {
    const day = dayAt(new Date(item.ready_at), timeZone)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, title: dayTitle(day, dayAt(now, timeZone)), items: [item], from: at })
  }
  return days
}

function dayTitle (day: string, today: string): string {
  if (day === today) return 'Today'
  return day === dayAfter(today, -1) ? 'Yesterday' : dayName.format(new Date(day))
}

interface DayHeadProps {
  /** YYYY-MM-DD, in the time zone of the account. */
  day: string
  title: string
  location: FeedLocation
  /** Whether a paper of the day has not been seen. */
  hasNew: boolean
}

/** The title of a day, and the button that marks the rest of it as seen. */
function DayHead ({ day, title, location, hasNew }: DayHeadProps) {
  const { filter, must_read, saved, tag, as_of, stated = {} } = location
  const fields = {
    day,
    at: as_of,
    filter,
    must_read: must_read === true ? 'true' : undefined,
    saved: saved === undefined ? undefined : String(saved),
    tag
  }
  return (
    <div class='day' data-day={day}>
      <h2>{title}</h2>
      {/* It could mark papers that are not listed. */}
      {Object.keys(stated).length === 0 && (
        <Form action='skip' address={feedAddress({ ...location, item: undefined })} class='skip-day' data-item={`day ${day}`} inRow>
          {Object.entries(fields).map(([name, value]) =>
            value !== undefined && <input key={name} type='hidden' name={name} value={value} />)}
          <button class='quiet' hidden={!hasNew}>Skip the rest of this day</button>
        </Form>
      )}
    </div>
  )
}

function Row ({ item, terms, address, isCurrent }: { item: ListedRow, terms: readonly string[], address: string, isCurrent: boolean }) {
  const { to } = useView()
  const { id, short_id, paper_title, relevance_score, must_read, feedback, seen_at, saved, tags, has_note, changes, project_name } = item
  const marks = {
    'data-project': project_name === undefined ? undefined : to(`/projects/${item.project_id}`),
    'data-seen': String(seen_at !== null),
    'data-saved': String(saved),
    'data-noted': String(has_note),
    'data-tags': tags.join('\n')
  }
  return (
    <li id={`row-${short_id}`} data-item={id} data-vote={voteValue(feedback)} {...marks} class={feedback === null ? 'row' : 'row rated'}>
      <a href={address} aria-current={isCurrent ? 'true' : undefined}>
        <ScorePill value={relevance_score} mustRead={must_read} />
        <span class='new-sign unseen'>Not seen.</span>
        <RichText as='span' class='row-title' text={paper_title} terms={terms} />
        <span class='row-line'>
          {changes.length > 0 && <span class='row-changes'><ChangeBadges changes={changes} /></span>}
          <Meta item={item} />
          <RowTags tags={tags} />
        </span>
        <MarkSigns saved={saved} noted={has_note} />
        {feedback !== null && <VoteIcon feedback={feedback} />}
      </a>
      <label class='row-tick scripts-only'>
        <input type='checkbox' aria-label={`Select ${plainTitle(paper_title)}`} autocomplete='off' />
      </label>
    </li>
  )
}

/** A row names as many authors as fit beside the venue. */
const maxNamed = 2

/** Authors, venue and date. The style sheet never truncates the date. */
function Meta ({ item }: { item: ListedRow }) {
  const { authors, author_count, venue_name, source_name, published_date, published, project_name } = item
  const named = author_count > maxNamed ? `${authors[0] ?? ''} et al.` : authors.join(', ')
  return (
    <span class='row-meta'>
      {project_name !== undefined && <span class='row-project'>{project_name}</span>}
      {named !== '' && <span class='row-authors' dir='auto'>{named}</span>}
      <span class='row-venue'>{named === '' ? '' : ' · '}<bdi>{venue_name ?? originTitle(source_name)}</bdi></span>
      {published_date !== null && <span class='row-date'> · {publishedOn(published_date, published)}</span>}
    </span>
  )
}
