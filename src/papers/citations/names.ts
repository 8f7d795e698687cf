/** A name split for sorting; one without `given` is not split. */
export interface SortedName { family: string, given?: string, suffix?: string }

/** Words of a group's name, which is not split. */
const group =
  /\b(?:academ(?:y|ies)|administration|agenc(?:y|ies)|alliance|association|authorit(?:y|ies)|board|bureau|cent(?:er|re)s?|collaboration|collaborative|commission|committee|community|company|consortium|council|departments?|federation|foundation|gmbh|group|inc|initiative|institutes?|investigators|laborator(?:y|ies)|ltd|ministry|network|office|organi[sz]ation|project|secretariat|society|team|university|working party)\b/i
/** Words that do not occur inside a person's name. */
const joining = / (?:&|and|for|of|the) /i
const suffix = /^(?:jr|sr|ii|iii|iv|[2-9](?:nd|rd|th))\.?$/i
/** Scripts in which the family name comes first, or there is none. */
const unturned = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Splits a name that is written given name first. As in BibTeX, the family name is the last word, or starts at the first lower-case word
 * ("van der Berg"); two family names cannot be distinguished from two given names. Joining the parts gives the original name.
 */
export function sortedName (name: string): SortedName {
  const words = name.split(' ')
  if (group.test(name) || joining.test(name) || unturned.test(name) || name.includes(',')) return { family: name }
  const last = words.length > 2 && suffix.test(words.at(-1)!) ? words.pop() : undefined
  if (words.length < 2) return { family: name }
  const small = words.findIndex((word, at) => at > 0 && at < words.length - 1 && /^\p{Ll}[\p{Ll}'’-]*$/u.test(word))
  // "Santiago Ramón y Cajal"
  const from = small === -1 ? words.length - 1 : /^[yei]$/.test(words[small]!) && small > 1 ? small - 1 : small
  return { family: words.slice(from).join(' '), given: words.slice(0, from).join(' '), ...(last === undefined ? {} : { suffix: last }) }
}
