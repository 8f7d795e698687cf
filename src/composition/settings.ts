import { type Settings, camelCase, parseSettings, settingsTable } from '../settings/settings.js'
import { sources } from '../sources/index.js'

/** All settings by environment variable. */
export const allSettings = settingsTable(sources)

/** Reads and validates the settings. @param environment default: process.env @throws InvalidSettings */
export const readSettings = (environment?: NodeJS.ProcessEnv): Settings => parseSettings(sources, environment)

/** Returns the value of a setting by its environment variable; undefined if it is not set and has no default. */
export function valueOf (settings: Settings, name: string): unknown {
  for (const { name: source, settings: own } of sources) {
    if (own?.url.name === name) return settings.sources[source]!.url
    if (own?.key?.name === name) return settings.sources[source]!.key
  }
  return settings[camelCase(name) as keyof Settings]
}
