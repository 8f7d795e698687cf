import { scripted } from '../../markdown/scripts.js'
import { countLetters } from '../extract/characters.js'
import type { PageContent, TextItem } from '../extract/page.js'

/** A text run: a part of a line in one font. */
export interface Run {
  /** Offset in the text of the line. */
  start: number
  /** Offset, exclusive. */
  end: number
  font: string
  size: number
  bold: boolean
  italic: boolean
}

/** A part of a line between wide gaps, such as a table cell. */
export interface Segment { text: string, x0: number, x1: number }

/** Consecutive text on one baseline: a line of a column, or a table cell. Coordinates are in points. */
export interface Line {
  page: number
  text: string
  x0: number
  x1: number
  y: number
  /** The most frequent font size by letters; so are style and font. */
  size: number
  /** Key of font and size. */
  style: string
  font: string
  /** Share of the letters in this style. */
  styleShare: number
  bold: boolean
  italic: boolean
  letters: number
  runs: Run[]
  segments: Segment[]
}

/** A superscript number after a word cites a note or a reference, unlike the digits in "cm2" and "H2O". */
const noteMark = /^\d[\d,–-]*$/
const word = /\p{Ll}{3}[.,;:)]?$/u
/** A superscript that follows a digit as such would lengthen the number: 10⁵ would be 105, and 2010¹² 201012. Its sign may be an item. */
const exponent = /^[-−–]?\d{0,4}(?=\s*$)/
const number = /[\d⁰¹²³⁴-⁹⁻]$/

/** Returns the key of a style. */
export const styleOf = (font: string, size: number): string => `${font}|${size.toFixed(1)}`

/** Widest gap inside a line, in font sizes. */
const maxGapRatio = 1.9
/** Gap that starts a segment, in font sizes. */
const segmentGapRatio = 0.45
/** Gap that separates words, in font sizes. */
const wordGapRatio = 0.16
/** Font size of superscripts and subscripts relative to the line. */
const maxScriptSizeRatio = 0.85

/** Groups consecutive text items on one baseline into lines, in the order of the content stream. Includes superscripts and subscripts. */
export function buildLines ({ number, items }: PageContent): Line[] {
  const lines: Line[] = []
  let open: OpenLine | null = null
  const seen = new Set<string>()
  for (const item of items) {
    const space = item.text.trim() === ''
    // Some documents simulate bold by drawing text twice.
    const place = `${Math.round(item.x)} ${Math.round(item.y)} ${item.text}`
    if (!space && seen.has(place)) continue
    seen.add(place)
    if (open !== null && open.accepts(item)) {
      if (space) open.addSpace()
      else open.add(item)
      continue
    }
    if (space) continue
    if (open !== null) lines.push(open.line())
    open = new OpenLine(number, item)
  }
  if (open !== null) lines.push(open.line())
  return lines.filter(({ letters }) => letters > 0)
}

class OpenLine {
  readonly #page: number
  readonly #x0: number
  #x1: number
  #y: number
  #size: number
  #lastSize: number
  #space = false
  #text: string
  #runs: Run[]
  #segments: Segment[]

  constructor (page: number, item: TextItem) {
    this.#page = page
    this.#x0 = item.x
    this.#x1 = item.x + item.width
    this.#y = item.y
    this.#size = this.#lastSize = item.size
    const text = item.text.trimStart()
    this.#text = text
    this.#runs = [runOf(item, 0, text.length)]
    this.#segments = [{ text, x0: item.x, x1: item.x + item.width }]
  }

  accepts (item: TextItem): boolean {
    const gap = item.x - this.#x1
    const large = Math.max(this.#size, item.size)
    const shift = Math.abs(item.y - this.#y)
    const isScript = item.size < maxScriptSizeRatio * this.#size || this.#lastSize < maxScriptSizeRatio * item.size
    const sameBaseline = shift < 0.25 * this.#size || (shift < 0.75 * large && isScript && Math.abs(gap) < 0.6 * large)
    return sameBaseline && gap > -1.2 * large && gap < maxGapRatio * large
  }

  /** Ends a word. The next item shows the width of the gap, because pdf.js fills any gap with one space. */
  addSpace (): void {
    this.#space = true
  }

  add (item: TextItem): void {
    const gap = item.x - this.#x1
    const large = Math.max(this.#size, item.size)
    const shift = this.#y - item.y
    const isScript = item.size < maxScriptSizeRatio * this.#size && Math.abs(shift) > 0.1 * this.#size
    const startsWord = this.#space || gap > wordGapRatio * large
    let separator = startsWord && !this.#text.endsWith(' ') && !item.text.startsWith(' ') ? ' ' : ''
    const isClose = isScript && gap < 0.25 * large
    if (isClose) separator = shift > 0 && noteMark.test(item.text) && word.test(this.#text) ? ' ' : ''
    const text = isClose && shift > 0 && number.test(this.#text) ? raised(item.text) : item.text
    const x1 = item.x + item.width
    const segment = this.#segments.at(-1)!
    if (gap > segmentGapRatio * large) this.#segments.push({ text, x0: item.x, x1 })
    else {
      segment.text += separator + text
      segment.x1 = x1
    }
    const start = this.#text.length + separator.length
    this.#text += separator + (this.#text.endsWith(' ') ? text.trimStart() : text)
    this.#runs.push(runOf(item, start, this.#text.length))
    this.#x1 = Math.max(this.#x1, x1)
    this.#lastSize = item.size
    this.#space = false
    // A line may start with a superscript, such as a footnote mark.
    if (item.size > this.#size * 1.15 && this.#runs.length <= 3) {
      this.#size = item.size
      this.#y = item.y
    }
  }

  /** Removes the spaces within a word that is set with spaces between its letters. */
  #closeSpacedWord (): void {
    const word = spacedWord.exec(this.#text)?.[0]
    if (word === undefined) return
    const closed = word.replace(/ /g, '')
    const offset = (at: number) => at >= word.length ? at - word.length + closed.length : Math.min(closed.length, at)
    this.#text = closed + this.#text.slice(word.length)
    for (const run of this.#runs) [run.start, run.end] = [offset(run.start), offset(run.end)]
    const [first] = this.#segments
    if (first!.text.startsWith(word)) first!.text = closed + first!.text.slice(word.length)
  }

  line (): Line {
    this.#closeSpacedWord()
    const lettersByStyle = new Map<string, { font: string, size: number, letters: number }>()
    let [letters, bold, italic] = [0, 0, 0]
    for (const run of this.#runs) {
      const count = countLetters(this.#text.slice(run.start, run.end))
      const style = styleOf(run.font, run.size)
      const entry = lettersByStyle.get(style)
      if (entry === undefined) lettersByStyle.set(style, { font: run.font, size: run.size, letters: count })
      else entry.letters += count
      letters += count
      if (run.bold) bold += count
      if (run.italic) italic += count
    }
    const [style, main] = [...lettersByStyle].reduce((best, each) => each[1].letters > best[1].letters ? each : best)
    return {
      page: this.#page,
      text: this.#text.trimEnd(),
      x0: this.#x0,
      x1: this.#x1,
      y: this.#y,
      size: main.size,
      style,
      font: main.font,
      styleShare: letters === 0 ? 1 : main.letters / letters,
      bold: bold > 0.8 * letters,
      italic: italic > 0.8 * letters,
      letters,
      runs: this.#runs,
      segments: this.#segments.map(({ text, x0, x1 }) => ({ text: text.trim(), x0, x1 })).filter(({ text }) => text !== '')
    }
  }
}

/** Labels of captions that publishers set with spaces between their letters: "T A B L E 2". */
const spacedWord = /^(?:T A B L E|F I G U R E|S C H E M E)(?=\s)/i

const raised = (text: string) => text.replace(exponent, written => scripted(written, 'superscript') ?? written)

const runOf = ({ font, size }: TextItem, start: number, end: number): Run => ({
  start,
  end,
  font: font.name,
  size,
  bold: font.bold,
  italic: font.italic
})
