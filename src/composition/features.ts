import type { Installation } from '../operations/context.js'
import type { Setting } from '../settings/setting.js'
import { type Settings, camelCase } from '../settings/settings.js'
import { sources } from '../sources/index.js'
import { allSettings } from './settings.js'

/** Lists the features that settings enable, for the administration page. Details contain no secrets. */
export function featuresOf (settings: Settings): Installation['features'] {
  return Object.entries(allSettings).flatMap(([name, { feature }]: [string, Setting]) => {
    if (feature === undefined) return []
    const value = valueOf(settings, name)
    const on = value !== undefined && (feature.isOn?.(value) ?? true)
    const shownName = feature.detailFrom ?? name
    const { secret, show } = allSettings[shownName]!
    return [{ name: feature.name, on, setting: name, detail: on && !secret ? show(valueOf(settings, shownName)) : null }]
  })
}

function valueOf (settings: Settings, name: string): unknown {
  const owner = sources.find(source => source.settings?.key?.name === name)
  return owner === undefined ? settings[camelCase(name) as keyof Settings] : settings.sources[owner.name]?.key
}
