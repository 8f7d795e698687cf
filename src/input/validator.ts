import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static, TObject, TSchema } from 'typebox'
import { type Keywords, keywordsOf } from '../../schemas/keywords.js'
import { ajvOptions } from '../../schemas/lazy-validator.js'
import { mebibytes } from '../../schemas/mebibytes.js'
import { ReceivedFile } from '../../schemas/received-file.js'
import { cjkCharacter, searchFormats } from '../../schemas/search-text.js'
import { shortText } from '../../schemas/short-text.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { hintFor } from './argument-names.js'

/** `json` keeps types as sent (tools, bodies); `text` parses numbers and booleans from strings (queries, forms, command line). */
export type Encoding = 'json' | 'text'

const options = { ...ajvOptions, verbose: true, allErrors: false, ownProperties: true }
const compilers: Record<Encoding, Ajv> = { json: new Ajv(options), text: new Ajv({ ...options, coerceTypes: true }) }
for (const ajv of Object.values(compilers)) {
  // A property with this keyword holds a file, which JSON Schema has no type for.
  ajv.addKeyword({
    keyword: 'maxBytes',
    validate: (limit: number, data: unknown) => data instanceof ReceivedFile && data.size <= limit,
    error: { message: ({ schema }) => `must be a file of at most ${mebibytes(Number(schema))}` }
  })
}

/** Problems that one error states: a caller who quotes one number quotes all of them. */
const maxProblems = 5

/** Unknown arguments that are worth reading to find what a caller meant. */
const maxUnknownArguments = 50

/**
 * Makes the validator of an input schema, which compiles at its first use: commands start without compiling what others take.
 *
 * @param operation its name, by which errors name the operation that takes an argument which this one does not
 * @returns a function that gives unknown input its type, in a shallow copy. It throws InvalidArguments, which names the arguments, their
 * problems and what is allowed.
 */
export function validator<I extends TObject> (schema: I, operation = ''): (input: unknown, encoding?: Encoding) => Static<I> {
  const compiled: Partial<Record<Encoding, ValidateFunction<Static<I>>>> = {}
  const partial: Partial<Record<Encoding, ValidateFunction>> = {}
  const names = Object.keys(schema.properties)
  const { required = [], additionalProperties } = keywordsOf(schema)
  const searchTexts = names.filter(name => Object.hasOwn(searchFormats, keywordsOf(schema.properties[name]!).format ?? ''))
  const optional = names.filter(name => !required.includes(name) && !('anyOf' in schema.properties[name]!))
  return (input, encoding = 'json') => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) throw notAnObject(input, names)
    if (additionalProperties === false && Object.keys(input).length > names.length + maxUnknownArguments) throw tooManyArguments(names)
    const valid = compiled[encoding] ??= compilers[encoding].compile<Static<I>>(schema)
    const values: Record<string, unknown> = { ...input }
    // Some clients send null for an optional argument that they leave out.
    for (const name of optional) if (values[name] === null) delete values[name]
    for (const name of searchTexts) {
      const text = values[name]
      if (typeof text !== 'string') continue
      values[name] = text.trim()
      if (values[name] === '' && !required.includes(name)) delete values[name]
    }
    if (!valid(values)) {
      const naming = namingError(schema, values, { names, operation })
      const first = naming ?? refusalOf(valid.errors![0]!)
      // An unknown argument has been named.
      const named = Object.fromEntries(Object.entries(values).filter(([name]) => naming === undefined || names.includes(name)))
      throw withOthers(first, problemsOf(partial[encoding] ??= compilers[encoding].compile({ ...schema, required: [] }), named))
    }
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete values[name]
      // Ajv coerces "Infinity" to a number and skips the bounds check.
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw refusal(name, 'is not a valid number', { next: descriptionOf(schema, name) })
      }
      if (hasNul(value)) throw refusal(name, 'contains a NUL character', { next: 'Remove it.' })
    }
    return values as Static<I>
  }
}

/** The first problem of each of these arguments, `maxProblems` at most. @param valid the validator without required arguments */
function problemsOf (valid: ValidateFunction, values: Record<string, unknown>): InvalidArguments[] {
  const problems: InvalidArguments[] = []
  while (problems.length < maxProblems && !valid(values)) {
    const error = valid.errors![0]!
    const name = error.instancePath === '' ? String(error.params.additionalProperty) : nameAt(error.instancePath)
    if (!Object.hasOwn(values, name)) break
    problems.push(refusalOf(error))
    delete values[name]
  }
  return problems
}

/** The argument at the start of a JSON pointer. */
const nameAt = (pointer: string): string => pointer.slice(1).split('/', 1)[0]!.replaceAll('~1', '/').replaceAll('~0', '~')

/** An error that states further problems, too. A form marks the field of the first. */
function withOthers (first: InvalidArguments, problems: readonly InvalidArguments[]): InvalidArguments {
  const others = problems.map(({ message }) => message).filter(message => message !== first.message)
  if (others.length === 0) return first
  const { invalid, argument, userMessage } = first
  const details = invalid === undefined ? { userMessage, ...(argument === undefined ? {} : { argument }) } : { invalid }
  return new InvalidArguments([first.message, ...others].join(' '), details)
}

/** PostgreSQL cannot store NUL in text. */
function hasNul (value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && !(value instanceof ReceivedFile) && Object.values(value).some(hasNul)
}

const formatNames: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an email address',
  date: 'a date (YYYY-MM-DD)',
  'date-time': 'an RFC 3339 date-time'
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  string: 'text',
  array: 'a list',
  object: 'an object'
}

/** Formats a number with its noun: "1 character", "2 characters". */
export const formatQuantity = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`

/** Ajv's keywords for bounds, in words. */
const bounds: Readonly<Record<string, (limit: number) => string>> = {
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  minLength: limit => `have at least ${formatQuantity(limit, 'character')}`,
  maxLength: limit => `have at most ${formatQuantity(limit, 'character')}`,
  minItems: limit => `have at least ${formatQuantity(limit, 'item')}`,
  maxItems: limit => `have at most ${formatQuantity(limit, 'item')}`
}

/** The description of a property of a schema; undefined if it has none. */
const descriptionOf = (schema: TSchema, name: string): string | undefined => {
  const property = keywordsOf(schema).properties?.[name]
  return property && keywordsOf(property).description
}

/** That a property of a schema is missing, with the words that it allows. */
function missingProblem (schema: TSchema, name: string): string {
  const property = keywordsOf(schema).properties?.[name]
  const words = property && keywordsOf(property).enum
  return words === undefined ? 'is required' : `is required; allowed: ${words.join(', ')}`
}

/** The arguments of an operation. "Allowed" would read like the values of the argument that is named before. */
const listOf = (names: readonly string[]): string => names.length === 0 ? noArguments : `Allowed arguments: ${names.join(', ')}.`

/**
 * One error for all unknown and missing arguments, because a caller who writes `query` instead of `q` has both problems. Undefined if
 * fewer than two are wrong.
 */
function namingError (
  schema: TObject,
  values: Record<string, unknown>,
  { names, operation }: { names: string[], operation: string }
): InvalidArguments | undefined {
  const unknown = Object.keys(values).filter(name => !names.includes(name))
  const { required = [], additionalProperties } = keywordsOf(schema)
  const missing = required.filter(name => values[name] === undefined)
  if ((unknown.length === 0 && missing.length < 2) || additionalProperties !== false) return undefined
  const free = names.filter(name => values[name] === undefined)
  const hints = unknown.slice(0, 5).map(name => {
    const hint = hintFor(name, free, operation)
    return `${name.slice(0, 64)} is not an argument of this operation${hint === undefined ? '' : `; ${hint}`}.`
  })
  if (missing.length === 0 && unknown.length === 1 && !hints[0]!.includes('; ')) return undefined
  const demands = missing.map(name => `${name} ${missingProblem(schema, name)}. ${descriptionOf(schema, name) ?? ''}`.trim())
  const [path, problem] = unknown.length > 0 ? [unknown[0]!, 'is not a field of this form.'] : [missing[0]!, 'is required.']
  return new InvalidArguments([...hints, ...demands, listOf(names)].join(' '), { invalid: { path: path.slice(0, 64), problem } })
}

/** Converts the first schema violation into an error. Write-only values are never repeated. */
function refusalOf ({ instancePath, keyword, params, message, parentSchema, data }: ErrorObject): InvalidArguments {
  const path = instancePath.slice(1).replaceAll('/', '.')
  const schema = parentSchema ?? {}
  const keywords = keywordsOf(schema)
  const { description, enum: words, examples: [example] = [], writeOnly, format = '', minLength, maxLength, properties = {} } = keywords
  const names = Object.keys(properties)
  if (keyword === 'additionalProperties') {
    const unknown = `${path === '' ? '' : `${path}.`}${String(params.additionalProperty).slice(0, 64)}`
    return refusal(unknown, path === '' ? 'is not an argument of this operation' : `is not a member of ${path}`, {
      next: path === '' ? listOf(names) : `Allowed: ${names.join(', ')}.`,
      userProblem: 'is not a field of this form'
    })
  }
  if (keyword === 'required') {
    const name = String(params.missingProperty)
    return refusal(path === '' ? name : `${path}.${name}`, missingProblem(schema, name), {
      next: descriptionOf(schema, name),
      userProblem: 'is required'
    })
  }
  if (writeOnly === true) return refusal(path, 'is invalid', { next: description, userNext: description })
  if (words !== undefined) {
    const userProblem = `must be one of: ${words.join(', ')}`
    return refusal(path, `is ${shown(data)}; allowed: ${words.join(', ')}`, { next: description, userProblem })
  }
  const searchMinimum = searchFormats[format]
  if (searchMinimum !== undefined && typeof data === 'string') {
    return searchRefusal(path, data, { minimum: searchMinimum(data), maximum: maxLength!, shortest: minLength! })
  }
  if (keyword === 'format') {
    const expected = formatNames[params.format] ?? `a ${params.format}`
    return refusal(path, `is ${shown(data)}, which is not ${expected}`, { next: description, userProblem: `must be ${expected}` })
  }
  if (keyword === 'pattern') {
    const isBlank = params.pattern === notBlank
    return refusal(path, isBlank ? 'must not be blank' : `is ${shown(data)}`, {
      next: isBlank ? description : `Allowed: ${description ?? `text that matches ${params.pattern}`}`,
      userProblem: isBlank ? 'must not be empty' : 'has an invalid format',
      userNext: example === undefined ? '' : `Example: ${example}.`
    })
  }
  const range = rangeOf(keywords)
  const bound = bounds[keyword]
  const problem = bound !== undefined
    ? `must ${bound(params.limit)}`
    : keyword === 'type' ? `must be ${withArticle(params.type)}` : message!
  const isEmpty = keyword === 'minLength' && data === ''
  return refusal(path, `${problem}${typeof data === 'object' ? '' : `, not ${shown(data)}`}`, {
    next: [range, description, names.length === 0 ? '' : `Allowed: an object with ${names.join(', ')}.`].filter(Boolean).join(' '),
    userProblem: isEmpty ? 'must not be empty' : keyword === 'type' ? `must be ${typeNames[params.type] ?? params.type}` : problem
  })
}

/** "a string", "an integer" */
const withArticle = (type: string) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

/** The numbers that a schema allows, in a sentence. */
function rangeOf ({ type = '', minimum, maximum = Number.MAX_SAFE_INTEGER }: Keywords): string | undefined {
  if (minimum === undefined || !['integer', 'number'].includes(type)) return undefined
  return `Allowed: ${typeNames[type]} from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`}.`
}

/** A search is an address of a page, too, whose reader does not know arguments. */
function searchRefusal (
  argument: string,
  text: string,
  { minimum, maximum, shortest }: { minimum: number, maximum: number, shortest: number }
): InvalidArguments {
  // A long text need not be counted by its characters.
  const length = text.length > 2 * maximum ? text.length : [...text].length
  if (length < minimum || length > maximum) {
    const actual = formatQuantity(length, 'character')
    // Most words of these languages have two characters.
    const next = length < minimum && cjkCharacter.test(text) ? ' Add a second word, or send a longer one.' : ''
    const shorter = shortest === minimum ? '' : `, or ${shortest} in Chinese, Japanese or Korean`
    return new InvalidArguments(`${argument} has ${actual} after trimming; allowed: ${minimum} to ${maximum}${shorter}.${next}`, {
      argument,
      userMessage: `A search needs ${minimum} to ${maximum} characters.`
    })
  }
  return new InvalidArguments(`${argument} has no words. Send at least one letter or digit.`, {
    argument,
    userMessage: 'Enter at least one letter or digit to search for.'
  })
}

const tooManyArguments = (names: readonly string[]) => new InvalidArguments(
  names.length === 0 ? noArguments : `The call has too many arguments. ${listOf(names)}`
)

const notAnObject = (input: unknown, names: readonly string[]) => new InvalidArguments(
  `The arguments must be an object${typeof input === 'string' ? ': a JSON object, not a JSON string' : ''}. ${listOf(names)}`
)

const noArguments = 'This operation takes no arguments.'

/** The pattern of a text that is not blank. */
const notBlank = '\\S'

/** @param details.next what is allowed, or what to do; `userProblem` and `userNext` replace `problem` and `next` on pages */
function refusal (
  argument: string,
  problem: string,
  {
    next = '',
    userProblem = problem,
    userNext = ''
  }: { next?: string | undefined, userProblem?: string, userNext?: string | undefined } = {}
): InvalidArguments {
  const invalid = { path: argument, problem: `${userProblem}. ${userNext}`.trim() }
  return new InvalidArguments(`${argument} ${problem}. ${next}`.trim(), { invalid })
}

/** Formats a value for a message: one line, at most 80 characters. */
const shown = (value: unknown): string => shortText(JSON.stringify(value) ?? 'nothing', 80)
