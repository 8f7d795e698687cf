import { createReadStream } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { decodeFile } from './decode.js'
import type { Format, ParsedRecord } from './format.js'
import { findFormat } from './index.js'

/* The CPU work of reading a file of records, piece by piece, so that a thread can do it. */

/** The next piece of a file. */
export interface ReadingRequest {
  /** Identifies the reading, which continues from piece to piece. */
  readingId: string
  path: string
  /** Name of its format. */
  format: string
  /** Records before the piece. A reading that stopped with its thread begins again and skips them. */
  from: number
}

/** Consecutive records of a file. */
export interface RecordPiece {
  /** They follow `from`, unless it lies ahead: then there are none. */
  records: ParsedRecord[]
  /** Records of the file up to here. */
  position: number
  /** Bytes of the file up to here. */
  bytes: number
  isEnd: boolean
}

const chunkBytes = 64 * 1024
/** A piece ends with the record that reaches one of these: the caller copies it in a few milliseconds. */
const maxPieceRecords = 100
const maxPieceCharacters = 500_000
/** A piece ends after this time, so that readings of several files take turns. */
const maxPieceMs = 1000

/** A file that is being read. */
export interface Reading { records: AsyncIterator<ParsedRecord>, position: number, bytes: number }

/** Further ones begin again with their next piece. */
const maxReadings = 8
const readings = new LRUCache<string, Reading>({
  max: maxReadings,
  dispose: ({ records }) => { records.return?.().catch(() => {}) }
})

/** Reads the next piece of a file, one at a time. */
export async function readPiece ({ readingId, path, format, from }: ReadingRequest): Promise<RecordPiece> {
  let reading = readings.get(readingId)
  if (reading === undefined || reading.position > from) {
    reading = beginReading(path, findFormat(format)!)
    readings.set(readingId, reading)
  }
  const piece = await continueReading(reading, from)
  if (piece.isEnd) readings.delete(readingId)
  return piece
}

/** Reads on, at first up to the record number `from`. */
export async function continueReading (reading: Reading, from: number): Promise<RecordPiece> {
  const began = performance.now()
  const records: ParsedRecord[] = []
  let characters = 0
  let isEnd = false
  while (records.length < maxPieceRecords && characters < maxPieceCharacters && performance.now() - began < maxPieceMs) {
    const { done, value } = await reading.records.next()
    isEnd = done === true
    if (isEnd) break
    if (reading.position++ < from) continue
    records.push(value)
    characters += lengthOf(value)
  }
  return { records, position: reading.position, bytes: reading.bytes, isEnd }
}

/** Opens a file. */
export function beginReading (path: string, format: Format): Reading {
  const reading: Reading = { records: undefined as never, position: 0, bytes: 0 }
  const text = readText(path, length => { reading.bytes += length })
  reading.records = format.read(text)[Symbol.asyncIterator]()
  return reading
}

/** Yields the decoded text of a file. @param count called with the number of bytes of each part */
export const readText = (path: string, count: (bytes: number) => void): AsyncIterable<string> => decodeFile(readChunks(path, count))

async function * readChunks (path: string, count: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    count((chunk as Buffer).length)
    yield chunk as Buffer
  }
}

/** About how much copying a record takes. */
function lengthOf (reading: ParsedRecord): number {
  if ('reason' in reading) return reading.reason.length
  const { title, abstract, authors, metadata } = reading.record
  return title.length + (abstract?.length ?? 0) + authors.length * 30 + (metadata.keywords?.length ?? 0) * 30
}
