import { type TSchema, Type } from 'typebox'
import { keywordsOf } from './keywords.js'

/** Schema of a value or `null`, with the description on the union, where clients look for it. */
export function Nullable<S extends TSchema> (schema: S, description?: string) {
  const text = description ?? keywordsOf(schema).description
  return Type.Union([schema, Type.Null()], text === undefined ? {} : { description: text })
}

/** Schema of a closed list of strings: `enum` with a `type`, which more clients support than a union of constants. */
export function Words<const W extends readonly string[]> (words: W, options: { description: string, default?: W[number] }) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })
}
