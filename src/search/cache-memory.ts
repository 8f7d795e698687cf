import { totalmem } from 'node:os'

const megabyte = 1024 * 1024
/** Bytes of memory that the host, or the container, has. Without a limit of a container, Node.js gives 0 or more than there is. */
const memoryBytes = Math.min(...[totalmem(), process.constrainedMemory()].filter(bytes => bytes > 0))

interface CacheLimits {
  /** Megabytes that every host has. */
  min: number
  /** Megabytes that a search of a million papers needs. */
  max: number
  /** Of the memory, in between. */
  share: number
}

/** The limit in bytes of a cache of the search index: large projects need large ones, for which small hosts have no room. */
export const cacheBytes = ({ min, max, share }: CacheLimits): number =>
  Math.min(max * megabyte, Math.max(min * megabyte, Math.floor(memoryBytes * share)))
