/* Votes and marks of papers: shown on the rows of a list and in the forms of a paper, and put into the outbox. */
/* global account, barItem, isOfTag, ownStates, paintBar, readOutbox, reportUnsent, savedStates, sendChange, sendDay, setOwn, setSaved */
/* global showToast, tagKey, writeOutbox */
/* exported markSeen, showSaved, showUnited */

const rowsOf = item => document.querySelectorAll(`[data-rows] [data-item="${item}"]`)

/* Votes: the buttons of a paper, and its row. */
const voteNames = { upvote: 'Upvoted', star: 'Starred', downvote: 'Downvoted', not_relevant: 'Not relevant', low_quality: 'Low quality' }
const isDownvote = vote => vote !== '' && vote !== 'upvote' && vote !== 'star'

/** Shows an item's vote wherever the item is. */
function paintVote (item, vote) {
  for (const row of rowsOf(item)) {
    row.dataset.vote = vote
    row.classList.toggle('rated', vote !== '')
    const sign = row.querySelector('.vote-sign')
    const signs = document.getElementById('vote-signs').content
    const wanted = vote === '' ? undefined : signs.querySelector(`[data-sign="${isDownvote(vote) ? 'downvote' : vote}"]`).cloneNode(true)
    if (wanted !== undefined) {
      wanted.title = voteNames[vote]
      wanted.querySelector('.unseen').textContent = voteNames[vote]
    }
    if (sign !== null) sign.replaceWith(...[wanted].filter(Boolean))
    else if (wanted !== undefined) row.querySelector('a').append(wanted)
  }
  for (const form of document.querySelectorAll(`.vote[data-item="${item}"]`)) {
    form.dataset.vote = vote
    for (const button of form.querySelectorAll('[data-pressed-by]')) {
      const { pressedBy } = button.dataset
      const isPressed = pressedBy === 'downvote' ? isDownvote(vote) : vote === pressedBy
      button.setAttribute('aria-pressed', isPressed)
      button.value = isPressed ? 'clear' : pressedBy
      if (pressedBy === 'downvote') {
        button.hidden = !isPressed
        if (isPressed) button.querySelector('.vote-name').textContent = voteNames[vote]
      }
      button.querySelector('.icon').classList.toggle('filled', isPressed && pressedBy === 'star')
    }
    const menu = form.querySelector('.menu')
    menu.open = false
    menu.hidden = isDownvote(vote)
  }
}

/* Marks: seen, saved for later, tags and a note. */
/** Shows "true" or "false" on the rows of an item, and on the button that changes it. */
function paintMark (item, field, value) {
  for (const row of rowsOf(item)) row.dataset[field] = value
  for (const form of document.querySelectorAll(`.marks[data-item="${item}"]`)) {
    form.dataset[field] = value
    const button = form.querySelector(`[data-mark="${field}"]`)
    button.value = value === 'true' ? 'false' : 'true'
    button.querySelector('.mark-name').textContent = button.dataset[value === 'true' ? 'on' : 'off']
    if (field === 'saved') {
      button.setAttribute('aria-pressed', value)
      button.querySelector('.icon').classList.toggle('filled', value === 'true')
    }
  }
}

const tagsIn = text => text.split('\n').filter(tag => tag !== '')
const hasTag = (item, tag) => tagsIn(shownState(item, 'tags') ?? '').some(each => tagKey(each) === tagKey(tag))

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
function paintTags (item, changes = Object.values(ownStates.get(item)?.tags ?? {})) {
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
  const known = document.getElementById('known-tags')
  const keys = new Set([...known?.options ?? []].map(({ value }) => tagKey(value)))
  for (const [field, tag] of changes) {
    if (field === 'tag_add' && !keys.has(tagKey(tag))) known?.append(Object.assign(document.createElement('option'), { value: tag }))
  }
}

function paintNoted (item, note) {
  for (const row of rowsOf(item)) row.dataset.noted = String(note.trim() !== '')
  for (const form of document.querySelectorAll(`.note-form[data-item="${item}"]`)) form.dataset.note = note
}

function paintNote (item, note) {
  for (const form of document.querySelectorAll(`.note-form[data-item="${item}"]`)) {
    // A text that was refused stays in its field, to be shortened.
    if (form.dataset.note === note) continue
    const field = form.querySelector('textarea')
    if (field !== document.activeElement) field.value = note
  }
  paintNoted(item, note)
}

const paint = {
  vote: paintVote,
  seen: (item, value) => paintMark(item, 'seen', value),
  saved: (item, value) => paintMark(item, 'saved', value),
  tags: item => paintTags(item),
  note: paintNote
}

/** Whether a row still passes the filters of its list; by name and value of each in the address. */
const passes = {
  filter: ({ vote }, wanted) => ({
    unrated: vote === '',
    starred: vote === 'star',
    liked: vote === 'star' || vote === 'upvote',
    disliked: isDownvote(vote),
    'not-relevant': vote === 'not_relevant',
    'low-quality': vote === 'low_quality'
  })[wanted] ?? true,
  seen: ({ seen }, wanted) => seen === wanted,
  saved: ({ saved }, wanted) => saved === wanted,
  tag: ({ tags }, wanted) => tagsIn(tags).some(tag => tagKey(tag) === tagKey(wanted))
}

let isCountDue = false
/** Takes the listed papers that no longer pass the filters off the number above the list, once for all changes of a moment. */
function paintCount () {
  if (isCountDue) return
  isCountDue = true
  queueMicrotask(() => {
    isCountDue = false
    const shown = document.querySelector('#count [data-total]')
    if (shown === null) return
    const filters = [...new URLSearchParams(location.search)].filter(([name, value]) => Object.hasOwn(passes, name) && value !== '')
    const rows = [...document.querySelectorAll('[data-rows] .row')]
    const gone = rows.filter(({ dataset }) => filters.some(([name, value]) => !passes[name](dataset, value)))
    const { total, one, several } = shown.dataset
    const count = Math.max(Number(total) - gone.length, 0)
    shown.textContent = `${count === 0 ? 'No' : count.toLocaleString('en')} ${count === 1 ? one : several}`
  })
}

/** Shows the states of items that are newer than what the server rendered. Default: those of all items. */
const paintOwnStates = (items = ownStates.keys()) => {
  for (const item of items) for (const [field, value] of Object.entries(ownStates.get(item) ?? {})) showState(item, field, value)
}

const shownState = (item, field) => document.querySelector(`[data-item="${item}"][data-${field}]`)?.dataset[field]
const stateOf = (item, field) => ownStates.get(item)?.[field] ?? shownState(item, field) ?? ''

/** Shows a state. What the server has rendered is remembered, in case that it refuses the change. */
function showState (item, field, value) {
  const rendered = shownState(item, field)
  if (rendered !== undefined && savedStates.get(item)?.[field] === undefined) setSaved(item, field, rendered)
  paint[field](item, value)
  paintCount()
  if (item === barItem) paintBar()
}

/** Shows what the server has in place of a state that it refused. A note stays in its field. */
function showSaved (item, field, value) {
  if (isOfTag(field)) {
    const { [tagKey(value)]: _refused, ...tags } = ownStates.get(item)?.tags ?? {}
    ownStates.set(item, { ...ownStates.get(item), tags })
    return paintTags(item, [[field === 'tag_add' ? 'tag_remove' : 'tag_add', value]])
  }
  const saved = savedStates.get(item)?.[field]
  const { [field]: _refused, ...others } = ownStates.get(item) ?? {}
  ownStates.set(item, saved === undefined ? others : { ...others, [field]: saved })
  if (saved === undefined) return
  if (field === 'note') paintNoted(item, saved)
  else paint[field](item, saved)
  paintCount()
}

/** Undo actions of the last changes, oldest first. Each returns the item to show. */
const undoable = []

/**
 * Sets a state of items, shows it at once and sends it in the background.
 * @param wanted a function that gives each item's new state
 * @returns how many items it changed
 */
function setStates (url, items, field, wanted) {
  const states = items.map(item => ({ item, before: stateOf(item, field), after: wanted(item) }))
  const changes = states.filter(({ before, after }) => before !== after)
  if (changes.length === 0) return 0
  const set = (item, value) => {
    // First, since the bar shows the own state.
    sendChange(url, item, field, value)
    showState(item, field, value)
  }
  for (const { item, after } of changes) set(item, after)
  undoable.push(() => {
    for (const { item, before } of changes) set(item, before)
    return changes[0].item
  })
  return changes.length
}

const report = (text, count, reason) => showToast(count === 1 ? text : `${text}: ${count} papers`, undoLast, reason)

/** Sets the vote of items. @param vote "" removes the vote */
function castVotes (url, items, vote) {
  const name = vote === '' ? 'Vote removed' : voteNames[vote]
  const count = setStates(url, items, 'vote', () => vote)
  // The server does the same.
  if (vote !== '') for (const item of items.filter(each => stateOf(each, 'seen') === 'false')) showSeen(item, 'true')
  if (count === 0) showToast(vote === '' ? 'Not rated' : name)
  // Bars have one button for both reasons.
  else report(name, count, vote === 'not_relevant' ? () => castVotes(url, items, 'low_quality') : undefined)
}

const castVote = (url, item, vote) => castVotes(url, [item], vote)

/** Saves items for later, or removes them from the saved ones. */
function saveItems (url, items, isSaved) {
  const count = setStates(url, items, 'saved', () => String(isSaved))
  if (count === 0) showToast(isSaved ? 'Saved' : 'Not saved')
  else report(isSaved ? 'Saved for later' : 'Removed from saved', count)
}

/** Shows whether an item was seen after a change that says so to the server by itself. */
function showSeen (item, value) {
  showState(item, 'seen', value)
  setOwn(item, 'seen', value)
}

/** Marks an item as seen, silently: nobody asked for it. */
function markSeen (url, item) {
  if (stateOf(item, 'seen') !== 'false') return
  showState(item, 'seen', 'true')
  sendChange(url, item, 'seen', 'true')
}

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

/** Adds a tag to items. */
function addTag (url, items, text) {
  const tag = text.replace(/\s+/g, ' ').trim()
  if (tag === '') return
  const knownTags = document.getElementById('known-tags')
  const maxTags = Number(knownTags.dataset.maxTags)
  if (items.some(item => tagsIn(shownState(item, 'tags') ?? '').length >= maxTags)) return showToast(`A paper has at most ${maxTags} tags`)
  const options = [...knownTags.options].map(({ value }) => value)
  const known = options.find(value => tagKey(value) === tagKey(tag)) ?? tag
  const count = setTag(url, items, known, true)
  if (count === 0) showToast(`Tagged “${known}”`)
  else report(`Tagged “${known}”`, count)
}

function removeTag (url, item, tag) {
  if (setTag(url, [item], tag, false) > 0) showToast(`Tag “${tag}” removed`, undoLast)
}

/** Notes that wait until their writer pauses, by item. */
const writtenNotes = new Map()
const noteDelayMs = 1000
const reportNote = (item, text) => {
  for (const status of document.querySelectorAll(`.note-form[data-item="${item}"] [role=status]`)) status.textContent = text
}

function writeNote (url, item, note) {
  const { timer, base = stateOf(item, 'note') } = writtenNotes.get(item) ?? {}
  clearTimeout(timer)
  writtenNotes.set(item, { url, note, base, timer: setTimeout(() => flushNote(item), noteDelayMs) })
  reportNote(item, '')
}

function flushNote (item) {
  const written = writtenNotes.get(item)
  if (written === undefined) return
  clearTimeout(written.timer)
  writtenNotes.delete(item)
  if (written.base === written.note) return reportNote(item, 'Saved')
  showState(item, 'note', written.note)
  reportNote(item, 'Saving…')
  sendChange(written.url, item, 'note', written.note, written.base)
}

/** Shows a note that has been united with one from elsewhere, and what has been written since. */
function showUnited ({ item, value }, note) {
  const own = value.trim()
  const others = own !== '' && note.endsWith(own) ? note.slice(0, -own.length) : `${note}\n\n`
  const rebase = text => text === value ? note : others + text
  const written = writtenNotes.get(item)
  if (written !== undefined) Object.assign(written, { note: rebase(written.note), base: rebase(written.base) })
  const isOfNote = each => each.item === item && each.field === 'note' && each.bases.includes(value)
  writeOutbox(readOutbox().map(each => isOfNote(each) ? { ...each, value: rebase(each.value), bases: [note] } : each))
  setSaved(item, 'note', note)
  setOwn(item, 'note', rebase(stateOf(item, 'note')))
  for (const field of document.querySelectorAll(`.note-form[data-item="${item}"] textarea`)) {
    const end = field.value.length - field.selectionEnd
    field.value = rebase(field.value)
    const at = field.value.length - end
    if (field === document.activeElement) field.setSelectionRange(at, at)
  }
  paintNoted(item, stateOf(item, 'note'))
  showToast('This note was changed elsewhere. Both versions were kept.')
}

const flushNotes = () => { for (const item of [...writtenNotes.keys()]) flushNote(item) }
addEventListener('pagehide', flushNotes)

/** Takes back the last change. */
function undoLast () {
  const undo = undoable.pop()
  if (undo === undefined) return showToast('Nothing to undo')
  const item = undo()
  showToast('Undone')
  document.dispatchEvent(new CustomEvent('litfeed:undone', { detail: item }))
}

const changesAddress = form => form.getAttribute('action').split('?', 1)[0]

const submissions = {
  vote (form, { value }) {
    const hadFocus = form.contains(document.activeElement)
    castVote(changesAddress(form), form.dataset.item, value === 'clear' ? '' : value)
    if (!hadFocus || form.contains(document.activeElement?.closest(':not([hidden])'))) return
    form.querySelector('[aria-pressed=true]:not([hidden]), button').focus({ preventScroll: true })
  },
  marks (form, { name, value }) {
    if (name === 'saved') return saveItems(changesAddress(form), [form.dataset.item], value === 'true')
    setStates(changesAddress(form), [form.dataset.item], 'seen', () => value)
    report(value === 'true' ? 'Marked as seen' : 'Marked as unseen', 1)
  },
  tags (form, { name, value }) {
    const field = form.querySelector('.tag-field')
    if (name === 'remove') {
      removeTag(changesAddress(form), form.dataset.item, value)
      return field.focus({ preventScroll: true })
    }
    for (const tag of field.value.split(',')) addTag(changesAddress(form), [form.dataset.item], tag)
    field.value = ''
  },
  'skip-day' (form) { skipDay(form) },
  'note-form' (form) {
    const { item } = form.dataset
    writeNote(changesAddress(form), item, form.querySelector('textarea').value)
    flushNote(item)
  }
}

document.addEventListener('submit', event => {
  const form = event.target.closest('form[data-item]')
  const submission = form === null ? undefined : submissions[form.classList[0]]
  if (submission === undefined || event.submitter === null) return
  event.preventDefault()
  submission(form, event.submitter)
})
document.addEventListener('input', ({ target }) => {
  const form = target.closest('.note-form')
  if (form !== null) writeNote(changesAddress(form), form.dataset.item, target.value)
})
document.addEventListener('change', ({ target }) => {
  const form = target.closest('.note-form')
  if (form !== null) flushNote(form.dataset.item)
})

/** Marks the listed papers of a day as seen, and the others on the server. */
function skipDay (form) {
  const url = changesAddress(form)
  const { item } = form.dataset
  const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => !['action', 'csrf_token'].includes(name)))
  const rows = [...form.closest('.day').nextElementSibling.querySelectorAll('.row')]
  const items = rows.map(row => row.dataset.item).filter(each => stateOf(each, 'seen') === 'false')
  const showAll = value => {
    for (const each of items) showSeen(each, value)
    form.querySelector('button').hidden = value === 'true'
  }
  showAll('true')
  sendDay(url, item, fields)
  undoable.push(() => {
    showAll('false')
    sendDay(url, item, { ...fields, seen: 'false' })
    return items[0]
  })
  showToast('Skipped the rest of this day', undoLast)
  document.dispatchEvent(new CustomEvent('litfeed:skipped', { detail: form.closest('.day') }))
}

// The second click of a double click would take the vote back.
document.addEventListener('click', event => {
  if (event.detail > 1 && event.target.closest('.vote-button') !== null) event.preventDefault()
}, true)

// A click outside closes a menu, and so does Escape.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  const menu = event.target.closest('details.menu[open]')
  if (menu === null) return
  menu.open = false
  menu.querySelector('summary').focus()
  // The selection stays.
  event.preventDefault()
})

if (account !== undefined) {
  paintOwnStates()
  reportUnsent()
  document.addEventListener('htmx:afterSettle', () => { paintOwnStates(); reportUnsent() })
}
