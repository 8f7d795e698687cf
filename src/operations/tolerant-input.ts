import type { TObject, TSchema } from 'typebox'
import { type Keywords, keywordsOf } from '../../schemas/keywords.js'

/** Arguments that clients send as numbers where they are all digits: identifiers, queries, and the number of a section. */
const digitArguments = new Set(['paper_id', 'q', 'id', 'identifier', 'query', 'section'])

/** Arguments that refer to a record in any of its forms, although their schema is that of a text. */
const references = new Set(['paper_id', 'project_id'])

/**
 * Input as the schema has it, where clients of models write it otherwise: null and "" for an optional argument that is absent, and a number
 * for an id or a query of digits.
 */
export function tolerantInput (schema: TObject, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const required = new Set(keywordsOf(schema).required)
  const entries = Object.entries(input)
  const isOther = ([name, value]: [string, unknown]) =>
    value === null || value === '' || Array.isArray(value) || (typeof value === 'number' && digitArguments.has(name))
  if (!entries.some(isOther)) return input
  return Object.fromEntries(
    entries.flatMap(([name, value]: [string, unknown]) => {
      const isAbsent = (value === null || value === '') && Object.hasOwn(schema.properties, name) && !required.has(name)
      if (isAbsent) return []
      return [[name, tolerantValue(schema, name, value)]]
    })
  )
}

/** A list without nulls for absent members, and digits as text. */
function tolerantValue (schema: TObject, name: string, value: unknown): unknown {
  if (Array.isArray(value)) return withoutNulls(schema.properties[name], value)
  if (typeof value !== 'number' || !digitArguments.has(name)) return value
  if (Number.isSafeInteger(value) && value >= 0) return String(value)
  return name === 'section' ? value : arxivId(value) ?? value
}

/** The arXiv id that was sent as a number, which loses zeros at both ends. */
function arxivId (value: number): string | undefined {
  const [, month = '', number = ''] = /^(\d{1,4})\.(\d{1,5})$/.exec(String(value)) ?? []
  const padded = month.padStart(4, '0')
  // Ids have this form since April 2007; five digits follow the month since 2015.
  return padded >= '0704' && /(?:0[1-9]|1[0-2])$/.test(padded) ? `${padded}.${number.padEnd(padded < '1501' ? 4 : 5, '0')}` : undefined
}

/** The entries of a list without null for members that may be absent: clients with strict schemas send every member. */
function withoutNulls (schema: TSchema | undefined, list: readonly unknown[]): readonly unknown[] {
  const { properties, required = [] } = keywordsOf(keywordsOf(schema ?? {}).items ?? {})
  if (properties === undefined) return list
  const isAbsent = ([name, value]: [string, unknown]) => value === null && Object.hasOwn(properties, name) && !required.includes(name)
  return list.map(entry => typeof entry === 'object' && entry !== null && Object.entries(entry).some(isAbsent)
    ? Object.fromEntries(Object.entries(entry).filter(each => !isAbsent(each)))
    : entry)
}

/**
 * The same for a body of REST, except for free text: there, "" empties a text, or is too short for it.
 */
export function tolerantBody (schema: TObject, body: object): object {
  const required = new Set(keywordsOf(schema).required)
  const isAbsent = (name: string) =>
    Object.hasOwn(schema.properties, name) && !required.has(name) &&
    (references.has(name) || !isText(keywordsOf(schema.properties[name]!)))
  return Object.fromEntries(Object.entries(body)
    .filter(([name, value]) => value !== '' || !isAbsent(name))
    .map(([name, value]) => [name, tolerantValue(schema, name, value)]))
}

const isText = ({ type, enum: words, format, anyOf }: Keywords): boolean =>
  anyOf !== undefined || (type === 'string' && words === undefined && format === undefined)
