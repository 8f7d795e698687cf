/* The page of a paper: votes, and the papers before and after it in the list that the reader came from. */
/* global castVote, isTyping, moveOnAfterVote, setting, shortcutsSetting, undoVote */

const listName = 'litfeed-list'

/** Remembers the listed items before a paper's page is opened. */
const rememberList = () => {
  const items = [...document.querySelectorAll('[data-rows] .row')].map(row => row.dataset.item)
  try { sessionStorage.setItem(listName, JSON.stringify(items)) } catch {}
}
document.addEventListener('click', ({ target }) => { if (target.closest('#details a[data-key=o]') !== null) rememberList() }, true)

const steps = document.getElementById('paper-steps')
if (steps !== null) {
  let listed = []
  try { listed = JSON.parse(sessionStorage.getItem(listName)) ?? [] } catch {}
  const item = steps.dataset.items.split(' ').find(each => listed.includes(each))
  const [previous, next] = [-1, 1].map(by => listed[listed.indexOf(item) + by])
  for (const [link, target] of [[steps.querySelector('[data-step="-1"]'), previous], [steps.querySelector('[data-step="1"]'), next]]) {
    if (item !== undefined && target !== undefined) link.href = steps.dataset.papers + target
  }
  steps.hidden = item === undefined

  const step = by => steps.querySelector(`[data-step="${by}"]`).click()
  const voteOnPaper = vote => {
    // If several feeds have the paper, the vote is for the one that the reader came from.
    const form = document.querySelector(item === undefined ? '.paper-vote .vote' : `.paper-vote .vote[data-item="${item}"]`)
    if (form === null) return
    castVote(form.getAttribute('action').split('?', 1)[0], form.dataset.item, vote)
    if (vote !== '' && moveOnAfterVote() && !steps.hidden) step(1)
  }
  const paperKeys = {
    j: () => step(1),
    k: () => step(-1),
    u: () => voteOnPaper('upvote'),
    s: () => voteOnPaper('star'),
    d: () => voteOnPaper('not_relevant'),
    l: () => voteOnPaper('low_quality'),
    c: () => voteOnPaper(''),
    z: () => undoVote()
  }
  document.addEventListener('keydown', event => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event) ||
      !setting(shortcutsSetting) ||
      !Object.hasOwn(paperKeys, event.key)
    ) { return }
    event.preventDefault()
    paperKeys[event.key]()
  })
}
