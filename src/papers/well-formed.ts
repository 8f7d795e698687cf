/** A value as a database keeps it: no NUL and no half of a surrogate pair in its texts, no negative zero, null for what is no number. */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '') as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed().replaceAll('\0', ''), wellFormed(each)])) as T
  return value
}
