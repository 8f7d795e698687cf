/* The warning of imports that rejected papers: dismissed in this browser, and hidden after a day anyway. */

/** Name of the setting with the ids of imports whose warnings were dismissed. */
const dismissedSetting = 'litfeed-dismissed-imports'
const maxKept = 20

const dismissed = () => { try { return JSON.parse(localStorage.getItem(dismissedSetting)) ?? [] } catch { return [] } }

/** Hides the imports that were dismissed; the warning of others gets a button. */
function prepareWarning () {
  const warning = document.querySelector('#import-state:has([data-import]):not(:has(button))')
  if (warning === null) return
  const lines = [...warning.querySelectorAll('[data-import]')]
  for (const line of lines) line.hidden = dismissed().includes(line.dataset.import)
  warning.hidden = lines.every(({ hidden }) => hidden)
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: 'Dismiss' })
  button.addEventListener('click', () => {
    const ids = lines.map(({ dataset }) => dataset.import)
    try { localStorage.setItem(dismissedSetting, JSON.stringify([...new Set([...ids, ...dismissed()])].slice(0, maxKept))) } catch {}
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
