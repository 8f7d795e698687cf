import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Db } from '../../../db/connection.js'
import { refreshStatistics } from '../../../db/queries/import.js'
import { lockScoring, scheduleFirstScoring } from '../../../db/queries/relevance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTally } from '../../../db/queries/tally.js'
import type { Rejection } from '../../../schemas/import.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { type ImportedBatch, ingestImported } from '../../papers/ingest-imported.js'
import type { NumberedRecord } from '../../papers/valid-records.js'
import { learnedModel, minModelPapers } from '../../relevance/learned-model.js'
import { scorer } from '../../relevance/score.js'
import { compact } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { decodeFile } from '../../sources/formats/decode.js'
import { type Format, namedReason } from '../../sources/formats/format.js'
import { findFormat, formatNames, sniffFormat } from '../../sources/formats/index.js'
import { isOpml } from '../../sources/opml.js'
import type { Context } from '../context.js'
import { importFeeds } from './import-feeds.js'

/** Records per transaction: many enough to share its cost, few enough to let other work run. */
const batchSize = 250
/** Characters of the reason of a rejection: reasons can quote the file. */
const maxReasonLength = 300
/** Bytes that identify a file's format. */
const headBytes = 64 * 1024

/** The name of the format of journal feeds, which the other formats do not have. */
const opml = 'opml'
/** The names of everything that imports read. */
export const importFormatNames: readonly string[] = [...formatNames, opml]

/** A file to import. */
export interface ImportFile {
  path: string
  /** Its name in reports. */
  name: string
  format: Format | typeof opml
  size: number
}

/** Progress of an import. */
export interface ImportCounts {
  read: number
  created: number
  updated: number
  unchanged: number
  /** All rejections; `rejected` has the first ones. */
  rejectedCount: number
  rejected: Rejection[]
}

/** How far an import is: bytes and records of all files. */
export interface BatchProgress { bytes: number, totalBytes: number, read: number }

export interface FilesImport {
  projectId: string
  files: readonly ImportFile[]
  /** Rejections that are kept. */
  maxRejections: number
  /** Progress of an earlier attempt: the records that it read are skipped. */
  start?: ImportCounts | undefined
  /** Further values of the items that enter the feed. */
  itemValues?: ImportedBatch['values']
  /** Called in each transaction, after the project was locked; throws to stop the import. */
  lock?: ((transaction: Db) => Promise<void>) | undefined
  /** Journal feeds that an earlier attempt added: they count as added. */
  addedFeeds?: readonly string[] | undefined
  /** Called in the transaction that adds journal feeds to the project, with those that the import added in all attempts. */
  onFeeds?: ((transaction: Db, added: readonly string[]) => Promise<void>) | undefined
  /** Called after each batch. */
  onBatch?: ((progress: BatchProgress, counts: ImportCounts) => Promise<void> | void) | undefined
  signal?: AbortSignal | undefined
}

/** Imports files in batches, each in a transaction. An invalid record is reported and the others are imported. */
export async function importFiles (
  context: Context,
  { projectId, files, maxRejections, start, itemValues, lock, addedFeeds, onFeeds, onBatch, signal }: FilesImport
): Promise<ImportCounts> {
  const { db, account } = context
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  const counts: ImportCounts = start === undefined
    ? { read: 0, created: 0, updated: 0, unchanged: 0, rejectedCount: 0, rejected: [] }
    : { ...start, rejected: [...start.rejected] }
  const scorerIn = async (transaction: Db) => {
    const project = requireRecord(await lockScoring(transaction, projectId))
    await lock?.(transaction)
    return scorer(project, await learnedModel(transaction, account.id, projectId))
  }
  const storage = searchStorage(db)
  let indexing: Promise<void> = Promise.resolve()
  let bytes = 0
  let skipped = 0
  const reject = ({ reason, ...rejection }: Rejection) => {
    counts.rejectedCount++
    if (counts.rejected.length < maxRejections) counts.rejected.push({ ...rejection, reason: shorten(reason) })
  }

  for (const { path, name, format } of files) {
    const text = decodeFile(chunksOf(path, length => { bytes += length }))
    if (format === opml) {
      const feeds = await importFeeds(context, { projectId, text, addedBefore: addedFeeds, inTransaction: onFeeds })
      counts.read += feeds.read
      counts.created += feeds.added.length
      counts.unchanged += feeds.unchanged
      for (const rejection of feeds.rejected) reject({ file: name, ...rejection })
      await onBatch?.({ bytes, totalBytes, read: counts.read }, counts)
      continue
    }
    let batch: NumberedRecord[] = []
    const flush = async () => {
      signal?.throwIfAborted()
      const ingested = await ingestImported(context, { projectId, scorerIn, records: batch, values: itemValues })
      // Index this batch while reading the next one.
      await indexing
      indexing = ingested.created + ingested.updated > 0 ? indexPending(storage, projectId) : indexing
      indexing.catch(() => {})
      counts.created += ingested.created
      counts.updated += ingested.updated
      counts.unchanged += ingested.unchanged
      const keys = new Map(batch.map(({ place, record }) => [place, record.metadata.citation_key]))
      for (const { record, reason } of ingested.rejected) reject({ file: name, record, reason: namedReason(keys.get(record), reason) })
      batch = []
      await onBatch?.({ bytes, totalBytes, read: counts.read }, counts)
    }
    for await (const reading of format.read(text)) {
      if (skipped < (start?.read ?? 0)) {
        skipped++
        continue
      }
      counts.read++
      if ('reason' in reading) reject({ file: name, record: reading.place, reason: reading.reason })
      else batch.push(reading)
      if (batch.length >= batchSize) await flush()
    }
    await flush()
  }
  if (counts.created + counts.updated > 0 && files.some(({ format }) => format !== opml)) {
    await indexing
    await finishImport(context, projectId, counts.created)
  }
  return counts
}

/** Indexes what an import added to a feed, and schedules the work that follows. @param created papers that it added */
export async function finishImport (context: Context, projectId: string, created: number): Promise<void> {
  const { db, account, now } = context
  const storage = searchStorage(db)
  await indexPending(storage, projectId)
  await compact(storage, projectId)
  await compactTally(db, projectId)
  await scheduleFirstScoring(db, account.id, projectId, { minPapers: minModelPapers, scoreAt: now() })
  await refreshStatistics(db)
  await enqueueSummaries(context, { id: projectId, account_id: account.id }, created)
}

const shorten = (reason: string): string =>
  reason.length <= maxReasonLength ? reason : `${reason.slice(0, maxReasonLength - 1).toWellFormed()}…`

/**
 * Reads which format a file has, from its start if `formatName` is undefined.
 * @param name in messages
 * @throws InvalidArguments if it cannot be read, is empty, or has an unknown format
 */
export async function inspectFile (
  path: string,
  { name = path, formatName }: { name?: string, formatName?: string | undefined } = {}
): Promise<ImportFile> {
  const { head, size } = await readHead(path)
  if (formatName !== undefined) {
    const format = formatName === opml ? opml : findFormat(formatName)
    if (format === undefined) {
      throw new InvalidArguments(`Format ${JSON.stringify(formatName)} is unknown. Formats: ${importFormatNames.join(', ')}.`)
    }
    return { path, name, format, size }
  }
  const text = await decodeStart(head)
  if (text.trim() === '') throw new InvalidArguments(`${name} is empty.`)
  const format = detectFormat(text)
  if (format === undefined) {
    throw new InvalidArguments(
      `${name} has an unknown format. Formats: ${importFormatNames.join(', ')}. If it has one of them, name it with --format. Nothing was ` +
        'imported.'
    )
  }
  return { path, name, format, size }
}

/** Decodes the start of a file. */
export async function decodeStart (head: Uint8Array): Promise<string> {
  let text = ''
  for await (const part of decodeFile(single(head))) text += part
  return text
}

/** Detects the format of a file from its start; undefined if it is unknown. */
export const detectFormat = (text: string): ImportFile['format'] | undefined => isOpml(text) ? opml : sniffFormat(text)

/** Bytes from which `detectFormat` tells a format. */
export const detectionBytes = headBytes

async function readHead (path: string): Promise<{ head: Uint8Array, size: number }> {
  try {
    const handle = await open(path)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new InvalidArguments(`${path} is not a file.`)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return { head: buffer.subarray(0, bytesRead), size: stat.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new InvalidArguments(
      `${path} cannot be read: ${code === 'ENOENT' ? 'the file does not exist' : code === 'EACCES' ? 'permission denied' : code}.`,
      { cause }
    )
  }
}

async function * single (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function * chunksOf (path: string, count: (length: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: headBytes })) {
    count((chunk as Buffer).length)
    yield chunk as Buffer
  }
}
