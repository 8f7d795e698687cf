import type { Reading } from './formats/format.js'

/** Records that were read, and what was wrong where they could not be read to their end. */
export interface Piece { readings: Reading[], broken: string | undefined }

/** Requests that are spent on the broken pieces of one walk. */
const mostRequests = 60

/**
 * Reads pieces of records so that one record that cannot be read takes no other with it: a piece that breaks off is asked for again in
 * halves, down to that record. What is then still broken is counted.
 *
 * @param read asks for so many records from a place on
 */
export function halving (read: (start: number, size: number) => Promise<Piece>) {
  let spent = 0
  const unread: string[] = []
  return {
    unread: unread as readonly string[],
    async read (start: number, size: number): Promise<Reading[]> {
      const { readings, broken } = await read(start, size)
      if (broken === undefined) return readings
      if (size === 1 || spent >= mostRequests) {
        unread.push(broken)
        return readings
      }
      spent += 2
      const half = Math.ceil(size / 2)
      return [...await this.read(start, half), ...await this.read(start + half, size - half)]
    }
  }
}

/** What a project's owner is told of it. */
export const unreadShortfall = (title: string, unread: readonly string[]): string | undefined =>
  unread.length === 0 ? undefined : `${title} sent records that could not be read, and that are left out (${unread.length}): ${unread[0]}.`
