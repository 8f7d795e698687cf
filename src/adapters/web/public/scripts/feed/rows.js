/* The list of a feed and the paper beside it. Looks elements up anew, since htmx may replace them. */
import { setBarItem } from '../paint/bar.js'
import { narrow } from '../settings.js'

/** The part of the page that is a feed; null on other pages. */
export const feed = () => document.getElementById('feed')
/** The links of the listed papers. */
export const rowLinks = () => [...document.querySelectorAll('[data-rows] .row > a')]
/** The link of the shown paper; null if it is not listed. */
export const currentLink = () => document.querySelector('[data-rows] a[aria-current]')
/** The item that a row links to. */
export const itemOf = link => link.parentElement.dataset.item
/** The part of the page that shows a paper. */
export const details = () => document.getElementById('details')
/** Whether the list alone is shown: on a narrow screen, as long as no paper is chosen. */
export const isPaperHidden = () => narrow.matches && details().dataset.chosen === undefined
/** The link of the row that has the focus, or whose checkbox has it; null if there is none. */
export const focusedLink = () => document.activeElement?.closest('[data-rows] .row')?.querySelector('a') ?? null
/** The link of the row that a key is for. While the list alone is shown, nobody sees which row is the current one. */
export const meantLink = () => (isPaperHidden() ? focusedLink() : null) ?? currentLink()
/** Whether the paper of a row has no vote. */
export const isUnrated = row => row.dataset.vote === ''

/** Marks the row of the shown paper as the current one. @param current its link; undefined if it is not listed */
export const setCurrent = current => {
  for (const link of document.querySelectorAll('[data-rows] a[aria-current]')) if (link !== current) link.removeAttribute('aria-current')
  current?.setAttribute('aria-current', 'true')
  setBarItem(current === undefined ? undefined : itemOf(current))
}
