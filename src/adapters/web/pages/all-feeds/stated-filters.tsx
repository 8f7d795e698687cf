import { AllFeedsInput } from '../../../../../schemas/all-feeds.js'
import { boundsOf } from '../../fields.js'
import { Checkbox, Field, Select } from '../../components/form.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation, filtersOf } from '../feed/address.js'

const names = ['project_id', 'year_from', 'year_to', 'venue', 'author', 'has_full_text'] as const

/** The filters of an address that only the list of all projects has. Values are as they were sent. */
export const statedIn = (query: { readonly [Name in typeof names[number]]?: string | boolean | undefined }): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => query[name] === undefined ? [] : [[name, String(query[name])]]))

interface StatedProps {
  location: FeedLocation
  projects: ReadonlyArray<{ id: string, name: string }>
}

/** A form for project, years, venue, author and full text. It changes the address alone, so that it can be shared. */
export function StatedFilters ({ location, projects }: StatedProps) {
  const { to } = useView()
  const { stated = {} } = location
  const { properties } = AllFeedsInput
  const others = new URL(feedAddress({ ...filtersOf(location), stated: {} }), 'https://x.invalid').searchParams
  return (
    <details class='menu more-filters'>
      <summary>More filters</summary>
      <form class='menu-list' method='get' action={to(location.base)} aria-label='More filters'>
        {[...others].map(([name, value]) => <input key={name} type='hidden' name={name} value={value} />)}
        <Select
          name='project_id'
          label='Project'
          value={stated.project_id ?? ''}
          options={[{ value: '', label: 'All' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <div class='field-pair'>
          <Field name='year_from' label='From year' type='number' value={stated.year_from ?? ''} {...boundsOf(properties.year_from)} />
          <Field name='year_to' label='To year' type='number' value={stated.year_to ?? ''} {...boundsOf(properties.year_to)} />
        </div>
        <Field name='venue' label='Venue' value={stated.venue ?? ''} maxlength={200} />
        <Field name='author' label='Author' value={stated.author ?? ''} maxlength={200} />
        <Checkbox name='has_full_text' label='Has full text' checked={stated.has_full_text === 'true'} value='true' id='has_full_text' />
        <button class='apply'>Apply</button>
      </form>
    </details>
  )
}

/** Each of these filters as a link that removes it. */
export function Chips ({ location, projects }: StatedProps) {
  const { to } = useView()
  const { stated = {} } = location
  const labels: Record<string, (value: string) => string> = {
    project_id: value => projects.find(({ id }) => id === value)?.name ?? 'One project',
    year_from: value => `From ${value}`,
    year_to: value => `To ${value}`,
    venue: value => `Venue: ${value}`,
    author: value => `Author: ${value}`,
    has_full_text: value => value === 'true' ? 'Has full text' : 'No full text'
  }
  return (
    <div id='chips'>
      {Object.keys(stated).length > 0 && (
        <ul class='plain chips' aria-label='Filters in use'>
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
