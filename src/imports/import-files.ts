import type { Db } from '../../db/connection.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { SlotYielded } from '../jobs/failures.js'
import { type ImportedBatch, ingestImported } from '../papers/ingest-imported.js'
import { prefetch } from '../relevance/prefetch.js'
import { openProjectScoring } from '../relevance/project-scoring.js'
import { tryToCompact } from '../search/compaction.js'
import { indexPending } from '../search/indexing.js'
import type { Format, ParsedRecord } from '../sources/formats/format.js'
import { readRecords } from '../sources/formats/read-records.js'
import { type RecordPiece, readText } from '../sources/formats/reading-task.js'
import { type ImportFile, list, opml } from './file-format.js'
import { finishImport, type FinishContext } from './finish-import.js'
import { addRejections, type ImportCounts, tallyBatch } from './import-counts.js'
import { type FeedsContext, importFeeds } from './import-feeds.js'
import { importList, type ListContext } from './import-list.js'

/** Records per transaction: many enough to share its cost, few enough to let other work run. */
const batchSize = 250
/** A transaction ends early once its records have this many references; an ordinary one has about half. */
const batchReferences = 20_000
/** Characters of a list of papers that are read. */
const maxListLength = 1_000_000
/** An import ends with more rejections, unless more records were valid. No library has as many. */
const maxRejectedRecords = 100_000

/** How far an import is: bytes and records of all files. */
export interface BatchProgress { bytes: number, totalBytes: number, read: number }

/** Files whose records are imported into a project. */
export interface FilesImport {
  projectId: string
  files: readonly ImportFile[]
  /** Rejections that are kept. */
  maxRejections: number
  /** Progress of an earlier attempt: the records that it read are skipped. */
  start?: ImportCounts | undefined
  /** The projects whose own papers the records may be; null: all of the account. */
  visibleProjects?: ProjectIds
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
  /** Milliseconds after which the import continues in another attempt, unless the file lists journal feeds. */
  maxTurnMs?: number | undefined
  signal?: AbortSignal | undefined
}

interface FilesContext extends FinishContext, FeedsContext, ListContext {}

/**
 * Imports files in batches, each in a transaction. An invalid record is reported and the others are imported. What was stored is also
 * finished if the import fails, since it stays and may never be continued, as when the account would own too many papers.
 */
export async function importFiles (context: FilesContext, request: FilesImport): Promise<ImportCounts> {
  const { projectId, files, start, signal } = request
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  const run: Run = { counts: start ?? noCounts, bytes: 0, totalBytes, skipped: 0, indexing: Promise.resolve() }
  const finish = async () => {
    const { created, updated } = run.counts
    if (created + updated === 0 || files.every(({ format }) => format === opml)) return
    await run.indexing
    await finishImport(context, projectId, created)
  }
  try {
    await storeFiles(context, request, run)
  } catch (error) {
    // After an abort, the next attempt continues. A second failure does not replace the reason of the first.
    if (signal?.aborted !== true) {
      await finish().catch(cause => context.log.warn({ err: cause, project_id: projectId }, 'A failed import was not finished.'))
    }
    throw error
  }
  await finish()
  return run.counts
}

const noCounts: ImportCounts = { read: 0, created: 0, updated: 0, unchanged: 0, rejectedCount: 0, rejected: [] }

/**
 * A running import: its counts, which are right also if it fails, the bytes of all files and those that it has read, the records that it
 * has skipped, and the indexing of its last batch.
 */
interface Run { counts: ImportCounts, bytes: number, totalBytes: number, skipped: number, indexing: Promise<void> }

const progressOf = ({ bytes, totalBytes }: Run, { read }: ImportCounts): BatchProgress => ({ bytes, totalBytes, read })

async function storeFiles (context: FilesContext, request: FilesImport, run: Run): Promise<void> {
  for (const file of request.files) {
    const { format } = file
    if (format === opml) await storeFeeds(context, request, run, file)
    else if (format === list) await storeList(context, request, run, file)
    else await storeRecords(context, request, run, { ...file, format })
  }
}

/** Adds the journal feeds of an OPML file to the project. */
async function storeFeeds (
  context: FilesContext,
  { projectId, maxRejections, addedFeeds, onFeeds, onBatch }: FilesImport,
  run: Run,
  { path, name, size }: ImportFile
): Promise<void> {
  const feeds = await importFeeds(context, { projectId, file: { path, name }, addedBefore: addedFeeds, inTransaction: onFeeds })
  run.bytes += size
  const { counts } = run
  run.counts = {
    ...addRejections(counts, feeds.rejected.map(rejection => ({ file: name, ...rejection })), maxRejections),
    read: counts.read + feeds.read,
    created: counts.created + feeds.added.length,
    unchanged: counts.unchanged + feeds.unchanged
  }
  await onBatch?.(context.db, progressOf(run, run.counts), run.counts)
}

/** Looks up the papers of a list, and stores them one by one. */
async function storeList (
  context: FilesContext,
  { projectId, maxRejections, visibleProjects, start, itemValues, lock, onBatch, maxTurnMs, signal }: FilesImport,
  run: Run,
  { path, name, size }: ImportFile
): Promise<void> {
  const text = await textOf(readText(path, () => {}))
  const bytesBefore = run.bytes
  const from = Math.max(0, (start?.read ?? 0) - run.skipped)
  const listed = await importList(context, {
    projectId,
    text,
    name,
    before: run.counts,
    from,
    maxRejections,
    visibleProjects,
    values: { ...itemValues, own_library: true },
    lock,
    onPaper: async (current, share) => {
      run.counts = current
      run.bytes = bytesBefore + Math.round(share * size)
      await onBatch?.(context.db, progressOf(run, current), current)
    },
    maxRunMs: maxTurnMs,
    signal
  })
  run.counts = listed.counts
  run.skipped += Math.min(from, listed.position)
}

/**
 * Stores the records of a file in batches.
 * @throws InvalidArguments if nearly all are rejected; SlotYielded at the end of its time, after one batch at least
 */
async function storeRecords (
  context: FilesContext,
  { projectId, maxRejections, visibleProjects, start, itemValues, lock, onBatch, maxTurnMs = Infinity, signal }: FilesImport,
  run: Run,
  { path, name, format, size }: ImportFile & { format: Format }
): Promise<void> {
  const { db, account } = context
  const bytesBefore = run.bytes
  let batch: ParsedRecord[] = []
  let references = 0
  const flush = async () => {
    signal?.throwIfAborted()
    if (batch.length === 0) return
    const tally = tallyBatch(batch, { before: run.counts, file: name, maxRejections })
    const ingested = await ingestImported({ ...context, signal }, {
      projectId,
      visibleProjects,
      openScoring: async () => await openProjectScoring(context, projectId, { lock }),
      records: tally.records,
      values: { ...itemValues, own_library: true },
      onStored: async (transaction, result, last) => {
        const stored = tally.countsThrough(last.place, result)
        await onBatch?.(transaction, progressOf(run, stored), stored)
        run.counts = stored
      }
    })
    // Index this batch while reading the next one.
    await run.indexing
    if (ingested.created + ingested.updated > 0) run.indexing = indexBatch(context, projectId)
    run.indexing.catch(() => {})
    const counts = tally.countsThrough(batch.at(-1)!.place, ingested)
    const isNoted = run.counts.read === counts.read
    run.counts = counts
    batch = []
    references = 0
    // Nothing was stored with what was rejected last.
    if (!isNoted) await onBatch?.(db, progressOf(run, counts), counts)
    requireRecords(counts, name)
  }
  const from = Math.max(0, (start?.read ?? 0) - run.skipped)
  let position = 0
  // Another attempt reads the file again: a turn lasts longer than that, and begins with the first record that is not skipped.
  let [startedAt, readMs] = [Infinity, 0]
  const pieces = prefetch(readRecords({ path, size, format, name, owner: account.id, from }))
  for await (const piece of untilUnreadable(pieces, flush)) {
    position = piece.position
    run.bytes = bytesBefore + piece.bytes
    readMs += piece.ms
    if (piece.records.length > 0) startedAt = Math.min(startedAt, performance.now())
    for (const parsed of piece.records) {
      batch.push(parsed)
      if ('record' in parsed) references += parsed.record.citations?.references.length ?? 0
      if (batch.length < batchSize && references < batchReferences) continue
      await flush()
      if (performance.now() - startedAt > Math.max(maxTurnMs, 2 * readMs)) throw new SlotYielded()
    }
  }
  run.skipped += Math.min(from, position)
  await flush()
}

/** The pieces of a file. @param store called before the error of a record that cannot be read, for those before it */
async function * untilUnreadable (pieces: AsyncIterable<RecordPiece>, store: () => Promise<void>): AsyncIterable<RecordPiece> {
  try {
    yield * pieces
  } catch (error) {
    if (error instanceof InvalidArguments) await store()
    throw error
  }
}

/** @throws InvalidArguments if so many records are rejected that the file has another content than its format says */
function requireRecords ({ read, created, updated, unchanged, rejectedCount }: ImportCounts, name: string): void {
  if (rejectedCount < maxRejectedRecords || rejectedCount <= created + updated + unchanged) return
  const count = (number: number) => number.toLocaleString('en')
  throw new InvalidArguments(
    `${name} is not a list of papers: ${count(rejectedCount)} of its first ${count(read)} records were rejected, so the rest was not ` +
      `read. Of the records before, ${count(created)} were added and ${count(updated)} updated papers. Choose another file or format.`
  )
}

/** Indexes a batch, and merges the many segments of a long import, which searches would all read until it ends. */
async function indexBatch (context: FilesContext, projectId: string): Promise<void> {
  const storage = searchStorage(context.db)
  await indexPending(storage, projectId)
  await tryToCompact(context, storage, projectId, { isThorough: false })
}

async function textOf (parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) {
    text += part
    if (text.length > maxListLength) break
  }
  return text
}
