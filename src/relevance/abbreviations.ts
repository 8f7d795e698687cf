/** An abbreviation and what it stands for, as a text states both. */
export interface Definition { long: string, short: string }

const parenthesis = /\(([^()]{2,200})\)/gu
/** Characters before a parenthesis that are read. */
const maxWindow = 200
/** Short forms whose long forms are looked for in a text: no abstract has more. */
const maxSought = 300
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * The abbreviations that a text defines, as "long form (SHORT)" or "SHORT (long form)". The algorithm is that of A. S. Schwartz and M. A.
 * Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text", Pacific Symposium on Biocomputing 2003, but
 * short forms have a capital. Takes time linear in the length of the text.
 * @param isSought whether the long form of a short form is of use; others are not looked for
 */
export function findDefinitions (text: string, isSought: (short: string) => boolean = () => true): Definition[] {
  const definitions: Definition[] = []
  let sought = 0
  for (const { 1: inside, index } of text.matchAll(parenthesis)) {
    const stated = inside!.split(/[,;] /u, 1)[0]!.trim()
    const isShort = isShortForm(stated)
    if (isShort && !isSought(stated)) continue
    const before = text.slice(Math.max(0, index - maxWindow), index).trimEnd()
    const short = isShort ? stated : before.split(/\s+/u).at(-1)!
    if (!isShort && !(isShortForm(short) && isSought(short))) continue
    const long = findLongForm(short, isShort ? before : stated)
    if (long !== null) definitions.push({ long, short })
    if (++sought === maxSought) break
  }
  return definitions
}

/** Whether a text can be an abbreviation: two to ten characters in one word or two, with a capital. */
const isShortForm = (text: string): boolean =>
  text.length >= 2 && text.length <= 10 && /^[\p{L}\p{N}]\S*(?: \S+)?$/u.test(text) && /\p{Lu}/u.test(text)

/**
 * The shortest end of a text that has the letters and digits of a short form in order, the first one at the beginning of a word; null if
 * there is none, or it repeats the short form.
 */
function findLongForm (short: string, candidate: string): string | null {
  const text = candidate.split(/\s+/u).slice(-Math.min(short.length + 5, short.length * 2)).join(' ')
  let at = text.length
  for (let from = short.length - 1; from >= 0; from--) {
    const letter = short[from]!.toLowerCase()
    if (!letterOrDigit.test(letter)) continue
    const isHere = () => text[at]!.toLowerCase() === letter && (from > 0 || at === 0 || !letterOrDigit.test(text[at - 1]!))
    do at--
    while (at >= 0 && !isHere())
    if (at < 0) return null
  }
  const long = text.slice(text.lastIndexOf(' ', at) + 1)
  return long.length > short.length && !long.split(' ').includes(short) ? long : null
}
