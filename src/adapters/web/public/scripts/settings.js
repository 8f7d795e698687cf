/* Settings of this browser, and the width of its screen. */

/** Name of the setting of keyboard shortcuts in local storage. */
export const shortcutsSetting = 'litfeed-keys'
/** Name of the setting that a vote by key opens the next paper. */
export const advanceSetting = 'litfeed-advance'

/** Whether a setting is on, as it is by default. */
export const setting = name => { try { return localStorage.getItem(name) !== 'off' } catch { return true } }

/** Whether a vote by key opens the next paper. */
export const moveOnAfterVote = () => setting(advanceSetting)

/** A narrow screen shows either the list or a paper. */
export const narrow = matchMedia('(max-width: 60rem)')
