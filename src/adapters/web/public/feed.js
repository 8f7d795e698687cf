/*
 * The feed: opens papers beside the list, and moves and votes by keyboard, bottom bar and swipe. Looks elements up anew, since htmx may
 * replace them.
 */
/* global advanceSetting, castVotes, clearSelection, isSelecting, listenForKeys, markSeen, moveOnAfterVote, narrow, paintOwnStates */
/* global paintSelection, reportUnsent, saveItems, select, selectAll, selectedRows, selectTo, setBarItem, setSelecting, setting */
/* global shortcutsSetting, showToast, toggleSelection, undoable, undoLast, whileKeysWait, withOutboxLock */

const feed = () => document.getElementById('feed')
const rowLinks = () => [...document.querySelectorAll('[data-rows] .row > a')]
const currentLink = () => document.querySelector('[data-rows] a[aria-current]')
const itemOf = link => link.parentElement.dataset.item
const details = () => document.getElementById('details')

/** The address of what is shown, without a place in the page. */
let addressShown
const addressHere = () => location.href.split('#', 1)[0]
/** The search and the filters of the shown list. */
let queryShown
function queryHere () {
  const filters = [...new URLSearchParams(location.search)]
    .filter(([name, value]) => !['item', 'offset', 'as_of'].includes(name) && value !== '')
  return new URLSearchParams(filters).toString()
}

/** Changes the address to that of what is shown. htmx restores entries that have its state: they get another. */
function setAddress (href, method = 'replaceState') {
  history[method]({}, '', href)
  addressShown = addressHere()
}

const setCurrent = current => {
  for (const link of document.querySelectorAll('[data-rows] a[aria-current]')) if (link !== current) link.removeAttribute('aria-current')
  current?.setAttribute('aria-current', 'true')
  setBarItem(current === undefined ? undefined : itemOf(current))
}

/* Opened papers, by address. Those next to the current one are fetched ahead. */
const maxKept = 80
/** Moving on within this time opens no paper that is not there yet. */
const settleMs = 60
const kept = new Map()

function load (href) {
  const known = kept.get(href)
  if (known !== undefined) return known
  const loading = { node: undefined, promise: undefined }
  loading.promise = (async () => {
    try {
      const answer = await fetch(`${href}&alone=true`, { headers: { accept: 'text/html' } })
      const node = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('details')
      if (node === null) throw new Error('no paper')
      loading.node = node
      return node
    } catch (error) {
      kept.delete(href)
      throw error
    }
  })()
  loading.promise.catch(() => {})
  kept.set(href, loading)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value)
  return loading
}

let settleTimer
let aheadTimer

/** Opens the paper of a row: at once if it is there, else its title until it comes. */
function open (link, { push = false } = {}) {
  setCurrent(link)
  const { href } = link
  if (location.href !== href) setAddress(href, push ? 'pushState' : 'replaceState')
  clearTimeout(settleTimer)
  const node = kept.get(href)?.node
  if (node !== undefined) show(node)
  else {
    showTitle(link)
    settleTimer = setTimeout(async () => {
      try {
        const loaded = await load(href).promise
        if (currentLink()?.href === href) show(loaded)
      } catch {
        if (currentLink()?.href === href) showTitle(link, true)
      }
    }, push ? 0 : settleMs)
  }
  clearTimeout(aheadTimer)
  aheadTimer = setTimeout(loadAhead, settleMs)
}

/** Fetches the papers around the current one, and the next page near its end. */
function loadAhead () {
  const links = rowLinks()
  const at = links.indexOf(currentLink())
  for (const link of [links[at + 1], links[at + 2], links[at + 3], links[at - 1]]) if (link !== undefined) load(link.href)
  if (links.length - at < 25) loadMore()
}

function replaceDetails (next) {
  const before = details()
  const hadFocus = before.contains(document.activeElement)
  before.replaceWith(next)
  if (hadFocus) next.focus({ preventScroll: true })
}

function show (node) {
  const { scrollX, scrollY } = window
  replaceDetails(document.importNode(node, true))
  if (narrow.matches) { scrollTo(0, 0) } else scrollTo(scrollX, scrollY)
  // The rows have their states already.
  paintOwnStates([node.dataset.item])
  makeFormulasFocusable()
  seeItem()
}

let seeTimer
/** Papers that are shown without having been chosen count as seen after this time. */
const seeAfterMs = 1000

/** Marks the shown paper as seen. */
function seeItem () {
  clearTimeout(seeTimer)
  const { item, chosen } = details().dataset
  const isShown = !document.hidden && (chosen !== undefined || !narrow.matches)
  if (item !== undefined && isShown) markSeen(feed().dataset.changes, item)
}

/** Does so after a while, if it is shown until then. */
function seeItemLater () {
  clearTimeout(seeTimer)
  seeTimer = setTimeout(seeItem, details().dataset.chosen === undefined ? seeAfterMs : 0)
}

/** Stands for a paper that has not come yet. */
function showTitle (link, isMissing = false) {
  const section = details().cloneNode(false)
  Object.assign(section.dataset, { item: itemOf(link), chosen: '' })
  const article = Object.assign(document.createElement('article'), { className: 'item' })
  const title = document.createElement('h2')
  title.append(...link.querySelector('.row-title').cloneNode(true).childNodes)
  title.dir = 'auto'
  const text = Object.assign(document.createElement('p'), {
    className: 'quiet-text',
    textContent: isMissing ? 'This paper could not be loaded. Check your connection and select it again.' : 'Loading…'
  })
  article.append(title, text)
  section.append(article)
  replaceDetails(section)
}

/* Pages follow each other without a reload. */
let loadingMore
const loadMore = () => { loadingMore ??= fetchMore().finally(() => { loadingMore = undefined }); return loadingMore }

const fetchList = async href => {
  const answer = await fetch(href, { headers: { accept: 'text/html' } })
  return new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('list')
}

/** Appends the rows of a page that are not listed yet. @returns the number of those that are */
function appendRows (list) {
  const container = document.querySelector('[data-rows]')
  const listed = new Set([...container.querySelectorAll('.row')].map(row => row.dataset.item))
  let repeated = 0
  for (const part of list.querySelectorAll('[data-rows] > *')) {
    const copy = document.importNode(part, true)
    for (const row of copy.querySelectorAll('.row')) if (listed.has(row.dataset.item)) { row.remove(); repeated++ }
    const lastDay = [...container.querySelectorAll('.day')].at(-1)?.dataset.day
    // A day that goes on has its title already.
    if (part.dataset.day !== undefined) {
      if (part.dataset.day !== lastDay) container.append(copy)
    } else if (container.lastElementChild?.matches('.rows') === true) container.lastElementChild.append(...copy.children)
    else if (copy.children.length > 0) container.append(copy)
  }
  // A day of which every paper is listed.
  for (const day of container.querySelectorAll('.day')) if (day.nextElementSibling?.matches('.rows') !== true) day.remove()
  return repeated
}

/** Appends the next page to the list. @returns whether there was one */
async function fetchMore () {
  const next = document.getElementById('next-page')
  if (next === null) return false
  try {
    const list = await fetchList(next.href)
    // A search or filter has replaced the list meanwhile.
    if (list === null || !next.isConnected) return false
    let repeated = appendRows(list)
    // Votes rescore a feed: as many papers as were repeated have moved to earlier pages.
    for (let page = list; repeated > 0;) {
      const previous = page.querySelector('#previous-page')
      if (previous === null) break
      page = await fetchList(previous.href)
      if (page === null || !next.isConnected) break
      const before = rowLinks().length
      appendRows(page)
      repeated -= rowLinks().length - before
    }
    const pager = list.querySelector('.pager')
    const range = next.parentElement.querySelector('[data-range]')
    const start = range.dataset.range
    next.closest('.pager').replaceWith(document.importNode(pager, true))
    const shown = document.querySelector('.pager [data-range]')
    shown.textContent = shown.textContent.replace(/^[\d,]+/, start)
    shown.dataset.range = start
    paintOwnStates()
    reportUnsent()
    return true
  } catch {
    return false
  }
}

/** Says that the list ends, and in which of its projects enough has been rated. */
async function announceEnd () {
  const announce = text => showToast(text, undoable.length > 0 ? undoLast : undefined)
  announce('End of the list')
  try {
    // The estimate counts the last votes, which are being sent.
    await withOutboxLock(async () => {})
    const ofSeveral = listedProjects()
    const asked = [...ofSeveral.size > 0 ? ofSeveral.keys() : [feed().dataset.changes]].slice(0, maxAsked)
    const estimates = await Promise.all(asked.map(readRecall))
    const done = estimates.filter(({ recall }) => recall?.dataset.reached === 'true')
    if (done.length === 0) return
    if (ofSeveral.size === 0) announce(`Done for this week. ${done[0].recall.textContent}`)
    else if (done.length === ofSeveral.size) announce('Done for this week in all of these projects.')
    else announce(`Done for this week in ${new Intl.ListFormat('en').format(done.map(({ project }) => ofSeveral.get(project)))}.`)
  } catch {}
}

/** Projects of one list that are asked about at its end. */
const maxAsked = 10

/** The projects of a list of several: the name of each by its address. */
const listedProjects = () => new Map([...document.querySelectorAll('.row[data-project]')]
  .map(row => [row.dataset.project, row.querySelector('.row-project').textContent]))

/** The sentence of a project's Insights about what has been missed; none if it cannot be read. */
async function readRecall (project) {
  try {
    const answer = await fetch(`${project}/insights`, { headers: { accept: 'text/html' } })
    return { project, recall: new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('recall') }
  } catch {
    return { project, recall: null }
  }
}

/** Pages to load for a paper or day that may be far down. */
const maxPagesAhead = 3
const isUnrated = row => row.dataset.vote === ''

/** Whether the service lists unrated papers that are not listed here. */
async function hasMoreUnrated (nextPage) {
  const address = new URL(nextPage)
  const { searchParams } = address
  if (!['all', 'unrated', null].includes(searchParams.get('filter'))) return false
  searchParams.set('filter', 'unrated')
  for (const name of ['offset', 'as_of']) searchParams.delete(name)
  const list = await fetchList(address.href)
  if (list === null) return true
  // The votes of listed papers may not have arrived yet.
  const listed = new Set(rowLinks().map(itemOf))
  return [...list.querySelectorAll('.row')].some(row => !listed.has(row.dataset.item)) || list.querySelector('#next-page') !== null
}

/** Opens the paper that is some rows away, or the next unrated one beyond it, loading pages as needed. */
async function moveBy (rows, { toUnrated = false } = {}) {
  const wanted = () => {
    const links = rowLinks()
    let at = links.indexOf(currentLink()) + rows
    if (toUnrated) while (links[at] !== undefined && !isUnrated(links[at].parentElement)) at += rows
    return links[at]
  }
  const link = wanted()
  if (link !== undefined) return moveTo(link)
  if (rows < 0) return rowLinks().indexOf(currentLink()) > 0 ? undefined : document.getElementById('previous-page')?.click()
  if (document.getElementById('next-page') === null) return await announceEnd()
  await whileKeysWait(async () => {
    const nextPage = () => document.getElementById('next-page')
    try {
      for (let page = 0; wanted() === undefined && nextPage() !== null; page++) {
        if (toUnrated && page === 1 && !await hasMoreUnrated(nextPage().href)) break
        if (toUnrated && page === maxPagesAhead) {
          return showToast('The next unrated paper is further down. Show “Unrated” to go on.', undoLast)
        }
        if (!await loadMore()) throw new Error('no page')
      }
    } catch {
      return showToast('The next papers could not be loaded. Try again in a moment.')
    }
    const next = wanted()
    next === undefined ? announceEnd() : moveTo(next)
  })
}

function moveTo (link) {
  open(link)
  if (!narrow.matches) link.focus({ preventScroll: true })
  // Keeps the next rows in view.
  const list = link.closest('.list')
  const [row, area] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  const margin = Math.min(140, area.height / 4)
  if (row.bottom > area.bottom - margin) list.scrollTop += row.bottom - area.bottom + margin
  else if (row.top < area.top + margin) list.scrollTop += row.top - area.top - margin
}

/** Votes on the selected papers; without a selection, on the current paper, and opens the next unrated one. */
function vote (value) {
  const rows = selectedRows()
  if (rows.length > 0) {
    castVotes(feed().dataset.changes, rows.map(row => row.dataset.item), value)
    return clearSelection()
  }
  const link = currentLink()
  if (link === null) return
  castVotes(feed().dataset.changes, [itemOf(link)], value)
  seeItem()
  if (value !== '' && moveOnAfterVote()) moveBy(1, { toUnrated: true })
}

/** Saves the selected papers; without a selection, the current one. */
function save (isSaved) {
  const rows = selectedRows()
  const items = rows.length > 0 ? rows.map(row => row.dataset.item) : [currentLink()].filter(Boolean).map(itemOf)
  if (items.length > 0) saveItems(feed().dataset.changes, items, isSaved)
  if (rows.length > 0) clearSelection()
}

/** Moves the focus to a field of the shown paper. */
function write (selector) {
  const isForSelection = selectedRows().length > 0 && selector === '.tag-field'
  const field = isForSelection ? document.getElementById('selection-tag') : details().querySelector(selector)
  field?.focus()
}

/** The head of the current row's day. */
const currentDay = () => {
  const head = currentLink()?.closest('.rows').previousElementSibling
  return head?.matches('.day') === true ? head : undefined
}

const press = key => feed().querySelector(`[data-key="${key}"]`)?.click()
const actions = {
  j: () => { moveBy(1) },
  k: () => { moveBy(-1) },
  u: () => vote('upvote'),
  f: () => vote('star'),
  s: () => save(true),
  S: () => save(false),
  t: () => write('.tag-field'),
  n: () => write('.note-form textarea'),
  e: () => currentDay()?.querySelector('.skip-day button:not([hidden])')?.click(),
  d: () => vote('not_relevant'),
  l: () => vote('low_quality'),
  c: () => vote(''),
  z: () => undoLast(),
  x: () => toggleSelection(),
  A: () => selectAll(),
  selecting: () => setSelecting(!isSelecting()),
  Escape: () => clearSelection(),
  o: () => press('o'),
  T: () => press('T'),
  '/': () => { const field = document.getElementById('q'); field.focus(); field.select() },
  '?': () => document.getElementById('keys').showModal()
}

// The first paper of the next day.
document.addEventListener('litfeed:skipped', async ({ detail: day }) => {
  const next = () => day.nextElementSibling.nextElementSibling?.nextElementSibling?.querySelector('.row > a') ?? null
  // Rows of further pages are rendered as seen.
  if (next() === null) await withOutboxLock(async () => {})
  for (let page = 0; next() === null && document.getElementById('next-page') !== null; page++) {
    if (page === maxPagesAhead) return showToast('Skipped the rest of this day. Show “Unseen” to go on.', undoLast)
    if (!await loadMore()) break
  }
  const link = next()
  if (link !== null && !narrow.matches) moveTo(link)
  else link?.scrollIntoView({ block: 'center' })
})

document.addEventListener('keydown', event => {
  const field = event.target
  if (event.key !== 'Escape' || !field.matches('.tag-field, .note-form textarea, #selection-tag')) return
  field.blur()
  currentLink()?.focus({ preventScroll: true })
})

document.addEventListener('litfeed:undone', ({ detail }) => {
  // On a small screen, the list stays: its selection was voted on.
  if (narrow.matches && details().dataset.chosen === undefined) return
  const link = document.querySelector(`[data-rows] [data-item="${detail}"] > a`)
  if (link !== null && link !== currentLink()) moveTo(link)
})

if (feed() !== null) {
  const helpButton = document.querySelector('[data-keys]')
  helpButton.hidden = false
  for (const [id, name] of [['keys-on', shortcutsSetting], ['advance-on', advanceSetting]]) {
    const checkbox = document.getElementById(id)
    checkbox.checked = setting(name)
    checkbox.addEventListener('change', () => localStorage.setItem(name, checkbox.checked ? 'on' : 'off'))
  }

  listenForKeys(actions, {
    swiped: '.details',
    isMeant: event => feed() !== null &&
      (event.key !== 'Escape' || (!event.defaultPrevented && (isSelecting() || selectedRows().length > 0)))
  })

  document.addEventListener('click', event => {
    const { target } = event
    const chosen = target.closest('[data-rows] .row > a')
    if (chosen !== null && event.shiftKey && event.button === 0) {
      event.preventDefault()
      return selectTo(chosen)
    }
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (target.closest('[data-keys]') !== null) return actions['?']()
    const link = target.closest('[data-rows] .row > a')
    if (link !== null) {
      event.preventDefault()
      if (isSelecting()) return select([link.parentElement], !link.parentElement.hasAttribute('data-selected'))
      open(link, { push: true })
      if (narrow.matches) details().focus({ preventScroll: true })
      return
    }
    const back = target.closest('.details .back')
    if (back !== null) {
      event.preventDefault()
      setAddress(back.href, 'pushState')
      showList()
    }
  })

  addressShown = addressHere()
  queryShown = queryHere()
  addEventListener('popstate', () => {
    // A link to a place in the page.
    if (addressHere() === addressShown) return
    addressShown = addressHere()
    const link = rowLinks().find(({ href }) => href === addressShown)
    if (link !== undefined) open(link)
    else if (/[?&]item=/.test(location.search) || queryHere() !== queryShown) location.reload()
    else showList()
  })
  document.addEventListener('htmx:replacedInHistory', () => {
    setAddress(location.href)
    queryShown = queryHere()
  })

  document.addEventListener('htmx:afterSettle', ({ detail: { elt } }) => {
    if (elt.id === 'details' || elt.id === 'list') {
      const { item } = details().dataset
      setCurrent(rowLinks().find(link => itemOf(link) === item))
      paintSelection()
      seeItemLater()
      loadAhead()
    }
  })

  setBarItem(details().dataset.item)
  aheadTimer = setTimeout(loadAhead, 300)
  seeItemLater()
  document.addEventListener('visibilitychange', () => { if (!document.hidden && feed() !== null) seeItemLater() })
}

/** A small screen goes back to the list, at the row one came from. */
function showList () {
  delete details().dataset.chosen
  currentLink()?.scrollIntoView({ block: 'center' })
  document.getElementById('list').focus({ preventScroll: true })
}

/* Wide formulas get the focus, so that arrow keys can scroll them. */
function makeFormulasFocusable () {
  for (const formula of document.querySelectorAll('.formula')) {
    if (formula.scrollWidth > formula.clientWidth) Object.assign(formula, { tabIndex: 0, role: 'group', ariaLabel: 'Formula' })
  }
}
makeFormulasFocusable()
document.addEventListener('htmx:afterSettle', makeFormulasFocusable)
