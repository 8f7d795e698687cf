import type { ParsedRecord } from '../formats/format.js'
import { SourceError } from '../source.js'

/** Parsed records, and why the page could not be parsed to its end. */
export interface Page { parsed: ParsedRecord[], failure: string | undefined }

/** Requests spent on the broken pages of one listing. */
const maxRequests = 60

/**
 * Isolates invalid records: requests a page that cannot be parsed again in halves, down to a single record, and counts the records that
 * still fail. Where earlier pages have used up the requests, it throws, and the next fetch continues at the page with new ones; a page that
 * has had all of them is left incomplete.
 *
 * @param title of the source, in messages
 * @param read requests `size` records from `start`
 */
export function bisect (title: string, read: (start: number, size: number) => Promise<Page>) {
  let requests = 0
  let skipped = 0

  /** @param before requests that earlier pages have used */
  async function readPart (start: number, size: number, before: number): Promise<ParsedRecord[]> {
    const { parsed, failure } = await read(start, size)
    if (failure === undefined) return parsed
    if (size > 1 && requests < maxRequests) {
      requests += 2
      const half = Math.ceil(size / 2)
      return [...await readPart(start, half, before), ...await readPart(start + half, size - half, before)]
    }
    if (size > 1 && before > 0) {
      throw new SourceError('unavailable', `${title} sent too many invalid pages. The next fetch continues there.`)
    }
    skipped += Math.max(1, size - parsed.filter(each => 'record' in each || each.ended !== true).length)
    return parsed
  }

  return {
    /** @throws SourceError */
    read: async (start: number, size: number): Promise<ParsedRecord[]> => await readPart(start, size, requests),

    /** Text for the project's owner about the records that were skipped. */
    shortfall: (): string | undefined =>
      skipped === 0 ? undefined : `${title} sent invalid records, which were skipped (${skipped}).`
  }
}
