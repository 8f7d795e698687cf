import { InvalidArguments } from '../errors/operation-errors.js'

interface PageRequest { limit: number, offset: number }

/**
 * Reads a page of a list, and whether more rows follow: it asks for one row more than the page has.
 * @returns the rows, and the properties of a paged result
 */
export async function readPage<Row> (
  { limit, offset }: PageRequest,
  list: (page: PageRequest) => Promise<readonly Row[]>
): Promise<{ rows: Row[], page: PageRequest & { has_more: boolean } }> {
  const rows = await list({ limit: limit + 1, offset })
  return { rows: rows.slice(0, limit), page: { limit, offset, has_more: rows.length > limit } }
}

/**
 * Bounds how far a list can be paged, since rows that are skipped are read. @param items what the list has, for people
 * @throws InvalidArguments
 */
export function requireOffset (offset: number, maximum: number, items: string): void {
  if (offset <= maximum) return
  const shown = maximum.toLocaleString('en')
  throw new InvalidArguments(`offset is larger than ${shown}, the maximum. Send a smaller one.`, {
    userMessage: `Only the first ${shown} ${items} can be listed. Go back to the first page.`
  })
}
