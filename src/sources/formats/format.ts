import type { PaperRecord } from '../../../schemas/paper.js'
import { limitRecord } from '../../papers/record-limits.js'
import { shortText } from '../../../schemas/short-text.js'
import { plainText } from './plain-text.js'

/** A record, or the reason why it is invalid. `ended`: parsing stopped here. `stated`: by what a person finds the record in its file. */
export type ParseResult = { record: PaperRecord } | { reason: string, ended?: boolean, stated?: string }

/** One entry of a file or of a source's response; `place` and `line`, on which it begins, count from 1. */
export type ParsedRecord = ParseResult & { place: number, line?: number }

/** Rejects a record without a title. */
export const requireTitle = (record: PaperRecord): ParseResult =>
  record.title === '' ? { reason: 'title is missing', stated: statedIn(record) } : { record }

const [maxNameLength, maxDoiLength] = [60, 100]

/** The first author, the year and the DOI that a record states. */
export function statedIn ({ authors, published_date, doi }: Pick<PaperRecord, 'authors' | 'published_date' | 'doi'>): string {
  const parts = [shortText(authors[0]?.name ?? '', maxNameLength), published_date?.slice(0, 4), shortText(doi ?? '', maxDoiLength)]
  return parts.filter(Boolean).join(', ')
}

/** Truncates a record to the limits of stored ones, before it is copied to another thread. */
export const limitParsed = (parsed: ParsedRecord): ParsedRecord =>
  'record' in parsed ? { ...parsed, record: limitRecord(parsed.record) } : parsed

/** A file format that imports read. Adding one is a file here and a row in index.ts. */
export interface Format {
  /** Name in commands and records. */
  readonly name: string
  /** Display name. */
  readonly title: string
  /** Those of other formats that it reads, for lists of formats. */
  readonly otherTitles?: readonly string[]
  /** Usual extensions of its files, with the dot. */
  readonly extensions: readonly string[]
  /** Detects the format from the start of a file: up to 64 kB, decoded, without byte order mark. */
  matches (head: string): boolean
  /**
   * Reads records one after the other, so that memory does not grow with the file.
   * Yields an unreadable record with the reason and continues; content never throws. A record that
   * depends on a later one follows it, so places are not sorted.
   */
  read (text: AsyncIterable<string>): AsyncIterable<ParsedRecord>
  /** Bytes of a file that take a few milliseconds at most, whatever it contains; larger files are read in a thread. Default: 16 kB. */
  readonly maxInlineBytes?: number
}

/** Prefixes a reason with the record's citation key, if it has one. */
export const namedReason = (key: unknown, reason: string): string =>
  typeof key === 'string' && key !== '' ? `${plainText(key).slice(0, 64)}: ${reason}` : reason
