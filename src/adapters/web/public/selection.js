/* Selected rows of a feed: the next vote, save or tag is for all of them. Selected by key, checkbox, or a tap while selecting. */
/* global addTag, currentLink, feed, moveBy, rowLinks, showToast */
/* exported selectAll, setSelecting, toggleSelection */

const selectedRows = () => [...document.querySelectorAll('[data-rows] .row[data-selected]')]
const isSelecting = () => feed()?.dataset.mode === 'selecting'

/** The row that was selected last, where a range begins. */
let lastSelected

function select (rows, isSelected) {
  for (const row of rows) {
    row.toggleAttribute('data-selected', isSelected)
    row.querySelector('.row-tick input').checked = isSelected
    const link = row.querySelector('a')
    isSelected ? link.setAttribute('aria-description', 'Selected') : link.removeAttribute('aria-description')
  }
  lastSelected = isSelected ? rows.at(-1) : undefined
  paintSelection()
}

/** Shows the bar of the selection, for the rows that are listed. */
function paintSelection () {
  const rows = selectedRows()
  const count = rows.length
  const bar = document.getElementById('selection')
  const maxExported = Number(bar.dataset.maxExported)
  feed().toggleAttribute('data-selecting', count > 0 || isSelecting())
  for (const button of document.querySelectorAll('.select-button')) button.setAttribute('aria-pressed', isSelecting())
  bar.hidden = count === 0 && !isSelecting()
  bar.querySelector('.selection-actions').hidden = count === 0
  bar.querySelector('[role=status]').textContent = bar.hidden ? '' : count === 0 ? 'Select papers' : `${count} selected`
  const title = count > maxExported ? `First ${maxExported} of ${count} selected papers` : 'Selected papers'
  bar.querySelector('.menu-title').textContent = title
  const items = rows.slice(0, maxExported).map(row => row.dataset.item).join(',')
  for (const link of bar.querySelectorAll('[data-export]')) {
    link.href = `${feed().dataset.changes}/export?format=${link.dataset.export}&items=${items}`
  }
}

/** While selecting, a click on a row selects it instead of opening its paper. */
function setSelecting (isOn) {
  if (!isOn) return clearSelection()
  feed().dataset.mode = 'selecting'
  paintSelection()
}

/** Deselects every row and ends selecting. */
function clearSelection () {
  delete feed().dataset.mode
  select(selectedRows(), false)
}

/** Selects every listed paper. */
function selectAll () {
  const rows = rowLinks().map(({ parentElement }) => parentElement)
  if (rows.length === 0) return showToast('No papers to select')
  select(rows, true)
}

/** Toggles the selection of the current row and moves to the next. */
function toggleSelection () {
  const row = currentLink()?.parentElement
  if (row === undefined) return
  select([row], !row.hasAttribute('data-selected'))
  moveBy(1)
}

/** Selects every row between two links. Default: from the current one. */
function selectTo (link, start = currentLink()) {
  const links = rowLinks()
  const [from, to] = [links.indexOf(start), links.indexOf(link)].sort((a, b) => a - b)
  select(links.slice(Math.max(from, 0), to + 1).map(({ parentElement }) => parentElement), true)
}

document.addEventListener('click', ({ target, shiftKey }) => {
  const row = target.matches('.row-tick input') ? target.closest('.row') : null
  if (row === null) return
  if (shiftKey && target.checked && lastSelected?.isConnected === true) selectTo(row.firstElementChild, lastSelected.firstElementChild)
  else select([row], target.checked)
})

document.addEventListener('submit', event => {
  if (event.target.id !== 'tag-selection') return
  event.preventDefault()
  const field = document.getElementById('selection-tag')
  const items = selectedRows().map(row => row.dataset.item)
  for (const tag of field.value.split(',')) addTag(feed().dataset.changes, items, tag)
  field.value = ''
  clearSelection()
})
