import type { PaperRecord } from '../../schemas/paper.js'
import { merge } from './merge.js'
import { contradicts, isSameUncheckedWork } from './same-work.js'
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
      const record = index.withoutSharedDoi(wellFormedRecord(limitRecord(stated)))
      const matches = index.findAll(record)
      const known = matches.find(match => !contradicts(match.record, record))
      if (known !== undefined) index.replace(known, merge(known.record, record))
      // As in a feed, nothing is kept of a record that shares one identifier with a paper and contradicts another.
      const paper = known ?? matches[0] ?? index.add(record, { shared: true })
      found.set(paper, (found.get(paper) ?? new Set()).add(position))
    }
  }
  return found
}
