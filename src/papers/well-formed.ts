import type { PaperRecord } from '../../schemas/paper.js'
import { limitMarks } from '../../schemas/normal-form.js'
import { visibleText } from '../../schemas/visible-text.js'

/**
 * Converts a value from outside to one that can be stored and shown: removes NUL, characters that people cannot see and heaps of
 * combining marks, replaces lone surrogates, turns -0 into 0 and non-finite numbers into null.
 */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return limitMarks(visibleText(value.toWellFormed())) as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [visibleText(name.toWellFormed()), wellFormed(each)])) as T
  }
  return value
}

/** Does the same for a record. Its references contain no spaces, so they are converted together, which takes a tenth of the time. */
export function wellFormedRecord ({ citations, ...record }: PaperRecord): PaperRecord {
  const converted = wellFormed(record)
  if (citations === undefined) return converted
  const references = wellFormed(citations.references.join(' ')).split(' ').filter(reference => reference !== '')
  return { ...converted, citations: { references, cited_by: wellFormed(citations.cited_by) } }
}
