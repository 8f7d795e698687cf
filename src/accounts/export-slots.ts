import { minuteMs } from '../../schemas/durations.js'
import { RateLimited } from '../errors/operation-errors.js'

/** Exports under way of one share link, and of all. */
const maxPerLink = 4
const maxExports = 40
const retryAfterSeconds = 10
/** Time for an export, so that slow readers cannot keep all slots. */
const maxDurationMs = minuteMs

const underWay = new Map<string, number>()

/**
 * Takes a slot of a share link for an export, until it was read to its end or its reader left, even before the first piece, or its time is
 * over: then the next read fails.
 * @throws RateLimited
 */
export function withExportSlot<T> (linkId: string, pieces: AsyncGenerator<T>, durationMs = maxDurationMs): AsyncIterableIterator<T> {
  const ofLink = underWay.get(linkId) ?? 0
  const ofAll = [...underWay.values()].reduce((sum, each) => sum + each, 0)
  if (ofLink >= maxPerLink || ofAll >= maxExports) {
    throw new RateLimited(retryAfterSeconds, 'Too many downloads of shared lists are in progress.')
  }
  underWay.set(linkId, ofLink + 1)
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    clearTimeout(timer)
    const others = underWay.get(linkId)! - 1
    if (others > 0) underWay.set(linkId, others)
    else underWay.delete(linkId)
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
      if (isOver) throw new Error(`A download of a shared list took longer than ${durationMs / 1000} s.`)
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
