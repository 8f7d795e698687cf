import type { PaperRecord } from '../../../schemas/paper.js'
import { plainText } from './plain-text.js'

/** A record, or the reason why there is none; `ended`: nothing after it could be parsed. */
export type ParseResult = { record: PaperRecord } | { reason: string, ended?: boolean }

/** One entry of a file or of a source's answer; `place` counts from 1. */
export type ParsedRecord = ParseResult & { place: number }

/** A file format that imports read. Adding one is a file here and a row in index.ts. */
export interface Format {
  /** Name in commands and in records. */
  readonly name: string
  /** Name for people. */
  readonly title: string
  /** Whether the beginning of a file (up to 64 kB, decoded, byte order mark gone) is of this format. */
  matches (head: string): boolean
  /**
   * Reads records one after the other, so that memory does not grow with the file.
   * A record that cannot be read is yielded with its reason, and reading goes on with the next; content never throws. A record that
   * waits for what a later one states comes after it, so places need not rise.
   */
  read (text: AsyncIterable<string>): AsyncIterable<ParsedRecord>
}

/** Prefixes a reason with the record's citation key, if it has one. */
export const namedReason = (key: unknown, reason: string): string => typeof key === 'string' && key !== '' ? `${plainText(key).slice(0, 64)}: ${reason}` : reason
