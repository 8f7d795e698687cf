import type { Line } from './lines.js'

/** Joins the texts of two consecutive lines. */
export type Joiner = (before: string, after: string) => string

/** Second parts of compounds that are nearly always hyphenated: "concentration-dependent". */
const secondPart = new RegExp(
  '^(?:based|induced|inducing|dependent|independent|type|like|related|free|rich|specific|mediated|associated|derived|treated|resistant|' +
    'sensitive|containing|known|sized?|dimensional(?:ly)?|assisted|controlled|coated|activated|inflammatory|selective|driven|linked|' +
    'labell?ed|bound|term|fold|scavenging|lowering|oriented|enriched)$'
)

/** Beginnings of words that are one word with such a part: "un-known", "pheno-type", "scaf-fold". */
const firstPart = new RegExp(
  '^(?:un|in|im|en|re|de|dis|mis|pre|over|under|inter|cor|sub|super|hyper|hypo|photo|uni|multi|pheno|geno|proto|arche|stereo|sero|' +
    'haplo|karyo|scaf|mani|bio|auto)$', 'i'
)

/** Whether a hyphen belongs to a word that the document has in no other form: "x-axis", "KCL-induced", "well-known". */
const isCompound = (left: string, right: string): boolean =>
  left.length === 1 || (left.length < 7 && /\p{Lu}$/u.test(left)) ||
  (secondPart.test(right) && !firstPart.test(left))

/** Whether a word in Chinese or Japanese ends or begins: they have no spaces, and none beside words in Latin letters. */
const isUnspaced = (before: string, after: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF01-\uFF5E]$/u.test(before.slice(-2)) ||
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF01-\uFF5E]/u.test(after)

/**
 * Creates a joiner with the vocabulary of a document. It removes a hyphen at the end of a line ("exam-", "ple") unless the document
 * hyphenates the word elsewhere ("well-", "known").
 */
export function createJoiner (lines: Iterable<Line>): Joiner {
  const seen = new Map<string, number>()
  for (const { text } of lines) {
    for (const [word] of text.matchAll(/[\p{L}][\p{L}-]+[\p{L}]/gu)) seen.set(word.toLowerCase(), (seen.get(word.toLowerCase()) ?? 0) + 1)
  }
  const count = (word: string) => seen.get(word.toLowerCase()) ?? 0
  return (before, after) => {
    if (before.endsWith('\u00AD')) return before.slice(0, -1) + after
    const left = /([\p{L}-]*\p{L})[-\u2010]$/u.exec(before.slice(-60))?.[1]
    const right = /^\p{Ll}+(-\p{L}+)?/u.exec(after.slice(0, 60))?.[0]
    if (left !== undefined && right !== undefined) {
      const [first] = right.split('-') as [string]
      const joined = count(left + first)
      const hyphened = count(`${left}-${first}`)
      const keeps = hyphened > joined || (joined === 0 && (left.includes('-') || (right.includes('-') && left.length <= 4) ||
        (hyphened === 0 && isCompound(left, first))))
      return keeps ? before + after : before.slice(0, -1) + after
    }
    if (/[\p{L}\d)][-\u2010]$/u.test(before) || /[\p{L}\d]\/$/u.test(before)) return before + after
    if (/\d[–−]$/.test(before) && /^\d/.test(after)) return before + after
    if (isUnspaced(before, after)) return before + after
    return `${before} ${after}`
  }
}

/** Joins the texts of lines. */
export const joinLines = (lines: Line[], join: Joiner): string =>
  lines
    .map(({ text }) => text)
    .reduce((text, next) => text === '' ? next : join(text, next), '')
    .replaceAll('\u00AD', '')
