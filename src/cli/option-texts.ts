import type { TSchema } from 'typebox'
import { keywordsOf } from '../../schemas/keywords.js'

/* Option texts state bounds and choices from the schemas, so that the two cannot differ. */

/** Names an account. */
export const emailOption = ['--email <email>', 'address of the account'] as const

/** Formats the words that an option accepts: "upvote, downvote or star". */
export const choices = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)

/** Formats the range of a number: "0 to 1". */
export function rangeOf (schema: TSchema): string {
  const { minimum, maximum } = keywordsOf(schema)
  return `${minimum} to ${maximum}`
}

/** Formats the default of a schema. */
export const defaultOf = (schema: TSchema): string => String(keywordsOf(schema).default)
