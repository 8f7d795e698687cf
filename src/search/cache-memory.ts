import { totalmem } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'

/** Bytes of memory that the host, or the container, has. Without a limit of a container, Node.js gives 0 or more than there is. */
const memoryBytes = Math.min(...[totalmem(), process.constrainedMemory()].filter(bytes => bytes > 0))

interface CacheLimits {
  /** Mebibytes for which every host has room. */
  min: number
  /** Mebibytes that a search of a million papers needs. */
  max: number
  /** Share of the memory, between these. */
  share: number
}

/** The limit in bytes of a cache of the search index: large projects need large ones, for which small hosts have no room. */
export const cacheBytes = ({ min, max, share }: CacheLimits): number =>
  Math.min(max * bytesPerMebibyte, Math.max(min * bytesPerMebibyte, Math.floor(memoryBytes * share)))

/** Mebibytes of each cache of the main thread, which ranks small searches only. */
const mainThreadMebibytes = 16

/** The limit in bytes of a cache of the search index in this thread. */
export const threadCacheBytes = (limits: CacheLimits): number =>
  isMainThread ? mainThreadMebibytes * bytesPerMebibyte : cacheBytes(limits)
