import { longestRecord } from './lines.js'

/** The text of one value, or what is wrong with it. */
export type JsonPiece = { json: string } | { fault: string }

/** A string ends with its line, since JSON has no line end in one: so a missing quote spoils no more than its record. */
const inString = /["\\\n]/g
const outside = /["{}[\],]/g

/**
 * Splits JSON into values, so that one is parsed at a time: those of a list, objects one after the other, or those of the list under
 * "items" in an object. A value that is too long is left out, and the splitting goes on.
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
  /** The list has ended. */
  isOver = false
  #pieces: JsonPiece[] = []
  /** The value that is being read; empty where it is too long to keep. */
  #value = ''
  #isLong = false
  /** Brackets open. */
  #depth = 0
  /** How many of them are around the values: none where objects stand one after the other. */
  #base = 0
  #quoted = false
  /** The next character is part of an escape. */
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
      const found = this.#next(part, at)
      if (found === undefined) break
      const { index, character } = found
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
    if (this.#depth > 0) this.#pieces.push({ fault: 'the JSON is cut short' })
    else this.#finish()
  }

  #next (part: string, from: number): { index: number, character: string } | undefined {
    const form = this.#quoted ? inString : outside
    form.lastIndex = from
    const found = form.exec(part)
    return found === null ? undefined : { index: found.index, character: found[0] }
  }

  #opensList (): boolean {
    return (this.#depth === 1 && this.#value.trim() === '') || /"items"\s*:\s*$/.test(this.#value.slice(-64))
  }

  #keep (text: string): void {
    this.#isLong ||= this.#value.length + text.length > longestRecord
    this.#value = this.#isLong ? '' : this.#value + text
  }

  #finish (): void {
    const value = this.#value.trim()
    if (this.#isLong) this.#pieces.push({ fault: 'the record is longer than 8 MB' })
    else if (value !== '') this.#pieces.push({ json: value })
    this.#drop()
  }

  #drop (): void {
    this.#value = ''
    this.#isLong = false
  }
}
