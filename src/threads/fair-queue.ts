/** A fair queue: runs steps of long work one at a time, and serves owners round-robin, however many steps each of them has waiting. */
export class FairQueue {
  /** The waiting steps of each owner; the owner who is served next is first. */
  readonly #waiting = new Map<string, Array<() => Promise<void>>>()
  #isRunning = false

  /** Runs a step when the owner is served. @returns the result of the step. @throws what the step throws */
  async run<T> (owner: string, step: () => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const steps = this.#waiting.get(owner) ?? []
      steps.push(async () => {
        try {
          resolve(await step())
        } catch (error) {
          reject(error)
        }
      })
      this.#waiting.set(owner, steps)
      if (!this.#isRunning) this.#runWaiting()
    })
  }

  async #runWaiting (): Promise<void> {
    this.#isRunning = true
    for (const [owner, steps] of this.#waiting) {
      const step = steps.shift()!
      // An owner with further steps goes to the end.
      this.#waiting.delete(owner)
      if (steps.length > 0) this.#waiting.set(owner, steps)
      await step()
    }
    this.#isRunning = false
  }
}
