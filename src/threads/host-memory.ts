import { totalmem } from 'node:os'

/** Bytes of memory that the host, or the container, has. Without a limit of a container, Node.js gives 0 or more than there is. */
export const hostMemoryBytes = Math.min(...[totalmem(), process.constrainedMemory()].filter(bytes => bytes > 0))
