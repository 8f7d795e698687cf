import type { PaperRecord } from '../../../schemas/paper.js'
import { type ParsedRecord, requireTitle } from './format.js'
import { maxRecordCharacters, type Tagged } from './lines.js'

/** Overhead of a field in the size limit, so that many empty fields count too. */
const fieldSize = 64

/** The fields of one tagged record, in order. */
export class Fields {
  readonly #fields: Tagged[] = []
  size = 0

  /** Size of the record; fields beyond the limit are dropped. */
  add (field: Tagged): void {
    if (this.size > maxRecordCharacters) return
    this.#fields.push(field)
    this.size += fieldSize + field.value.length
  }

  /** A line without a tag continues the previous field. */
  continueField (line: string): void {
    const last = this.#fields.at(-1)
    if (last === undefined || this.size > maxRecordCharacters) return
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
    return this.tagged([tag]).map(({ value }) => value)
  }

  /** Like `all`, with the tags. */
  tagged (tags: readonly string[]): Tagged[] {
    return this.#fields
      .filter(field => tags.includes(field.tag))
      .map(({ tag, value }) => ({ tag, value: value.trim() }))
      .filter(({ value }) => value !== '')
  }
}

/** Definition of a tagged format. */
export interface TaggedFormat {
  /** Display name. */
  title: string
  /** Parses the tag and value of a line. */
  tag: (line: string) => Tagged | undefined
  /** Whether this field starts a new record. The second argument: whether an empty line precedes it. */
  begins: (field: Tagged, fields: Fields, afterEmptyLine: boolean) => boolean
  /** Whether this line ends a record. */
  ends: (line: string) => boolean
  read: (fields: Fields) => PaperRecord
}

/** Parses a tagged format record by record. */
export async function * readTagged (
  lines: AsyncIterable<string>,
  { title, tag, begins, ends, read }: TaggedFormat
): AsyncIterable<ParsedRecord> {
  let place = 0
  let line = 0
  let firstLine = 0
  let fields = new Fields()
  let afterEmptyLine = false
  let hasText = false
  function * finish (): Iterable<ParsedRecord> {
    if (fields.isEmpty()) return
    place++
    if (fields.size > maxRecordCharacters) yield { place, line: firstLine, reason: 'the record is longer than 8 MB' }
    else yield { place, line: firstLine, ...requireTitle(read(fields)) }
    fields = new Fields()
  }
  for await (const text of lines) {
    line++
    if (ends(text)) {
      yield * finish()
      continue
    }
    const field = tag(text)
    if (field === undefined) {
      afterEmptyLine = text.trim() === ''
      hasText ||= !afterEmptyLine
      fields.continueField(text)
      continue
    }
    if (begins(field, fields, afterEmptyLine)) yield * finish()
    afterEmptyLine = false
    if (fields.isEmpty()) firstLine = line
    fields.add(field)
  }
  yield * finish()
  if (place === 0 && hasText) yield { place: 1, reason: `the file contains no record: no line starts with a ${title} tag` }
}
