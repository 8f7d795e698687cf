import { type TSchema, Type } from 'typebox'

/** A value or `null`; the description moves to the outside, where readers of the schema look for it. */
export function Nullable<S extends TSchema> (schema: S, description?: string) {
  const text = description ?? (schema as { description?: string }).description
  return Type.Union([schema, Type.Null()], text === undefined ? {} : { description: text })
}

/** One of a closed list of words, as JSON Schema's `enum` with a `type`, which more clients read than a union of constants. */
export function Words<const W extends readonly string[]> (words: W, options: { description: string, default?: W[number] }) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })
}
