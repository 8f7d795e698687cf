import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Db } from '../../../db/connection.js'
import { refreshStatistics } from '../../../db/queries/import.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { lockScoring, scheduleFirstScoring } from '../../../db/queries/relevance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTally } from '../../../db/queries/tally.js'
import { ImportInput, ImportResult, type Rejection } from '../../../schemas/import.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { scorer } from '../../relevance/score.js'
import { compact } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { decodeFile } from '../../sources/formats/decode.js'
import { type Format, namedReason } from '../../sources/formats/format.js'
import { findFormat, formatNames, sniffFormat } from '../../sources/formats/index.js'
import { learnedModel, minModelPapers } from '../../relevance/learned-model.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { type ImportedBatch, ingestImported } from '../../papers/ingest-imported.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import type { NumberedRecord } from '../../papers/valid-records.js'
import { requireRecord } from '../../errors/deleted-records.js'

/** Records per transaction: many enough to share its cost, few enough to let other work run. */
const batchSize = 250
/** Bytes that identify a file's format. */
const headBytes = 64 * 1024
/** Bounds memory if a large file has the wrong format. */
const maxListedRejections = 100_000

export interface ImportContext extends Context {
  /** Called after each batch, with the bytes read of all files. */
  onProgress?: (progress: { bytes: number, totalBytes: number, read: number }) => void
  /** Further values of the items that enter the feed. */
  itemValues?: ImportedBatch['values']
}

/**
 * Imports files of bibliographic records into a project's feed. A missing file or an unknown format fails before anything is imported;
 * after that, an invalid record is reported and the others are imported.
 *
 * @throws ProjectNotFound, InvalidArguments
 */
export const papersImport = operation({
  name: 'papers_import',
  title: 'Import papers',
  description: 'Imports files of bibliographic records into a project\'s feed. Existing papers are updated, not duplicated.',
  input: ImportInput,
  output: ImportResult,
  async handler (context: ImportContext, { project_id, files, format }) {
    if (!await ownsProject(context.db, context.account.id, project_id)) throw new ProjectNotFound(project_id)
    const inputs = await Promise.all(files.map(async file => await inspect(file, format)))
    const totalBytes = inputs.reduce((sum, { size }) => sum + size, 0)
    const scorerIn = async (transaction: Db) =>
      scorer(requireRecord(await lockScoring(transaction, project_id)), await learnedModel(transaction, context.account.id, project_id))
    const result: ImportResult = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: [] }
    const storage = searchStorage(context.db)
    let indexing: Promise<void> = Promise.resolve()
    let bytes = 0
    let unlisted = 0
    const reject = (rejection: Rejection) => {
      if (result.rejected.length < maxListedRejections) result.rejected.push(rejection)
      else unlisted++
    }

    for (const { file, format } of inputs) {
      let batch: NumberedRecord[] = []
      const flush = async () => {
        const ingested = await ingestImported(context, { projectId: project_id, scorerIn, records: batch, values: context.itemValues })
        // Index this batch while reading the next one.
        await indexing
        indexing = ingested.created + ingested.updated > 0 ? indexPending(storage, project_id) : indexing
        indexing.catch(() => {})
        result.created += ingested.created
        result.updated += ingested.updated
        result.unchanged += ingested.unchanged
        const keys = new Map(batch.map(({ place, record }) => [place, record.metadata.citation_key]))
        for (const { record, reason } of ingested.rejected) reject({ file, record, reason: namedReason(keys.get(record), reason) })
        batch = []
        context.onProgress?.({ bytes, totalBytes, read: result.read })
      }
      for await (const reading of format.read(decodeFile(chunksOf(file, length => { bytes += length })))) {
        result.read++
        if ('reason' in reading) reject({ file, record: reading.place, reason: reading.reason })
        else batch.push(reading)
        if (batch.length >= batchSize) await flush()
      }
      await flush()
    }
    if (unlisted > 0) {
      result.rejected.push({
        file: files.at(-1)!,
        record: 0,
        reason: `${unlisted} more records were rejected; the first ${maxListedRejections} are listed`
      })
    }
    if (result.created + result.updated > 0) {
      await indexing
      await indexPending(storage, project_id)
      await compact(storage, project_id)
      await compactTally(context.db, project_id)
      await scheduleFirstScoring(context.db, context.account.id, project_id, { minPapers: minModelPapers, scoreAt: context.now() })
      await refreshStatistics(context.db)
    }
    await enqueueSummaries(context, { id: project_id, account_id: context.account.id }, result.created)
    return result
  }
})

interface Input { file: string, format: Format, size: number }

async function inspect (file: string, name: string | undefined): Promise<Input> {
  const { head, size } = await readHead(file)
  if (name !== undefined) {
    const format = findFormat(name)
    if (format === undefined) throw new InvalidArguments(`Format ${JSON.stringify(name)} is unknown. Formats: ${formatNames.join(', ')}.`)
    return { file, format, size }
  }
  let text = ''
  for await (const part of decodeFile(single(head))) text += part
  if (text.trim() === '') throw new InvalidArguments(`${file} is empty.`)
  const format = sniffFormat(text)
  if (format === undefined) {
    throw new InvalidArguments(
      `${file} has an unknown format. Formats: ${formatNames.join(', ')}. If it has one of them, name it with --format. Nothing was ` +
        'imported.'
    )
  }
  return { file, format, size }
}

async function readHead (file: string): Promise<{ head: Uint8Array, size: number }> {
  try {
    const handle = await open(file)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new InvalidArguments(`${file} is not a file.`)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return { head: buffer.subarray(0, bytesRead), size: stat.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (cause instanceof InvalidArguments) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new InvalidArguments(
      `${file} cannot be read: ${code === 'ENOENT' ? 'the file does not exist' : code === 'EACCES' ? 'permission denied' : code}.`,
      { cause }
    )
  }
}

async function * single (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function * chunksOf (file: string, count: (length: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of createReadStream(file, { highWaterMark: headBytes })) {
    count((chunk as Buffer).length)
    yield chunk as Buffer
  }
}
