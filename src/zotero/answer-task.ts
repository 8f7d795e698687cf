import { isObject, type JsonObject } from '../../schemas/json-object.js'
import { type Batches, toBatches, toBoundedJson } from '../threads/json-batches.js'
import { isItemKey } from './item-keys.js'

/* The CPU work of parsing an answer of Zotero, so that a thread can do it. */

/** The values of an answer, by what it is: objects of a list, keys of deleted items, or the outcome of a write alone. */
export interface AnswerValues { list: JsonObject, deleted: string, written: JsonObject }

/** An answer in JSON, and what it is. */
export interface AnswerRequest { bytes: Uint8Array, kind: keyof AnswerValues }

/** Objects of a list; requests ask for 100. */
const maxObjects = 2000

/** Return undefined for JSON of another form. */
const readers: { [Kind in keyof AnswerValues]: (answer: unknown) => Array<AnswerValues[Kind]> | undefined } = {
  list: answer => Array.isArray(answer) ? answer.filter(isObject).slice(0, maxObjects) : undefined,
  deleted: answer => isObject(answer) ? Array.isArray(answer.items) ? answer.items.filter(isItemKey) : [] : undefined,
  // Without the items that were written, which the answer repeats.
  written: answer => isObject(answer) ? [{ success: answer.success, unchanged: answer.unchanged, failed: answer.failed }] : undefined
}

/** Reads the values of an answer; undefined if it is not JSON, or of another form. */
export function readValues<Kind extends keyof AnswerValues> (bytes: Uint8Array, kind: Kind): Array<AnswerValues[Kind]> | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return readers[kind](JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Reads the values of an answer, with long texts and lists truncated. */
export async function parseAnswer ({ bytes, kind }: AnswerRequest): Promise<Batches | undefined> {
  const values: Array<JsonObject | string> | undefined = readValues(bytes, kind)
  return values === undefined ? undefined : await toBatches(values, value => toBoundedJson(value, withoutContent))
}

/** What an object must keep, so that it is not taken for a deleted item. */
function withoutContent (value: JsonObject | string): unknown {
  if (!isObject(value)) return value
  const { key, version, data } = value
  return { key, version, data: isObject(data) ? { collections: data.collections, deleted: data.deleted } : {} }
}
