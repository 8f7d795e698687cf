import type { LinkFilter } from '../../../../../schemas/relevance.js'
import { score } from '../../../../../schemas/points.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation, filtersOf } from './address.js'

const names =
  ['project_id', 'year_from', 'year_to', 'venue', 'author', 'has_full_text', 'min_score', 'max_score', 'since', 'until', 'link'] as const

/** The filters of an address that have no place among the others. Values are as they were sent. */
export const statedIn = (query: { readonly [Name in typeof names[number]]?: string | boolean | undefined }): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => query[name] === undefined ? [] : [[name, String(query[name])]]))

/** The filters by links, with their labels. */
export const linkLabels: ReadonlyArray<[link: LinkFilter, label: string]> = [
  ['followed', 'Followed'],
  ['cites-starred', 'Cites a starred paper'],
  ['cited-by-starred', 'Cited by a starred paper'],
  ['shares-references', 'Shares references']
]

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const formatDay = (date: string) => Number.isNaN(Date.parse(date)) ? date : day.format(new Date(date))

interface ChipsProps { location: FeedLocation, projects?: ReadonlyArray<{ id: string, name: string }> }

/** Each of these filters as a link that removes it. */
export function Chips ({ location, projects = [] }: ChipsProps) {
  const { to } = useView()
  const { stated = {} } = location
  const labels: Record<string, (value: string) => string> = {
    project_id: value => projects.find(({ id }) => id === value)?.name ?? 'One project',
    year_from: value => `From ${value}`,
    year_to: value => `To ${value}`,
    venue: value => `Venue: ${value}`,
    author: value => `Author: ${value}`,
    has_full_text: value => value === 'true' ? 'Has full text' : 'No full text',
    min_score: value => `Match from ${score(Number(value))}`,
    max_score: value => `Match below ${score(Number(value))}`,
    since: value => `Added since ${formatDay(value)}`,
    until: value => `Added before ${formatDay(value)}`,
    link: value => linkLabels.find(([name]) => name === value)?.[1] ?? value
  }
  return (
    <div id='chips'>
      {Object.keys(stated).length > 0 && (
        <ul class='chips' aria-label='Filters in use'>
          {Object.entries(stated).map(([name, value]) => {
            const { [name]: _removed, ...others } = stated
            return (
              <li key={name}>
                <a class='chip' href={to(feedAddress({ ...filtersOf(location), stated: others }))}>
                  <span class='unseen'>Remove filter </span>
                  <span dir='auto'>{labels[name]!(value)}</span> <span aria-hidden='true'>×</span>
                </a>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
