/* A feed that fills: repeats the progress of its first fetch, and the list, until every source has answered. */
/* global currentLink, details, feed, itemOf, loadAhead, paintOwnStates, rowLinks, selectedRows, setCurrent */

const progressDelayMs = 1500

const progressOf = page => page.getElementById('progress')

/** Replaces the list, unless its reader has moved on in it. */
function fillList (page) {
  const [shown, next] = [document.getElementById('list'), page.getElementById('list')]
  if (next === null || selectedRows().length > 0 || /[?&]offset=/.test(location.search)) return
  // Further pages have been added to it.
  if (rowLinks().length > next.querySelectorAll('[data-rows] .row').length) return
  const { scrollTop } = shown
  const item = currentLink() === null ? undefined : itemOf(currentLink())
  const hadFocus = shown.contains(document.activeElement)
  const list = document.importNode(next, true)
  shown.replaceWith(list)
  list.scrollTop = scrollTop
  document.getElementById('count').textContent = page.getElementById('count').textContent
  if (details().dataset.item === undefined) details().replaceWith(document.importNode(page.getElementById('details'), true))
  const wanted = item ?? details().dataset.item
  setCurrent(rowLinks().find(link => itemOf(link) === wanted))
  if (hadFocus) currentLink()?.focus({ preventScroll: true })
  paintOwnStates()
  loadAhead()
}

async function updateProgress () {
  const shown = progressOf(document)
  if (shown === null || shown.dataset.state === 'done') return
  setTimeout(updateProgress, progressDelayMs)
  if (document.hidden) return
  try {
    const address = new URL(location.href)
    address.searchParams.delete('item')
    const answer = await fetch(address, { headers: { accept: 'text/html' } })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const next = progressOf(page)
    if (next === null) return shown.remove()
    const hasMore = next.dataset.papers !== shown.dataset.papers
    Object.assign(shown.dataset, next.dataset)
    // Screen readers announce what changes.
    const [before, after] = [shown, next].map(each => each.querySelector('[role=status]'))
    if (before.textContent !== after.textContent) before.textContent = after.textContent
    const [lines, nextLines] = [shown, next].map(each => each.querySelector('.progress-sources'))
    if (lines.innerHTML !== nextLines.innerHTML) {
      lines.replaceChildren(...[...nextLines.children].map(line => document.importNode(line, true)))
    }
    const last = next.querySelector(':scope > .quiet-text')
    if (last !== null) shown.append(document.importNode(last, true))
    if (hasMore) fillList(page)
  } catch {}
}

if (feed() !== null) setTimeout(updateProgress, progressDelayMs)
