import { type Block, captionStart, isReferencesTitle, numbered, type TextBlock, withoutNumber } from '../layout/block.js'
import { headingStylesOf } from './heading-styles.js'
import { isKnownHeading } from './known-headings.js'
import type { Measures } from '../extract/measures.js'
import type { DocumentFacts } from '../extract/page.js'

/** Words of a title at least; what has fewer is a journal's name or a mark. */
const leastTitle = 4
/** Lists of names, with marks of addresses, and addresses. */
const namesOrAddress = /@|e-?mail|\p{Ll}\d|,.*,|,.* and /iu

const letters = (text: string) => withoutNumber(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Makes headings of the paragraphs that are set as the document's headings are, or have the title of one. */
export function markHeadings (blocks: Block[], measures: Measures, facts: DocumentFacts): void {
  const outline = new Set(facts.outline.map(({ title }) => letters(title)).filter(title => title.length > 3))
  const isOutlined = (text: string) => outline.has(letters(text))
  const styles = headingStylesOf(blocks, measures, isOutlined)
  for (const block of blocks) {
    if (block.kind === 'paragraph' && isHeading(block, styles, measures, isOutlined)) block.kind = 'heading'
  }
  demoteFrontMatter(blocks, measures, facts)
  demoteInReferences(blocks)
  demoteRuns(blocks)
}

function isHeading ({ text, lines, style }: TextBlock, styles: Set<string>, { bodyStyle, bodySize }: Measures, isOutlined: (text: string) => boolean): boolean {
  const first = lines[0]!
  if (captionStart.test(text)) return false
  if (text.length < 250 && isOutlined(text)) return true
  if (styles.has(style) && lines.length <= 3 && text.length < 180 && /\p{L}{3}/u.test(text) && lines.every(line => line.style === style || (line.purity < 0.99 && styles.has(line.style)))) return true
  if (lines.length === 1 && isKnownHeading(withoutNumber(text))) return true
  return numbered.test(text) && lines.length <= 4 && text.length < 220 && style !== bodyStyle && !/[.;,]$/.test(text) && first.size >= bodySize * 0.95 &&
    (first.bold || first.italic || first.size > bodySize * 1.05)
}

const isCertain = (text: string) => isKnownHeading(withoutNumber(text)) || /^\d{1,2}(\.\d{1,2})*\.?\s+\p{Lu}\p{Ll}/u.test(text)

/** What stands out on the first page besides the title (the journal's name, marks, authors, addresses) is no heading. */
function demoteFrontMatter (blocks: Block[], { bodySize }: Measures, { title }: DocumentFacts): void {
  const front = blocks.filter((block): block is TextBlock => block.kind === 'heading' && block.page === 1)
  const largest = Math.max(0, ...front.filter(({ text }) => text.split(' ').length >= leastTitle).map(({ lines }) => lines[0]!.size))
  const own = title === null ? -1 : front.findIndex(({ text }) => letters(text) === letters(title))
  const at = own !== -1 ? own : front.findIndex(({ text, lines }) => lines[0]!.size === largest && largest > bodySize * 1.25 && text.split(' ').length >= leastTitle)
  const first = front.findIndex(({ text }) => isCertain(text))
  for (const [place, heading] of front.entries()) {
    const isBefore = place < at
    const isAuthors = place > at && (first === -1 || place < first) && namesOrAddress.test(heading.text)
    const isMark = (first === -1 || place < first) && heading.lines[0]!.size > bodySize * 1.25 && heading.text.split(' ').length < leastTitle
    if ((isBefore || isAuthors || isMark) && !isCertain(heading.text)) heading.kind = 'paragraph'
  }
}

/** Among the references, what is set as a heading is none, unless sections before were set so. */
function demoteInReferences (blocks: Block[]): void {
  const before = new Set<string>()
  let inReferences = false
  for (const block of blocks) {
    if (block.kind !== 'heading') continue
    if (isReferencesTitle(block.text)) inReferences = true
    else if (!inReferences) before.add(block.style)
    else if (!isKnownHeading(withoutNumber(block.text)) && !(before.has(block.style) && /^(appendix|[A-H]\.?\s+\p{Lu})/iu.test(block.text) && !block.text.endsWith('.'))) block.kind = 'paragraph'
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
