/* What pages do more conveniently with scripts; each of them works without. */

const copyButtons = root => {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (button === null) return
  const word = button.firstElementChild
  const { textContent: before } = word
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    word.textContent = 'Copied'
  } catch {
    const text = button.parentElement.querySelector('input, pre')
    if (text instanceof HTMLInputElement) text.select()
    else getSelection().selectAllChildren(text)
    word.textContent = 'Press Ctrl+C'
  }
  setTimeout(() => { word.textContent = before }, 2000)
})

copyButtons(document)
document.addEventListener('htmx:load', event => copyButtons(event.detail.elt))
