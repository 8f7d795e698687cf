import { AllFeedsInput } from '../../../../../schemas/all-feeds.js'
import { boundsOf } from '../../fields.js'
import { Checkbox, Field, Select } from '../../components/form.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation, filtersOf } from '../feed/address.js'

interface StatedProps {
  location: FeedLocation
  projects: ReadonlyArray<{ id: string, name: string }>
}

/** A form for project, years, venue, author and full text. It changes the address alone, so that it can be shared. */
export function StatedFilters ({ location, projects }: StatedProps) {
  const { to } = useView()
  const { stated = {} } = location
  const { properties } = AllFeedsInput
  // The links of papers have a menu of their own.
  const kept = stated.link === undefined ? {} : { link: stated.link }
  const others = new URL(feedAddress({ ...filtersOf(location), stated: kept }), 'https://x.invalid').searchParams
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
        <Field name='venue' label='Venue' value={stated.venue ?? ''} {...boundsOf(properties.venue)} />
        <Field name='author' label='Author' value={stated.author ?? ''} {...boundsOf(properties.author)} />
        <Checkbox name='has_full_text' label='Has full text' checked={stated.has_full_text === 'true'} value='true' id='has_full_text' />
        <button class='apply'>Apply</button>
      </form>
    </details>
  )
}
