import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { type Setting, address, secret } from './setting.js'
import { serviceSettings } from './table.js'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Lowercase<Head>}${Capitalize<CamelCase<Rest>>}` : Lowercase<Name>
type Value<S> = S extends Setting<any, infer V, infer Optional> ? V | (Optional extends true ? undefined : never) : never

/** The values of a table of settings, by their names in camel case: RATE_LIMIT is rateLimit. */
type Values<Table> = { [Name in keyof Table & string as CamelCase<Name>]: Value<Table[Name]> }

/** What the service runs with: the environment, checked, with its defaults. */
export interface Settings extends Values<typeof serviceSettings> {
  /** Base address, without a slash at its end, and the operator's key of each source that has settings, by the source's name. */
  sources: Readonly<Record<string, { url: string, key: string | undefined }>>
}

/** The settings of one source of papers. */
export interface SourceSettings {
  /** Base address of its interface: where a mirror or a stand-in can take its place. */
  url: { name: string, default: string, description: string }
  /** The operator's key at the source. */
  key?: { name: string, description: string }
}

/** A source of papers as far as its settings go; null where projects state its address. */
export interface ConfigurableSource { name: string, title: string, settings: SourceSettings | null }

export type SettingsTable = Readonly<Record<string, Setting<any, any>>>

/** Every setting by its name: those of the service, then those of the sources. */
export function settingsTable (sources: readonly ConfigurableSource[]): SettingsTable {
  const ofSources = sources.flatMap(({ title, settings }) => settings === null
    ? []
    : [
        [settings.url.name, address(settings.url.default, settings.url.description)],
        ...(settings.key === undefined ? [] : [[settings.key.name, secret(settings.key.description, { feature: { name: `${title} key` } })]])
      ] as Array<[string, Setting]>)
  return { ...serviceSettings, ...Object.fromEntries(ofSources) }
}

/** Settings that cannot be used; the message names every one of them and what is allowed. */
export class InvalidSettings extends Error {
  constructor (faults: string[]) {
    super(`The settings cannot be used:\n${faults.map(fault => `  ${fault}`).join('\n')}\nSee .env.example for every setting and its default.`)
  }
}

/** Loads a .env file in the working directory; the environment itself takes precedence. */
export function loadEnvironmentFile (): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads and checks the settings of the service and of these sources.
 * @throws InvalidSettings that names all faults at once
 */
export function parseSettings (sources: readonly ConfigurableSource[], environment: NodeJS.ProcessEnv = process.env): Settings {
  const table = settingsTable(sources)
  const faults = new Set<string>()
  const wrong = new Set<string>()
  const values: Record<string, unknown> = {}
  const refuse = (name: string) => {
    wrong.add(name)
    faults.add(`${name} is ${shownValue(table[name]!, environment[name])}; allowed: ${allowedValues(table[name]!)}.`)
  }
  for (const [name, setting] of Object.entries(table)) {
    const value = readVariable(name, setting, environment, fault => faults.add(fault))
    if (value !== undefined) values[name] = value
  }
  const check = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strictSchema: false }).compile(schemaOf(table))
  if (!check(values)) for (const { instancePath } of check.errors!) refuse(instancePath.slice(1))
  // Ajv reads "Infinity" as a number and checks no bounds of it.
  for (const [name, value] of Object.entries(values)) if (value === Infinity || value === -Infinity) refuse(name)
  for (const [name, { requires }] of Object.entries(table)) {
    if (requires !== undefined && values[name] !== undefined && values[requires.name] === undefined) {
      faults.add(`${requires.name} is not set; it is required with ${name}${requires.reason === undefined ? '.' : `: ${requires.reason}`}`)
    }
  }
  const read = new Map(Object.entries(table).map(([name, setting]) =>
    [name, values[name] === undefined || wrong.has(name) ? undefined : setting.read(values[name], fault => faults.add(`${name} ${fault}`))]))
  if (faults.size > 0) throw new InvalidSettings([...faults])
  const keyOf = ({ key }: SourceSettings) => key === undefined ? undefined : read.get(key.name) as string | undefined
  return {
    ...Object.fromEntries(Object.keys(serviceSettings).map(name => [camelCase(name), read.get(name)])) as Values<typeof serviceSettings>,
    sources: Object.fromEntries(sources.flatMap(({ name, settings }) => settings === null ? [] : [[name, { url: read.get(settings.url.name) as string, key: keyOf(settings) }]]))
  }
}

export const camelCase = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

const schemaOf = (table: SettingsTable) => Type.Object(Object.fromEntries(Object.entries(table).map(([name, { schema, optional }]) => [name, optional ? Type.Optional(schema) : schema])))

/** An empty variable counts as unset: container and unit files leave settings out that way. */
function readVariable (name: string, { secret }: Setting, environment: NodeJS.ProcessEnv, fault: (message: string) => void): string | undefined {
  const value = environment[name]?.trim()
  const file = secret ? environment[`${name}_FILE`] : undefined
  if (value) return value
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    fault(`${name}_FILE names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code}).`)
    return undefined
  }
}

/** The value for a message: neither a secret nor credentials in an address. */
const shownValue = ({ secret }: Setting, value: string | undefined) => secret ? 'not usable (its value is kept out of this message)' : `"${value?.replace(/\/\/.*@/, '//…@')}"`

function allowedValues ({ schema, allowed }: Setting): string {
  const { type, enum: words, minimum, maximum, minLength } = schema as { type?: string, enum?: string[], minimum?: number, maximum?: number, minLength?: number }
  if (words !== undefined) return words.join(', ')
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return allowed ?? `at least ${minLength} characters`
}
