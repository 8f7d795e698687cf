import { randomUUID } from 'node:crypto'
import { minuteMs } from '../../../schemas/durations.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { backgroundMemory } from '../../threads/memory-budget.js'
import { TaskStopped, WorkerPool } from '../../threads/worker-pool.js'
import type { Format } from './format.js'
import {
  beginReading, continueReading, type FeedsOfFile, type FeedsRequest, type ReadingRequest, type RecordPiece
} from './reading-task.js'

const timeoutMs = 30_000

/** One thread, whose readings take turns. A hostile record can end it; the readings of other files continue in the next one. */
const threads = new WorkerPool<ReadingRequest | FeedsRequest, RecordPiece | FeedsOfFile>({
  name: 'Reading a file',
  program: new URL('./reading-thread.js', import.meta.url),
  timeoutMs,
  maxHeapMb: 128,
  memory: backgroundMemory,
  // The parses of files, which go on with their next piece.
  keepsState: true,
  idleTimeoutMs: minuteMs
})

/** Reading a smaller file takes a few milliseconds in most formats; a thread would take longer to start. */
const defaultInlineBytes = 16 * 1024
/** Time that a whole file may take in the thread: a hostile one takes much more than any other of its size. */
const maxFileMs = minuteMs
const maxMsPerMegabyte = 40_000

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
  /** Time that the thread may take for the file. Default: by its size. */
  maxMs?: number
}

const maxMsOf = (size: number) => maxFileMs + maxMsPerMegabyte * size / 1_000_000

/**
 * Reads a file piece by piece, off the event loop unless it is small.
 * @throws InvalidArguments if a record takes too long or too much memory, or the file too long
 */
export async function * readRecords (
  { path, size, format, name, owner, from = 0, maxMs = maxMsOf(size) }: RecordFile
): AsyncIterable<RecordPiece> {
  const inline = size <= (format.maxInlineBytes ?? defaultInlineBytes) ? beginReading(path, format) : undefined
  const reading = { readingId: randomUUID(), path, format: format.name }
  let ms = 0
  try {
    for (let next = from; ;) {
      const piece = inline === undefined
        ? await readOffThread({ ...reading, from: next }, name, owner)
        : await continueReading(inline, next)
      yield piece
      if (piece.isEnd) return
      next = Math.max(next, piece.position)
      ms += piece.ms
      if (ms > maxMs) {
        throw new InvalidArguments(
          `${name} cannot be read beyond record ${next}: its records take longer than ${Math.round(maxMs / 1000)} s. ` +
            'Remove nested LaTeX commands from them. Earlier records were imported.'
        )
      }
    }
  } finally {
    // Closes the file. The thread closes files by itself.
    await inline?.records.return?.()
  }
}

async function readOffThread (request: ReadingRequest, name: string, owner: string): Promise<RecordPiece> {
  try {
    return await threads.run(request, { owner }) as RecordPiece
  } catch (cause) {
    if (!(cause instanceof TaskStopped)) throw cause
    throw new InvalidArguments(
      `${name} cannot be read beyond record ${request.from}: a record after it ${excess(cause)}. Remove it from the file. ` +
        'Earlier records were imported.',
      { cause }
    )
  }
}

/**
 * Reads the journal feeds of a file, off the event loop.
 * @throws InvalidArguments if it takes too long or too much memory
 */
export async function readJournalFeeds (
  { path, name, owner }: Pick<RecordFile, 'path' | 'name' | 'owner'>,
  maxEntries: number
): Promise<FeedsOfFile> {
  try {
    return await threads.run({ opmlPath: path, maxEntries }, { owner }) as FeedsOfFile
  } catch (cause) {
    if (!(cause instanceof TaskStopped)) throw cause
    throw new InvalidArguments(`${name} cannot be read: it ${excess(cause)}. Split it into smaller files.`, { cause })
  }
}

const excess = ({ reason }: TaskStopped) =>
  reason === 'timeout' ? `takes longer than ${timeoutMs / 1000} s` : 'needs too much memory'
