/** A name split for sorting; one without `given` is not split. */
export interface SortedName { family: string, given?: string, suffix?: string }

/** Words of which one tells a group. Words that are family names too, such as Force, Press and Register, are missing. */
const groupWords =
  'academ(?:y|ies)|administration|agenc(?:y|ies)|alliance|association|authorit(?:y|ies)|biobank|cent(?:er|re)s?|clinics?|coalition|' +
  'cohort|collaborations?|collaborative|collaborators|commission|committees?|communit(?:y|ies)|company|conference|congress|' +
  'consorti(?:um|a)|contributors|corporation|council|departments?|directorate|division|experts|facult(?:y|ies)|federation|forum|' +
  'foundation|gmbh|groups?|hospitals?|inc|initiative|institut(?:e|es|ions?)?|investigators|laborator(?:y|ies)|llc|ltd|members|ministry|' +
  'museum|networks?|offices?|organi[sz]ations?|panel|participants|partners|program(?:me)?s?|projects?|registry|researchers|scientists|' +
  'secretariat|services|societ(?:y|ies)|stud(?:y|ies)|survey|task ?force|teams?|trialists|trials?|units?|universit(?:y|ies)|' +
  'working party|workshop'
/** Words before "Board" or "Bureau", which are family names without one. */
const boardWords =
  'accreditation|advisory|control|copyright|directing|editorial|examination|executive|federal|financial|governing|health|international|' +
  'judicial|labou?r|management|medical|monitoring|municipal|national|professional|protection|public|regulatory|research|review|royal|' +
  'safety|science|scientific|standards?|state|statistical|statistics|steering|supervisory|testing|transportation|water|weather'

/**
 * Signs of a name that is not split: a word of a group's name, a word or a number that does not occur inside a person's name, a comma,
 * or a script in which the family name comes first, or there is none. One expression, since a paper may have thousands of authors.
 */
const unsplit = new RegExp(
  String.raw`[,\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]` +
  String.raw`|\p{N}(?!(?:nd|rd|th)\.?$)| (?:&|and|for|of|the) |\b(?:${groupWords})\b|\b(?:boards?|bureaus?)\b(?!$)` +
  String.raw`|^(?=.* (?:board|bureau)$).*\b(?:${boardWords})\b`,
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
