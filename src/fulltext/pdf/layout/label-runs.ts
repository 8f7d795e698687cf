import type { Block, TextBlock } from './block.js'
import type { Line } from './lines.js'

/** A longer paragraph is text. */
const maxLabelCharacters = 25
/** Fewer in a row are short paragraphs, such as those of a title page. */
const minLabels = 6
/** Vertical tolerance of a baseline, in font sizes. */
const baselineTolerance = 0.45

/** Joins labels of a figure, or cells of an unrecognized table, to one block with a line for each baseline, so that rows stay together. */
export function joinLabels (blocks: Block[]): Block[] {
  const joined: Block[] = []
  let labels: TextBlock[] = []
  const end = () => {
    if (labels.length < minLabels) joined.push(...labels)
    else {
      const lines = labels.flatMap(({ lines }) => lines)
      joined.push({ ...labels[0]!, lines, text: rowsOf(lines).join('\n') })
    }
    labels = []
  }
  for (const block of blocks) {
    if (labels.length > 0 && labels[0]!.page !== block.page) end()
    if (isLabel(block)) labels.push(block)
    else {
      end()
      joined.push(block)
    }
  }
  end()
  return joined
}

const isLabel = (block: Block): block is TextBlock =>
  block.kind === 'paragraph' && block.text.length <= maxLabelCharacters && !/^(?:[•▪◦●■–-]|\(?\d{1,2}[.)])\s/.test(block.text)

/** The texts of the lines by baseline, from top to bottom and from left to right. */
function rowsOf (lines: Line[]): string[] {
  const rows: Line[][] = []
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row !== undefined && line.y - row[0]!.y < baselineTolerance * Math.max(line.size, row[0]!.size)) row.push(line)
    else rows.push([line])
  }
  return rows.map(row => row.sort((a, b) => a.x0 - b.x0).map(({ text }) => text).join(' ').replaceAll('\u00AD', ''))
}
