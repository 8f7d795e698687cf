/* Tags of papers. */
import { sendChange } from '../outbox/sending.js'
import { shownState } from '../outbox/states.js'
import { tagKey } from '../outbox/store.js'
import { paintCount } from '../paint/count.js'
import { hasTag, paintTags, tagsIn } from '../paint/tags.js'
import { showToast } from '../toast.js'
import { asOneChange, reportChange, undoable, undoLast } from './undo.js'

/** Adds a tag to items, or removes it. @returns how many items it changed */
function setTag (url, items, tag, isAdded) {
  const changed = items.filter(item => hasTag(item, tag) !== isAdded)
  const set = field => {
    for (const item of changed) {
      sendChange(url, item, field, tag)
      paintTags(item)
      paintCount()
    }
  }
  if (changed.length === 0) return 0
  set(isAdded ? 'tag_add' : 'tag_remove')
  undoable.push(() => {
    set(isAdded ? 'tag_remove' : 'tag_add')
    return changed[0]
  })
  return changed.length
}

/** Adds a tag to items, spelled like a known one. @returns the tag, and how many items it changed; undefined if they cannot have it */
function addTag (url, items, text) {
  const tag = text.replace(/\s+/g, ' ').trim()
  if (tag === '') return undefined
  const knownTags = document.getElementById('known-tags')
  const maxTags = Number(knownTags.dataset.maxTags)
  if (items.some(item => tagsIn(shownState(item, 'tags') ?? '').length >= maxTags)) {
    showToast(`A paper has at most ${maxTags} tags`)
    return undefined
  }
  const options = [...knownTags.options].map(({ value }) => value)
  const known = options.find(value => tagKey(value) === tagKey(tag)) ?? tag
  return { tag: known, count: setTag(url, items, known, true) }
}

/** Adds the tags of a text, which commas separate, to items. @returns the text without those that they have now */
export function addTags (url, items, text) {
  const added = []
  const left = asOneChange(() => text.split(',').filter(tag => {
    const result = addTag(url, items, tag)
    if (result !== undefined) added.push(result)
    return result === undefined
  }))
  if (added.length > 0) {
    const report = `Tagged ${added.map(({ tag }) => `“${tag}”`).join(', ')}`
    const count = Math.max(...added.map(({ count }) => count))
    if (count === 0) showToast(report)
    else reportChange(report, count)
  }
  return left.join(',').trim()
}

/** Removes a tag from an item. */
export function removeTag (url, item, tag) {
  if (setTag(url, [item], tag, false) > 0) showToast(`Tag “${tag}” removed`, undoLast)
}
