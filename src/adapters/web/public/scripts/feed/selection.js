/* Selected rows of a feed: the next vote, save or tag is for all of them. Selected by key, checkbox, or a tap while selecting. */
import { addTags } from '../changes/tags.js'
import { showToast } from '../toast.js'
import { currentLink, feed, meantLink, rowLinks } from './rows.js'

/** The selected rows, in their order. */
export const selectedRows = () => [...document.querySelectorAll('[data-rows] .row[data-selected]')]
/** Whether a click on a row selects it. */
export const isSelecting = () => feed()?.dataset.mode === 'selecting'

/** The row that was selected last, where a range begins. */
let lastSelected

/** Selects rows, or deselects them. */
export function selectRows (rows, isSelected) {
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
export function paintSelection () {
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
export function setSelecting (isOn) {
  if (!isOn) return clearSelection()
  feed().dataset.mode = 'selecting'
  paintSelection()
}

/** Deselects every row and ends selecting. */
export function clearSelection () {
  const hadFocus = document.getElementById('selection').contains(document.activeElement)
  delete feed().dataset.mode
  selectRows(selectedRows(), false)
  // The bar is hidden now.
  if (hadFocus) (currentLink() ?? document.getElementById('list')).focus({ preventScroll: true })
}

/** Selects every listed paper. */
export function selectAll () {
  const rows = rowLinks().map(({ parentElement }) => parentElement)
  if (rows.length === 0) return showToast('No papers to select')
  selectRows(rows, true)
}

/** Toggles the selection of the row that the key is for. */
export function toggleSelection () {
  const row = meantLink()?.parentElement
  if (row === undefined) return
  selectRows([row], !row.hasAttribute('data-selected'))
}

/** Selects every row between two links. Default: from the current one. */
export function selectTo (link, start = currentLink()) {
  const links = rowLinks()
  const [from, to] = [links.indexOf(start), links.indexOf(link)].sort((a, b) => a - b)
  selectRows(links.slice(Math.max(from, 0), to + 1).map(({ parentElement }) => parentElement), true)
}

/** Follows the checkboxes of rows and the form that tags the selection. */
export function startSelection () {
  document.addEventListener('click', ({ target, shiftKey }) => {
    const row = target.matches('.row-tick input') ? target.closest('.row') : null
    if (row === null) return
    if (shiftKey && target.checked && lastSelected?.isConnected === true) selectTo(row.firstElementChild, lastSelected.firstElementChild)
    else selectRows([row], target.checked)
  })

  document.addEventListener('submit', event => {
    if (event.target.id !== 'tag-selection') return
    event.preventDefault()
    const field = document.getElementById('selection-tag')
    const items = selectedRows().map(row => row.dataset.item)
    const hadTag = field.value.trim() !== ''
    // What could not be added stays in the field, and its papers selected.
    field.value = addTags(feed().dataset.changes, items, field.value)
    if (field.value === '' && items.length > 0 && hadTag) clearSelection()
  })
}
