interface Waiting { proceed: () => void, fail: (error: Error) => void }

/** A semaphore for connections or transactions. Callers beyond the limit wait, first come, first served. */
export class ConnectionLimit {
  #free: number
  #waiting: Waiting[] = []

  constructor (count: number) {
    this.#free = count
  }

  async acquire (): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve, reject) => this.#waiting.push({ proceed: resolve, fail: reject }))
  }

  /** Passes to the first that waits, so that nobody overtakes it. */
  release (): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next.proceed()
  }

  /** Ends all waiting: there is nothing to wait for. */
  fail (error: Error): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const each of waiting) each.fail(error)
  }
}

/** What one account uses at a time; undefined is not limited. */
export interface AccountLimits {
  connections?: ConnectionLimit | undefined
  transactions?: ConnectionLimit | undefined
}
