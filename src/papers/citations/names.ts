/** A name split for sorting; one without `given` is not split. */
export interface SortedName { family: string, given?: string, suffix?: string }

/**
 * What names that are not split contain: a word of a group's name, a word that does not occur inside a person's name, a comma, or a script
 * in which the family name comes first, or there is none. One expression, since a paper may have thousands of authors.
 */
const unsplit = new RegExp(
  String.raw`[,\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]` +
  String.raw`| (?:&|and|for|of|the) |\b(?:academ(?:y|ies)|administration|agenc(?:y|ies)|alliance|` +
  'association|authorit(?:y|ies)|board|bureau|cent(?:er|re)s?|collaboration|collaborative|' +
  'commission|committee|community|company|consortium|council|departments?|federation|foundation|' +
  'gmbh|group|inc|initiative|institutes?|investigators|laborator(?:y|ies)|ltd|' +
  String.raw`ministry|network|office|organi[sz]ation|project|secretariat|society|team|university|working party)\b`,
  'iu'
)
const suffix = /^(?:jr|sr|ii|iii|iv|[2-9](?:nd|rd|th))\.?$/i

/**
 * Splits a name that is written given name first. As in BibTeX, the family name is the last word, or starts at the first lower-case word
 * ("van der Berg"); two family names cannot be distinguished from two given names. Joining the parts gives the original name.
 */
export function sortedName (name: string): SortedName {
  if (unsplit.test(name)) return { family: name }
  const words = name.split(' ')
  if (words.length === 2) return { family: words[1]!, given: words[0]! }
  const last = words.length > 2 && suffix.test(words.at(-1)!) ? words.pop() : undefined
  if (words.length < 2) return { family: name }
  const small = words.findIndex((word, at) => at > 0 && at < words.length - 1 && /^\p{Ll}[\p{Ll}'’-]*$/u.test(word))
  // "Santiago Ramón y Cajal"
  const from = small === -1 ? words.length - 1 : /^[yei]$/.test(words[small]!) && small > 1 ? small - 1 : small
  return { family: words.slice(from).join(' '), given: words.slice(0, from).join(' '), ...(last === undefined ? {} : { suffix: last }) }
}
