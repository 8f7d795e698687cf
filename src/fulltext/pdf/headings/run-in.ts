import { type Block, captionLabel, numbered, type TextBlock } from '../layout/block.js'
import { countLetters } from '../extract/characters.js'
import { type Line, styleOf } from '../layout/lines.js'
import type { TextMetrics } from '../extract/text-metrics.js'

/** A run-in heading: it shares a line with its paragraph. */
interface RunIn {
  block: TextBlock
  font: string
  title: string
  /** Position of the text after the heading. */
  lineIndex: number
  offset: number
}

/** A style with fewer unnumbered run-in headings is emphasis. */
const minOccurrences = 3
const maxHeadingLines = 4
/** Limits for an unnumbered heading. A numbered one may have twice as many letters. */
const [maxHeadingLetters, maxHeadingWords] = [110, 16]

const noTitle =
  /^(keywords?|key words|correspondence|received|citation|copyright|e-?mail|doi|accepted|published|available|note|fax|tel|address)\b/i

/** Splits run-in headings ("*Plant material.* Leaves were…") from their paragraphs. */
export function splitRunInHeadings (blocks: Block[], { bodyFont, bodySize }: TextMetrics): Block[] {
  const runIns = new Map<Block, RunIn>()
  const countsByFont = new Map<string, number>()
  for (const block of blocks) {
    const runIn = block.kind === 'paragraph' ? findRunIn(block, bodyFont) : null
    if (runIn === null) continue
    runIns.set(block, runIn)
    countsByFont.set(runIn.font, (countsByFont.get(runIn.font) ?? 0) + 1)
  }
  return blocks.flatMap(block => {
    const runIn = runIns.get(block)
    if (runIn === undefined || (countsByFont.get(runIn.font)! < minOccurrences && !/^\d{1,2}\.\d/.test(runIn.title))) return [block]
    return splitAt(runIn, bodySize)
  })
}

function findRunIn (block: TextBlock, bodyFont: string): RunIn | null {
  const { lines } = block
  if (lines.length < 2 && lines[0]!.letters < 40) return null
  let font: string | null = null
  let letters = 0
  for (const [at, line] of lines.slice(0, maxHeadingLines).entries()) {
    for (const run of line.runs) {
      const text = line.text.slice(run.start, run.end)
      if (run.font === bodyFont && font === null) return null
      if (run.font === bodyFont) return parseRunIn(block, font!, letters, at, run.start)
      font ??= run.font
      if (run.font !== font && /\p{L}{4}/u.test(text) && !run.bold && !run.italic) return null
      letters += countLetters(text)
    }
  }
  return null
}

function parseRunIn (block: TextBlock, font: string, letters: number, lineIndex: number, offset: number): RunIn | null {
  if (letters < 5 || letters > 2 * maxHeadingLetters) return null
  const title = [...block.lines.slice(0, lineIndex).map(({ text }) => text), block.lines[lineIndex]!.text.slice(0, offset)].join(' ').trim()
  if (!/[.:]$/.test(title) || !/^[\p{Lu}\d]/u.test(title) || captionLabel.test(title) || noTitle.test(title)) return null
  if ((letters > maxHeadingLetters || title.split(' ').length > maxHeadingWords) && !numbered.test(title)) return null
  return { block, font, title: title.replace(/[.:]$/, ''), lineIndex, offset }
}

function splitAt ({ block, font, title, lineIndex, offset }: RunIn, bodySize: number): Block[] {
  const first = block.lines[0]!
  const splitLine = block.lines[lineIndex]!
  const style = `run-in|${font}`
  const heading: TextBlock = {
    kind: 'heading',
    runIn: true,
    lines: [{ ...first, text: title, style, size: bodySize }],
    text: title,
    page: block.page,
    indented: false,
    reachesRightEdge: false,
    style
  }
  const lines: Line[] = [
    { ...splitLine, text: splitLine.text.slice(offset).trim(), runs: [], style: styleAt(splitLine, offset) },
    ...block.lines.slice(lineIndex + 1)
  ].filter(({ text }) => text !== '')
  return lines.length === 0
    ? [heading]
    : [heading, { ...block, lines, text: lines.map(({ text }) => text).join(' '), indented: true, style: lines[0]!.style }]
}

/** Returns the style of the run that starts at an offset, or the style of the line. */
function styleAt ({ runs, style }: Line, offset: number): string {
  const run = runs.find(({ start }) => start === offset)
  return run === undefined ? style : styleOf(run.font, run.size)
}
