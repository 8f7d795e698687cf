import { allSettings, valueOf } from '../composition/settings.js'
import type { Command } from './command.js'

/** Prints what a start would use, to compare installations and to attach to a report: it contains no secret. */
export const settingsCommand: Command = {
  name: 'settings',
  summary: 'list the settings in effect, without secrets',
  operations: [],
  async run ({ settings, print }) {
    const listed = Object.entries(allSettings).map(([name, { secret }]) => {
      const value = valueOf(settings, name)
      const isSet = value !== undefined
      return { name, set: isSet, value: !isSet || secret ? null : withoutCredentials(String(value)) }
    })
    print(
      { settings: listed },
      listed.map(({ name, set, value }) => set ? `${name}=${value ?? '(secret)'}` : `${name} is not set`).join('\n')
    )
  }
}

const withoutCredentials = (value: string) => value.replace(/\/\/[^/@]*@/g, '//…@')
