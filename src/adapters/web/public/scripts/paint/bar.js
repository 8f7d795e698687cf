/* The bar of small screens: shows whether the paper that it acts on has a vote, and is saved. */
import { stateOf } from '../outbox/states.js'
import { isDownvote } from './votes.js'

/** The item that the bar votes on. */
export let barItem

/** Lets the bar act on an item; undefined: on none. */
export function setBarItem (item) {
  barItem = item
  paintBar()
}

/** Shows the vote of its item on the bar. */
export function paintBar () {
  const vote = barItem === undefined ? '' : stateOf(barItem, 'vote')
  for (const button of document.querySelectorAll('.triage-bar [data-votes]')) {
    const { votes } = button.dataset
    button.setAttribute('aria-pressed', votes === 'downvote' ? isDownvote(vote) : votes === vote)
  }
  const save = document.querySelector('.triage-bar [data-saves]')
  save?.setAttribute('aria-pressed', barItem !== undefined && stateOf(barItem, 'saved') === 'true')
}
