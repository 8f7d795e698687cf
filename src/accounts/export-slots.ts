import { RateLimited } from '../errors/operation-errors.js'

const retryAfterSeconds = 10

/** Bounds of downloads without an account. */
interface ExportLimits {
  /** Downloads under way of one list. */
  perList: number
  /** Downloads under way from one network. */
  perNetwork: number
  /** Downloads under way of the lists of one account. */
  perAccount: number
  /** Downloads under way of all. */
  total: number
  /** Time for a download, so that slow readers cannot keep all slots. */
  durationMs: number
  /** Name of what is downloaded, in the plural. */
  what: string
}

/** A download: the list, the account that it belongs to, and the network of its reader. */
export interface ListDownload { listId: string, accountId: string, network: string }

/**
 * Takes a slot for a download. It is free again once the download is read to its end, its reader leaves, even before the first piece, or
 * its time is over, after which the next read fails. @throws RateLimited
 */
export type ExportSlots = <T>(download: ListDownload, pieces: AsyncGenerator<T>, durationMs?: number) => AsyncIterableIterator<T>

/** Limits concurrent downloads by people without an account: of one list, of the lists of an account, from one network, and of all. */
export function exportSlots (limits: ExportLimits): ExportSlots {
  const underWay = new Set<ListDownload>()
  const count = (isMeant: (download: ListDownload) => boolean) => [...underWay].filter(isMeant).length
  const admit = ({ listId, accountId, network }: ListDownload) => {
    if (count(each => each.network === network) >= limits.perNetwork) {
      throw new RateLimited(retryAfterSeconds, `Your network already has ${limits.perNetwork} downloads of ${limits.what} in progress.`)
    }
    if (
      count(each => each.listId === listId) >= limits.perList ||
      count(each => each.accountId === accountId) >= limits.perAccount ||
      underWay.size >= limits.total
    ) throw new RateLimited(retryAfterSeconds, `Too many downloads of ${limits.what} are in progress.`)
  }
  return ({ ...download }, pieces, durationMs = limits.durationMs) => {
    admit(download)
    underWay.add(download)
    const release = () => {
      underWay.delete(download)
      clearTimeout(timer)
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
