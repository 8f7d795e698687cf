/* Help for the keyboard shortcuts, and the settings in it. */
import { advanceSetting, setting, shortcutsSetting } from './settings.js'

const settings = { 'keys-on': shortcutsSetting, 'advance-on': advanceSetting }

export const showHelp = () => {
  for (const [id, name] of Object.entries(settings)) document.getElementById(id).checked = setting(name)
  document.getElementById('keys').showModal()
}

/** Shows the buttons for help. */
export const showHelpButtons = () => {
  for (const button of document.querySelectorAll('[data-keys]')) button.hidden = false
}

/** Follows the buttons for help, and its settings. */
export function startHelp () {
  showHelpButtons()
  document.addEventListener('click', ({ target }) => { if (target.closest('[data-keys]') !== null) showHelp() })
  document.addEventListener('change', ({ target }) => {
    if (Object.hasOwn(settings, target.id)) localStorage.setItem(settings[target.id], target.checked ? 'on' : 'off')
  })
}
