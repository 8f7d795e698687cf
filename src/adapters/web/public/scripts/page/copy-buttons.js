/* Buttons that copy a text. */

/** Shows the copy buttons of a part of the page: they need this script. */
export const showCopyButtons = root => {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

/** Shows the copy buttons, and copies when one is clicked. */
export function startCopyButtons () {
  document.addEventListener('click', async event => {
    const button = event.target.closest('button[data-copy]')
    if (button === null) return
    const label = button.firstElementChild
    button.dataset.label ??= label.textContent
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      label.textContent = 'Copied'
    } catch {
      const text = button.parentElement.querySelector('input, pre')
      if (text instanceof HTMLInputElement) text.select()
      else if (text !== null) getSelection().selectAllChildren(text)
      // Without HTTPS, browsers offer nothing newer.
      label.textContent = document.execCommand('copy') ? 'Copied' : 'Selected: copy it'
    }
    setTimeout(() => { label.textContent = button.dataset.label }, 2000)
  })

  showCopyButtons(document)
  document.addEventListener('htmx:load', event => showCopyButtons(event.detail.elt))
}
