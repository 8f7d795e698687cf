import type { ParsedRecord } from '../formats/format.js'

/** Parsed records, and why the page could not be parsed to its end. */
export interface Page { parsed: ParsedRecord[], failure: string | undefined }

/** Requests spent on the broken pages of one listing. */
const maxRequests = 60

/**
 * Isolates invalid records: requests a page that cannot be parsed again in halves, down to a single record, and counts the records that
 * still fail.
 *
 * @param read requests `size` records from `start`
 */
export function bisect (read: (start: number, size: number) => Promise<Page>) {
  let requests = 0
  const failures: string[] = []
  return {
    failures: failures as readonly string[],
    async read (start: number, size: number): Promise<ParsedRecord[]> {
      const { parsed, failure } = await read(start, size)
      if (failure === undefined) return parsed
      if (size === 1 || requests >= maxRequests) {
        failures.push(failure)
        return parsed
      }
      requests += 2
      const half = Math.ceil(size / 2)
      return [...await this.read(start, half), ...await this.read(start + half, size - half)]
    }
  }
}

/** Text for the project's owner. */
export const invalidShortfall = (title: string, failures: readonly string[]): string | undefined =>
  failures.length === 0 ? undefined : `${title} sent invalid records, which were skipped (${failures.length}).`
