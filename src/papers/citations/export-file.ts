import type { ItemDetails } from '../../../db/queries/feed.js'
import { maxExportedItems } from '../../../schemas/citation.js'
import { formats } from '../../../schemas/formats.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { exportFormat } from './export-formats.js'
import { plainList } from './formats.js'
import { slugOf } from '../identity.js'
import { feedItemOf } from '../records.js'
import { createYielder } from '../../threads/yielder.js'
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

/**
 * A file of an account's references, written while its items are read.
 * @param name of the file, in any script @param projects the names of the items' projects, by their ids
 */
export function exportFile (
  { account, sharedWork }: ExportContext,
  name: string,
  projects: ReadonlyMap<string, string>,
  batches: AsyncIterable<ItemDetails[]>,
  format: string | undefined
) {
  const { type, extension, write, hasEachItem = false, list: { begin, separator, end } = plainList } = exportFormat(format)
  async function * parts () {
    const usedKeys = new Map<string, number>()
    const written = new Set<string>()
    yield begin
    const yieldIfDue = createYielder()
    let first = true
    for await (const items of interleave(sharedWork.exports, account.id, batches)) {
      const references: string[] = []
      for (const row of items) {
        const item = feedItemOf(row)
        if (!hasEachItem && written.has(item.paper.id)) continue
        written.add(item.paper.id)
        references.push(write(item, usedKeys, projects.get(item.project_id) ?? ''))
        await yieldIfDue()
      }
      if (references.length === 0) continue
      yield `${first ? '' : separator}${references.join(separator)}`
      first = false
    }
    yield end
  }
  return { media_type: type, file_name: `${slugOf(name)}.${extension}`, parts: parts() }
}
