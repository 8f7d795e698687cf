import { spellOutVowels, withoutMarks } from '../../schemas/name-form.js'
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

/** Tell people of one family apart. "SR" and "JR" are initials, and numerals can be. */
const [generation, numeral] = [/(?:^|\s)(?:[JSjs]r|2nd|3rd|4th)\.?$/, /(?:^|\s)(?:II|III|IV)\.?$/]
/** Begins a family name. Capitalized ones can be given names, such as the Vietnamese Van. */
const particle = new RegExp(
  '^(?:af|al|am|auf|av|ben|bin|da|dal|dalla|das|de|dei|del|della|delle|dello|den|der|des|di|do|dos|du|el|ibn|l[aeo]|las|los|op|te[nr]?|' +
  "van|vom|von|zu[mr]?|['’]t)$"
)

/**
 * "Ada B. Müller" and "Müller, Ada B." are "Müller" with the initials "AB"; "Müller AB" has them already. Capitals at the end are initials
 * or, where they can be a syllable, a short family name, as in "Xiaoming LI". "Jr." is no part of the name, and the particles of
 * "Ludwig van Beethoven" belong to the family name, which is indexed without them, too. Empty for one word, and a family name alone.
 */
export function nameParts (name: string): NameParts[] {
  const [beforeComma = '', ...afterCommas] = withoutGeneration(name).split(', ')
  if (afterCommas.length > 0) return withParticles(beforeComma, afterCommas[0]!.split(' '))
  const words = beforeComma.split(' ').filter(word => word !== '')
  if (words.length < 2 || isFamilyName(words)) return []
  const [last, others] = [words.at(-1)!, words.slice(0, -1)]
  if (!/^\p{Lu}{1,3}$/u.test(last)) return withParticles(last, others)
  const withInitials = { family: others.join(' '), initials: last, given: last, isDoubtful: false }
  if (!canBeFamilyName(last) || !syllables.test(last)) return [withInitials]
  return [withInitials, { ...partsOf(last, others), isDoubtful: !others.every(word => syllables.test(word)) }]
}

/** A name without "Jr.", "III" and the like. Numerals behind a family name alone are initials: "Ivanov II" is I. I. Ivanov. */
export function withoutGeneration (name: string): string {
  const without = (mark: RegExp, parts: readonly string[]) => parts.map(part => part.replace(mark, '').trim()).filter(part => part !== '')
  const parts = without(generation, name.split(',').map(bareName))
  const shorter = without(numeral, parts)
  return (shorter.length > 1 || !isFamilyName(shorter[0]?.split(' ') ?? []) ? shorter : parts).join(', ')
}

/** Whether the words are one, with particles at most. */
const isFamilyName = (words: readonly string[]): boolean =>
  words.length < 2 || (words.slice(0, -1).every(word => particle.test(word)) && /\p{Lu}/u.test(words.at(-1)!))

/** The particles before a family name, or behind the given names in "Beethoven, Ludwig van", belong to it. */
function withParticles (family: string, given: readonly string[]): NameParts[] {
  const inOrder = partsOf(family, given)
  const from = given.findLastIndex(word => !particle.test(word)) + 1
  if (from === given.length || from === 0) return [inOrder]
  return [partsOf([...given.slice(from), family].join(' '), given.slice(0, from)), { ...inOrder, isDoubtful: true }]
}

const partsOf = (family: string, given: readonly string[]): NameParts => ({
  family,
  initials: given.flatMap(word => word.match(/\p{L}/u) ?? []).join('').toUpperCase(),
  given: given.join(' '),
  isDoubtful: false
})

const apostrophe = /(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu
const isUnspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\s]+$/u

/**
 * A name for a comparison: without case, marks and apostrophes, "O'Connor" as "oconnor". Chinese, Japanese and Korean names have no spaces,
 * which only some records put between family and given name.
 */
export function comparableName (name: string): string {
  const words = withoutMarks(comparableForm(name.replace(apostrophe, '')))
  return isUnspaced.test(words) ? words.replace(/\s+/g, '') : words
}

const article = /^the\s(?=.*\s(?:alliance|collaboration|committee|consortium|group|initiative|investigators|network|project|society|team)\b)/i

/** Spellings of a name: "Müller" also with its vowel as two letters, and a group without its article. */
export function spellingsOf (name: string): string[] {
  const bare = name.trim().replace(article, '')
  return [...new Set([bare, spellOutVowels(bare)])]
}

/** A name as it can be read in its spellings; none for one word, and for one without spaces. */
export const readName = (name: string): NameParts[] => spellingsOf(name).flatMap(spelling =>
  isUnspaced.test(comparableForm(spelling).normalize('NFC')) ? [] : nameParts(spelling))

/** The first given name, if it is spelled out; else its initial. */
export function givenName ({ given }: NameParts): string {
  const [first = ''] = comparableName(given).split(' ')
  // "AB" are two initials.
  return /^\p{Lu}{1,3}$/u.test(given.trim()) ? first.slice(0, 1) : first
}

/** Whether people of equal family names and initials may be one, as far as both given names are spelled out: not John and Jane Smith. */
export function mayBeSamePerson (one: string, other: string): boolean {
  if (one === other) return true
  const [names, others] = [readName(one), readName(other)]
  if (names.length === 0 || others.length === 0) return true
  const unspaced = ({ given }: NameParts) => comparableName(given).replaceAll(' ', '')
  return names.some(a => others.some(b => {
    const [first, second] = [givenName(a), givenName(b)]
    if (keyOf(a) !== keyOf(b)) return false
    return first.length < 2 || second.length < 2 || first === second || unspaced(a) === unspaced(b)
  }))
}

const keyOf = ({ family, initials }: NameParts): string =>
  `${comparableName(family).split(' ').at(-1)!} ${comparableName(initials.slice(0, 1))}`

/** The family name and the first initial, in lower case without accents: most spellings of a person's name have one in common. */
export function nameKeys (name: string): string[] {
  const readings = readName(name)
  if (readings.length === 0) return [...new Set(spellingsOf(name).map(comparableName))]
  return [...new Set(readings.map(keyOf))]
}
