import type { PaperRecord } from '../../schemas/paper.js'
import { complete, contradicts, isFromJournalFeed, isSameUncheckedWork, isSameWork, merge } from './merge.js'
import type { IndexedPaper } from './paper-index.js'

/** What records of one origin may do to papers. */
export interface OwnershipPolicy {
  /** Who owns a paper that only these records describe. Records whose papers are shared also change, and join, shared papers; others leave them as they are. */
  newPapers: 'account' | 'shared'
  /** Whether a paper and a record of equal title key, which share no identifier, are one work. */
  isSameWork: (paper: IndexedPaper, record: PaperRecord) => boolean
  /**
   * Completes a paper that the account owns.
   * @param shared what sources state about the same work
   */
  complete: (own: PaperRecord, record: PaperRecord, shared: readonly PaperRecord[]) => PaperRecord
}

/** A person has checked what that person imported, and nobody what sources and journal feeds state. */
const isSameFetchedWork: OwnershipPolicy['isSameWork'] = ({ shared, record: known }, record) =>
  shared || isFromJournalFeed(known) ? isSameUncheckedWork(known, record) : isSameWork(known, record)

/** Files that a person imports: their words are that person's own, and correct what the person imported before. */
export const importedFiles: OwnershipPolicy = {
  newPapers: 'account',
  isSameWork: ({ record: known }, record) => isSameWork(known, record),
  complete: merge
}

/** Bibliographic sources: their papers are everybody's. A person's own paper keeps its words and gains what is missing. */
export const sources: OwnershipPolicy = {
  newPapers: 'shared',
  isSameWork: isSameFetchedWork,
  complete (own, record, shared) {
    // All sources together: the result does not depend on which comes first.
    const stated = isFromJournalFeed(own) ? shared : [record]
    return stated.reduce((completed, each) => contradicts(own, each) ? completed : complete(completed, each), own)
  }
}

/** Journal feeds: whoever writes one may state anything about any work, perhaps for this reader alone. */
export const journalFeeds: OwnershipPolicy = {
  newPapers: 'account',
  isSameWork: isSameFetchedWork,
  // Sources, which know better than the feed, come last.
  complete: (own, record, shared) => contradicts(own, record) ? own : [record, ...shared].reduce(complete, own)
}
