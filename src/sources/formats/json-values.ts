import { lineBreaks, maxRecordCharacters } from './lines.js'

/** The text of one value, or the reason why it is invalid, and the line on which it begins. */
export type JsonPiece = { line: number } & ({ json: string } | { fault: string })

/** JSON strings contain no line breaks, so a string ends with its line: a missing quote breaks only its record. */
const inString = /["\\\n]/g
const outside = /["{}[\],]/g

/**
 * Splits JSON into values, which are then parsed one at a time: of an array, of consecutive objects, or of the array "items" of an object.
 * Skips values that are too long.
 */
export async function * jsonValuesOf (text: AsyncIterable<string>): AsyncIterable<JsonPiece> {
  const splitter = new Splitter()
  for await (const part of text) {
    splitter.write(part)
    yield * splitter.take()
    if (splitter.isOver) return
  }
  splitter.end()
  yield * splitter.take()
}

class Splitter {
  /** Whether the array has ended. */
  isOver = false
  #pieces: JsonPiece[] = []
  /** The current value; empty if it is too long. */
  #value = ''
  #isLong = false
  /** Line of the end of what was read, and that of the start of the value, 0 before it. */
  #line = 1
  #valueLine = 0
  /** Number of open brackets. */
  #depth = 0
  /** Number of brackets around the values: 0 for consecutive objects. */
  #base = 0
  #quoted = false
  /** Whether the next character is escaped. */
  #escaped = false

  take (): JsonPiece[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  write (part: string): void {
    let kept = 0
    let at = this.#escaped && part !== '' ? 1 : 0
    if (part !== '') this.#escaped = false
    const keepTo = (end: number) => {
      this.#keep(part.slice(kept, end))
      kept = end
    }
    while (!this.isOver) {
      const match = this.#next(part, at)
      if (match === undefined) break
      const { index, character } = match
      at = index + 1
      if (character === '\\') {
        this.#escaped = at === part.length
        at++
      } else if (this.#quoted || character === '"') this.#quoted = !this.#quoted
      else if (character === '{') this.#depth++
      else if (character === '[') {
        if (this.#base === 0) keepTo(index)
        this.#depth++
        if (this.#base === 0 && this.#opensList()) {
          this.#base = this.#depth
          this.#drop()
          kept = at
        }
      } else if (this.#depth > this.#base) {
        if (character === ',') continue
        this.#depth--
        if (this.#depth > 0) continue
        keepTo(at)
        this.#finish()
      } else if (this.#base > 0 && character !== '}') {
        keepTo(index)
        this.#finish()
        kept = at
        this.isOver = character === ']'
      }
    }
    if (!this.isOver) keepTo(part.length)
  }

  end (): void {
    if (this.#depth > 0) this.#pieces.push({ line: this.#valueLine || this.#line, fault: 'the JSON is incomplete' })
    else this.#finish()
  }

  #next (part: string, from: number): { index: number, character: string } | undefined {
    const form = this.#quoted ? inString : outside
    form.lastIndex = from
    const match = form.exec(part)
    return match === null ? undefined : { index: match.index, character: match[0] }
  }

  #opensList (): boolean {
    return (this.#depth === 1 && this.#value.trim() === '') || /"items"\s*:\s*$/.test(this.#value.slice(-64))
  }

  #keep (text: string): void {
    if (this.#valueLine === 0 && /\S/.test(text)) this.#valueLine = this.#line + lineBreaks(text.slice(0, text.search(/\S/)))
    this.#line += lineBreaks(text)
    this.#isLong ||= this.#value.length + text.length > maxRecordCharacters
    this.#value = this.#isLong ? '' : this.#value + text
  }

  #finish (): void {
    const value = this.#value.trim()
    if (this.#isLong) this.#pieces.push({ line: this.#valueLine, fault: 'the record is longer than 8 MB' })
    else if (value !== '') this.#pieces.push({ line: this.#valueLine, json: value })
    this.#drop()
  }

  #drop (): void {
    this.#value = ''
    this.#valueLine = 0
    this.#isLong = false
  }
}
