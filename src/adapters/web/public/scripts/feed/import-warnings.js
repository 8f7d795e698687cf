/* The warning of an import that rejected papers: dismissed in this browser, and gone after a day anyway. */

/** Name of the setting with the ids of imports whose warnings were dismissed. */
const dismissedSetting = 'litfeed-dismissed-imports'
const maxKept = 20

const dismissed = () => { try { return JSON.parse(localStorage.getItem(dismissedSetting)) ?? [] } catch { return [] } }

/** Hides the warning if it was dismissed; otherwise it gets a button. */
function prepareWarning () {
  const warning = document.querySelector('#import-state[data-import]:not(:has(button))')
  if (warning === null) return
  const { import: id } = warning.dataset
  warning.hidden = dismissed().includes(id)
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: 'Dismiss' })
  button.addEventListener('click', () => {
    try { localStorage.setItem(dismissedSetting, JSON.stringify([id, ...dismissed()].slice(0, maxKept))) } catch {}
    warning.hidden = true
    document.getElementById('list').focus({ preventScroll: true })
  })
  warning.append(button)
}

/** Lets the warnings of imports be dismissed, also those that htmx inserts. */
export function startImportWarnings () {
  prepareWarning()
  document.addEventListener('htmx:load', prepareWarning)
}
