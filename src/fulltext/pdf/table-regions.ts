import type { PageLines } from './furniture.js'
import type { Line } from './lines.js'
import type { Measures } from './measures.js'
import type { Rule } from './page.js'

/** Where a table stands: between its outer rules. */
export interface TableRegion {
  caption: Line[]
  x0: number
  x1: number
  y0: number
  y1: number
}

const tableCaption = /^(table|tab\.)\s*(S?\d+|[IVX]+)\b/i
/** A sentence about a table. */
const aboutTable = /^table \d+ (shows|lists|presents|summari|gives|reports|contains|reveals|illustrates|provides|compares|displays|describes|indicates|demonstrates|and|also|was|were|is|are|in|for)\b/i

const longestCaption = 400
const leastWidth = 60

export const isTableCaption = ({ text }: Line): boolean => tableCaption.test(text) && text.length < longestCaption && !aboutTable.test(text)

/** Tables of a page: a caption and two rules or more of one width below it, or above. */
export function tableRegionsOf (page: PageLines & { rules: Rule[] }, measures: Measures): TableRegion[] {
  const captions = page.lines.filter(isTableCaption)
  return captions.flatMap(caption => {
    const others = captions.filter(other => other !== caption)
    const rules = page.rules.filter(rule => rule.x1 - rule.x0 > leastWidth && rule.x0 < caption.x1 + 5 && rule.x1 > caption.x0 - 5)
    const region = below(caption, others, rules, measures) ?? above(caption, others, rules, page.height, measures)
    return region === null ? [] : [{ ...region, caption: captionLines(caption, region, page, measures) }]
  })
}

type Box = Omit<TableRegion, 'caption'>

function below (caption: Line, others: Line[], rules: Rule[], { leading }: Measures): Box | null {
  const under = rules.filter(({ y }) => y > caption.y - 2).sort((a, b) => a.y - b.y)
  const widest = Math.max(...under.slice(0, 4).map(({ x0, x1 }) => x1 - x0))
  const wide = under.filter(({ x0, x1 }) => x1 - x0 > 0.85 * widest)
  if (wide.length < 2) return null
  const x0 = Math.min(...wide.slice(0, 2).map(rule => rule.x0))
  const x1 = Math.max(...wide.slice(0, 2).map(rule => rule.x1))
  const next = Math.min(Infinity, ...others.filter(other => other.y > caption.y + 5 && other.x0 < x1 && other.x1 > x0).map(({ y }) => y))
  const own = wide.filter(rule => Math.abs(rule.x0 - x0) < 6 && Math.abs(rule.x1 - x1) < 6 && rule.y < next - 2)
  if (own.length < 2 || own[0]!.y - caption.y > 9 * leading) return null
  return { x0, x1, y0: own[0]!.y, y1: own.at(-1)!.y }
}

function above (caption: Line, others: Line[], rules: Rule[], height: number, { leading }: Measures): Box | null {
  const over = rules.filter(({ y }) => y < caption.y - 2 && y > caption.y - 0.8 * height).sort((a, b) => b.y - a.y)
  const last = over[0]
  if (last === undefined || caption.y - last.y > 3.2 * leading) return null
  const before = Math.max(0, ...others.filter(other => other.y < caption.y - 5).map(({ y }) => y))
  const own = over.filter(rule => Math.abs(rule.x0 - last.x0) < 6 && Math.abs(rule.x1 - last.x1) < 6 && rule.y > before + 1)
  if (own.length < 2) return null
  return { x0: last.x0, x1: last.x1, y0: own.at(-1)!.y, y1: last.y }
}

/** The caption's lines, down to the first rule or, under the table, to where the text goes on. */
function captionLines (first: Line, region: Box, { lines }: PageLines, { leading, bodyStyle }: Measures): Line[] {
  const caption = [first]
  const isBelow = first.y > region.y1 - 2
  const at = lines.indexOf(first)
  for (const line of lines.slice(at + 1, at + 8)) {
    if (line.y < first.y - 1 || line.x0 > region.x1 || line.x1 < region.x0) break
    if (isBelow ? line.y - first.y > 4 * leading || (line.style !== first.style && line.style === bodyStyle) : line.y > region.y0 + 1) break
    caption.push(line)
  }
  return caption
}
