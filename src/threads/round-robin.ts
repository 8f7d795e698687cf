/** Waiting items by owner: owners take turns, however many items each of them has. */
export class RoundRobin<T> {
  /** The owner whose turn is next is first. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  /** How much waits, of all owners. */
  get size (): number {
    return this.#size
  }

  add (owner: string, item: T): void {
    const items = this.#waiting.get(owner)
    if (items === undefined) this.#waiting.set(owner, [item])
    else items.push(item)
    this.#size++
  }

  /** Takes the first of the owner whose turn it is; undefined if nothing waits. */
  take (): T | undefined {
    const [next] = this.#waiting
    if (next === undefined) return undefined
    const [owner, items] = next
    const item = items.shift()
    // An owner with more goes to the end.
    this.#waiting.delete(owner)
    if (items.length > 0) this.#waiting.set(owner, items)
    this.#size--
    return item
  }

  /** Takes the last of the owner with the most that waits, of several such owners the one that came last; undefined if nothing waits. */
  takeLastOfLongest (): T | undefined {
    let longest: [string, T[]] | undefined
    for (const entry of this.#waiting) if (entry[1].length >= (longest?.[1].length ?? 0)) longest = entry
    if (longest === undefined) return undefined
    const [owner, items] = longest
    const item = items.pop()
    if (items.length === 0) this.#waiting.delete(owner)
    this.#size--
    return item
  }

  /** Removes what no longer waits. */
  remove (owner: string, item: T): void {
    const items = this.#waiting.get(owner) ?? []
    const at = items.indexOf(item)
    if (at === -1) return
    items.splice(at, 1)
    if (items.length === 0) this.#waiting.delete(owner)
    this.#size--
  }
}
