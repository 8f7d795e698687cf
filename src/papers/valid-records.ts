import { DataRefused } from '../../db/errors.js'
import { PaperRecord } from '../../schemas/paper.js'
import { isRowMissing } from '../errors/database-errors.js'
import { DeletedMeanwhile, InvalidArguments } from '../errors/operation-errors.js'
import { namedReason } from '../sources/formats/format.js'
import { validator } from '../errors/validator.js'
import { wellFormed } from './paper-index.js'

/** A record with its place in its file or answer. */
export interface Placed { place: number, record: PaperRecord }

export interface Applied { created: number, updated: number, unchanged: number, rejected: Array<{ record: number, reason: string }> }

const check = validator(PaperRecord)
const none = (): Applied => ({ created: 0, updated: 0, unchanged: 0, rejected: [] })

/**
 * Applies records of which each stands for itself: one that is not as a record must be, or that the database refuses, is rejected
 * with its reason and takes none of its neighbours with it.
 *
 * @param apply puts records in, all of them in one transaction
 */
export async function applySound (records: readonly Placed[], apply: (records: readonly Placed[]) => Promise<Applied>): Promise<Applied> {
  const rejected: Applied['rejected'] = []
  const sound: Placed[] = []
  for (const { place, record } of records) {
    try {
      sound.push({ place, record: check(wellFormed(record)) })
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error
      rejected.push({ record: place, reason: namedReason(record.metadata.citation_key, error.message) })
    }
  }
  const applied = await applyTogether(sound, apply)
  return { ...applied, rejected: [...rejected, ...applied.rejected].sort((a, b) => a.record - b.record) }
}

async function applyTogether (records: readonly Placed[], apply: (records: readonly Placed[]) => Promise<Applied>): Promise<Applied> {
  if (records.length === 0) return none()
  try {
    return await apply(records)
  } catch (error) {
    if (!(error instanceof DataRefused)) throw error
    // Alone, what it goes into is missing, and not a paper that another one matched.
    if (records.length === 1 && isRowMissing(error)) throw new DeletedMeanwhile({ cause: error })
    if (records.length === 1) return { ...none(), rejected: [{ record: records[0]!.place, reason: namedReason(records[0]!.record.metadata.citation_key, 'Its content cannot be stored.') }] }
  }
  const total = none()
  for (const record of records) {
    const applied = await applyTogether([record], apply)
    total.created += applied.created
    total.updated += applied.updated
    total.unchanged += applied.unchanged
    total.rejected.push(...applied.rejected)
  }
  return total
}
