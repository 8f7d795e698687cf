import { pastedIdentifier } from '../papers/pasted-identifier.js'

/* A list of papers: one identifier or title per line, after the line "# Papers" or with an identifier in the first line. */

/** The first line of a list that begins with a title. */
const heading = '# Papers'
/** Papers of a list: each can ask several sources. */
export const maxListedPapers = 200
/** Characters of a line that is looked up. */
export const maxLineLength = 600

/** Writes a list of papers as a file. */
export const listOf = (papers: readonly string[]): string =>
  [heading, ...papers.map(paper => paper.replace(/\s+/g, ' ').trim()).filter(paper => paper !== ''), ''].join('\n')

/** Detects a list of papers from the start of a file. */
export function isPaperList (head: string): boolean {
  const first = linesOf(head.slice(0, 4 * maxLineLength))[0]?.text ?? ''
  return first.toLowerCase() === heading.toLowerCase() || pastedIdentifier(first, { digitsArePmid: true }) !== undefined
}

/** Lines with text, each with its number. */
export const linesOf = (text: string) =>
  text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
    .map((line, at) => ({ text: line.trim(), place: at + 1 }))
    .filter(({ text }) => text !== '')
