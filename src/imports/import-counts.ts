import type { ImportResult, Rejection } from '../../schemas/import.js'
import type { LibraryImportCounts } from '../../schemas/library-import.js'
import { shortText } from '../../schemas/short-text.js'
import { visibleText } from '../../schemas/visible-text.js'
import type { IngestResult, NumberedRecord } from '../papers/valid-records.js'
import { namedReason, type ParsedRecord, statedIn } from '../sources/formats/format.js'

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

/** Characters of the reason of a rejection. Reasons can quote the file, but not what people cannot see. */
const maxReasonLength = 300
/** Characters of what says where a rejected record is. */
const maxWhereLength = 160

/** The valid ones of consecutive parsed records, and the counts of the import as they are ingested. */
export interface BatchTally {
  records: NumberedRecord[]
  /**
   * The counts when everything up to a parsed record is done.
   * @param result of ingesting the records, of which later rejections are left out
   */
  countsThrough: (place: number, result: IngestResult) => ImportCounts
}

/** @param options.before the counts before the batch */
export function tallyBatch (
  parsed: readonly ParsedRecord[],
  { before, file, maxRejections }: { before: ImportCounts, file: string, maxRejections: number }
): BatchTally {
  const records = parsed.filter(each => 'record' in each)
  // Places are not sorted.
  const order = new Map(parsed.map(({ place }, at) => [place, at]))
  const keys = new Map(records.map(({ place, record }) => [place, record.metadata.citation_key]))
  const unreadable = parsed.flatMap(each => 'reason' in each ? [{ record: each.place, reason: each.reason }] : [])
  const places = new Map(parsed.map(each => [each.place, each]))
  return {
    records,
    countsThrough (place, { created, updated, unchanged, rejected }) {
      const end = order.get(place)!
      const rejections = [...unreadable, ...rejected.map(each => ({ ...each, reason: namedReason(keys.get(each.record), each.reason) }))]
        .filter(({ record }) => order.get(record)! <= end)
        .map(each => ({ ...each, reason: locatedReason(each.reason, places.get(each.record)!) }))
        .sort((one, other) => order.get(one.record)! - order.get(other.record)!)
      return {
        ...addRejections(before, rejections.map(rejection => ({ file, ...rejection })), maxRejections),
        read: before.read + end + 1,
        created: before.created + created,
        updated: before.updated + updated,
        unchanged: before.unchanged + unchanged
      }
    }
  }
}

/** A reason, after which the line of the record and what it states say where to find it. */
function locatedReason (reason: string, parsed: ParsedRecord): string {
  const stated = 'record' in parsed ? statedIn(parsed.record) : parsed.stated ?? ''
  const where = shortReason([parsed.line === undefined ? '' : `line ${parsed.line}`, stated].filter(Boolean).join(', '), maxWhereLength)
  return where === '' ? reason : `${shortReason(reason, maxReasonLength - where.length - 3)} (${where})`
}

/** Counts rejections, and keeps the first ones. */
export const addRejections = (counts: ImportCounts, rejections: readonly Rejection[], max: number): ImportCounts => ({
  ...counts,
  rejectedCount: counts.rejectedCount + rejections.length,
  rejected: [
    ...counts.rejected,
    ...rejections.slice(0, Math.max(0, max - counts.rejected.length)).map(each => ({ ...each, reason: shortReason(each.reason) }))
  ]
})

const shortReason = (text: string, maxLength = maxReasonLength): string => shortText(visibleText(text.toWellFormed()), maxLength)

/** Converts counts to those that are stored. */
export const storedCounts = ({ rejectedCount, rejected, ...counts }: ImportCounts): LibraryImportCounts =>
  ({ ...counts, rejected_count: rejectedCount, rejected: rejected.map(({ record, reason }) => ({ record, reason })) })

/** Converts stored counts. @param file the name of the file in rejections */
export const countsOf = ({ rejected_count, rejected, ...counts }: LibraryImportCounts, file: string): ImportCounts =>
  ({ ...counts, rejectedCount: rejected_count, rejected: rejected.map(rejection => ({ file, ...rejection })) })

/** Converts counts to the published result. A last rejection says how many are not listed. @param file of that one */
export function toImportResult ({ rejectedCount, rejected, ...counts }: ImportCounts, file: string): ImportResult {
  const unlisted = rejectedCount - rejected.length
  if (unlisted === 0) return { ...counts, rejected }
  const reason = `${unlisted} more records were rejected; the first ${rejected.length} are listed`
  return { ...counts, rejected: [...rejected, { file, record: 0, reason }] }
}
