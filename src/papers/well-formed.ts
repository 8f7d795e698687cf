/** Converts a value to one that the database can store: removes NUL, replaces lone surrogates, turns -0 into 0 and non-finite numbers into null. */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '') as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed().replaceAll('\0', ''), wellFormed(each)])) as T
  return value
}
