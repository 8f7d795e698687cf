/** Texts as a database can hold them: no NUL, no half of a surrogate pair. */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '') as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed().replaceAll('\0', ''), wellFormed(each)])) as T
  return value
}
