import { open } from 'node:fs/promises'
import type { Db } from '../../../db/connection.js'
import { refreshStatistics } from '../../../db/queries/import.js'
import { lockScoring, scheduleFirstScoring } from '../../../db/queries/relevance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTally } from '../../../db/queries/tally.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { type ImportedBatch, ingestImported } from '../../papers/ingest-imported.js'
import { learnedModel, minModelPapers } from '../../relevance/learned-model.js'
import { prefetch } from '../../relevance/prefetch.js'
import { scorer } from '../../relevance/score.js'
import { compact } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { decodeFile } from '../../sources/formats/decode.js'
import type { Format } from '../../sources/formats/format.js'
import { findFormat, formatNames, sniffFormat } from '../../sources/formats/index.js'
import { readRecords } from '../../sources/formats/read-records.js'
import { readText } from '../../sources/formats/reading-task.js'
import { isOpml } from '../../sources/opml.js'
import type { Context } from '../context.js'
import { addRejections, type ImportCounts, type Reading, tallyBatch } from './import-counts.js'
import { importFeeds } from './import-feeds.js'
import { importList, isPaperList } from './paper-list.js'

/** Records per transaction: many enough to share its cost, few enough to let other work run. */
const batchSize = 250
/** Bytes that identify a file's format. */
const headBytes = 64 * 1024
/** Characters of a list of papers that are read. */
const maxListLength = 1_000_000

/** The name of the format of journal feeds, which the other formats do not have. */
const opml = 'opml'
/** The name of the format of lists of identifiers and titles, which are looked up. */
const list = 'list'
/** The names of everything that imports read. */
export const importFormatNames: readonly string[] = [...formatNames, opml, list]

/** A file to import. */
export interface ImportFile {
  path: string
  /** Its name in reports. */
  name: string
  format: Format | typeof opml | typeof list
  size: number
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
  /**
   * Called in each transaction with what the import has done when it commits, and with the database itself where nothing was stored. A
   * transaction that conflicts with another is repeated.
   */
  onBatch?: ((db: Db, progress: BatchProgress, counts: ImportCounts) => Promise<void> | void) | undefined
  signal?: AbortSignal | undefined
}

/** Imports files in batches, each in a transaction. An invalid record is reported and the others are imported. */
export async function importFiles (
  context: Context,
  { projectId, files, maxRejections, start, itemValues, lock, addedFeeds, onFeeds, onBatch, signal }: FilesImport
): Promise<ImportCounts> {
  const { db, account } = context
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  let counts: ImportCounts = start ?? { read: 0, created: 0, updated: 0, unchanged: 0, rejectedCount: 0, rejected: [] }
  const scorerIn = async (transaction: Db) => {
    const project = requireRecord(await lockScoring(transaction, projectId))
    await lock?.(transaction)
    return scorer(project, await learnedModel(transaction, account.id, projectId))
  }
  const storage = searchStorage(db)
  let indexing: Promise<void> = Promise.resolve()
  let bytes = 0
  let skipped = 0

  for (const { path, name, format, size } of files) {
    if (format === opml) {
      const text = readText(path, length => { bytes += length })
      const feeds = await importFeeds(context, { projectId, text, addedBefore: addedFeeds, inTransaction: onFeeds })
      counts = {
        ...addRejections(counts, feeds.rejected.map(rejection => ({ file: name, ...rejection })), maxRejections),
        read: counts.read + feeds.read,
        created: counts.created + feeds.added.length,
        unchanged: counts.unchanged + feeds.unchanged
      }
      await onBatch?.(db, { bytes, totalBytes, read: counts.read }, counts)
      continue
    }
    if (format === list) {
      const text = await textOf(readText(path, () => {}))
      const bytesBefore = bytes
      counts = await importList(context, {
        projectId,
        text,
        name,
        before: counts,
        maxRejections,
        values: itemValues,
        lock,
        onPaper: async (listed, share) => {
          bytes = bytesBefore + Math.round(share * size)
          await onBatch?.(db, { bytes, totalBytes, read: listed.read }, listed)
        },
        signal
      })
      continue
    }
    const bytesBefore = bytes
    let batch: Reading[] = []
    const flush = async () => {
      signal?.throwIfAborted()
      if (batch.length === 0) return
      const tally = tallyBatch(batch, { before: counts, file: name, maxRejections })
      let noted = counts.read
      const ingested = await ingestImported(context, {
        projectId,
        scorerIn,
        records: tally.records,
        values: itemValues,
        onStored: async (transaction, result, last) => {
          const stored = tally.upTo(last.place, result)
          await onBatch?.(transaction, { bytes, totalBytes, read: stored.read }, stored)
          noted = stored.read
        }
      })
      // Index this batch while reading the next one.
      await indexing
      indexing = ingested.created + ingested.updated > 0 ? indexPending(storage, projectId) : indexing
      indexing.catch(() => {})
      counts = tally.upTo(batch.at(-1)!.place, ingested)
      batch = []
      // Nothing was stored with what was rejected last.
      if (noted < counts.read) await onBatch?.(db, { bytes, totalBytes, read: counts.read }, counts)
    }
    const from = Math.max(0, (start?.read ?? 0) - skipped)
    let position = 0
    for await (const piece of prefetch(readRecords({ path, size, format, name, owner: account.id, from }))) {
      position = piece.position
      bytes = bytesBefore + piece.bytes
      for (const reading of piece.records) {
        batch.push(reading)
        if (batch.length >= batchSize) await flush()
      }
    }
    skipped += Math.min(from, position)
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
    const format = formatName === opml || formatName === list ? formatName : findFormat(formatName)
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
export const detectFormat = (text: string): ImportFile['format'] | undefined =>
  isOpml(text) ? opml : sniffFormat(text) ?? (isPaperList(text) ? list : undefined)

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

async function textOf (parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) {
    text += part
    if (text.length > maxListLength) break
  }
  return text
}

async function * single (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
