import type { Installation } from '../operations/context.js'
import type { Setting } from '../settings/setting.js'
import type { Settings } from '../settings/settings.js'
import { allSettings, valueOf } from './settings.js'

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
