import type { PaperRecord } from '../../../schemas/paper.js'
import { plainText } from './plain-text.js'

/** A record that was read, or why it could not be; `place` counts the file's records from 1. `ended`: nothing behind it could be read. */
export type Reading =
  | { place: number, record: PaperRecord }
  | { place: number, reason: string, ended?: boolean }

/** A file format that `litfeed import` reads. Adding one is a file here and a row in index.ts. */
export interface Format {
  /** As `--format` takes it. */
  readonly name: string
  /** As people call it. */
  readonly title: string
  /** Whether the beginning of a file (up to 64 kB, decoded, byte order mark gone) is of this format. */
  matches (head: string): boolean
  /**
   * Reads records one after the other, so that memory does not grow with the file.
   * A record that cannot be read is yielded with its reason, and reading goes on with the next; content never throws. A record that
   * waits for what a later one states comes after it, so places need not rise.
   */
  read (text: AsyncIterable<string>): AsyncIterable<Reading>
}

/** Why a record is not taken, behind the key that people know it by in its file, if it has one there. */
export const namedReason = (key: unknown, reason: string): string => typeof key === 'string' && key !== '' ? `${plainText(key).slice(0, 64)}: ${reason}` : reason
