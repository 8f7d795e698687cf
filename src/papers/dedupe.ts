import type { PaperRecord } from '../../schemas/paper.js'
import { merge } from './merge.js'
import { isSameUncheckedWork } from './same-work.js'
import { type IndexedPaper, PaperIndex } from './paper-index.js'
import { limitRecord } from './record-limits.js'
import { createYielder } from '../threads/yielder.js'
import { wellFormedRecord } from './well-formed.js'

/**
 * Merges what several sources state about one work, without storing anything.
 * @returns each work with the positions of the lists that have it
 */
export async function dedupe (lists: ReadonlyArray<readonly PaperRecord[]>): Promise<Map<IndexedPaper, Set<number>>> {
  const yieldIfDue = createYielder()
  const index = new PaperIndex(({ record: known }, record) => isSameUncheckedWork(known, record))
  const found = new Map<IndexedPaper, Set<number>>()
  for (const [position, records] of lists.entries()) {
    for (const stated of records) {
      await yieldIfDue()
      const record = wellFormedRecord(limitRecord(stated))
      const [known] = index.findAll(record)
      if (known !== undefined) index.replace(known, merge(known.record, record))
      const paper = known ?? index.add(record, { shared: true })
      found.set(paper, (found.get(paper) ?? new Set()).add(position))
    }
  }
  return found
}
