import { randomInt } from 'node:crypto'

const minCapacity = 64

const randomOdd = () => randomInt(2 ** 31) * 2 + 1

/** Numbers pairs of integers from 0 on, in the order in which they are added: a hash table without an object or a string for each pair. */
export class PairIndex {
  #size = 0
  /** Odd factors of the hash, which nobody knows, so that no texts can be written whose pairs all belong to the same slots. */
  readonly #factors = [randomOdd(), randomOdd()] as const
  #firsts = new Int32Array(minCapacity)
  #seconds = new Int32Array(minCapacity)
  /** Twice as many as pairs fit, so that most pairs that are missing are missed at the first slot. */
  #slots = new Int32Array(2 * minCapacity).fill(-1)

  get size (): number { return this.#size }

  /** The number of a pair; -1 if it was not added. */
  find (first: number, second: number): number { return this.#slots[this.#slotOf(first, second)]! }

  /** The number of a pair, which is added if it is new. */
  add (first: number, second: number): number {
    const slot = this.#slotOf(first, second)
    if (this.#slots[slot] !== -1) return this.#slots[slot]!
    if (this.#size === this.#firsts.length) {
      this.#grow()
      return this.add(first, second)
    }
    this.#firsts[this.#size] = first
    this.#seconds[this.#size] = second
    this.#slots[slot] = this.#size
    return this.#size++
  }

  /** The pair of a number. */
  pair (number: number): [first: number, second: number] { return [this.#firsts[number]!, this.#seconds[number]!] }

  /** The slot of a pair, or the free one where it belongs. */
  #slotOf (first: number, second: number): number {
    const [slots, firsts, seconds] = [this.#slots, this.#firsts, this.#seconds]
    const mask = slots.length - 1
    let hash = Math.imul(first, this.#factors[0]) ^ Math.imul(second, this.#factors[1])
    hash = Math.imul(hash ^ hash >>> 15, 0xc2b2ae35)
    let slot = (hash ^ hash >>> 13) & mask
    for (let number = slots[slot]!; number !== -1; number = slots[slot]!) {
      if (firsts[number] === first && seconds[number] === second) break
      slot = slot + 1 & mask
    }
    return slot
  }

  #grow (): void {
    const [firsts, seconds] = [this.#firsts, this.#seconds]
    this.#firsts = new Int32Array(2 * firsts.length)
    this.#seconds = new Int32Array(2 * seconds.length)
    this.#firsts.set(firsts)
    this.#seconds.set(seconds)
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1)
    for (let number = 0; number < this.#size; number++) this.#slots[this.#slotOf(firsts[number]!, seconds[number]!)] = number
  }
}
