import { randomUUID } from 'node:crypto'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { TaskStopped, WorkerPool } from '../../threads/worker-pool.js'
import type { Format } from './format.js'
import { beginReading, continueReading, type ReadingRequest, type RecordPiece } from './reading-task.js'

const timeoutMs = 30_000

/** One thread, whose readings take turns. A hostile record can end it; the readings of other files continue in the next one. */
const threads = new WorkerPool<ReadingRequest, RecordPiece>({
  name: 'Reading a file',
  program: new URL('./reading-thread.js', import.meta.url),
  timeoutMs,
  maxHeapMb: 512,
  idleTimeoutMs: 60_000
})

/** Reading a smaller file takes a few milliseconds; a thread would take longer to start. */
const maxInlineBytes = 16 * 1024

/** A file of records. */
export interface RecordFile {
  path: string
  /** In bytes. */
  size: number
  format: Format
  /** In messages. */
  name: string
  /** Whose file it is: owners take turns. */
  owner: string
  /** Records to skip. */
  from?: number
}

/**
 * Reads a file piece by piece, off the event loop unless it is small.
 * @throws InvalidArguments if a record takes too long or too much memory
 */
export async function * readRecords ({ path, size, format, name, owner, from = 0 }: RecordFile): AsyncIterable<RecordPiece> {
  const inline = size <= maxInlineBytes ? beginReading(path, format) : undefined
  const reading = { readingId: randomUUID(), path, format: format.name }
  try {
    for (let next = from; ;) {
      const piece = inline === undefined
        ? await readOffThread({ ...reading, from: next }, name, owner)
        : await continueReading(inline, next)
      yield piece
      if (piece.isEnd) return
      next = Math.max(next, piece.position)
    }
  } finally {
    // Closes the file. The thread closes files by itself.
    await inline?.records.return?.()
  }
}

async function readOffThread (request: ReadingRequest, name: string, owner: string): Promise<RecordPiece> {
  try {
    return await threads.run(request, { owner })
  } catch (cause) {
    if (!(cause instanceof TaskStopped)) throw cause
    throw new InvalidArguments(
      `${name} cannot be read beyond record ${request.from}: a record after it ${
        cause.reason === 'timeout' ? `takes longer than ${timeoutMs / 1000} s` : 'needs too much memory'
      }. Remove it from the file. Earlier records were imported.`,
      { cause }
    )
  }
}
