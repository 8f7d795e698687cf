import { bytesPerMebibyte } from '../../schemas/mebibytes.js'
import { hostMemoryBytes } from './host-memory.js'

/** Memory that its holder may use, until it releases it. */
export interface MemoryLease {
  /**
   * Says that the holder is idle and keeps a part of the memory: others get the remainder now, and this part once they need it.
   * @param keepMb in MiB
   * @param evict called when another request needs the kept memory: it must end the holder, which then releases the lease
   */
  markIdle: (keepMb: number, evict: () => void) => void
  /** To be called once the memory is free. A second call does nothing. */
  release: () => void
}

interface Waiting { mb: number, reusable: MemoryLease | undefined, start: (lease: MemoryLease) => void }

/**
 * Bounds the memory that threads and processes use together: each requests its limit before it works. Requests are served in order: small
 * ones would otherwise keep a large one waiting forever. A holder must not request more: that would deadlock.
 */
export class MemoryBudget {
  readonly #totalMb: number
  #usedMb = 0
  /** MiB of idle leases whose holders were asked to end. */
  #endingMb = 0
  readonly #waiting: Waiting[] = []
  /** Those that have been idle for longest are first. */
  readonly #idle = new Map<MemoryLease, { mb: number, evict: () => void }>()

  /** @param totalMb in MiB */
  constructor (totalMb: number) {
    this.#totalMb = totalMb
  }

  /**
   * Calls `start` once there is memory, immediately if there is.
   * @param mb in MiB; a request that exceeds the budget gets all of it
   * @param reusable the lease of an idle holder, which releases it when it starts: unless others need it before, both are the same memory
   */
  request (mb: number, start: (lease: MemoryLease) => void, reusable?: MemoryLease): void {
    this.#waiting.push({ mb: Math.min(mb, this.#totalMb), reusable, start })
    this.#serve()
  }

  #serve (): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { mb, reusable, start } = next
      const keptMb = (reusable && this.#idle.get(reusable)?.mb) ?? 0
      const missingMb = this.#usedMb - keptMb + mb - this.#totalMb
      if (missingMb > 0) return this.#evictIdle(missingMb, reusable)
      this.#waiting.shift()
      this.#usedMb += mb
      start(this.#lease(mb))
    }
  }

  #evictIdle (missingMb: number, except: MemoryLease | undefined): void {
    for (const [lease, { mb, evict }] of this.#idle) {
      if (this.#endingMb >= missingMb) return
      if (lease === except) continue
      this.#idle.delete(lease)
      this.#endingMb += mb
      evict()
    }
  }

  #lease (mb: number): MemoryLease {
    let heldMb = mb
    let isEnding = false
    const lease: MemoryLease = {
      markIdle: (keepMb, evict) => {
        const keptMb = Math.min(keepMb, heldMb)
        this.#usedMb -= heldMb - keptMb
        heldMb = keptMb
        this.#idle.set(lease, { mb: keptMb, evict: () => { isEnding = true; evict() } })
        this.#serve()
      },
      release: () => {
        this.#idle.delete(lease)
        if (isEnding) this.#endingMb -= heldMb
        isEnding = false
        this.#usedMb -= heldMb
        heldMb = 0
        this.#serve()
      }
    }
    return lease
  }
}

/** MiB of each budget on a host of 2 GiB, for which the units and the container are made. 384 are for the main thread and the database. */
const sharesOf2048 = { interactive: 768, background: 896 }

/** MiB of a budget. Smaller hosts need as much as one of 2 GiB. @param hostBytes the memory of the host */
export const budgetMb = (kind: keyof typeof sharesOf2048, hostBytes = hostMemoryBytes): number =>
  Math.max(sharesOf2048[kind], Math.floor(sharesOf2048[kind] * hostBytes / bytesPerMebibyte / 2048))

/** For work that a person may wait for. Background work cannot take any of it. */
export const interactiveMemory = new MemoryBudget(budgetMb('interactive'))
/** For jobs alone, and for processes that convert documents. */
export const backgroundMemory = new MemoryBudget(budgetMb('background'))
