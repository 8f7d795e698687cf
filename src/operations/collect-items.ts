import { minJsonLength } from '../../schemas/json-length.js'
import { ResultTooLarge } from '../errors/operation-errors.js'
import type { ServiceContext } from './context.js'

/**
 * Collects the items of a page that is read in batches, about a megabyte each, and stops as soon as no response can hold them. Items are
 * measured only once a second batch arrives, which most pages do not have.
 * @throws ResultTooLarge
 */
export async function collectItems<Row, Item> (
  { maxResultLength = Infinity }: Pick<ServiceContext, 'maxResultLength'>,
  batches: AsyncIterable<readonly Row[]>,
  convert: (row: Row) => Item
): Promise<Item[]> {
  const items: Item[] = []
  let [measured, length] = [0, 0]
  for await (const rows of batches) {
    for (; measured < items.length && length <= maxResultLength; measured++) length += minJsonLength(items[measured], maxResultLength)
    if (length > maxResultLength) throw new ResultTooLarge()
    for (const row of rows) items.push(convert(row))
  }
  return items
}
