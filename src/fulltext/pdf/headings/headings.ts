import { type TextMetrics, median } from '../extract/text-metrics.js'
import type { DocumentMetadata } from '../extract/page.js'
import { type Block, captionLabel, isReferencesTitle, numbered, type TextBlock, withoutNumber } from '../layout/block.js'
import { findHeadingStyles } from './styles.js'
import { isKnownHeading, isTopSection } from './titles.js'

/** A shorter text is a journal name or an article type, not the title. */
const minTitleWords = 4
/** Matches author lists and affiliations. */
const namesOrAddress = /@|e-?mail|\p{Ll}\d|,.*,|,.* and /iu

const letters = (text: string) => withoutNumber(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Converts paragraphs to headings by their style, title, number or bookmark. */
export function markHeadings (blocks: Block[], metrics: TextMetrics, metadata: DocumentMetadata): void {
  const outline = new Set(metadata.outline.map(({ title }) => letters(title)).filter(title => title.length > 3))
  const isOutlined = (text: string) => outline.has(letters(text))
  const styles = findHeadingStyles(blocks, metrics, isOutlined)
  for (const block of blocks) {
    if (block.kind === 'paragraph' && isHeading(block, styles, metrics, isOutlined)) block.kind = 'heading'
  }
  demoteFrontMatter(blocks, metrics, metadata)
  demoteInReferences(blocks)
  demoteRuns(blocks)
}

function isHeading (
  { text, lines, style }: TextBlock,
  styles: Set<string>,
  { bodyStyle, bodySize }: TextMetrics,
  isOutlined: (text: string) => boolean
): boolean {
  const first = lines[0]!
  if (captionLabel.test(text)) return false
  if (text.length < 250 && isOutlined(text)) return true
  if (
    styles.has(style) &&
    lines.length <= 3 &&
    text.length < 180 &&
    /\p{L}{3}/u.test(text) &&
    lines.every(line => line.style === style || (line.styleShare < 0.99 && styles.has(line.style)))
  ) { return true }
  // A paragraph may end with such a word on a line, column or page of its own: "results."
  const isEndOfText = style === bodyStyle && /^\p{Ll}/u.test(text)
  if (lines.length === 1 && isKnownHeading(withoutNumber(text)) && !isEndOfText) return true
  return numbered.test(text) && lines.length <= 4 && text.length < 220 && style !== bodyStyle && !/[.;,]$/.test(text) &&
    first.size >= bodySize * 0.95 &&
    (first.bold || first.italic || first.size > bodySize * 1.05)
}

const isCertain = (text: string) => isKnownHeading(withoutNumber(text)) || /^\d{1,2}(\.\d{1,2})*\.?\s+\p{Lu}\p{Ll}/u.test(text)

/** Converts journal names, article types, authors and affiliations on the first page back to paragraphs. */
function demoteFrontMatter (blocks: Block[], { bodySize }: TextMetrics, { title }: DocumentMetadata): void {
  const front = blocks.filter((block): block is TextBlock => block.kind === 'heading' && block.page === 1)
  const largest = Math.max(0, ...front.filter(({ text }) => text.split(' ').length >= minTitleWords).map(({ lines }) => lines[0]!.size))
  const own = title === null ? -1 : front.findIndex(({ text }) => letters(text) === letters(title))
  const at =
    own !== -1
      ? own
      : front.findIndex(
        ({ text, lines }) => lines[0]!.size === largest && largest > bodySize * 1.25 && text.split(' ').length >= minTitleWords
      )
  const first = front.findIndex(({ text }) => isCertain(text))
  for (const [place, heading] of front.entries()) {
    const isBefore = place < at
    const isAuthors = place > at && (first === -1 || place < first) && namesOrAddress.test(heading.text)
    const isMark =
      (first === -1 || place < first) && heading.lines[0]!.size > bodySize * 1.25 && heading.text.split(' ').length < minTitleWords
    if ((isBefore || isAuthors || isMark) && !isCertain(heading.text)) heading.kind = 'paragraph'
  }
}

/** Converts headings in the reference list back to paragraphs, except appendices in an earlier heading style. */
function demoteInReferences (blocks: Block[]): void {
  const before = new Set<string>()
  let inReferences = false
  for (const block of blocks) {
    if (block.kind !== 'heading') continue
    if (isReferencesTitle(block.text)) inReferences = true
    else if (!inReferences) before.add(block.style)
    else if (
      !isKnownHeading(withoutNumber(block.text)) &&
      !(before.has(block.style) && /^(appendix|[A-H]\.?\s+\p{Lu})/iu.test(block.text) && !block.text.endsWith('.'))
    ) { block.kind = 'paragraph' }
  }
}

/** Converts headings without text between them back to paragraphs: they are table cells or figure labels. */
function demoteRuns (blocks: Block[]): void {
  for (let at = 0; at < blocks.length;) {
    let end = at
    while (end < blocks.length && isHeadingLike(blocks[end]!)) end++
    const headings = blocks.slice(at, end).filter((block): block is TextBlock => block.kind === 'heading')
    if (headings.length >= 4 && headings.filter(({ text }) => isCertain(text)).length < headings.length / 2) {
      for (const heading of headings) if (!isCertain(heading.text)) heading.kind = 'paragraph'
    }
    at = Math.max(end, at + 1)
  }
}

/** Whether a block is a heading, or so short that it may be a label beside one. */
const isHeadingLike = (block: Block): boolean => block.kind === 'heading' || (block.kind === 'paragraph' && block.text.length < 25)

const maxHeadingLevel = 6

/** Sets heading levels: 1 for the title; for sections, 2 and below by number, otherwise by the prominence of their style. */
export function setLevels (blocks: Block[], { bodySize }: TextMetrics): void {
  const headings = blocks.filter((block): block is TextBlock => block.kind === 'heading')
  const styles = [...new Set(headings.map(({ style }) => style))]
  const ranks = styles
    .map(style => ({ style, rank: median(headings.filter(heading => heading.style === style).map(rankOf))! }))
    .sort((a, b) => b.rank - a.rank)
  const top = ranks.find(({ style }) => style === topStyle(headings))?.rank
  const levels = new Map<string, number>()
  let level = 2
  let before: number | null = null
  for (const { style, rank } of ranks) {
    if (top !== undefined && rank > top) continue
    if (before !== null && rank < before - 0.5) level = Math.min(maxHeadingLevel, level + 1)
    levels.set(style, level)
    before = rank
  }
  const largest = Math.max(0, ...headings.filter(({ page }) => page === 1).map(({ lines }) => lines[0]!.size))
  let inAbstract = false
  for (const heading of headings) {
    const number = /^(\d{1,2}(?:\.\d{1,2})*)\.?\s/.exec(heading.text)?.[1]
    const isTitle =
      heading.page === 1 &&
      heading.lines[0]!.size >= largest - 0.1 &&
      largest > bodySize * 1.25 &&
      top !== undefined &&
      rankOf(heading) > top
    if (/^abstract/i.test(heading.text)) inAbstract = true
    else if (isFirstLevel(heading.text)) inAbstract &&= !/^(introduction|references)/i.test(withoutNumber(heading.text))
    heading.level = isTitle
      ? 1
      : isFirstLevel(heading.text) && !inAbstract && number === undefined
        ? 2
        : number === undefined
          ? (levels.get(heading.style) ?? 2)
          : Math.min(maxHeadingLevel, 1 + number.split('.').length)
  }
}

/** Sections that are always on the first level, except in a structured abstract. */
const isFirstLevel = (text: string) =>
  /^(introduction|results and discussions?|discussions?|conclusions?|references)[.:]?$/i.test(withoutNumber(text))

/** Returns the most frequent style of common top-level sections. */
function topStyle (headings: TextBlock[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { text, style } of headings) if (isTopSection(withoutNumber(text))) counts.set(style, (counts.get(style) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** Ranks the prominence of a heading. */
function rankOf ({ lines, text }: TextBlock): number {
  const { size, bold, italic } = lines[0]!
  return size * 10 + (bold ? 4 : 0) + (/^[^\p{Ll}]+$/u.test(text) ? 3 : 0) - (italic && !bold ? 3 : 0)
}
