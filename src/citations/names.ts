/** A name as references sort it; one without `given` stands as it is. */
export interface SortedName { family: string, given?: string, suffix?: string }

/** Words of a group's name, which is not turned around. */
const group = /\b(?:association|center|centre|collaboration|collaborative|committee|community|company|consortium|council|department|foundation|gmbh|group|inc|initiative|institutes?|investigators|laborator(?:y|ies)|ltd|network|organi[sz]ation|project|society|team|university|working party)\b/i
const suffix = /^(?:jr|sr|ii|iii|iv|[2-9](?:nd|rd|th))\.?$/i
/** In these scripts the family name comes first, or there is none. */
const unturned = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Takes a name that is written given name first apart. The family name is the last word, with the small words before it ("van der
 * Berg"): two family names cannot be told from two given names. Put together again, the parts give the name that was given.
 */
export function sortedName (name: string): SortedName {
  const words = name.split(' ')
  if (group.test(name) || unturned.test(name) || name.includes(',')) return { family: name }
  const last = words.length > 2 && suffix.test(words.at(-1)!) ? words.pop() : undefined
  let from = words.length - 1
  while (from > 1 && /^\p{Ll}[\p{Ll}'’-]*$/u.test(words[from - 1]!)) from--
  if (from < 1) return { family: name }
  return { family: words.slice(from).join(' '), given: words.slice(0, from).join(' '), ...(last === undefined ? {} : { suffix: last }) }
}
