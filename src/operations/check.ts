import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Static, TObject } from 'typebox'
import { InvalidArguments } from '../errors/operation-errors.js'

const options = { strictSchema: false, verbose: true, allErrors: false, ownProperties: true }
const json = new Ajv(options)
const text = new Ajv({ ...options, coerceTypes: true })
formats.default(json)
formats.default(text)

/**
 * Makes the checker of one operation's input: types as declared, nothing undeclared let through.
 *
 * @param from `json` keeps types as sent (tools, bodies); `text` reads numbers and booleans out of strings (URLs).
 * @throws InvalidArguments naming the argument, its problem and what is allowed.
 */
export function checker<I extends TObject> (input: I, from: 'json' | 'text'): (value: object) => Static<I> {
  // At its first use: a command starts without compiling what all others take.
  let valid: ValidateFunction<Static<I>> | undefined
  const names = Object.keys(input.properties)
  return value => {
    valid ??= (from === 'json' ? json : text).compile<Static<I>>(input)
    const copy: object = { ...value }
    if (!valid(copy)) throw new InvalidArguments(sentence(valid.errors![0]!, names))
    // "Infinity" in an address is read as a number, and Ajv asks such a one nothing further.
    for (const [name, given] of Object.entries(copy)) if (typeof given === 'number' && !Number.isFinite(given)) throw new InvalidArguments(`${name} is no number that can be counted with. ${meaning(input.properties[name] as SchemaPart)}`)
    if (hasNul(copy)) throw new InvalidArguments('A text holds a NUL character; send it without.')
    return copy as Static<I>
  }
}

/** PostgreSQL has no NUL in a text. */
function hasNul (value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.values(value).some(hasNul)
}

const formatNames: Readonly<Record<string, string>> = { uuid: 'a UUID', email: 'an email address', date: 'a date (YYYY-MM-DD)' }

/** A number of things in words: "1 character", "2 characters". */
export const counted = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`

/** Ajv's keywords for bounds, of which it writes in signs. */
const bounds: Readonly<Record<string, (limit: number) => string>> = {
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  minLength: limit => `have at least ${counted(limit, 'character')}`,
  maxLength: limit => `have at most ${counted(limit, 'character')}`,
  minItems: limit => `have at least ${counted(limit, 'item')}`,
  maxItems: limit => `have at most ${counted(limit, 'item')}`
}

type SchemaPart = { description?: string, format?: string, enum?: unknown[], writeOnly?: boolean }

function sentence ({ instancePath, keyword, params, message, parentSchema, data }: ErrorObject, names: string[]): string {
  const name = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties') {
    const unknown = `${name === '' ? '' : `${name}.`}${String(params.additionalProperty).slice(0, 64)}`
    return `${unknown} is not an argument of this operation. ${names.length === 0 ? 'It takes none.' : `Allowed: ${names.join(', ')}.`}`
  }
  const { description, enum: words, writeOnly } = (parentSchema ?? {}) as SchemaPart
  if (writeOnly === true && keyword !== 'required') return `${name} cannot be used. ${description ?? ''}`.trim()
  if (keyword === 'required') return `${params.missingProperty} is required. ${meaning((parentSchema as unknown as TObject).properties[params.missingProperty])}`.trim()
  if (words !== undefined) return `${name} is ${shown(data)}; allowed: ${words.join(', ')}.`
  if (keyword === 'format') return `${name} is ${shown(data)}, which is not ${formatNames[params.format] ?? `a ${params.format}`}. ${description ?? ''}`.trim()
  if (keyword === 'pattern') return `${name} is ${shown(data)}. Allowed: ${description ?? `what matches ${params.pattern}`}`
  const bound = bounds[keyword]
  return `${name === '' ? 'The input' : name} ${bound === undefined ? message : `must ${bound(params.limit)}`}${typeof data === 'object' ? '' : `, not ${shown(data)}`}. ${description ?? ''}`.trim()
}

const meaning = (schema: SchemaPart | undefined) => schema?.description ?? ''

/** A value as it may stand in a message: short, on one line. */
function shown (value: unknown): string {
  const written = JSON.stringify(value) ?? 'nothing'
  return written.length > 80 ? `${written.slice(0, 80)}…` : written
}
