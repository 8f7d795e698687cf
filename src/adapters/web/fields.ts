import { parse } from 'node:querystring'
import type { Static, TObject, TSchema } from 'typebox'
import { keywordsOf } from '../../../schemas/keywords.js'
import type { ReceivedFile } from '../../../schemas/received-file.js'
import { PayloadTooLarge } from '../../errors/operation-errors.js'

type FieldOf<S extends TSchema> =
  Exclude<Static<S>, undefined> extends boolean ? boolean | undefined
    : Exclude<Static<S>, undefined> extends readonly unknown[] ? string[]
      : Exclude<Static<S>, undefined> extends ReceivedFile ? Static<S> | undefined
        : string | undefined

/** Forms and queries are text, from which the operation parses numbers and booleans. */
export const fromText = { encoding: 'text' } as const

/** Fields of a form, named by a schema. Unvalidated: the operation that receives them validates them. */
export type Fields<S extends TObject> = {
  [Name in keyof S['properties']]: S['properties'][Name] extends TSchema ? FieldOf<S['properties'][Name]> : never
}

/** Fields of a form, at most: a key can be limited to 1,000 projects. More would be dropped silently, or parsed for a third of a second. */
const maxFields = 2000

/** Parses a form. @throws PayloadTooLarge for too many fields */
export function parseForm (body: string): NodeJS.Dict<string | string[]> {
  let fields = 1
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1)) {
    if (++fields > maxFields) {
      throw new PayloadTooLarge(`The form has more than ${maxFields.toLocaleString('en')} fields. Select fewer items.`)
    }
  }
  return parse(body, '&', '=', { maxKeys: 0 })
}

/** Values of a query, named by a schema: texts as they were sent. Unvalidated: the operation that receives them validates them. */
export type Query<S extends TObject> = { [Name in keyof S['properties']]: string | undefined }

/** Decodes a query: undefined for an empty value. Drops names that the schema does not have. Validates nothing. */
export const decodeQuery = <S extends TObject>(schema: S, sent: Readonly<Record<string, unknown>>): Query<S> =>
  Object.fromEntries(Object.keys(schema.properties).map(name => [name, lastValue(sent, name)])) as Query<S>

/**
 * Decodes a form: a list for an array property, a boolean for a checkbox, undefined for an empty field. Drops names that the schema does
 * not have. Validates nothing.
 */
export function decodeFields<S extends TObject> (schema: S, sent: Readonly<Record<string, unknown>>): Fields<S> {
  const decoded = Object.entries(schema.properties).map(([name, property]) => {
    const { type } = keywordsOf(property)
    const values = [Object.hasOwn(sent, name) ? sent[name] : undefined].flat().filter(each => each !== undefined && each !== '')
    if (type === 'array') return [name, values]
    const value = lastValue(sent, name)
    // Browsers do not send unchecked boxes.
    return [name, type === 'boolean' ? value === 'on' || value === 'true' : value]
  })
  return Object.fromEntries(decoded) as Fields<S>
}

/** The last value of a name; undefined if it is missing or empty. */
function lastValue (sent: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = Object.hasOwn(sent, name) ? [sent[name]].flat().at(-1) : undefined
  // Browsers send the lines of a text with CRLF.
  return value === '' ? undefined : typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
}

/** Attributes of an input for the bounds of its schema. */
export function boundsOf (schema: TSchema): { minlength?: number, maxlength?: number, min?: number, max?: number } {
  const { minLength, maxLength, minimum, maximum } = keywordsOf(schema)
  return {
    ...(minLength === undefined ? {} : { minlength: minLength }),
    ...(maxLength === undefined ? {} : { maxlength: maxLength }),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum })
  }
}
