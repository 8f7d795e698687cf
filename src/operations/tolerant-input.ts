import type { TObject } from 'typebox'
import { type Keywords, keywordsOf } from '../../schemas/keywords.js'

/** Arguments that clients send as numbers where they are all digits: identifiers, queries, and the number of a section. */
const digitArguments = new Set(['paper_id', 'q', 'id', 'identifier', 'query', 'section'])

/**
 * Input as the schema has it, where clients of models write it otherwise: null and "" for an optional argument that is absent, and a number
 * for an id or a query of digits.
 */
export function tolerantInput (schema: TObject, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const required = new Set(keywordsOf(schema).required)
  const entries = Object.entries(input)
  if (!entries.some(([name, value]) => value === null || value === '' || (typeof value === 'number' && digitArguments.has(name)))) {
    return input
  }
  return Object.fromEntries(
    entries.flatMap(([name, value]: [string, unknown]) => {
      const isAbsent = (value === null || value === '') && Object.hasOwn(schema.properties, name) && !required.has(name)
      if (isAbsent) return []
      return [[name, digitArguments.has(name) && isWholeNumber(value) ? String(value) : value]]
    })
  )
}

const isWholeNumber = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/**
 * The same for a body of REST, except for free text: there, "" empties a text, or is too short for it.
 */
export function tolerantBody (schema: TObject, body: object): object {
  const required = new Set(keywordsOf(schema).required)
  const isAbsent = (name: string) =>
    Object.hasOwn(schema.properties, name) && !required.has(name) && !isText(keywordsOf(schema.properties[name]!))
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== '' || !isAbsent(name)))
}

const isText = ({ type, enum: words, format, anyOf }: Keywords): boolean =>
  anyOf !== undefined || (type === 'string' && words === undefined && format === undefined)
