import { createReadStream } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { type OpmlEntry, readOpml } from '../projects/opml.js'
import { decodeFile } from './decode.js'
import { type Format, limitParsed, type ParsedRecord } from './format.js'
import { findFormat } from './index.js'

/* The CPU work of parsing a file of records, piece by piece, so that a thread can do it. */

/** The next piece of a file. */
export interface ReadingRequest {
  /** Identifies the parse, which continues from piece to piece. */
  readingId: string
  path: string
  /** Name of its format. */
  format: string
  /** Records before the piece. A parse that stopped with its thread begins again and skips them. */
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
  /** Time that reading took. */
  ms: number
}

/** A file of journal feeds, which is read at once. */
export interface FeedsRequest {
  opmlPath: string
  maxEntries: number
}

/** Journal feeds of a file. */
export interface FeedsOfFile {
  /** At most `maxEntries`. */
  entries: OpmlEntry[]
  hasMore: boolean
}

const chunkBytes = 64 * 1024
/** A piece ends with the record that reaches one of these: the caller copies it in a few milliseconds. */
const maxPieceRecords = 100
const maxPieceCharacters = 500_000
/** A piece ends after this time, so that several files take turns. */
const maxPieceMs = 1000

/** A file that is being read. */
export interface FileParse { records: AsyncIterator<ParsedRecord>, position: number, bytes: number }

/** Further ones begin again with their next piece. */
const maxReadings = 8
const fileParses = new LRUCache<string, FileParse>({
  max: maxReadings,
  dispose: ({ records }) => { records.return?.().catch(() => {}) }
})

/** Reads the next piece of a file, one at a time. */
export async function readPiece ({ readingId, path, format, from }: ReadingRequest): Promise<RecordPiece> {
  let parse = fileParses.get(readingId)
  if (parse === undefined || parse.position > from) {
    parse = beginReading(path, findFormat(format)!)
    fileParses.set(readingId, parse)
  }
  const piece = await continueReading(parse, from)
  if (piece.isEnd) fileParses.delete(readingId)
  return piece
}

/** Reads the journal feeds of a file. */
export async function readFeeds ({ opmlPath, maxEntries }: FeedsRequest): Promise<FeedsOfFile> {
  const entries: OpmlEntry[] = []
  for await (const entry of readOpml(readText(opmlPath, () => {}))) {
    if (entries.length === maxEntries) return { entries, hasMore: true }
    entries.push(entry)
  }
  return { entries, hasMore: false }
}

/** Reads on, at first up to the record number `from`. */
export async function continueReading (parse: FileParse, from: number): Promise<RecordPiece> {
  const began = performance.now()
  const records: ParsedRecord[] = []
  let characters = 0
  let isEnd = false
  while (records.length < maxPieceRecords && characters < maxPieceCharacters && performance.now() - began < maxPieceMs) {
    const { done, value } = await parse.records.next()
    isEnd = done === true
    if (isEnd) break
    if (parse.position++ < from) continue
    const limited = limitParsed(value)
    records.push(limited)
    characters += lengthOf(limited)
  }
  return { records, position: parse.position, bytes: parse.bytes, isEnd, ms: performance.now() - began }
}

/** Opens a file. */
export function beginReading (path: string, format: Format): FileParse {
  const parse: FileParse = { records: undefined as never, position: 0, bytes: 0 }
  const text = readText(path, length => { parse.bytes += length })
  parse.records = format.read(text)[Symbol.asyncIterator]()
  return parse
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
function lengthOf (parsed: ParsedRecord): number {
  if ('reason' in parsed) return parsed.reason.length
  const { title, abstract, authors, metadata, citations } = parsed.record
  return title.length + (abstract?.length ?? 0) + authors.length * 30 + JSON.stringify(metadata).length +
    (citations?.references.length ?? 0) * 20
}
