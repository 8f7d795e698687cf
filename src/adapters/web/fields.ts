import type { Static, TObject, TSchema } from 'typebox'

type FieldOf<S extends TSchema> =
  Exclude<Static<S>, undefined> extends boolean ? boolean | undefined
    : Exclude<Static<S>, undefined> extends readonly unknown[] ? string[]
      : Exclude<Static<S>, undefined> extends Uint8Array ? Static<S> | undefined
        : string | undefined

/** Forms and queries are text, from which the operation parses numbers and booleans. */
export const fromText = { encoding: 'text' } as const

/** Fields that a browser sent, named by a schema. Unvalidated: the operation that receives them validates them. */
export type Fields<S extends TObject> = {
  [Name in keyof S['properties']]: S['properties'][Name] extends TSchema ? FieldOf<S['properties'][Name]> : never
}

/**
 * Decodes a query or a form: a list for an array property, a boolean for a checkbox, undefined for an empty field. Drops names that the
 * schema does not have. Validates nothing.
 * @param isForm whether a missing checkbox means false; browsers do not send unchecked ones
 */
export function decodeFields<S extends TObject> (schema: S, sent: Readonly<Record<string, unknown>>, isForm = false): Fields<S> {
  const decoded = Object.entries(schema.properties).map(([name, property]) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    return [name, decode(property as TSchema & { type?: string }, value, isForm)]
  })
  return Object.fromEntries(decoded) as Fields<S>
}

function decode ({ type }: { type?: string }, value: unknown, isForm: boolean): unknown {
  if (type === 'array') return [value].flat().filter(each => each !== undefined && each !== '')
  const last = Array.isArray(value) ? value.at(-1) : value
  if (type === 'boolean') return last === undefined ? (isForm ? false : undefined) : last === 'on' || last === 'true'
  return last === '' ? undefined : last
}

interface Bounds { minLength?: number, maxLength?: number, minimum?: number, maximum?: number }

/** Attributes of an input for the bounds of its schema. */
export function boundsOf (schema: TSchema): { minlength?: number, maxlength?: number, min?: number, max?: number } {
  const { minLength, maxLength, minimum, maximum } = schema as Bounds
  return {
    ...(minLength === undefined ? {} : { minlength: minLength }),
    ...(maxLength === undefined ? {} : { maxlength: maxLength }),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum })
  }
}
