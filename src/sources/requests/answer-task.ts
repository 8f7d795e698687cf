import { isObject, type JsonObject } from '../../../schemas/json-object.js'
import { type Batches, toBatches, toBoundedJson } from '../../threads/json-batches.js'
import { splitText } from '../../threads/split-text.js'
import { type Format, limitParsed, type ParsedRecord } from '../formats/format.js'
import { findFormat } from '../formats/index.js'
import type { ItemParser } from '../source.js'
import { object, objects, parseAll } from './answers.js'

/* The CPU work of parsing a source's answer, so that a thread can do it. */

/** Items of an answer in JSON. */
export interface ItemList {
  /** Path of names to the list, or to the only item. */
  readonly list: readonly string[]
  /** Fields of the items that are kept. Default: all. */
  readonly fields?: readonly string[]
}

/** An answer to parse: items in JSON, as they are or as records by a parser's name, or the records of a format. */
export type AnswerRequest = { bytes: Uint8Array } & (ItemList & { parser?: string } | { format: string })

/**
 * Content of an answer: `batches` are its items or its records; `rest` is the JSON of the answer without its items. `unreadable` is the
 * start of an answer that is not a JSON object, or has much beside its items.
 */
export type AnswerContent = { batches: Batches, rest?: string } | { unreadable: string }

const pieceLength = 64 * 1024
/** Characters of what an answer has beside its items: counts, cursors and the query. */
const maxRestCharacters = 256 * 1024
/** Items and records of an answer. Requests ask for 500 at most; a source that sends more would keep others waiting. */
const maxItems = 2000

/** Parses an answer. @param parsers those that the request may name */
export async function parseAnswer (request: AnswerRequest, parsers: readonly ItemParser[]): Promise<AnswerContent> {
  const text = Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength).toString('utf8')
  if ('format' in request) return { batches: await toBatches(readText(text, findFormat(request.format)!), toJson) }
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {}
  if (!isObject(answer)) return { unreadable: text.slice(0, 4000) }
  const items = takeItems(answer, request)
  const rest = JSON.stringify(answer)
  if (rest.length > maxRestCharacters) return { unreadable: rest.slice(0, 4000) }
  const parser = parsers.find(({ name }) => name === request.parser)
  if (request.parser !== undefined && parser === undefined) throw new Error(`No parser is named ${request.parser}.`)
  if (parser === undefined) return { rest, batches: await toBatches(items, item => toBoundedJson(item)) }
  return { rest, batches: await toBatches(await parseAll(items, parser.parse), toJson) }
}

const toJson = (parsed: ParsedRecord): string => JSON.stringify(parsed)

/** Removes the items from an answer: the objects in the list, or the one object in its place. */
export function takeItems (answer: JsonObject, { list, fields }: ItemList): JsonObject[] {
  const parent = list.slice(0, -1).reduce((part, name) => object(part[name]), answer)
  const name = list.at(-1)!
  const value = parent[name]
  if (isObject(value)) parent[name] = {}
  const items = isObject(value) ? [value] : Array.isArray(value) ? objects(value.splice(0)).slice(0, maxItems) : []
  if (fields === undefined) return items
  return items.map(item => Object.fromEntries(fields.filter(field => Object.hasOwn(item, field)).map(field => [field, item[field]])))
}

/** Reads the records of a text, within the limits of records. @param yieldIfDue awaited after each piece */
export async function * readText (
  text: string,
  format: Format,
  yieldIfDue: () => Promise<void> | undefined = () => undefined
): AsyncIterable<ParsedRecord> {
  let items = 0
  for await (const parsed of format.read(textPieces(text, yieldIfDue))) {
    yield limitParsed(parsed)
    if (++items === maxItems) return
  }
}

/** A text piece by piece. @param yieldIfDue awaited after each piece */
export async function * textPieces (text: string, yieldIfDue: () => Promise<void> | undefined): AsyncIterable<string> {
  for (const piece of splitText(text, pieceLength)) {
    yield piece
    await yieldIfDue()
  }
}
