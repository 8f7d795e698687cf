import type { PageLines } from '../layout/furniture.js'
import type { Line } from '../layout/lines.js'
import type { Measures } from '../extract/measures.js'
import type { Rule } from '../extract/page.js'

const tableCaption = /^(table|tab\.)\s*(S?\d+|[IVX]+)\b/i
/** A sentence about a table. */
const aboutTable = /^table \d+ (shows|lists|presents|summari\w*|gives|reports|contains|reveals|illustrates|provides|compares|displays|describes|indicates|demonstrates|and|also|was|were|is|are|in|for)\b/i
const continued = /^(table|tab\.)\s*(S?\d+|[IVX]+)\W{0,4}(continued|cont\.|cont[’']d|contd)|\((continued|cont\.|cont[’']d|contd)\)?\W*$/i

const longestLine = 400
const mostLines = 8
/** From line to line within a caption, in heights of its font. */
const widestStep = 1.7

const isCaptionStart = ({ text }: Line): boolean => tableCaption.test(text) && text.length < longestLine && !aboutTable.test(text)

/** The caption says that it goes on with the table before. */
export const isContinued = (caption: Line[]): boolean => continued.test(caption.map(({ text }) => text).join(' '))

/** The captions of a page's tables, each with its lines: down to a rule, a row of cells or text that is set in another way. */
export function tableCaptionsOf ({ lines, rules }: PageLines & { rules: Rule[] }, { bodyStyle }: Measures): Line[][] {
  return lines.filter(isCaptionStart).map(first => {
    const caption = [first]
    const at = lines.indexOf(first)
    for (const line of lines.slice(at + 1, at + mostLines)) {
      const last = caption.at(-1)!
      const onBaseline = Math.abs(line.y - last.y) < 0.3 * last.size
      const isRuledOff = rules.some(({ x0, x1, y }) => y > last.y && y < line.y && x0 < line.x1 && x1 > line.x0)
      const isBody = line.style !== first.style && line.style === bodyStyle
      const isRow = line.segments.length > 2 || lines.some(other => other !== line && other.x0 > line.x1 && other.x0 < first.x1 && Math.abs(other.y - line.y) < 0.2 * line.size)
      if (isRuledOff || isBody || isCaptionStart(line)) break
      if (onBaseline ? line.x0 < last.x1 : isRow || line.y < last.y || line.y - last.y > widestStep * Math.max(last.size, line.size) || line.x0 > first.x1 || line.x1 < first.x0) break
      caption.push(line)
    }
    return caption
  })
}
