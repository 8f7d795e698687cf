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

/** Characters of a piece of a file, about: formats write some characters as many. */
const pieceLength = 64_000

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
    const joined = (references: readonly string[]) => {
      const piece = `${first ? '' : separator}${references.join(separator)}`
      first = false
      return piece
    }
    for await (const items of interleave(sharedWork.exports, account.id, batches)) {
      let references: string[] = []
      let length = 0
      for (const row of items) {
        const item = feedItemOf(row)
        if (!hasEachItem && written.has(item.paper.id)) continue
        written.add(item.paper.id)
        const reference = write(item, usedKeys, projects.get(item.project_id) ?? '')
        references.push(reference)
        length += reference.length
        if (length >= pieceLength) {
          yield joined(references)
          references = []
          length = 0
        }
        await yieldIfDue()
      }
      if (references.length > 0) yield joined(references)
    }
    yield end
  }
  return { media_type: type, file_name: `${slugOf(name)}.${extension}`, parts: parts() }
}
