import { isObject, type JsonObject } from '../../../schemas/json-object.js'
import { splitText } from '../../threads/split-text.js'
import type { Format, ParsedRecord } from '../formats/format.js'
import { findFormat } from '../formats/index.js'
import { maxRecordCharacters } from '../formats/lines.js'
import { object } from './answers.js'

/* The CPU work of parsing a source's answer, so that a thread can do it. */

/** An answer to parse: JSON with a list at a path of names, or records of a format. */
export type AnswerRequest = { bytes: Uint8Array } & ({ list: readonly string[] } | { format: string })

/**
 * Content of an answer: `batches` are parts of its list or its records, each as JSON in UTF-8 that takes a few milliseconds to parse;
 * `rest` is the JSON of the answer with an empty list. `unreadable` is the start of an answer that is not a JSON object.
 */
export type AnswerContent = { batches: Array<Uint8Array<ArrayBuffer>>, rest?: string } | { unreadable: string }

const maxBatchCharacters = 250_000
const pieceLength = 64 * 1024

/** Parses an answer. */
export async function parseAnswer (request: AnswerRequest): Promise<AnswerContent> {
  const text = Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength).toString('utf8')
  return 'list' in request ? parseJson(text, request.list) : { batches: await batchesOf(readText(text, findFormat(request.format)!)) }
}

async function parseJson (text: string, path: readonly string[]): Promise<AnswerContent> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {}
  if (!isObject(answer)) return { unreadable: text.slice(0, 4000) }
  const items = listAt(answer, path)?.splice(0) ?? []
  return { rest: JSON.stringify(answer), batches: await batchesOf(items) }
}

/** The list at a path of names in an answer; undefined without one. */
export function listAt (answer: JsonObject, path: readonly string[]): unknown[] | undefined {
  const value = path.slice(0, -1).reduce((part, name) => object(part[name]), answer)[path.at(-1)!]
  return Array.isArray(value) ? value : undefined
}

/** Reads the records of a text. @param endOfSlice awaited after each piece */
export const readText = (text: string, format: Format, endOfSlice: () => Promise<void> | undefined = () => undefined) =>
  format.read(textPieces(text, endOfSlice))

/** A text piece by piece. @param endOfSlice awaited after each piece */
export async function * textPieces (text: string, endOfSlice: () => Promise<void> | undefined): AsyncIterable<string> {
  for (const piece of splitText(text, pieceLength)) {
    yield piece
    await endOfSlice()
  }
}

async function batchesOf (items: AsyncIterable<ParsedRecord> | readonly unknown[]): Promise<Array<Uint8Array<ArrayBuffer>>> {
  const batches: Array<Uint8Array<ArrayBuffer>> = []
  // Unlike a small Buffer, what this encodes has memory of its own, which can move to another thread.
  const encoder = new TextEncoder()
  let batch: string[] = []
  let characters = 0
  const end = () => {
    if (batch.length > 0) batches.push(encoder.encode(`[${batch.join()}]`))
    batch = []
    characters = 0
  }
  for await (const item of items) {
    const json = JSON.stringify(item)
    // An object without fields is rejected, like other invalid items.
    const bounded = json.length > maxRecordCharacters ? '{}' : json
    if (characters + bounded.length > maxBatchCharacters) end()
    batch.push(bounded)
    characters += bounded.length
  }
  end()
  return batches
}
