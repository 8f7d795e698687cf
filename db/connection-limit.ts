import { NoConnectionFree } from './errors.js'

interface Waiting { proceed: () => void, fail: (error: Error) => void }

/** A semaphore for connections or transactions. Callers beyond the limit wait, first come, first served. */
export class ConnectionLimit {
  readonly #within: ConnectionLimit | undefined
  #free: number
  #waiting: Waiting[] = []

  /** @param within a limit of several, of which this is a share: no more of its callers have or wait for one of those at a time */
  constructor (count: number, within?: ConnectionLimit) {
    this.#free = count
    this.#within = within
  }

  /** Whether the next caller waits. */
  get isUsedUp (): boolean { return this.#free === 0 || this.#within?.isUsedUp === true }

  /** @param timeoutMs milliseconds to wait at most @throws NoConnectionFree after these; the error of `fail` */
  async acquire (timeoutMs?: number): Promise<void> {
    const began = performance.now()
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve, reject) => this.#wait(resolve, reject, timeoutMs))
    try {
      await this.#within?.acquire(timeoutMs === undefined ? undefined : Math.max(0, began + timeoutMs - performance.now()))
    } catch (error) {
      this.#pass()
      throw error
    }
  }

  #wait (resolve: () => void, reject: (error: Error) => void, timeoutMs: number | undefined): void {
    const waiting = {
      proceed () {
        clearTimeout(timer)
        resolve()
      },
      fail (error: Error) {
        clearTimeout(timer)
        reject(error)
      }
    }
    const timer = timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new NoConnectionFree())
      }, timeoutMs)
    this.#waiting.push(waiting)
  }

  release (): void {
    this.#within?.release()
    this.#pass()
  }

  /** Passes to the first that waits, so that nobody overtakes it. */
  #pass (): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next.proceed()
  }

  /** Ends all waiting: there is nothing to wait for. */
  fail (error: Error): void {
    this.#within?.fail(error)
    const waiting = this.#waiting
    this.#waiting = []
    for (const each of waiting) each.fail(error)
  }
}

/** Limits of the concurrent use by one account, or one network; undefined is not limited. */
export interface ConnectionLimits {
  connections?: ConnectionLimit | undefined
  /** Milliseconds that a query waits for one of these connections, and then for one of the pool, together. */
  connectionTimeoutMs?: number | undefined
  transactions?: ConnectionLimit | undefined
}
