import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static, TObject } from 'typebox'
import { formats } from '../../schemas/formats.js'
import { InvalidArguments } from './operation-errors.js'

/** `json` keeps types as sent (tools, bodies); `text` reads numbers and booleans from strings (queries, forms, command-line options). */
export type Encoding = 'json' | 'text'

const options = { strictSchema: false, verbose: true, allErrors: false, ownProperties: true, formats }
const compilers: Record<Encoding, Ajv> = { json: new Ajv(options), text: new Ajv({ ...options, coerceTypes: true }) }
for (const ajv of Object.values(compilers)) {
  // A property with this keyword holds bytes, which JSON Schema has no type for.
  ajv.addKeyword({ keyword: 'maxBytes', validate: (limit: number, data: unknown) => data instanceof Uint8Array && data.length <= limit, error: { message: ({ schema }) => `must be a file of at most ${Number(schema) / 1024 / 1024} MiB` } })
}

/**
 * Makes the validator of an input schema, which compiles at its first use: commands start without compiling what others take.
 *
 * @returns a function that gives unknown input its type, in a shallow copy. It throws InvalidArguments, which names the argument, its
 * problem and what is allowed.
 */
export function validator<I extends TObject> (schema: I): (input: unknown, encoding?: Encoding) => Static<I> {
  const compiled: Partial<Record<Encoding, ValidateFunction<Static<I>>>> = {}
  const names = Object.keys(schema.properties)
  return (input, encoding = 'json') => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new InvalidArguments('The arguments must be an object.')
    const valid = compiled[encoding] ??= compilers[encoding].compile<Static<I>>(schema)
    const values: Record<string, unknown> = { ...input }
    if (!valid(values)) throw refusalOf(valid.errors![0]!, names)
    for (const [name, value] of Object.entries(values)) {
      // Ajv reads "Infinity" as a number and checks no bound of it.
      if (typeof value === 'number' && !Number.isFinite(value)) throw refusal(name, 'is not a valid number', (schema.properties[name] as SchemaPart | undefined)?.description)
      if (hasNul(value)) throw refusal(name, 'contains a NUL character', 'Remove it.')
    }
    return values as Static<I>
  }
}

/** PostgreSQL stores no NUL in a text. */
function hasNul (value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.values(value).some(hasNul)
}

const formatNames: Readonly<Record<string, string>> = { uuid: 'a UUID', email: 'an email address', date: 'a date (YYYY-MM-DD)' }

/** A number of things in words: "1 character", "2 characters". */
export const counted = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`

/** Ajv's keywords for bounds, in words. */
const bounds: Readonly<Record<string, (limit: number) => string>> = {
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  minLength: limit => `have at least ${counted(limit, 'character')}`,
  maxLength: limit => `have at most ${counted(limit, 'character')}`,
  minItems: limit => `have at least ${counted(limit, 'item')}`,
  maxItems: limit => `have at most ${counted(limit, 'item')}`
}

type SchemaPart = { description?: string, enum?: unknown[], writeOnly?: boolean }

/** The error of the first keyword that the input failed. A write-only value is never repeated. */
function refusalOf ({ instancePath, keyword, params, message, parentSchema, data }: ErrorObject, names: string[]): InvalidArguments {
  const path = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties') {
    const unknown = `${path === '' ? '' : `${path}.`}${String(params.additionalProperty).slice(0, 64)}`
    return refusal(unknown, 'is not an argument of this operation', names.length === 0 ? 'It takes none.' : `Allowed: ${names.join(', ')}.`)
  }
  const { description, enum: words, writeOnly } = (parentSchema ?? {}) as SchemaPart
  if (keyword === 'required') {
    const name = String(params.missingProperty)
    return refusal(path === '' ? name : `${path}.${name}`, 'is required', ((parentSchema as unknown as TObject).properties[name] as SchemaPart | undefined)?.description)
  }
  if (writeOnly === true) return refusal(path, 'cannot be used', description)
  if (words !== undefined) return refusal(path, `is ${shown(data)}; allowed: ${words.join(', ')}`)
  if (keyword === 'format') return refusal(path, `is ${shown(data)}, which is not ${formatNames[params.format] ?? `a ${params.format}`}`, description)
  if (keyword === 'pattern') return refusal(path, `is ${shown(data)}`, `Allowed: ${description ?? `text that matches ${params.pattern}`}`)
  const bound = bounds[keyword]
  return refusal(path, `${bound === undefined ? message : `must ${bound(params.limit)}`}${typeof data === 'object' ? '' : `, not ${shown(data)}`}`, description)
}

/** @param next what is allowed, or what to do */
const refusal = (argument: string, problem: string, next = ''): InvalidArguments => new InvalidArguments(`${argument} ${problem}. ${next}`.trim(), { argument, problem })

/** A value as a message shows it: short, on one line. */
function shown (value: unknown): string {
  const written = JSON.stringify(value) ?? 'nothing'
  return written.length > 80 ? `${written.slice(0, 80)}…` : written
}
