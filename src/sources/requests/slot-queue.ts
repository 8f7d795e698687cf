import { RoundRobin } from '../../threads/round-robin.js'

/** A caller that waits for a slot. */
export interface Requester {
  /** The account that the request is for; undefined for requests that are for all. */
  account?: string | undefined
  /** Whether a person waits for the answer. */
  isInteractive?: boolean | undefined
}

/** Interactive requests in succession, after which one of a job is served. */
const maxInteractiveInSuccession = 3

/** Starts a request that waits. */
type Start = () => void

/**
 * Requests of this process that wait for slots of one rate limit: they run one at a time, and accounts take turns, however many requests
 * each has. Interactive requests come before those of jobs.
 */
export class SlotQueue {
  readonly #interactive = new RoundRobin<Start>()
  readonly #jobs = new RoundRobin<Start>()
  #isBusy = false
  #interactiveInSuccession = 0

  get isIdle (): boolean {
    return !this.#isBusy
  }

  /** Runs a request when its account is served. @throws what the request throws, and the reason of the signal while it waits */
  async run<T> (
    { account = '', isInteractive = false }: Requester,
    signal: AbortSignal | undefined,
    request: () => Promise<T>
  ): Promise<T> {
    signal?.throwIfAborted()
    if (this.#isBusy) await this.#wait(isInteractive ? this.#interactive : this.#jobs, account, signal)
    this.#isBusy = true
    try {
      return await request()
    } finally {
      this.#startNext()
    }
  }

  async #wait (waiting: RoundRobin<Start>, account: string, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.remove(account, start)
        reject(signal!.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(account, start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #startNext (): void {
    const isJobsTurn = this.#jobs.size > 0 && (this.#interactive.size === 0 || this.#interactiveInSuccession >= maxInteractiveInSuccession)
    const waiting = isJobsTurn ? this.#jobs : this.#interactive
    this.#interactiveInSuccession = isJobsTurn || waiting.size === 0 ? 0 : this.#interactiveInSuccession + 1
    const start = waiting.take()
    this.#isBusy = start !== undefined
    start?.()
  }
}
