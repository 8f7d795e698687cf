import { DataRefused } from '../../db/errors.js'
import { PaperRecord } from '../../schemas/paper.js'
import { isRowMissing } from '../errors/database-errors.js'
import { DeletedMeanwhile, InvalidArguments } from '../errors/operation-errors.js'
import { validator } from '../input/validator.js'
import { createYielder } from '../threads/yielder.js'
import { BatchTooLarge } from './batch-limit.js'
import type { IngestCounts } from './ingest.js'
import { limitRecord } from './record-limits.js'
import { wellFormedRecord } from './well-formed.js'

/** A record with its place in its file or answer. */
export interface NumberedRecord { place: number, record: PaperRecord }

/** Counts, and the rejected records with their place and reason. */
export interface IngestResult extends IngestCounts { rejected: Array<{ record: number, reason: string }> }

const validate = validator(PaperRecord)

/** Where a transaction stands among those that ingest some records. */
export interface IngestPosition {
  /** Result of the transactions before it. */
  before: IngestResult
  /** The last record of this one. */
  last: NumberedRecord
}

/** A record, and about how many bytes it has. */
interface SizedRecord extends NumberedRecord { bytes: number }

/** Stores records, all of them in one transaction. @throws BatchTooLarge if several records do too much for one */
export type IngestBatch = (records: readonly PaperRecord[], position: IngestPosition) => Promise<IngestCounts>

/**
 * Ingests the valid records. A record that violates the schema, or that the database refuses, is rejected with a reason without affecting
 * the others.
 */
export async function ingestValid (records: readonly NumberedRecord[], ingest: IngestBatch): Promise<IngestResult> {
  const rejected: IngestResult['rejected'] = []
  const valid: SizedRecord[] = []
  const yieldIfDue = createYielder()
  for (const { place, record } of records) {
    await yieldIfDue()
    try {
      const stored = validate(wellFormedRecord(limitRecord(record)))
      valid.push({ place, record: stored, bytes: bytesOf(stored) })
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error
      rejected.push({ record: place, reason: error.message })
    }
  }
  const total: IngestResult = { created: 0, updated: 0, unchanged: 0, rejected }
  for (const batch of batchesOf(valid)) await ingestBatch(batch, ingest, total)
  return { ...total, rejected: total.rejected.sort((a, b) => a.record - b.record) }
}

/**
 * Bytes of one transaction's records: others wait while they are summarized, encoded, compressed and stored. 250 ordinary ones, which are a
 * batch of an import, have fewer; in Chinese, or with much LaTeX, they have three times as many.
 */
const maxBatchBytes = 400_000
/** Records of one transaction, of whatever size: each has rows and is looked up in indexes. */
const maxBatchRecords = 250

/** The records in as few batches as their bytes allow, of about equal size. */
function * batchesOf (records: readonly SizedRecord[]): Iterable<SizedRecord[]> {
  const total = records.reduce((sum, { bytes }) => sum + bytes, 0)
  const target = total / Math.ceil(total / maxBatchBytes)
  let batch: SizedRecord[] = []
  let bytes = 0
  for (const sized of records) {
    bytes += sized.bytes
    batch.push(sized)
    if (bytes < target && batch.length < maxBatchRecords) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Bytes of metadata that an ordinary record has. They take hardly any time. */
const ordinaryMetadata = 1000

const bytesOf = ({ title, abstract, authors, metadata, citations }: PaperRecord): number =>
  Buffer.byteLength(title) + Buffer.byteLength(abstract ?? '') +
    authors.reduce((sum, { name }) => sum + Math.max(40, Buffer.byteLength(name)), 0) +
    Math.max(0, Buffer.byteLength(JSON.stringify(metadata)) - ordinaryMetadata) + (citations?.references.length ?? 0) * 20

/** Counts of transactions that follow each other. */
export const addCounts = (before: IngestResult, { created, updated, unchanged }: IngestCounts): IngestResult => ({
  created: before.created + created,
  updated: before.updated + updated,
  unchanged: before.unchanged + unchanged,
  rejected: before.rejected
})

/** @param total what earlier transactions did, to which it adds */
async function ingestBatch (records: readonly NumberedRecord[], ingest: IngestBatch, total: IngestResult): Promise<void> {
  if (records.length === 0) return
  try {
    Object.assign(total, addCounts(total, await ingest(records.map(({ record }) => record), { before: total, last: records.at(-1)! })))
    return
  } catch (error) {
    if (error instanceof BatchTooLarge) {
      const size = Math.ceil(records.length / error.parts)
      for (let at = 0; at < records.length; at += size) await ingestBatch(records.slice(at, at + size), ingest, total)
      return
    }
    if (!(error instanceof DataRefused)) throw error
    // With one record, the missing row is its project or account, not a paper that another record matched.
    if (records.length === 1 && isRowMissing(error)) throw new DeletedMeanwhile({ cause: error })
    if (records.length === 1) {
      total.rejected.push({ record: records[0]!.place, reason: 'Its content cannot be stored.' })
      return
    }
  }
  for (const record of records) await ingestBatch([record], ingest, total)
}
