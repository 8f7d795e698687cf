import type { Static } from 'typebox'
import { AllFeedsInput, type AllFeedsItem, type AllFeedsResult } from '../../../../../schemas/all-feeds.js'
import { queryLength } from '../../../../../schemas/feed.js'
import { boundsOf } from '../../fields.js'
import { Checkbox, Field, Select } from '../../components/form.js'
import { Messages } from '../../components/messages.js'
import { publishedOn } from '../../components/paper.js'
import { RichText } from '../../components/rich-text.js'
import { useView } from '../../view.js'
import { Vote } from '../feed/vote.js'
import { type AllFeedsLocation, allFeedsAddress } from './address.js'

interface AllFeedsProps {
  location: AllFeedsLocation
  page: Static<typeof AllFeedsResult>
  /** Terms of a search, to be marked. */
  terms: readonly string[]
  projects: ReadonlyArray<{ id: string, name: string }>
}

/** The items of all projects, with a search, filters, and a vote for each item. */
export function AllFeeds ({ location, page, terms, projects }: AllFeedsProps) {
  const { to } = useView()
  const { items, total, limit, offset, has_more, query } = page
  const at = (from: number) => to(allFeedsAddress({ ...location, offset: String(Math.max(from, 0)) }))
  return (
    <>
      <h1>All projects</h1>
      <Filters location={location} projects={projects} />
      <Chips location={location} projects={projects} />
      <p role='status' class='quiet-text'>{countOf(page)}</p>
      {items.length === 0
        ? (
          <p class='empty'>
            {projects.length === 0 ? 'No papers yet. Create a project first.' : 'No papers match. Remove a filter or change the search.'}
          </p>
          )
        : (
          <ol class='all-feeds' start={offset + 1}>
            {items.map(item => (
              <Item key={item.id} item={item} terms={terms} />
            ))}
          </ol>
          )}
      {(offset > 0 || has_more) && (
        <nav class='pages' aria-label='Pages'>
          {offset > 0
            ? (
              <a href={at(offset - limit)} rel='prev'>
                Previous
              </a>
              )
            : (
              <span />
              )}
          <span class='quiet-text'>
            {offset + 1} to {offset + items.length}
            {query === null && total !== null && ` of ${total.toLocaleString('en')}`}
          </span>
          {has_more
            ? (
              <a href={at(offset + limit)} rel='next'>
                Next
              </a>
              )
            : (
              <span />
              )}
        </nav>
      )}
      <Messages />
    </>
  )
}

function countOf ({ total, items, offset, has_more, query }: AllFeedsProps['page']): string {
  const count = query === null ? total ?? 0 : offset + items.length
  const noun = query === null ? (count === 1 ? 'paper' : 'papers') : count === 1 ? 'match' : 'matches'
  const partial = query?.includes(' OR ') === true ? ' (includes partial matches)' : ''
  return `${query !== null && has_more ? 'More than ' : ''}${count === 0 ? 'No' : count.toLocaleString('en')} ${noun}${partial}`
}

const sorts = [['day', 'Best by day'], ['best', 'Best'], ['newest', 'Newest'], ['published', 'Published']] as const
const votes = [
  ['all', 'All'],
  ['unrated', 'Unrated'],
  ['starred', 'Starred'],
  ['liked', 'Liked'],
  ['not-relevant', 'Not relevant'],
  ['low-quality', 'Low quality']
] as const
const optionsOf = (words: ReadonlyArray<readonly [string, string]>) => words.map(([value, label]) => ({ value, label }))

/** A form that changes the address alone, so that it can be shared. */
function Filters ({ location, projects }: Pick<AllFeedsProps, 'location' | 'projects'>) {
  const { to } = useView()
  const { q = '', project_id = '', year_from = '', year_to = '', venue = '', author = '', filter = 'all', sort = 'day' } = location
  const { properties } = AllFeedsInput
  return (
    <form class='stack all-feeds-filters' role='search' method='get' action={to('/feed')}>
      <Field name='q' label='Search all projects' value={q} maxlength={queryLength.maximum} />
      <div class='filter-fields'>
        <Select
          name='project_id'
          label='Project'
          value={project_id}
          options={[{ value: '', label: 'All' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <Field name='year_from' label='From year' type='number' value={year_from} {...boundsOf(properties.year_from)} />
        <Field name='year_to' label='To year' type='number' value={year_to} {...boundsOf(properties.year_to)} />
        <Field name='venue' label='Venue' value={venue} maxlength={200} />
        <Field name='author' label='Author' value={author} maxlength={200} />
        <Select name='filter' label='Vote' value={filter} options={optionsOf(votes)} />
        <Select name='sort' label='Sort' value={sort} options={optionsOf(sorts)} />
      </div>
      <Checkbox name='has_full_text' label='Has full text' checked={location.has_full_text === true} value='true' id='has_full_text' />
      <Checkbox name='must_read' label='Must read' checked={location.must_read === true} value='true' id='must_read' />
      <div class='buttons'><button>Search</button></div>
    </form>
  )
}

/** Each filter as a link that removes it. */
function Chips ({ location, projects }: Pick<AllFeedsProps, 'location' | 'projects'>) {
  const { to } = useView()
  const { q, project_id, year_from, year_to, venue, author, has_full_text, filter, must_read } = location
  const chips: Array<[names: Array<keyof AllFeedsLocation>, label: string | undefined]> = [
    [['q'], q === undefined || q.trim() === '' ? undefined : `“${q.trim()}”`],
    [['project_id'], project_id === undefined ? undefined : projects.find(({ id }) => id === project_id)?.name ?? 'One project'],
    [['year_from'], year_from === undefined ? undefined : `From ${year_from}`],
    [['year_to'], year_to === undefined ? undefined : `To ${year_to}`],
    [['venue'], venue === undefined ? undefined : `Venue: ${venue}`],
    [['author'], author === undefined ? undefined : `Author: ${author}`],
    [['has_full_text'], has_full_text === undefined ? undefined : has_full_text ? 'Has full text' : 'No full text'],
    [['filter'], filter === undefined || filter === 'all' ? undefined : votes.find(([name]) => name === filter)?.[1] ?? filter],
    [['must_read'], must_read === undefined ? undefined : must_read ? 'Must read' : 'Not must read']
  ]
  const shown = chips.filter(([, label]) => label !== undefined)
  if (shown.length === 0) return null
  return (
    <ul class='plain chips' aria-label='Filters'>
      {shown.map(([names, label]) => {
        const without = Object.fromEntries(names.map(name => [name, undefined]))
        return (
          <li key={names[0]}>
            <a class='chip' href={to(allFeedsAddress({ ...location, ...without, offset: undefined }))}>
              <span class='unseen'>Remove filter </span>
              <span dir='auto'>{label}</span> <span aria-hidden='true'>×</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function Item ({ item, terms }: { item: AllFeedsItem, terms: readonly string[] }) {
  const { to } = useView()
  const { id, short_id, project_id, project_name, paper_title, paper, must_read, relevance_score, feedback } = item
  const address = `/projects/${project_id}?item=${short_id}`
  const [first, ...others] = paper.authors
  const about = [
    first === undefined ? '' : others.length > 2 ? `${first.name} et al.` : [first, ...others].map(({ name }) => name).join(', '),
    paper.venue_name ?? '',
    paper.published_date === null ? '' : publishedOn(paper.published_date)
  ]
  return (
    <li>
      <h2 class='all-feeds-title'><a href={to(address)}><RichText as='span' text={paper_title} terms={terms} /></a></h2>
      <p class='quiet-text' dir='auto'>{about.filter(part => part !== '').join(' · ')}</p>
      <p class='quiet-text'>
        <a href={to(`/projects/${project_id}`)}>{project_name}</a> · Match {Math.round(relevance_score * 100)} of 100
        {must_read && ' · Must read'}
      </p>
      <Vote item={{ id, feedback }} address={address} />
    </li>
  )
}
