import { type Block, numbered, type TextBlock, withoutNumber } from '../layout/block.js'
import { isKnownHeading } from './titles.js'
import type { TextMetrics } from '../extract/text-metrics.js'

/** Counts over the paragraphs of one style. */
interface StyleCounts {
  blocks: number
  /** At most two lines and 130 characters. */
  short: number
  /** With the title of a common section. */
  known: number
  numbered: number
  outlined: number
  /** Before a paragraph in another style. */
  leading: number
  characters: number
  bold: number
  /** Start in lower case, or contain no word. */
  lower: number
  /** End with punctuation. */
  ended: number
  size: number
}

/** Finds heading styles: those of short paragraphs before text, some with common, numbered or bookmarked titles. */
export function findHeadingStyles (blocks: Block[], metrics: TextMetrics, isOutlined: (text: string) => boolean): Set<string> {
  const countsByStyle = new Map<string, StyleCounts>()
  for (const [at, block] of blocks.entries()) {
    if (block.kind !== 'paragraph' || block.style === metrics.bodyStyle || block.lines.some(({ style }) => style !== block.style)) continue
    let counts = countsByStyle.get(block.style)
    if (counts === undefined) {
      countsByStyle.set(
        block.style,
        (counts = {
          blocks: 0,
          short: 0,
          known: 0,
          numbered: 0,
          outlined: 0,
          leading: 0,
          characters: 0,
          bold: 0,
          lower: 0,
          ended: 0,
          size: block.lines[0]!.size
        })
      )
    }
    addTo(counts, block, blocks[at + 1], metrics, isOutlined)
  }
  return new Set(
    [...countsByStyle]
      .filter(([style, counts]) => isHeadingStyle(counts, metrics, metrics.lettersByStyle.get(style) ?? 0))
      .map(([style]) => style)
  )
}

function addTo (
  counts: StyleCounts,
  { text, lines, style }: TextBlock,
  next: Block | undefined,
  { bodyStyle }: TextMetrics,
  isOutlined: (text: string) => boolean
): void {
  counts.blocks++
  counts.characters += text.length
  if (lines.length <= 2 && text.length < 130) counts.short++
  if (isKnownHeading(withoutNumber(text))) counts.known++
  if (numbered.test(text)) counts.numbered++
  if (isOutlined(text)) counts.outlined++
  if (next?.kind === 'paragraph' && (next.style === bodyStyle || next.style !== style)) counts.leading++
  if (lines[0]!.bold) counts.bold++
  if (/^[\p{Ll}(]/u.test(text) || !/\p{L}{3}/u.test(text)) counts.lower++
  if (/[.;,:]$/.test(text)) counts.ended++
}

function isHeadingStyle (counts: StyleCounts, { bodySize, letters }: TextMetrics, lettersInStyle: number): boolean {
  const mean = counts.characters / counts.blocks
  if (
    counts.short / counts.blocks < 0.75 ||
    mean < 4 ||
    mean > 95 ||
    counts.lower / counts.blocks > 0.3 ||
    lettersInStyle > 0.12 * letters
  ) {
    return false
  }
  const signs = counts.known * 2 + counts.numbered + counts.outlined * 2
  const leads = counts.leading / counts.blocks
  return signs >= 2 || (signs >= 1 && counts.blocks <= 6) ||
    (counts.size >= bodySize * 1.12 && counts.blocks <= 25 && leads > 0.5) ||
    (counts.bold / counts.blocks > 0.8 && counts.blocks >= 2 && counts.blocks <= 60 && leads > 0.6 && counts.size >= bodySize * 0.9) ||
    (counts.blocks >= 3 && counts.blocks <= 60 && leads > 0.75 && counts.size >= bodySize * 0.85 &&
      counts.lower / counts.blocks < 0.15 && mean < 70 && counts.ended / counts.blocks < 0.3)
}
