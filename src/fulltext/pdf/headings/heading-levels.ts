import { type Block, type TextBlock, withoutNumber } from '../layout/block.js'
import { isTopSection } from './known-headings.js'
import { type Measures, median } from '../extract/measures.js'

const deepest = 6

/** Gives each heading its level: the title 1, sections from 2 on, by their numbers or else by how much their styles stand out. */
export function setLevels (blocks: Block[], { bodySize }: Measures): void {
  const headings = blocks.filter((block): block is TextBlock => block.kind === 'heading')
  const styles = [...new Set(headings.map(({ style }) => style))]
  const ranks = styles.map(style => ({ style, rank: median(headings.filter(heading => heading.style === style).map(rankOf))! })).sort((a, b) => b.rank - a.rank)
  const top = ranks.find(({ style }) => style === topStyle(headings))?.rank
  const levels = new Map<string, number>()
  let level = 2
  let before: number | null = null
  for (const { style, rank } of ranks) {
    if (top !== undefined && rank > top) continue
    if (before !== null && rank < before - 0.5) level = Math.min(deepest, level + 1)
    levels.set(style, level)
    before = rank
  }
  const largest = Math.max(0, ...headings.filter(({ page }) => page === 1).map(({ lines }) => lines[0]!.size))
  let inAbstract = false
  for (const heading of headings) {
    const number = /^(\d{1,2}(?:\.\d{1,2})*)\.?\s/.exec(heading.text)?.[1]
    const isTitle = heading.page === 1 && heading.lines[0]!.size >= largest - 0.1 && largest > bodySize * 1.25 && top !== undefined && rankOf(heading) > top
    if (/^abstract/i.test(heading.text)) inAbstract = true
    else if (isFirstLevel(heading.text)) inAbstract &&= !/^(introduction|references)/i.test(withoutNumber(heading.text))
    heading.level = isTitle ? 1 : isFirstLevel(heading.text) && !inAbstract && number === undefined ? 2 : number === undefined ? levels.get(heading.style) ?? 2 : Math.min(deepest, 1 + number.split('.').length)
  }
}

/** Sections that are part of no other one; those of an abstract aside. */
const isFirstLevel = (text: string) => /^(introduction|results and discussions?|discussions?|conclusions?|references)[.:]?$/i.test(withoutNumber(text))

/** The style of the sections that stand on the first level everywhere. */
function topStyle (headings: TextBlock[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { text, style } of headings) if (isTopSection(withoutNumber(text))) counts.set(style, (counts.get(style) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** How much a heading stands out. */
function rankOf ({ lines, text }: TextBlock): number {
  const { size, bold, italic } = lines[0]!
  return size * 10 + (bold ? 4 : 0) + (/^[^\p{Ll}]+$/u.test(text) ? 3 : 0) - (italic && !bold ? 3 : 0)
}
