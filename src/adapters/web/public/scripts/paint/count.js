/* The number of papers above a list. */
import { tagKey } from '../outbox/store.js'
import { tagsIn } from './tags.js'
import { isDownvote } from './votes.js'

/** Whether a row still passes the filters of its list; by name and value of each in the address. */
const passes = {
  filter: ({ vote }, wanted) => ({
    unrated: vote === '',
    starred: vote === 'star',
    liked: vote === 'upvote',
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
export function paintCount () {
  if (isCountDue) return
  isCountDue = true
  queueMicrotask(() => {
    isCountDue = false
    const shown = document.querySelector('#count [data-total]')
    if (shown === null) return
    const filters = [...new URLSearchParams(location.search)].filter(([name, value]) => Object.hasOwn(passes, name) && value !== '')
    const rows = [...document.querySelectorAll('[data-rows] .row')]
    const filteredOut = rows.filter(({ dataset }) => filters.some(([name, value]) => !passes[name](dataset, value)))
    const { total, one, several } = shown.dataset
    const count = Math.max(Number(total) - filteredOut.length, 0)
    shown.textContent = `${count === 0 ? 'No' : count.toLocaleString('en')} ${count === 1 ? one : several}`
  })
}
