import type { Static, TObject, TSchema } from 'typebox'

type FieldOf<S extends TSchema> =
  Exclude<Static<S>, undefined> extends boolean ? boolean | undefined
    : Exclude<Static<S>, undefined> extends readonly unknown[] ? string[]
      : Exclude<Static<S>, undefined> extends Uint8Array ? Static<S> | undefined
        : string | undefined

/** Forms and queries are text: the operation reads numbers and booleans from it. */
export const fromText = { encoding: 'text' } as const

/** What a browser sent, with the names of a schema. Only the operation that it goes to validates it. */
export type Fields<S extends TObject> = { [Name in keyof S['properties']]: S['properties'][Name] extends TSchema ? FieldOf<S['properties'][Name]> : never }

/**
 * Shapes what a browser sends, a query or a form, as a schema names it: a list where one is expected, a boolean for a checkbox, nothing
 * for an empty field. Drops names that the schema does not have. It validates nothing.
 * @param isForm whether a checkbox that was not sent is one that was not ticked
 */
export function decodeFields<S extends TObject> (schema: S, sent: Readonly<Record<string, unknown>>, isForm = false): Fields<S> {
  return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) =>
    [name, decode(property as TSchema & { type?: string }, Object.hasOwn(sent, name) ? sent[name] : undefined, isForm)])) as Fields<S>
}

function decode ({ type }: { type?: string }, value: unknown, isForm: boolean): unknown {
  if (type === 'array') return [value].flat().filter(each => each !== undefined && each !== '')
  const last = Array.isArray(value) ? value.at(-1) : value
  if (type === 'boolean') return last === undefined ? (isForm ? false : undefined) : last === 'on' || last === 'true'
  return last === '' ? undefined : last
}

/** Attributes by which a browser holds a field to the bounds of its schema. */
export function boundsOf (schema: TSchema): { minlength?: number, maxlength?: number, min?: number, max?: number } {
  const { minLength, maxLength, minimum, maximum } = schema as { minLength?: number, maxLength?: number, minimum?: number, maximum?: number }
  return {
    ...(minLength === undefined ? {} : { minlength: minLength }),
    ...(maxLength === undefined ? {} : { maxlength: maxLength }),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum })
  }
}
