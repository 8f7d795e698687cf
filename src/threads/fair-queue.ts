import { RoundRobin } from './round-robin.js'

/** A fair queue: runs steps of long work one at a time, and serves owners round-robin, however many steps each of them has waiting. */
export class FairQueue {
  readonly #waiting = new RoundRobin<() => Promise<void>>()
  #isRunning = false

  /** Runs a step when the owner is served. @returns the result of the step. @throws what the step throws */
  async run<T> (owner: string, step: () => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      this.#waiting.add(owner, async () => {
        try {
          resolve(await step())
        } catch (error) {
          reject(error)
        }
      })
      if (!this.#isRunning) this.#runWaiting()
    })
  }

  async #runWaiting (): Promise<void> {
    this.#isRunning = true
    for (let step = this.#waiting.take(); step !== undefined; step = this.#waiting.take()) await step()
    this.#isRunning = false
  }
}
