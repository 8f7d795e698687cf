import { DataRefused } from '../../db/errors.js'
import { PaperRecord } from '../../schemas/paper.js'
import { isRowMissing } from '../errors/database-errors.js'
import { DeletedMeanwhile, InvalidArguments } from '../errors/operation-errors.js'
import { validator } from '../errors/validator.js'
import type { IngestCounts } from './ingest.js'
import { wellFormed } from './well-formed.js'

/** A record with its place in its file or answer. */
export interface NumberedRecord { place: number, record: PaperRecord }

/** Counts, and the rejected records with their place and reason. */
export interface IngestResult extends IngestCounts { rejected: Array<{ record: number, reason: string }> }

const validate = validator(PaperRecord)

/**
 * Ingests the valid ones of these records. One that does not match the schema, or that the database refuses, is rejected with its reason and
 * takes none of the others with it.
 *
 * @param ingest stores records, all of them in one transaction
 */
export async function ingestValid (records: readonly NumberedRecord[], ingest: (records: readonly PaperRecord[]) => Promise<IngestCounts>): Promise<IngestResult> {
  const rejected: IngestResult['rejected'] = []
  const valid: NumberedRecord[] = []
  for (const { place, record } of records) {
    try {
      valid.push({ place, record: validate(wellFormed(record)) })
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error
      rejected.push({ record: place, reason: error.message })
    }
  }
  const stored = await ingestTogether(valid, ingest)
  return { ...stored, rejected: [...rejected, ...stored.rejected].sort((a, b) => a.record - b.record) }
}

async function ingestTogether (records: readonly NumberedRecord[], ingest: (records: readonly PaperRecord[]) => Promise<IngestCounts>): Promise<IngestResult> {
  const total: IngestResult = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  if (records.length === 0) return total
  try {
    return { ...await ingest(records.map(({ record }) => record)), rejected: [] }
  } catch (error) {
    if (!(error instanceof DataRefused)) throw error
    // For one record, what it refers to is gone, and not a paper that another record matched.
    if (records.length === 1 && isRowMissing(error)) throw new DeletedMeanwhile({ cause: error })
    if (records.length === 1) return { ...total, rejected: [{ record: records[0]!.place, reason: 'Its content cannot be stored.' }] }
  }
  for (const record of records) {
    const { created, updated, unchanged, rejected } = await ingestTogether([record], ingest)
    total.created += created
    total.updated += updated
    total.unchanged += unchanged
    total.rejected.push(...rejected)
  }
  return total
}
