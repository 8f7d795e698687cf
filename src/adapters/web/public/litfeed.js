/* Progressive enhancement: every page works without scripts. */

const showCopyButtons = root => {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (button === null) return
  const label = button.firstElementChild
  const { textContent: originalText } = label
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    label.textContent = 'Copied'
  } catch {
    const text = button.parentElement.querySelector('input, pre')
    if (text instanceof HTMLInputElement) text.select()
    else getSelection().selectAllChildren(text)
    label.textContent = 'Press Ctrl+C'
  }
  setTimeout(() => { label.textContent = originalText }, 2000)
})

// Chooses the time zone of the browser in a list.
for (const button of document.querySelectorAll('button[data-time-zone]')) {
  const list = document.getElementById(button.dataset.timeZone)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const isListed = [...list.options].some(({ value }) => value === timeZone)
  button.hidden = !isListed || list.value === timeZone
  button.addEventListener('click', () => { list.value = timeZone })
}

showCopyButtons(document)
document.addEventListener('htmx:load', event => showCopyButtons(event.detail.elt))
