import { DatabaseUnreachable } from './errors.js'

interface Waiting { proceed: () => void, fail: (error: Error) => void }

/** A semaphore for connections or transactions. Callers beyond the limit wait, first come, first served. */
export class ConnectionLimit {
  #free: number
  #waiting: Waiting[] = []

  constructor (count: number) {
    this.#free = count
  }

  /** Whether the next caller waits. */
  get isUsedUp (): boolean { return this.#free === 0 }

  /** @param timeoutMs milliseconds to wait at most @throws DatabaseUnreachable after these; the error of `fail` */
  async acquire (timeoutMs?: number): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve, reject) => this.#wait(resolve, reject, timeoutMs))
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
        reject(notFree(timeoutMs))
      }, timeoutMs)
    this.#waiting.push(waiting)
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

/** The error of a query for which no connection became free in time. */
export const notFree = (timeoutMs: number): DatabaseUnreachable =>
  new DatabaseUnreachable({ cause: new Error(`No connection became free within ${timeoutMs} ms.`) })

/** Limits of one account's concurrent use; undefined is not limited. */
export interface AccountLimits {
  connections?: ConnectionLimit | undefined
  /** Milliseconds that a query waits for one of these connections, and then for one of the pool, together. */
  connectionTimeoutMs?: number | undefined
  transactions?: ConnectionLimit | undefined
}
