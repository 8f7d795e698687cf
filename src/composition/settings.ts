import { type Settings, parseSettings, settingsTable } from '../settings/settings.js'
import { sources } from '../sources/index.js'

/** All settings by environment variable. */
export const allSettings = settingsTable(sources)

/** Reads and validates the settings. @param environment default: process.env @throws InvalidSettings */
export const readSettings = (environment?: NodeJS.ProcessEnv): Settings => parseSettings(sources, environment)
