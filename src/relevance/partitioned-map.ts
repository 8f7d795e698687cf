const partCount = 64
/** Characters at the end of a key that decide on its part: identifiers differ there. */
const hashedLength = 4

/**
 * A map of many texts, such as a million references. A map that grows moves all of its entries in one turn of the event loop, so it has
 * parts that grow one at a time.
 */
export class PartitionedMap<Value> {
  readonly #parts = Array.from({ length: partCount }, () => new Map<string, Value>())

  get isEmpty (): boolean {
    return this.#parts.every(part => part.size === 0)
  }

  get (key: string): Value | undefined {
    return this.#partOf(key).get(key)
  }

  set (key: string, value: Value): void {
    this.#partOf(key).set(key, value)
  }

  #partOf (key: string): Map<string, Value> {
    let hash = 0
    for (let at = Math.max(0, key.length - hashedLength); at < key.length; at++) hash = 31 * hash + key.charCodeAt(at)
    return this.#parts[hash % partCount]!
  }
}
