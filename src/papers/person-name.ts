/** Without what has a meaning in query languages. */
export const bareName = (text: string): string => text.replace(/["\\()[\]{}*?~^:]+/g, ' ').replace(/\s+/g, ' ').trim()

/** "Ada B. Müller" and "Müller, Ada B." are "Müller" with the initials "AB"; "Müller AB" has them already. Undefined for one word. */
export function nameParts (name: string): { family: string, initials: string } | undefined {
  const [beforeComma, afterComma] = name.split(',', 2).map(part => bareName(part))
  const words = bareName(name.replaceAll(',', ' ')).split(' ').filter(word => word !== '')
  if (words.length < 2) return undefined
  const initialsOf = (given: readonly string[]) => given.flatMap(word => word.match(/\p{L}/u) ?? []).join('').toUpperCase()
  if (afterComma !== undefined && afterComma !== '') return { family: beforeComma!, initials: initialsOf(afterComma.split(' ')) }
  const last = words.at(-1)!
  if (/^\p{Lu}{1,3}$/u.test(last)) return { family: words.slice(0, -1).join(' '), initials: last }
  return { family: last, initials: initialsOf(words.slice(0, -1)) }
}

/** The family name and the first initial, in lower case without accents: equal for most spellings of a person's name. */
export function nameKey (name: string): string {
  const parts = nameParts(name.replace(/[\s,]+(?:Jr|Sr|II|III|IV)\.?$/, ''))
  const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return parts === undefined ? folded(name) : `${folded(parts.family).split(' ').at(-1)!} ${folded(parts.initials.slice(0, 1))}`
}
