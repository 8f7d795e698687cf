import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { keywordsOf } from '../../schemas/keywords.js'
import { ajvOptions } from '../../schemas/lazy-validator.js'
import { errorCodeOf } from '../../schemas/thrown.js'
import { type Setting, address, secret } from './setting.js'
import { serviceSettings } from './table.js'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>
type Value<S> = S extends Setting<any, infer V, infer Optional> ? V | (Optional extends true ? undefined : never) : never

/** Values of a settings table by camel-case name: RATE_LIMIT becomes rateLimit. */
type Values<Table> = { [Name in keyof Table & string as CamelCase<Name>]: Value<Table[Name]> }

/** Validated configuration of the service, with defaults applied. */
export interface Settings extends Values<typeof serviceSettings> {
  /** Base address (without trailing slash) and API key by source name, for sources with settings. */
  sources: Readonly<Record<string, { url: string, key: string | undefined }>>
}

/** Settings of one source. */
export interface SourceSettings {
  /** Base address of its API; a mirror can replace it. */
  url: { name: string, default: string, description: string }
  /** The operator's API key. */
  key?: { name: string, description: string }
}

/** The part of a source that settings need. `settings` is null if projects configure its address. */
export interface ConfigurableSource { name: string, title: string, settings: SourceSettings | null }

/** Setting definitions by environment variable. */
export type SettingsTable = Readonly<Record<string, Setting<any, any>>>

/** Returns all settings: first those of the service, then those of the sources. */
export function settingsTable (sources: readonly ConfigurableSource[]): SettingsTable {
  const ofSources = sources.flatMap(({ title, settings }) =>
    settings === null
      ? []
      : ([
          [settings.url.name, address(settings.url.default, settings.url.description)],
          ...(settings.key === undefined
            ? []
            : [[settings.key.name, secret(settings.key.description, { feature: { name: `${title} key` } })]])
        ] as Array<[string, Setting]>)
  )
  return { ...serviceSettings, ...Object.fromEntries(ofSources) }
}

/** Invalid settings. The message lists each one with its allowed values. */
export class InvalidSettings extends Error {
  constructor (errors: string[]) {
    super(`Invalid settings:\n${errors.map(error => `  ${error}`).join('\n')}\nSee .env.example for all settings and defaults.`)
  }
}

/**
 * Loads .env from the working directory into the environment, whose own variables take precedence.
 * @returns the environment
 * @throws InvalidSettings if the file cannot be read
 */
export function loadEnvironmentFile (): NodeJS.ProcessEnv {
  try {
    if (existsSync('.env')) {
      // The errors of loadEnvFile do not say why.
      readFileSync('.env')
      process.loadEnvFile('.env')
    }
  } catch (cause) {
    throw new InvalidSettings([`.env: cannot read ${resolve('.env')} (${errorCodeOf(cause)}).`])
  }
  return process.env
}

/**
 * Reads and validates the settings of the service and its sources.
 * @throws InvalidSettings with all errors
 */
export function parseSettings (sources: readonly ConfigurableSource[], environment: NodeJS.ProcessEnv = process.env): Settings {
  const table = settingsTable(sources)
  const errors = new Set<string>()
  const invalid = new Set<string>()
  const values: Record<string, unknown> = {}
  const rejectValue = (name: string) => {
    invalid.add(name)
    errors.add(`${name} is ${shownValue(table[name]!, environment[name])}; allowed: ${allowedValues(table[name]!)}.`)
  }
  for (const [name, setting] of Object.entries(table)) {
    const value = readVariable(name, setting, environment, message => errors.add(message))
    if (value !== undefined) values[name] = value
  }
  const check = new Ajv({ ...ajvOptions, allErrors: true, coerceTypes: true, useDefaults: true }).compile(schemaOf(table))
  if (!check(values)) for (const { instancePath } of check.errors!) rejectValue(instancePath.slice(1))
  // Ajv coerces "Infinity" to a number and skips the bounds check.
  for (const [name, value] of Object.entries(values)) if (value === Infinity || value === -Infinity) rejectValue(name)
  for (const [name, { requires }] of Object.entries(table)) {
    if (requires !== undefined && values[name] !== undefined && values[requires.name] === undefined) {
      errors.add(`${requires.name} is not set; it is required with ${name}${requires.reason === undefined ? '.' : `: ${requires.reason}`}`)
    }
  }
  const read = new Map(
    Object.entries(table).map(([name, setting]) => [
      name,
      values[name] === undefined || invalid.has(name) ? undefined : setting.read(values[name], message => errors.add(`${name} ${message}`))
    ])
  )
  if (errors.size > 0) throw new InvalidSettings([...errors])
  const keyOf = ({ key }: SourceSettings) => key === undefined ? undefined : read.get(key.name) as string | undefined
  return {
    ...(Object.fromEntries(Object.keys(serviceSettings).map(name => [camelCase(name), read.get(name)])) as Values<typeof serviceSettings>),
    sources: Object.fromEntries(
      sources.flatMap(({ name, settings }) =>
        settings === null ? [] : [[name, { url: read.get(settings.url.name) as string, key: keyOf(settings) }]]
      )
    )
  }
}

/** RATE_LIMIT becomes rateLimit. */
export const camelCase = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

const schemaOf = (table: SettingsTable) =>
  Type.Object(
    Object.fromEntries(Object.entries(table).map(([name, { schema, optional }]) => [name, optional ? Type.Optional(schema) : schema]))
  )

/** Reads a variable or its file. Empty counts as unset, since container and unit files omit settings that way. */
function readVariable (
  name: string,
  { secret }: Setting,
  environment: NodeJS.ProcessEnv,
  fail: (message: string) => void
): string | undefined {
  const value = environment[name]?.trim()
  const file = secret ? environment[`${name}_FILE`] : undefined
  if (value) return value
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    fail(`${name}_FILE: cannot read ${file} (${errorCodeOf(cause)}).`)
    return undefined
  }
}

/** Formats a value for an error message, without secrets and credentials. */
const shownValue = ({ secret }: Setting, value: string | undefined) =>
  secret ? 'invalid (value hidden)' : `"${value?.replace(/\/\/.*@/, '//…@')}"`

function allowedValues ({ schema, allowed }: Setting): string {
  const { type, enum: words, minimum, maximum, minLength } = keywordsOf(schema)
  if (words !== undefined) return words.join(', ')
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return allowed ?? `at least ${minLength} characters`
}
