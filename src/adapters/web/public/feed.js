/* The feed: one row is current, and keys go from row to row and vote. */

const feed = document.getElementById('feed')
const keysOn = 'litfeed-keys'
const narrow = matchMedia('(max-width: 60rem)')

const rowLinks = () => [...feed.querySelectorAll('[data-rows] a')]
const currentLink = () => feed.querySelector('[data-rows] a[aria-current]')
const usesKeys = () => localStorage.getItem(keysOn) !== 'off'

const mark = current => {
  for (const link of rowLinks()) {
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

/** Marks the row of the item that is open. */
const markCurrent = () => {
  const { item } = document.getElementById('details').dataset
  mark(rowLinks().find(link => link.parentElement.id === `row-${item}`))
}

let opening
/** A vote's key that was pressed before its paper had come. */
let waiting

const step = by => {
  const links = rowLinks()
  const at = links.indexOf(currentLink()) + by
  if (at < 0 || at >= links.length) return document.getElementById(by < 0 ? 'previous-page' : 'next-page')?.click()
  // At once: the next press of a key goes on from here. The paper itself is asked for when the keys rest.
  mark(links[at])
  clearTimeout(opening)
  opening = setTimeout(() => links[at].click(), 80)
  links[at].focus({ preventScroll: true })
  links[at].scrollIntoView({ block: 'nearest' })
}

const press = key => {
  const link = currentLink()
  if (link !== null && link.parentElement.id !== `row-${document.getElementById('details').dataset.item}`) { waiting = key; return }
  const control = feed.querySelector(`[data-key="${key}"]`)
  if (control === null) return
  if (control.tagName !== 'SUMMARY') return control.click()
  control.parentElement.open = true
  control.parentElement.querySelector('button').focus()
}

const actions = {
  j: () => step(1),
  k: () => step(-1),
  u: () => press('u'),
  s: () => press('s'),
  d: () => press('d'),
  o: () => press('o'),
  '/': () => { const field = document.getElementById('q'); field.focus(); field.select() },
  '?': () => document.getElementById('keys').showModal()
}

const typesText = ({ target }) => target.closest('input:not([type=checkbox], [type=radio]), textarea, select, dialog[open], [contenteditable]') !== null

if (feed !== null) {
  const keysButton = feed.querySelector('[data-keys]')
  keysButton.hidden = false
  keysButton.addEventListener('click', actions['?'])
  const switchKeys = document.getElementById('keys-on')
  switchKeys.checked = usesKeys()
  switchKeys.addEventListener('change', () => localStorage.setItem(keysOn, switchKeys.checked ? 'on' : 'off'))

  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      const menu = event.target.closest('details.menu[open]')
      if (menu !== null) { menu.open = false; menu.querySelector('summary').focus() }
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typesText(event) || !usesKeys()) return
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (action === undefined) return
    event.preventDefault()
    action()
  })

  // A menu closes when something else is pressed.
  document.addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
  })

  document.addEventListener('htmx:afterSettle', ({ detail: { elt, requestConfig } }) => {
    if (elt.id !== 'details' && elt.id !== 'list') return
    markCurrent()
    const key = waiting
    waiting = undefined
    if (elt.id === 'details' && key !== undefined) return press(key)
    if (elt.id === 'list' || requestConfig === undefined) return
    if (requestConfig.verb === 'post') {
      const vote = elt.querySelector('.vote')
      document.getElementById('said').textContent = vote.dataset.vote
      ;(vote.querySelector('[aria-pressed=true]') ?? vote.querySelector('button')).focus({ preventScroll: true })
    } else if (requestConfig.elt.closest('[data-rows]') !== null && narrow.matches) {
      scrollTo(0, 0)
      elt.focus({ preventScroll: true })
    }
  })
}

/* A paper's text: formulas that are wider than the page can be scrolled by keys. */
const reachFormulas = () => {
  for (const formula of document.querySelectorAll('.formula')) if (formula.scrollWidth > formula.clientWidth) Object.assign(formula, { tabIndex: 0, role: 'group', ariaLabel: 'Formula' })
}
reachFormulas()
document.addEventListener('htmx:afterSettle', reachFormulas)
