import { LRUCache } from 'lru-cache'

/** Named statements at a time. A plan takes up to 100 kB. */
const maxNamed = 64
/** Statements without a name whose executions are counted. */
const maxCounted = 512

interface Options {
  /** Executions before a statement gets a name. */
  minUses: number
  /** The start of every name. */
  prefix: string
  /** Milliseconds after which a statement loses its name. Default: keeps it while it is among the last used ones. */
  lifetimeMs?: number
  /** Called with each name that is no longer in use. */
  onUnused?: (name: string) => void
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Names the statements that are executed often. Those used last keep their count and their name. */
export class StatementNames {
  readonly #minUses: number
  readonly #prefix: string
  readonly #uses = new LRUCache<string, number>({ max: maxCounted })
  readonly #names: LRUCache<string, string>
  #lastNumber = 0

  constructor ({ minUses, prefix, lifetimeMs = 0, onUnused = () => {}, now = () => performance.now() }: Options) {
    this.#minUses = minUses
    this.#prefix = prefix
    this.#names = new LRUCache({ max: maxNamed, ttl: lifetimeMs, ttlResolution: 0, perf: { now }, dispose: onUnused })
  }

  /** Counts a use. @returns the statement's name and whether this use got it; undefined unless it is frequent */
  use (statement: string): { name: string, isNew: boolean } | undefined {
    const known = this.#names.get(statement)
    if (known !== undefined) return { name: known, isNew: false }
    const uses = (this.#uses.get(statement) ?? 0) + 1
    if (uses < this.#minUses) {
      this.#uses.set(statement, uses)
      return undefined
    }
    this.#uses.delete(statement)
    const name = `${this.#prefix}${++this.#lastNumber}`
    this.#names.set(statement, name)
    return { name, isNew: true }
  }

  /** Removes the statement's name. Its next use counts as the first. */
  forget (statement: string): void {
    this.#names.delete(statement)
  }

  /** Removes all names. */
  forgetAll (): void {
    this.#names.clear()
  }
}
