import { type Block, isReferencesTitle, type TextBlock } from '../layout/block.js'
import { joined, type Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'
import type { Measures } from '../extract/measures.js'
import { startsOfEntries } from './reference-starts.js'

/** Splits the text under the references' heading into one block for each, across columns and pages. */
export function withReferences (blocks: Block[], measures: Measures, join: Joiner): Block[] {
  const whole: Block[] = []
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at++]!
    whole.push(block)
    if (block.kind !== 'heading' || !isReferencesTitle(block.text)) continue
    let end = at
    while (end < blocks.length && blocks[end]!.kind !== 'heading') end++
    whole.push(...entriesOf(blocks.slice(at, end), measures, join))
    at = end
  }
  return whole
}

function entriesOf (section: Block[], measures: Measures, join: Joiner): Block[] {
  const paragraphs = section.filter((block): block is TextBlock => block.kind === 'paragraph')
  const starts = startsOfEntries(paragraphs.map(({ lines }) => lines), measures)
  const style = commonStyle(paragraphs)
  const blocks: Block[] = []
  let entry: TextBlock | null = null
  const last = paragraphs.findLastIndex(({ lines }) => lines.some(line => starts.has(line)))
  for (const [at, paragraph] of paragraphs.entries()) {
    // Notes of the publisher follow the last entry in a style of their own.
    if (at > last && paragraph.lines.every(line => line.style !== style)) {
      blocks.push(paragraph)
      entry = null
      continue
    }
    for (const line of paragraph.lines) {
      if (entry === null || starts.has(line)) blocks.push(entry = { ...paragraph, kind: 'reference', lines: [line] })
      else entry.lines.push(line)
    }
  }
  for (const block of blocks) if (block.kind === 'reference') block.text = joined(block.lines, join)
  return [...blocks, ...section.filter(({ kind }) => kind !== 'paragraph')]
}

function commonStyle (paragraphs: TextBlock[]): string | undefined {
  const letters = new Map<string, number>()
  for (const line of paragraphs.flatMap(({ lines }): Line[] => lines)) letters.set(line.style, (letters.get(line.style) ?? 0) + line.letters)
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0]
}
