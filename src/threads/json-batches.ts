import { createYielder } from './yielder.js'

/* Values for another thread as JSON, in batches that take a few milliseconds to parse: a message with all would hold up its receiver. */

/** Parts of a list, each as a list in JSON in UTF-8, with memory of its own, which can move to another thread. */
export type Batches = Array<Uint8Array<ArrayBuffer>>

const maxBatchCharacters = 250_000
/** Characters of an item; a paper's relations have thousands at most. */
const maxItemCharacters = 1024 * 1024
/** Characters of a text and entries of a list in an item. Longer ones are cut. */
const [maxItemText, maxItemList] = [50_000, 10_000]

/** Writes a list in batches. @param toJson writes an item */
export async function toBatches<Item> (items: AsyncIterable<Item> | readonly Item[], toJson: (item: Item) => string): Promise<Batches> {
  const batches: Batches = []
  // Unlike a small Buffer, what this encodes has memory of its own.
  const encoder = new TextEncoder()
  let batch: string[] = []
  let characters = 0
  const end = () => {
    if (batch.length > 0) batches.push(encoder.encode(`[${batch.join()}]`))
    batch = []
    characters = 0
  }
  for await (const item of items) {
    const json = toJson(item)
    if (characters + json.length > maxBatchCharacters) end()
    batch.push(json)
    characters += json.length
  }
  end()
  return batches
}

/** Parses batches one by one, in time slices. @returns their items */
export async function * fromBatches (batches: Iterable<Uint8Array>): AsyncIterable<unknown[]> {
  const yieldIfDue = createYielder()
  const decoder = new TextDecoder()
  for (const batch of batches) {
    await yieldIfDue()
    yield JSON.parse(decoder.decode(batch)) as unknown[]
  }
}

/** An item as JSON, with long texts and lists truncated. @param shorten gives what replaces an item that is still too long */
export function toBoundedJson<Item> (item: Item, shorten: (item: Item) => unknown = () => ({})): string {
  const json = JSON.stringify(item, cutLong)
  return json.length > maxItemCharacters ? JSON.stringify(shorten(item), cutLong) : json
}

function cutLong (_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > maxItemText) return value.slice(0, maxItemText).toWellFormed()
  return Array.isArray(value) && value.length > maxItemList ? value.slice(0, maxItemList) : value
}
