/* The forms of a paper and of a day: sent in the background instead of with a page load. */
import { changesAddress } from '../outbox/sending.js'
import { keepUnseen, saveItems, skipDay } from './marks.js'
import { flushNote, writeNote } from './notes.js'
import { addTags, removeTag } from './tags.js'
import { reportChange, setStates } from './undo.js'
import { castVotes } from './votes.js'

/** What a submission does, by class of its form. */
const submissions = {
  vote (form, { value }) {
    const hadFocus = form.contains(document.activeElement)
    castVotes(changesAddress(form), [form.dataset.item], value === 'clear' ? '' : value)
    if (!hadFocus || form.contains(document.activeElement?.closest(':not([hidden])'))) return
    form.querySelector('[aria-pressed=true]:not([hidden]), button').focus({ preventScroll: true })
  },
  marks (form, { name, value }) {
    if (name === 'saved') return saveItems(changesAddress(form), [form.dataset.item], value === 'true')
    if (value === 'false') keepUnseen(form.dataset.item)
    setStates(changesAddress(form), [form.dataset.item], 'seen', () => value)
    reportChange(value === 'true' ? 'Marked as seen' : 'Marked as unseen', 1)
  },
  tags (form, { name, value }) {
    const field = form.querySelector('.tag-field')
    if (name === 'remove') {
      removeTag(changesAddress(form), form.dataset.item, value)
      return field.focus({ preventScroll: true })
    }
    // What could not be added stays in the field.
    field.value = addTags(changesAddress(form), [form.dataset.item], field.value)
  },
  'skip-day' (form) { skipDay(form) },
  'note-form' (form) {
    const { item } = form.dataset
    writeNote(changesAddress(form), item, form.querySelector('textarea').value)
    flushNote(item)
  }
}

/** Takes over the forms of papers. */
export function startSubmissions () {
  document.addEventListener('submit', event => {
    const form = event.target.closest('form[data-item]')
    const submission = form === null ? undefined : submissions[form.classList[0]]
    if (submission === undefined || event.submitter === null) return
    event.preventDefault()
    submission(form, event.submitter)
  })

  // The second click of a double click would take the vote back.
  document.addEventListener('click', event => {
    if (event.detail > 1 && event.target.closest('.vote-button') !== null) event.preventDefault()
  }, true)
}
