import type { PaperRecord } from '../../../schemas/paper.js'
import type { ParsedRecord } from './format.js'
import { longestRecord, type Tagged } from './lines.js'

/** What a field takes beside its value: many empty ones must not fill memory either. */
const fieldSize = 64

/** The fields of one record of a tagged format, in their order. */
export class Fields {
  readonly #fields: Tagged[] = []
  size = 0

  /** What is beyond the longest record is not kept. */
  add (field: Tagged): void {
    if (this.size > longestRecord) return
    this.#fields.push(field)
    this.size += fieldSize + field.value.length
  }

  /** A line without a tag goes on with the field before it. */
  goOn (line: string): void {
    const last = this.#fields.at(-1)
    if (last === undefined || this.size > longestRecord) return
    last.value += `\n${line.trim()}`
    this.size += line.length
  }

  has (tag: string): boolean {
    return this.#fields.some(field => field.tag === tag)
  }

  isEmpty (): boolean {
    return this.#fields.length === 0
  }

  first (...tags: string[]): string | undefined {
    for (const tag of tags) {
      const value = this.all(tag)[0]
      if (value !== undefined) return value
    }
    return undefined
  }

  all (tag: string): string[] {
    return this.inOrder([tag])
  }

  /** The values of several tags in the order in which the record has them. */
  inOrder (tags: readonly string[]): string[] {
    return this.tagged(tags).map(({ value }) => value)
  }

  /** The same with their tags. */
  tagged (tags: readonly string[]): Tagged[] {
    return this.#fields.filter(field => tags.includes(field.tag)).map(({ tag, value }) => ({ tag, value: value.trim() })).filter(({ value }) => value !== '')
  }
}

/** What makes a tagged format this one. */
export interface TaggedFormat {
  /** As people call it. */
  title: string
  /** The tag and value of a line, undefined where it has none. */
  tag: (line: string) => Tagged | undefined
  /** Whether this field begins another record; told whether an empty line stands before it. */
  begins: (field: Tagged, fields: Fields, afterEmptyLine: boolean) => boolean
  /** Whether this line ends a record. */
  ends: (line: string) => boolean
  read: (fields: Fields) => PaperRecord
}

/** Reads a format whose lines are tags and values, record by record. */
export async function * readTagged (lines: AsyncIterable<string>, { title, tag, begins, ends, read }: TaggedFormat): AsyncIterable<ParsedRecord> {
  let place = 0
  let fields = new Fields()
  let afterEmptyLine = false
  let anything = false
  function * finish (): Iterable<ParsedRecord> {
    if (fields.isEmpty()) return
    place++
    if (fields.size > longestRecord) yield { place, reason: 'the record is longer than 8 MB' }
    else {
      const record = read(fields)
      yield record.title === '' ? { place, reason: 'title is missing' } : { place, record }
    }
    fields = new Fields()
  }
  for await (const line of lines) {
    if (ends(line)) {
      yield * finish()
      continue
    }
    const field = tag(line)
    if (field === undefined) {
      afterEmptyLine = line.trim() === ''
      anything ||= !afterEmptyLine
      fields.goOn(line)
      continue
    }
    if (begins(field, fields, afterEmptyLine)) yield * finish()
    afterEmptyLine = false
    fields.add(field)
  }
  yield * finish()
  if (place === 0 && anything) yield { place: 1, reason: `the file holds no record: no line begins with a tag of ${title}` }
}
