/* What pages do more conveniently with scripts; each of them works without. */

const copyButtons = root => {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (button === null) return
  const { textContent: label } = button
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = 'Copied'
  } catch {
    const text = button.parentElement.querySelector('input, pre')
    if (text instanceof HTMLInputElement) text.select()
    else getSelection().selectAllChildren(text)
    button.textContent = 'Press Ctrl+C'
  }
  setTimeout(() => { button.textContent = label }, 2000)
})

copyButtons(document)
document.addEventListener('htmx:load', event => copyButtons(event.detail.elt))
