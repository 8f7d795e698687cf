import { type Block, captionStart, isReferencesTitle, numbered, type TextBlock, withoutNumber } from './block.js'
import { headingStylesOf } from './heading-styles.js'
import { isKnownHeading } from './known-headings.js'
import type { Measures } from './measures.js'
import type { DocumentFacts } from './page.js'

const letters = (text: string) => withoutNumber(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Makes headings of the paragraphs that are set as the document's headings are, or have the title of one. */
export function markHeadings (blocks: Block[], measures: Measures, facts: DocumentFacts): void {
  const outline = new Set(facts.outline.map(({ title }) => letters(title)).filter(title => title.length > 3))
  const isOutlined = (text: string) => outline.has(letters(text))
  const styles = headingStylesOf(blocks, measures, isOutlined)
  for (const block of blocks) {
    if (block.kind === 'paragraph' && isHeading(block, styles, measures, isOutlined)) block.kind = 'heading'
  }
  demoteInReferences(blocks)
  demoteRuns(blocks)
}

function isHeading ({ text, lines, style }: TextBlock, styles: Set<string>, { bodyStyle, bodySize }: Measures, isOutlined: (text: string) => boolean): boolean {
  const first = lines[0]!
  if (captionStart.test(text)) return false
  if (text.length < 250 && isOutlined(text)) return true
  if (styles.has(style) && lines.length <= 3 && text.length < 180 && /\p{L}{3}/u.test(text) && lines.every(line => line.style === style || (line.purity < 0.99 && styles.has(line.style)))) return true
  if (lines.length === 1 && isKnownHeading(withoutNumber(text))) return true
  return numbered.test(text) && lines.length <= 2 && text.length < 110 && style !== bodyStyle && !/[.;,]$/.test(text) && first.size >= bodySize * 0.95 &&
    (first.bold || first.italic || first.size > bodySize * 1.05)
}

const isCertain = (text: string) => isKnownHeading(withoutNumber(text)) || /^\d{1,2}(\.\d{1,2})*\.?\s+\p{Lu}\p{Ll}/u.test(text)

/** Among the references, and in the list of authors, what is set as a heading is none. */
function demoteInReferences (blocks: Block[]): void {
  let inReferences = false
  for (const block of blocks) {
    if (block.kind !== 'heading') continue
    if (isReferencesTitle(block.text)) inReferences = true
    else if (inReferences && !isKnownHeading(withoutNumber(block.text)) && !/^appendix|^[A-H]\.?\s+\p{Lu}/iu.test(block.text)) block.kind = 'paragraph'
    else if (block.page === 1 && (block.text.match(/,/g) ?? []).length >= 3 && /\d/.test(block.text) && !isCertain(block.text)) block.kind = 'paragraph'
  }
}

/** Many headings without text between them are cells of a table, or labels in a figure. */
function demoteRuns (blocks: Block[]): void {
  for (let at = 0; at < blocks.length;) {
    let end = at
    while (end < blocks.length && (blocks[end]!.kind === 'heading' || (blocks[end]!.kind === 'paragraph' && (blocks[end] as TextBlock).text.length < 25))) end++
    const headings = blocks.slice(at, end).filter((block): block is TextBlock => block.kind === 'heading')
    if (headings.length >= 4 && headings.filter(({ text }) => isCertain(text)).length < headings.length / 2) {
      for (const heading of headings) if (!isCertain(heading.text)) heading.kind = 'paragraph'
    }
    at = Math.max(end, at + 1)
  }
}
