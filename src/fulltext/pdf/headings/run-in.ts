import { type Block, captionStart, numbered, type TextBlock } from '../layout/block.js'
import { lettersOf } from '../extract/characters.js'
import { type Line, styleOf } from '../layout/lines.js'
import type { Measures } from '../extract/measures.js'

/** A heading in front of its paragraph, on the same line. */
interface RunIn {
  block: TextBlock
  font: string
  title: string
  /** Where the text goes on: in which line, from which character. */
  line: number
  at: number
}

/** Headings of one document in front of paragraphs are at least this many, unless they are numbered. */
const leastOften = 3
/** Lines that a heading takes at most. */
const mostLines = 4
/** Letters and words of a heading; a numbered one may have twice as many. */
const [mostLetters, mostWords] = [110, 16]

const noTitle = /^(keywords?|key words|correspondence|received|citation|copyright|e-?mail|doi|accepted|published|available|note|fax|tel|address)\b/i

/** Takes headings that stand in front of their paragraphs ("*Plant material.* Leaves were…") out as blocks of their own. */
export function withRunInHeadings (blocks: Block[], { bodyFont, bodySize }: Measures): Block[] {
  const found = new Map<Block, RunIn>()
  const often = new Map<string, number>()
  for (const block of blocks) {
    const runIn = block.kind === 'paragraph' ? runInOf(block, bodyFont) : null
    if (runIn === null) continue
    found.set(block, runIn)
    often.set(runIn.font, (often.get(runIn.font) ?? 0) + 1)
  }
  return blocks.flatMap(block => {
    const runIn = found.get(block)
    if (runIn === undefined || (often.get(runIn.font)! < leastOften && !/^\d{1,2}\.\d/.test(runIn.title))) return [block]
    return apart(runIn, bodySize)
  })
}

function runInOf (block: TextBlock, bodyFont: string): RunIn | null {
  const { lines } = block
  if (lines.length < 2 && lines[0]!.letters < 40) return null
  let font: string | null = null
  let letters = 0
  for (const [at, line] of lines.slice(0, mostLines).entries()) {
    for (const run of line.runs) {
      const text = line.text.slice(run.start, run.end)
      if (run.font === bodyFont && font === null) return null
      if (run.font === bodyFont) return titleOf(block, font!, letters, at, run.start)
      font ??= run.font
      if (run.font !== font && /\p{L}{4}/u.test(text) && !run.bold && !run.italic) return null
      letters += lettersOf(text)
    }
  }
  return null
}

function titleOf (block: TextBlock, font: string, letters: number, line: number, at: number): RunIn | null {
  if (letters < 5 || letters > 2 * mostLetters) return null
  const title = [...block.lines.slice(0, line).map(({ text }) => text), block.lines[line]!.text.slice(0, at)].join(' ').trim()
  if (!/[.:]$/.test(title) || !/^[\p{Lu}\d]/u.test(title) || captionStart.test(title) || noTitle.test(title)) return null
  if ((letters > mostLetters || title.split(' ').length > mostWords) && !numbered.test(title)) return null
  return { block, font, title: title.replace(/[.:]$/, ''), line, at }
}

function apart ({ block, font, title, line, at }: RunIn, bodySize: number): Block[] {
  const first = block.lines[0]!
  const cut = block.lines[line]!
  const style = `run-in|${font}`
  const heading: TextBlock = { kind: 'heading', runIn: true, lines: [{ ...first, text: title, style, size: bodySize }], text: title, page: block.page, indented: false, full: false, style }
  const rest: Line[] = [{ ...cut, text: cut.text.slice(at).trim(), runs: [], style: styleAt(cut, at) }, ...block.lines.slice(line + 1)].filter(({ text }) => text !== '')
  return rest.length === 0 ? [heading] : [heading, { ...block, lines: rest, text: rest.map(({ text }) => text).join(' '), indented: true, style: rest[0]!.style }]
}

/** The style that a line's text has from a character on. */
function styleAt ({ runs, style }: Line, at: number): string {
  const run = runs.find(({ start }) => start === at)
  return run === undefined ? style : styleOf(run.font, run.size)
}
