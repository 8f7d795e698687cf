import { isMainThread } from 'node:worker_threads'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'
import { hostMemoryBytes } from '../threads/host-memory.js'

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
  Math.min(max * bytesPerMebibyte, Math.max(min * bytesPerMebibyte, Math.floor(hostMemoryBytes * share)))

/** Mebibytes of each cache of the main thread, which ranks small searches only. */
const mainThreadMebibytes = 16

/** The limit in bytes of a cache of the search index in this thread. */
export const threadCacheBytes = (limits: CacheLimits): number =>
  isMainThread ? mainThreadMebibytes * bytesPerMebibyte : cacheBytes(limits)
