import type { ComponentChildren } from 'preact'
import { searchTextLength } from '../../../../../schemas/search-text.js'
import type { TagsListResult } from '../../../../../schemas/item-state.js'
import type { FeedbackFilter } from '../../../../../schemas/feedback.js'
import { Busy } from '../../components/busy.js'
import { Icon } from '../../components/icon.js'
import { useView } from '../../view.js'
import { linkLabels } from './chips.js'
import { feedAddress, type FeedLocation } from './address.js'

const filters: ReadonlyArray<[filter: FeedbackFilter, label: string]> = [
  ['all', 'All'],
  ['unrated', 'Unrated'],
  ['starred', 'Starred'],
  ['liked', 'Upvoted'],
  ['not-relevant', 'Not relevant'],
  ['low-quality', 'Low quality']
]

const searchHelp = 'Searches titles, authors, abstracts, summaries and identifiers. Tags have a menu of their own; notes are not searched.'

/** Tags in the menu; the address takes any. */
const maxListedTags = 50

interface FiltersProps {
  location: FeedLocation
  /** Tags of the listed feeds. */
  tags: TagsListResult['items']
  /** Further filters, in the line of the others. */
  children?: ComponentChildren
}

/** Search field and filters of the feed. */
export function Filters ({ location, tags, children }: FiltersProps) {
  const { to } = useView()
  const { base, project_id, q, filter = 'all', must_read = false, seen, saved, tag } = location
  const address = (change: Partial<FeedLocation>) => to(feedAddress({ ...location, ...change }))
  const kept = [...new URL(feedAddress({ ...location, q: undefined }), 'https://x.invalid').searchParams]
  return (
    <div class='filters'>
      <form class='search' role='search' method='get' action={to(base)}>
        {kept.map(([name, value]) => <input key={name} type='hidden' name={name} value={value} />)}
        <Icon name='search' />
        <label class='unseen' for='q'>{project_id === undefined ? 'Search all projects' : 'Search this feed'}</label>
        <input
          id='q'
          type='search'
          name='q'
          value={q}
          placeholder='Search titles, authors, abstracts, identifiers'
          title={searchHelp}
          aria-describedby='q-help'
          maxLength={searchTextLength.maximum}
          autocomplete='off'
          spellcheck={false}
          hx-get={to(base)}
          hx-trigger='input changed delay:200ms, search'
          hx-target='#list'
          hx-select='#list'
          hx-swap='outerHTML'
          hx-select-oob='#details,#count:innerHTML,#search-hint:innerHTML,#filter-links,#mark-links,#sort,#export,#chips'
          hx-include='closest form'
          hx-replace-url='true'
          hx-sync='this:replace'
          hx-indicator='#searching'
        />
        <Busy id='searching'>Searching…</Busy>
        <span id='q-help' class='unseen'>{searchHelp}</span>
      </form>
      <nav id='filter-links' class='filter-links' aria-label='Filters'>
        {filters.map(([name, label]) => (
          <a key={name} href={address({ filter: name })} aria-current={name === filter ? 'true' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <nav id='mark-links' class='mark-links' aria-label='More filters'>
        <Toggle id='must-read-link' href={address({ must_read: !must_read })} isOn={must_read}>Must read</Toggle>
        <Toggle href={address({ seen: seen === false ? undefined : false })} isOn={seen === false}>Unseen</Toggle>
        <Toggle href={address({ saved: saved === true ? undefined : true })} isOn={saved === true}>Saved</Toggle>
        {tag !== undefined && <Toggle href={address({ tag: undefined })} isOn>Tag: {tag}</Toggle>}
        <details id='link-menu' class='menu'>
          <summary>Links</summary>
          <div class='menu-list'>
            <p class='menu-title'>People and citations</p>
            {linkLabels.map(([link, label]) => (
              <a
                key={link}
                href={address({ stated: { ...location.stated, link } })}
                aria-current={location.stated?.link === link ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </div>
        </details>
        {/* Scripts add the first tags. */}
        <details id='tag-menu' class='menu' hidden={tags.length === 0}>
          <summary>Tags</summary>
          <div class='menu-list'>
            <p class='menu-title'>Tags</p>
            {tags.slice(0, maxListedTags).map(each => (
              <a key={each.tag} href={address({ tag: each.tag })} aria-current={each.tag === tag ? 'true' : undefined}>
                <span dir='auto'>{each.tag}</span>
                <span class='menu-count'>{each.papers}</span>
              </a>
            ))}
          </div>
        </details>
        {children}
        {project_id !== undefined && <a class='toggle' href={to(`/projects/${project_id}/candidates`)}>Not in the feed</a>}
      </nav>
    </div>
  )
}

interface ToggleProps { id?: string, href: string, isOn: boolean, children: ComponentChildren }

/** A link that turns a filter on or off. */
const Toggle = ({ isOn, children, ...link }: ToggleProps) => (
  <a class='toggle' {...link} aria-current={isOn ? 'true' : undefined}>
    {children}
  </a>
)
