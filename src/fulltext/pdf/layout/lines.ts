import { lettersOf } from '../extract/characters.js'
import type { PageContent, TextItem } from '../extract/page.js'

/** A part of a line in one font. */
export interface Run {
  /** Place in the line's text. */
  start: number
  end: number
  font: string
  size: number
  bold: boolean
  italic: boolean
}

/** A part of a line that a wide gap sets apart, as cells of a table are. */
export interface Segment { text: string, x0: number, x1: number }

/** Text on one baseline, as wide as the content has it without a break: a column's line, or a table's cell. */
export interface Line {
  page: number
  text: string
  x0: number
  x1: number
  y: number
  /** Of most of its letters, as the style. */
  size: number
  /** Font and size. */
  style: string
  font: string
  /** Part of the letters in this style. */
  purity: number
  bold: boolean
  italic: boolean
  letters: number
  runs: Run[]
  segments: Segment[]
}

/** Raised numbers behind a word refer to a note or a reference: they are no part of the word, as they are of "cm2" and "H2O". */
const noteMark = /^\d[\d,–-]*$/
const word = /\p{Ll}{3}[.,;:)]?$/u

/** A style's key: its font and size. */
export const styleOf = (font: string, size: number): string => `${font}|${size.toFixed(1)}`

/** Widest gap inside a line, in heights of its font. */
const widestGap = 1.9
/** Gap that sets a segment apart. */
const segmentGap = 0.45
/** Gap that a blank fills. */
const blankGap = 0.16
/** What is this much smaller than the line is raised or lowered: an index, a footnote's mark. */
const smaller = 0.85

/** A page's lines in its content's order: pieces that follow each other on one baseline, with what is raised or lowered between them. */
export function linesOf ({ number, items }: PageContent): Line[] {
  const lines: Line[] = []
  let open: OpenLine | null = null
  const seen = new Set<string>()
  for (const item of items) {
    const blank = item.text.trim() === ''
    // Bold drawn by printing twice.
    const place = `${Math.round(item.x)} ${Math.round(item.y)} ${item.text}`
    if (!blank && seen.has(place)) continue
    seen.add(place)
    if (open !== null && open.takes(item)) {
      if (blank) open.addBlank()
      else open.add(item)
      continue
    }
    if (blank) continue
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
  #blank = false
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

  takes (item: TextItem): boolean {
    const gap = item.x - this.#x1
    const large = Math.max(this.#size, item.size)
    const shift = Math.abs(item.y - this.#y)
    const index = item.size < smaller * this.#size || this.#lastSize < smaller * item.size
    const sameBaseline = shift < 0.25 * this.#size || (shift < 0.75 * large && index && Math.abs(gap) < 0.6 * large)
    return sameBaseline && gap > -1.2 * large && gap < widestGap * large
  }

  /** A blank says that words end here; how wide the gap is shows in where the next piece begins, as pdf.js fills any gap with one blank. */
  addBlank (): void {
    this.#blank = true
  }

  add (item: TextItem): void {
    const gap = item.x - this.#x1
    const large = Math.max(this.#size, item.size)
    const shift = this.#y - item.y
    const index = item.size < smaller * this.#size && Math.abs(shift) > 0.1 * this.#size
    const apart = this.#blank || gap > blankGap * large
    let separator = apart && !this.#text.endsWith(' ') && !item.text.startsWith(' ') ? ' ' : ''
    if (index && gap < 0.25 * large) separator = shift > 0 && noteMark.test(item.text) && word.test(this.#text) ? ' ' : ''
    const x1 = item.x + item.width
    const segment = this.#segments.at(-1)!
    if (gap > segmentGap * large) this.#segments.push({ text: item.text, x0: item.x, x1 })
    else {
      segment.text += separator + item.text
      segment.x1 = x1
    }
    const start = this.#text.length + separator.length
    this.#text += separator + (this.#text.endsWith(' ') ? item.text.trimStart() : item.text)
    this.#runs.push(runOf(item, start, this.#text.length))
    this.#x1 = Math.max(this.#x1, x1)
    this.#lastSize = item.size
    this.#blank = false
    // A line may begin with an index or a footnote's mark.
    if (item.size > this.#size * 1.15 && this.#runs.length <= 3) {
      this.#size = item.size
      this.#y = item.y
    }
  }

  line (): Line {
    const lettersIn = new Map<string, { font: string, size: number, letters: number }>()
    let [letters, bold, italic] = [0, 0, 0]
    for (const run of this.#runs) {
      const count = lettersOf(this.#text.slice(run.start, run.end))
      const style = styleOf(run.font, run.size)
      const entry = lettersIn.get(style)
      if (entry === undefined) lettersIn.set(style, { font: run.font, size: run.size, letters: count })
      else entry.letters += count
      letters += count
      if (run.bold) bold += count
      if (run.italic) italic += count
    }
    const [style, main] = [...lettersIn].reduce((most, each) => each[1].letters > most[1].letters ? each : most)
    return {
      page: this.#page,
      text: this.#text.trimEnd(),
      x0: this.#x0,
      x1: this.#x1,
      y: this.#y,
      size: main.size,
      style,
      font: main.font,
      purity: letters === 0 ? 1 : main.letters / letters,
      bold: bold > 0.8 * letters,
      italic: italic > 0.8 * letters,
      letters,
      runs: this.#runs,
      segments: this.#segments.map(({ text, x0, x1 }) => ({ text: text.trim(), x0, x1 })).filter(({ text }) => text !== '')
    }
  }
}

const runOf = ({ font, size }: TextItem, start: number, end: number): Run => ({ start, end, font: font.name, size, bold: font.bold, italic: font.italic })
