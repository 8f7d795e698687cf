/* Tags: the rows of a paper, its form, and the known tags that fields suggest. */
import { queryHere } from '../feed/address.js'
import { ownStates, shownState } from '../outbox/states.js'
import { tagKey } from '../outbox/store.js'
import { rowsOf } from './marks.js'

/** The tags of an element that shows them, one a line. */
export const tagsIn = text => text.split('\n').filter(tag => tag !== '')

/** Whether an item is shown with a tag. */
export const hasTag = (item, tag) => tagsIn(shownState(item, 'tags') ?? '').some(each => tagKey(each) === tagKey(tag))

/** Adds tags to those that an element shows, and removes others. @returns all */
function changeTags ({ dataset }, changes) {
  const tags = new Map(tagsIn(dataset.tags).map(tag => [tagKey(tag), tag]))
  for (const [field, tag] of changes) {
    if (field === 'tag_remove') tags.delete(tagKey(tag))
    else if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag)
  }
  dataset.tags = [...tags.values()].join('\n')
  return [...tags.values()]
}

/** Shows changes of an item's tags. Default: those that this page made. */
export function paintTags (item, changes = Object.values(ownStates.get(item)?.tags ?? {})) {
  for (const row of rowsOf(item)) {
    const tags = changeTags(row, changes)
    const list = row.querySelector('.row-tags')
    const label = tag => Object.assign(document.createElement('span'), { className: 'row-tag', textContent: tag, dir: 'auto' })
    list.replaceChildren(...tags.map(label))
    list.hidden = tags.length === 0
  }
  for (const form of document.querySelectorAll(`.tags[data-item="${item}"]`)) {
    const tags = changeTags(form, changes)
    const part = document.getElementById('tag-part').content
    const list = form.querySelector('.tag-list')
    list.replaceChildren(...tags.map(tag => {
      const copy = part.firstElementChild.cloneNode(true)
      copy.querySelector('span').textContent = tag
      const button = copy.querySelector('button')
      button.value = tag
      button.setAttribute('aria-label', `Remove tag ${tag}`)
      return copy
    }))
    list.hidden = tags.length === 0
  }
  for (const [field, tag] of changes) if (field === 'tag_add') offerTag(tag)
}

/** Lets fields suggest a tag, and the menu of tags filter by it, if it is new to the page. */
function offerTag (tag) {
  const known = document.getElementById('known-tags')
  if ([...known?.options ?? []].every(({ value }) => tagKey(value) !== tagKey(tag))) {
    known?.append(Object.assign(document.createElement('option'), { value: tag }))
  }
  // Pages of papers have no menu.
  const menu = document.getElementById('tag-menu')
  if (menu === null || [...menu.querySelectorAll('a [dir]')].some(({ textContent }) => tagKey(textContent) === tagKey(tag))) return
  const query = new URLSearchParams(queryHere())
  query.set('tag', tag)
  const link = Object.assign(document.createElement('a'), { href: `?${query}` })
  link.append(Object.assign(document.createElement('span'), { textContent: tag, dir: 'auto' }))
  menu.querySelector('.menu-list').append(link)
  menu.hidden = false
}
