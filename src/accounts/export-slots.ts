import { RateLimited } from '../errors/operation-errors.js'

const retryAfterSeconds = 10

/** Bounds of downloads without an account. */
interface ExportLimits {
  /** Downloads under way of one list. */
  perList: number
  /** Downloads under way of all. */
  total: number
  /** Time for a download, so that slow readers cannot keep all slots. */
  durationMs: number
  /** Name of what is downloaded, in the plural. */
  what: string
}

/**
 * Takes a slot for a download. It is free again once the download is read to its end, its reader leaves, even before the first piece, or
 * its time is over, after which the next read fails. @throws RateLimited
 */
export type ExportSlots = <T>(listId: string, pieces: AsyncGenerator<T>, durationMs?: number) => AsyncIterableIterator<T>

/** Limits concurrent downloads by people without an account: of one list, and of all. */
export function exportSlots (limits: ExportLimits): ExportSlots {
  const underWay = new Map<string, number>()
  return (listId, pieces, durationMs = limits.durationMs) => {
    const ofList = underWay.get(listId) ?? 0
    const ofAll = [...underWay.values()].reduce((sum, each) => sum + each, 0)
    if (ofList >= limits.perList || ofAll >= limits.total) {
      throw new RateLimited(retryAfterSeconds, `Too many downloads of ${limits.what} are in progress.`)
    }
    underWay.set(listId, ofList + 1)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      const others = underWay.get(listId)! - 1
      if (others > 0) underWay.set(listId, others)
      else underWay.delete(listId)
    }
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      release()
      pieces.return(undefined).catch(() => {})
    }, durationMs)
    timer.unref()
    return {
      async next () {
        if (isOver) throw new Error(`A download of ${limits.what} took longer than ${durationMs / 1000} s.`)
        try {
          const result = await pieces.next()
          if (result.done === true) release()
          return result
        } catch (error) {
          release()
          throw error
        }
      },
      async return () {
        release()
        return await pieces.return(undefined)
      },
      [Symbol.asyncIterator] () { return this }
    }
  }
}
