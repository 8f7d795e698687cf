/* Unicode normal forms in bounded time. Hostile texts take NFC hundreds of milliseconds, and grow 18 times under NFKC. */

/** Maximum number of marks on a letter, beyond any language. Source: UAX 15, Stream-Safe Text Format. */
const maxMarks = 30
/** Runs of marks. Halfwidth voiced marks are letters until NFKC makes them marks. */
const marks = /[\p{M}\uff9e\uff9f]+/gu
/** A run of characters that may be marks: a fast test that most texts fail. */
const mayHaveManyMarks = /[^\0-\u02ff]{31}/

/** Cuts runs of combining marks to 30, since a normal form takes n² steps for n marks. Idempotent. */
export const limitMarks = (text: string): string => mayHaveManyMarks.test(text)
  ? text.replace(marks, run => run.length <= maxMarks ? run : [...run.slice(0, 2 * maxMarks)].slice(0, maxMarks).join(''))
  : text

/** Ligatures of phrases, which compatibility forms write as 18 and 8 characters. */
const phraseLigatures = /[\ufdfa\ufdfb]/g
const maxPhraseLigatures = 100
/** Times that a compatibility form may be as long as its text: syllables of Korean have three letters. */
const maxGrowth = 3
/** Further characters, so that short texts are never cut. */
const alwaysKept = 100

/** The normal form of a text of any origin, in linear time. Cuts runs of marks, and what compatibility forms make of hostile texts. */
export function normalForm (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  const limited = limitMarks(text)
  if (form === 'NFC' || form === 'NFD') return limited.normalize(form)
  let ligatures = 0
  return limited
    .replace(phraseLigatures, ligature => ++ligatures > maxPhraseLigatures ? ' ' : ligature)
    .normalize(form)
    .slice(0, maxGrowth * text.length + alwaysKept)
}

/** The words of a text for a comparison: without marks, in lower case, between single spaces. */
export const comparableForm = (text: string): string =>
  normalForm(text, 'NFKD').replace(/\p{M}+/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
