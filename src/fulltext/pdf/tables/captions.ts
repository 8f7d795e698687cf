import type { PageLines } from '../layout/headers-footers.js'
import type { Line } from '../layout/lines.js'
import type { TextMetrics } from '../extract/text-metrics.js'
import type { Rule } from '../extract/page.js'

const tableCaption = /^(table|tab\.)\s*(S?\d+|[IVX]+)\b/i
/** Matches a sentence that mentions a table. */
const aboutTable = new RegExp(
  String.raw`^table \d+ (shows|lists|presents|summari\w*|gives|reports|contains|reveals|illustrates|` +
  String.raw`provides|compares|displays|describes|indicates|demonstrates|and|also|was|were|is|are|in|for)\b`,
  'i'
)
const continued = /^(table|tab\.)\s*(S?\d+|[IVX]+)\W{0,4}(continued|cont\.|cont[’']d|contd)|\((continued|cont\.|cont[’']d|contd)\)?\W*$/i

const maxCaptionLineCharacters = 400
const maxCaptionLines = 8
/** Between baselines of a caption, in font sizes. */
const maxLineStepRatio = 1.7

const isCaptionStart = ({ text }: Line): boolean =>
  tableCaption.test(text) && text.length < maxCaptionLineCharacters && !aboutTable.test(text)

/** The number in the label of a caption, such as "S2". */
export const labelOf = ([first]: Line[]): string => tableCaption.exec(first!.text)![2]!.toUpperCase()

/** Whether a caption continues that of an earlier table. */
export const isContinued = (caption: Line[]): boolean => continued.test(caption.map(({ text }) => text).join(' '))

/** Finds table captions with their lines. A caption ends before a rule, a row of cells or body text. */
export function findTableCaptions ({ lines, rules }: PageLines & { rules: Rule[] }, { bodyStyle }: TextMetrics): Line[][] {
  return lines.filter(isCaptionStart).map(first => {
    const caption = [first]
    const at = lines.indexOf(first)
    for (const line of lines.slice(at + 1, at + maxCaptionLines)) {
      const last = caption.at(-1)!
      const onBaseline = Math.abs(line.y - last.y) < 0.3 * last.size
      const isRuledOff = rules.some(({ x0, x1, y }) => y > last.y && y < line.y && x0 < line.x1 && x1 > line.x0)
      const isBody = line.style !== first.style && line.style === bodyStyle
      const isRow =
        line.segments.length > 2 ||
        lines.some(other => other !== line && other.x0 > line.x1 && other.x0 < first.x1 && Math.abs(other.y - line.y) < 0.2 * line.size)
      if (isRuledOff || isBody || isCaptionStart(line)) break
      if (
        onBaseline
          ? line.x0 < last.x1
          : isRow ||
            line.y < last.y ||
            line.y - last.y > maxLineStepRatio * Math.max(last.size, line.size) ||
            line.x0 > first.x1 ||
            line.x1 < first.x0
      ) { break }
      caption.push(line)
    }
    return caption
  })
}
