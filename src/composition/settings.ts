import { type Settings, parseSettings, settingsTable } from '../settings/settings.js'
import { sources } from '../sources/index.js'

/** Every setting of Litfeed by its name. */
export const allSettings = settingsTable(sources)

/** Reads the settings from the environment. @throws InvalidSettings */
export const readSettings = (environment?: NodeJS.ProcessEnv): Settings => parseSettings(sources, environment)
