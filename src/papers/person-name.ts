import { comparableForm } from '../../schemas/normal-form.js'
import { canBeFamilyName } from './identity.js'

/** Without what has a meaning in query languages. */
export const bareName = (text: string): string => text.replace(/["\\()[\]{}*?~^:]+/g, ' ').replace(/\s+/g, ' ').trim()

/**
 * A name of several words. `given` has the words that are not the family name, spelled out or initials. A name that is `doubtful` is more
 * likely to be read otherwise.
 */
export interface NameParts { family: string, initials: string, given: string, isDoubtful: boolean }

/** A word that can be a Chinese, Korean or Vietnamese name in Latin letters, of one or two syllables. */
const syllables = /^(?:(?:[bcdfghjklmnpqrstvwxyz]|[cgkpstz]h|ng)?[aeiouy]{1,3}(?:n[gh]?|[mktp])?-?){1,2}$/i

/**
 * "Ada B. Müller" and "Müller, Ada B." are "Müller" with the initials "AB"; "Müller AB" has them already. Capitals at the end are initials
 * or, where they can be a syllable, a short family name, as in "Xiaoming LI". Empty for one word.
 */
export function nameParts (name: string): NameParts[] {
  const [beforeComma, afterComma] = name.split(',', 2).map(part => bareName(part))
  const words = bareName(name.replaceAll(',', ' ')).split(' ').filter(word => word !== '')
  if (words.length < 2) return []
  if (afterComma !== undefined && afterComma !== '') return [partsOf(beforeComma!, afterComma.split(' '))]
  const [last, others] = [words.at(-1)!, words.slice(0, -1)]
  const inOrder = partsOf(last, others)
  if (!/^\p{Lu}{1,3}$/u.test(last)) return [inOrder]
  const withInitials = { family: others.join(' '), initials: last, given: last, isDoubtful: false }
  if (!canBeFamilyName(last) || !syllables.test(last)) return [withInitials]
  return [withInitials, { ...inOrder, isDoubtful: !others.every(word => syllables.test(word)) }]
}

const partsOf = (family: string, given: readonly string[]): NameParts => ({
  family,
  initials: given.flatMap(word => word.match(/\p{L}/u) ?? []).join('').toUpperCase(),
  given: given.join(' '),
  isDoubtful: false
})

/** The family name and the first initial, in lower case without accents: most spellings of a person's name have one in common. */
export function nameKeys (name: string): string[] {
  const readings = nameParts(name.replace(/[\s,]+(?:Jr|Sr|II|III|IV)\.?$/, ''))
  if (readings.length === 0) return [comparableForm(name)]
  return readings.map(({ family, initials }) => `${comparableForm(family).split(' ').at(-1)!} ${comparableForm(initials.slice(0, 1))}`)
}
