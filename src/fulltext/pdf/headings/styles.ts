import { type Block, numbered, type TextBlock, withoutNumber } from '../layout/block.js'
import { isKnownHeading } from './titles.js'
import type { Measures } from '../extract/measures.js'

/** What the paragraphs of one style have in common. */
interface StyleEvidence {
  blocks: number
  /** At most two lines and 130 characters. */
  short: number
  known: number
  numbered: number
  outlined: number
  /** In front of a paragraph in another style. */
  leading: number
  characters: number
  bold: number
  /** Begin in lower case, or have no word. */
  lower: number
  /** End as sentences do. */
  ended: number
  size: number
}

/** The styles that a document sets its headings in: short paragraphs in front of text, with titles that are known, numbered or bookmarked among them. */
export function headingStylesOf (blocks: Block[], measures: Measures, isOutlined: (text: string) => boolean): Set<string> {
  const evidence = new Map<string, StyleEvidence>()
  for (const [at, block] of blocks.entries()) {
    if (block.kind !== 'paragraph' || block.style === measures.bodyStyle || block.lines.some(({ style }) => style !== block.style)) continue
    let of = evidence.get(block.style)
    if (of === undefined) evidence.set(block.style, of = { blocks: 0, short: 0, known: 0, numbered: 0, outlined: 0, leading: 0, characters: 0, bold: 0, lower: 0, ended: 0, size: block.lines[0]!.size })
    add(of, block, blocks[at + 1], measures, isOutlined)
  }
  return new Set([...evidence].filter(([style, of]) => isHeadingStyle(of, measures, measures.lettersIn.get(style) ?? 0)).map(([style]) => style))
}

function add (of: StyleEvidence, { text, lines, style }: TextBlock, next: Block | undefined, { bodyStyle }: Measures, isOutlined: (text: string) => boolean): void {
  of.blocks++
  of.characters += text.length
  if (lines.length <= 2 && text.length < 130) of.short++
  if (isKnownHeading(withoutNumber(text))) of.known++
  if (numbered.test(text)) of.numbered++
  if (isOutlined(text)) of.outlined++
  if (next?.kind === 'paragraph' && (next.style === bodyStyle || next.style !== style)) of.leading++
  if (lines[0]!.bold) of.bold++
  if (/^[\p{Ll}(]/u.test(text) || !/\p{L}{3}/u.test(text)) of.lower++
  if (/[.;,:]$/.test(text)) of.ended++
}

function isHeadingStyle (of: StyleEvidence, { bodySize, letters }: Measures, lettersInStyle: number): boolean {
  const mean = of.characters / of.blocks
  if (of.short / of.blocks < 0.75 || mean < 4 || mean > 95 || of.lower / of.blocks > 0.3 || lettersInStyle > 0.12 * letters) return false
  const signs = of.known * 2 + of.numbered + of.outlined * 2
  const leads = of.leading / of.blocks
  return signs >= 2 || (signs >= 1 && of.blocks <= 6) ||
    (of.size >= bodySize * 1.12 && of.blocks <= 25 && leads > 0.5) ||
    (of.bold / of.blocks > 0.8 && of.blocks >= 2 && of.blocks <= 60 && leads > 0.6 && of.size >= bodySize * 0.9) ||
    (of.blocks >= 3 && of.blocks <= 60 && leads > 0.75 && of.size >= bodySize * 0.85 && of.lower / of.blocks < 0.15 && mean < 70 && of.ended / of.blocks < 0.3)
}
