import type { PaperRecord } from '../../schemas/paper.js'
import { complete, merge } from './merge.js'
import { contradicts, isFromJournalFeed, isSameUncheckedWork, isSameWork } from './same-work.js'
import type { IndexedPaper } from './paper-index.js'
import { withBothRetractions, withRetraction } from './retractions.js'

/** Decides the papers that records of one origin may create and change. */
export interface OwnershipPolicy {
  /**
   * Owner of a paper that only these records describe. Records whose papers are shared also change, and join, shared papers; others leave
   * them as they are.
   */
  newPapers: 'account' | 'shared'
  /** Whether its records may state the DOI of what their work appeared in. */
  mayStateOthersDoi?: true
  /** Whether a paper and a record of equal title key, which share no identifier, are one work. */
  isSameWork: (paper: IndexedPaper, record: PaperRecord) => boolean
  /**
   * Completes a paper that the account owns.
   * @param shared what sources state about the same work
   */
  complete: (own: PaperRecord, record: PaperRecord, shared: readonly PaperRecord[]) => PaperRecord
}

/** Importers have checked their records; nobody has checked those of sources and journal feeds. */
const isSameFetchedWork: OwnershipPolicy['isSameWork'] = ({ shared, record: known }, record) =>
  shared || isFromJournalFeed(known) ? isSameUncheckedWork(known, record) : isSameWork(known, record)

/** Imported files: their papers belong to the account, and correct earlier imports. */
export const importedFiles: OwnershipPolicy = {
  newPapers: 'account',
  mayStateOthersDoi: true,
  isSameWork: ({ record: known }, record) => isSameWork(known, record),
  complete (own, record) {
    const merged = merge(own, record)
    // A file may be older than the retraction.
    return record.metadata.retracted === false ? merged : { ...merged, metadata: withBothRetractions(merged, own, record) }
  }
}

/** Bibliographic sources: their papers are shared. They fill the gaps of an account's own papers. */
export const sources: OwnershipPolicy = {
  newPapers: 'shared',
  isSameWork: isSameFetchedWork,
  complete (own, record, shared) {
    // All sources together: the result does not depend on which comes first.
    const stated = isFromJournalFeed(own) ? shared : [record]
    // Papers that sources share do not tell which of them has taken back a retraction.
    const corrected = contradicts(own, record) ? own : { ...own, metadata: withRetraction(own, own, record) }
    return stated.reduce((completed, each) => contradicts(own, each) ? completed : complete(completed, each), corrected)
  }
}

/** Journal feeds: their papers belong to the account, since a feed may state anything about any work, or be private. */
export const journalFeeds: OwnershipPolicy = {
  newPapers: 'account',
  isSameWork: isSameFetchedWork,
  // Sources come last, since they outweigh the feed.
  complete: (own, record, shared) => contradicts(own, record) ? own : [record, ...shared].reduce(complete, own)
}
