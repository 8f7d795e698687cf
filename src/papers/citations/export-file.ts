import type { ItemDetails } from '../../../db/queries/feed.js'
import { maxExportedItems } from '../../../schemas/citation.js'
import { formats } from '../../../schemas/formats.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { exportFormat } from './export-formats.js'
import { plainList } from './formats.js'
import { slugOf } from '../identity.js'
import { feedItemOf } from '../records.js'
import { timeSlices } from '../../threads/time-slice.js'
import type { FairQueue } from '../../threads/fair-queue.js'
import { interleave } from '../../threads/interleave.js'

/** Items in memory at a time, at most. */
export const exportBatchSize = 200

const isUuid = formats.uuid!

/** The ids of a list. @throws InvalidArguments */
export function exportedIds (list: string): string[] {
  const ids = list.split(',').map(id => id.trim().toLowerCase()).filter(id => id !== '')
  if (ids.length === 0 || ids.length > maxExportedItems || !ids.every(id => isUuid(id))) {
    throw new InvalidArguments(`items must be 1 to ${maxExportedItems} UUIDs of feed items, separated by commas.`)
  }
  return [...new Set(ids)]
}

interface ExportContext { account: { id: string }, sharedWork: { exports: FairQueue } }

/** A file of an account's references, written while its items are read. @param name of the file, in any script */
export function exportFile (
  { account, sharedWork }: ExportContext,
  name: string,
  batches: AsyncIterable<ItemDetails[]>,
  format: string | undefined
) {
  const { type, extension, write, list: { begin, separator, end } = plainList } = exportFormat(format)
  async function * parts () {
    const usedKeys = new Map<string, number>()
    yield begin
    const endOfSlice = timeSlices()
    let first = true
    for await (const items of interleave(sharedWork.exports, account.id, batches)) {
      const references: string[] = []
      for (const item of items) {
        references.push(write(feedItemOf(item), usedKeys))
        await endOfSlice()
      }
      if (references.length === 0) continue
      yield `${first ? '' : separator}${references.join(separator)}`
      first = false
    }
    yield end
  }
  return { media_type: type, file_name: `${slugOf(name)}.${extension}`, parts: parts() }
}
