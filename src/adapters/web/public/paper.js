/* The page of a paper: votes, and the papers before and after it in the list that the reader came from. */
/* global castVote, changesAddress, isTyping, markSeen, moveOnAfterVote, saveItems, setting, shortcutsSetting, undoLast */

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

  /** The form of a kind for the feed that the reader came from, if several feeds have the paper. */
  const formOf = kind => document.querySelector(item === undefined ? `.paper-marks .${kind}` : `.paper-marks .${kind}[data-item="${item}"]`)
  const saveFromPaper = isSaved => {
    const form = formOf('marks')
    if (form !== null) saveItems(changesAddress(form), [form.dataset.item], isSaved)
  }
  const seePaper = () => {
    if (document.hidden) return
    for (const form of document.querySelectorAll('.paper-marks .marks')) markSeen(changesAddress(form), form.dataset.item)
  }
  seePaper()
  document.addEventListener('visibilitychange', seePaper)

  const step = by => steps.querySelector(`[data-step="${by}"]`).click()
  const voteOnPaper = vote => {
    const form = formOf('vote')
    if (form === null) return
    castVote(form.getAttribute('action').split('?', 1)[0], form.dataset.item, vote)
    if (vote !== '' && moveOnAfterVote() && !steps.hidden) step(1)
  }
  const paperKeys = {
    j: () => step(1),
    k: () => step(-1),
    u: () => voteOnPaper('upvote'),
    f: () => voteOnPaper('star'),
    d: () => voteOnPaper('not_relevant'),
    l: () => voteOnPaper('low_quality'),
    c: () => voteOnPaper(''),
    s: () => saveFromPaper(true),
    S: () => saveFromPaper(false),
    t: () => formOf('tags')?.querySelector('.tag-field').focus(),
    n: () => formOf('note-form')?.querySelector('textarea').focus(),
    z: () => undoLast()
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
