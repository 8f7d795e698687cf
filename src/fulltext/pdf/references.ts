import { type Block, isReferencesTitle, type TextBlock } from './block.js'
import { joined, type Joiner } from './hyphenation.js'
import type { Line } from './lines.js'
import type { Measures } from './measures.js'

const bracketed = /^\[\w+[^\]]*\]/
const numberedEntry = /^\(?\d{1,3}[.)]?\s+\S/

/** Splits the text under the references' heading into one block for each. */
export function withReferences (blocks: Block[], measures: Measures, join: Joiner): Block[] {
  let inReferences = false
  return blocks.flatMap(block => {
    if (block.kind === 'heading') inReferences = isReferencesTitle(block.text)
    return inReferences && block.kind === 'paragraph' ? entriesOf(block, measures, join) : [block]
  })
}

function entriesOf (block: TextBlock, { bodySize }: Measures, join: Joiner): TextBlock[] {
  const { lines } = block
  const isStart = startsOf(lines, bodySize)
  const entries: Line[][] = []
  for (const [at, line] of lines.entries()) {
    if (entries.length === 0 || isStart(line, lines[at - 1]!)) entries.push([line])
    else entries.at(-1)!.push(line)
  }
  return entries.map(lines => ({ ...block, kind: 'reference', lines, text: joined(lines, join) }))
}

/** How an entry's first line is told: by its label, its number, the hanging indent or the end of the entry before. */
function startsOf (lines: Line[], bodySize: number): (line: Line, before: Line) => boolean {
  const leftOf = (line: Line) => Math.min(...lines.filter(other => other.page === line.page && Math.abs(other.x0 - line.x0) < 6 * bodySize).map(({ x0 }) => x0))
  const count = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).length
  const [labels, numbers] = [count(bracketed), count(numberedEntry)]
  if (labels >= 2 && labels >= lines.length * 0.12) return ({ text }) => bracketed.test(text)
  if (numbers >= 2 && numbers >= lines.length * 0.15) return line => numberedEntry.test(line.text) && line.x0 - leftOf(line) < 1.2 * bodySize
  if (lines.some(line => line.x0 - leftOf(line) > 0.6 * bodySize)) return line => line.x0 - leftOf(line) < 0.5 * bodySize
  const right = Math.max(...lines.map(({ x1 }) => x1))
  return (_line, before) => before.text.endsWith('.') && before.x1 < right - bodySize
}
