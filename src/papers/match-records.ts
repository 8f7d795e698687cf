import { createYielder } from '../threads/yielder.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { CitationCollector } from './citation-collector.js'
import { merge, mergeStored } from './merge.js'
import { contradicts } from './same-work.js'
import type { OwnershipPolicy } from './ownership.js'
import { type IndexedPaper, isOneEntry, type PaperIndex } from './paper-index.js'

/** Papers that the records of a batch may be of. */
export interface KnownPapers {
  /** The account's own. */
  own: PaperIndex
  shared: PaperIndex
  /** Ids of those in the project's feed. */
  inFeed: Set<string>
}

/** Result of matching the records of a batch. The papers themselves are changed in their indexes. */
export interface MatchedRecords {
  /** Papers that are new to the feed, with the first record of each. */
  arriving: Map<IndexedPaper, PaperRecord>
  /** Papers that turned out to be one work. */
  duplicates: Array<{ kept: IndexedPaper, duplicate: IndexedPaper }>
  /** The paper and source of each record. */
  found: Array<{ paper: IndexedPaper, source: string }>
  /** Records of papers that the project has or gets from an earlier record. */
  again: Array<{ known: IndexedPaper[], changed: boolean }>
  citations: CitationCollector
}

/** A shared paper that a record matches, and shared papers that the record shows to be the same work. */
interface SharedMatch { papers: IndexedPaper[], changed: boolean, duplicates: IndexedPaper[] }

/**
 * Matches records with own and shared papers, completing or adding papers as the policy allows. Feeds of an account prefer its own paper of
 * a work.
 */
export async function matchRecords (
  { own, shared, inFeed }: KnownPapers,
  policy: OwnershipPolicy,
  records: readonly PaperRecord[]
): Promise<MatchedRecords> {
  const matched: MatchedRecords = { arriving: new Map(), duplicates: [], found: [], again: [], citations: new CitationCollector() }
  const { arriving, duplicates, found, again, citations } = matched
  const isInFeed = ({ id }: IndexedPaper) => inFeed.has(id)
  const yieldIfDue = createYielder()
  for (const stated of records) {
    await yieldIfDue()
    if (policy.newPapers === 'shared') shared.takeDoiFromNotice(stated)
    if (policy.mayStateOthersDoi === true) own.takeDoiFromNotice(stated)
    const record = policy.mayStateOthersDoi === true
      ? shared.withoutOthersDoi(own.withoutOthersDoi(stated))
      : shared.withoutSharedDoi(stated)
    const match = policy.newPapers === 'shared' ? mergeShared(shared, record) : matchShared(shared, record)
    for (const duplicate of match.duplicates) {
      const kept = match.papers[0]!
      duplicates.push({ kept, duplicate })
      arriving.delete(duplicate)
      if (isInFeed(duplicate)) {
        inFeed.add(kept.id)
        arriving.delete(kept)
      }
    }
    const copy = choose(own.findAll(record), record, isInFeed)
    const completed = copy !== undefined &&
      own.replace(copy, policy.complete(copy.record, record, consistent(match.papers, record).map(({ record }) => record)))
    const known = copy === undefined ? match.papers : [copy, ...match.papers]
    const paper = known.find(isInFeed) ?? known[0] ?? own.add(record, { shared: false })
    // Shared papers stay as they are unless sources describe them: one user's text is not another's.
    const described = [...new Set([paper, ...known])].filter(({ shared }) => !shared || policy.newPapers === 'shared')
    citations.add(consistent(described, record), record)
    if (isInFeed(paper) || arriving.has(paper)) again.push({ known, changed: match.changed || completed })
    if (!isInFeed(paper)) arriving.set(paper, record)
    found.push({ paper, source: record.source.name })
  }
  return matched
}

const consistent = (found: readonly IndexedPaper[], record: PaperRecord) => found.filter(({ record: known }) => !contradicts(known, record))

/** Chooses among matching papers: prefers those without contradictions, then those in the feed. */
function choose (
  found: readonly IndexedPaper[],
  record: PaperRecord,
  isInFeed: (paper: IndexedPaper) => boolean
): IndexedPaper | undefined {
  const consistentPapers = consistent(found, record)
  return consistentPapers.find(isInFeed) ?? consistentPapers[0] ?? found[0]
}

/** Matches shared papers, which stay unchanged. A contradicting one is used only without alternatives. */
function matchShared (index: PaperIndex, record: PaperRecord): SharedMatch {
  const found = index.findAll(record)
  const consistentPapers = consistent(found, record)
  return { papers: consistentPapers.length > 0 ? consistentPapers : found.slice(0, 1), changed: false, duplicates: [] }
}

/** The only paper found, if it is of an earlier record of the source's entry: the source has corrected an identifier. */
const ownPaper = ([only, ...others]: readonly IndexedPaper[], record: PaperRecord): IndexedPaper | undefined =>
  only !== undefined && others.length === 0 && isOneEntry(only.record, record) ? only : undefined

/** Adds a record to its shared paper, or creates it. Merges papers that the record identifies as one work. */
function mergeShared (index: PaperIndex, record: PaperRecord): SharedMatch {
  // A stored paper stays rather than one of this batch.
  const found = index.findAll(record).sort((a, b) => Number(a.isNew) - Number(b.isNew))
  const [first = ownPaper(found, record), ...others] = consistent(found, record)
  // A record that shares one identifier with a paper and contradicts another is wrong about one of two works: nothing of it is kept.
  if (first === undefined && found.length > 0) return { papers: [found[0]!], changed: false, duplicates: [] }
  if (first === undefined) return { papers: [index.add(record, { shared: true })], changed: false, duplicates: [] }
  const duplicates = others.filter(other => !contradicts(first.record, other.record))
  const whole = duplicates.reduce((merged, other) => mergeStored(merged, other.record), first.record)
  for (const duplicate of duplicates) index.remove(duplicate, first)
  return { papers: [first], changed: index.replace(first, merge(whole, record)), duplicates }
}
