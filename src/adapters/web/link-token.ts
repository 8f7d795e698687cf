import { maxTokenLength } from '../../../schemas/link-token.js'

/** The token of a link, as a form sent it back; undefined if it cannot be one. */
export const linkTokenIn = (entered: unknown): string | undefined =>
  typeof entered === 'string' && entered.length <= maxTokenLength && /^\w+$/.test(entered) ? entered : undefined
