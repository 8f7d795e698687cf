/**
 * JSON in one form: keys sorted by their UTF-16 code units, no white space, numbers and strings as ECMAScript writes them. Keys without a
 * value are left out. @see RFC 8785
 */
export function canonicalJson (value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(each => canonicalJson(each ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).filter(([, each]) => each !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`
}
