import { visibleText } from '../../schemas/visible-text.js'

/**
 * Converts a value from outside to one that can be stored and shown: removes NUL and characters that people cannot see, replaces lone
 * surrogates, turns -0 into 0 and non-finite numbers into null.
 */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return visibleText(value.toWellFormed()) as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [visibleText(name.toWellFormed()), wellFormed(each)])) as T
  }
  return value
}
