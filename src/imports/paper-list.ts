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
  const lines = linesOf(head.slice(0, 4 * maxLineLength))
  const first = lines[0] ?? ''
  // Ovid's exports begin with a number, and have tags that no other format has.
  if (lines.filter(line => /^[A-Z][A-Z0-9] {1,3}- /.test(line)).length > 1) return false
  return first.toLowerCase() === heading.toLowerCase() || pastedIdentifier(first, { digitsArePmid: true }) !== undefined
}

/**
 * The first lines of a list that name a paper, and the number of those after them. Lines that begin with # are comments.
 * @param max lines to return
 */
export function parsePaperList (text: string, max: number): { lines: string[], remaining: number } {
  const lines: string[] = []
  let remaining = 0
  // A million characters of short lines would take long to split.
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length;) {
    while (start < text.length && isBlank(text.charCodeAt(start))) start++
    if (start === text.length) break
    const isComment = text.charCodeAt(start) === numberSign
    const begin = start
    while (start < text.length && !isLineEnd(text.charCodeAt(start))) start++
    if (isComment) continue
    if (lines.length === max) remaining++
    else lines.push(text.slice(begin, start).trim())
  }
  return { lines, remaining }
}

const numberSign = 35
const isLineEnd = (code: number) => code === 10 || code === 13
const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13) || (code > 127 && String.fromCharCode(code).trim() === '')

/** Lines with text. */
const linesOf = (text: string): string[] =>
  text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/).map(line => line.trim()).filter(line => line !== '')
