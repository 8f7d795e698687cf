import { addCitations } from '../../db/queries/citations.js'
import { addItems, findInFeed, findMatchingPapers, type ItemValues, type PaperValues, savePapers } from '../../db/queries/import.js'
import { linkVersions, mergePapers } from '../../db/queries/papers-merge.js'
import { addCandidates } from '../../db/queries/candidates.js'
import { addFoundPapers } from '../../db/queries/found-papers.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { timeSlices } from '../threads/time-slice.js'
import { itemOf } from './feed-item.js'
import { doiVersions } from './identifiers.js'
import { contradicts, merge } from './merge.js'
import type { OwnershipPolicy } from './ownership.js'
import { CitationCollector } from './citation-collector.js'
import { identitiesOf, type IndexedPaper, isChanged, PaperIndex } from './paper-index.js'
import { rowOf } from './paper-row.js'

/** Places new papers in the feed or among the candidates. */
export interface Placement {
  origin: 'import' | 'fetch'
  /** @param record the record that brought the paper */
  relevanceOf: (paper: PaperRecord, record: PaperRecord) => Relevance
  /** Whether a paper enters the feed; others become candidates. */
  entersFeed: (relevance: Relevance) => boolean
  /** Further values of the items that enter the feed. */
  values?: Pick<ItemValues, 'import_id' | 'vote' | 'voted_at' | 'seen_at'>
}

/** How a batch of records is ingested. */
export interface Ingest {
  project: { id: string, account_id: string }
  policy: OwnershipPolicy
  placement: Placement
  now: () => Date
}

/** Counts of an ingested batch. */
export interface IngestCounts {
  /** Papers that entered the feed. */
  created: number
  updated: number
  unchanged: number
}

/** A shared paper that a record matches, and shared papers that the record shows to be the same work. */
interface SharedMatch { papers: IndexedPaper[], changed: boolean, duplicates: IndexedPaper[] }

/**
 * Matches records with the account's own and shared papers, completes or adds papers as the policy allows, and places papers that are new
 * to the project. Feeds of an account prefer its own paper of a work.
 *
 * @param db a transaction that holds the locks of the batch
 */
export async function ingest (db: Db, { project, policy, placement, now }: Ingest, records: readonly PaperRecord[]): Promise<IngestCounts> {
  const stored = await findMatchingPapers(db, project.account_id, identitiesOf(records))
  const [own, shared] = [false, true].map(
    isShared =>
      new PaperIndex(
        stored.filter(({ account_id }) => (account_id === null) === isShared),
        policy.isSameWork
      )
  ) as [PaperIndex, PaperIndex]
  const inFeed = await findInFeed(
    db,
    project.id,
    stored.map(({ id }) => id)
  )
  const isInFeed = ({ id }: IndexedPaper) => inFeed.has(id)
  const arriving = new Map<IndexedPaper, PaperRecord>()
  const duplicates: Array<{ kept: IndexedPaper, duplicate: IndexedPaper }> = []
  const found: Array<{ paper: IndexedPaper, source: string }> = []
  const citations = new CitationCollector()
  /** Records of papers that the project has or gets from an earlier record. */
  const again: Array<{ known: IndexedPaper[], changed: boolean }> = []

  const endOfSlice = timeSlices()
  for (const record of records) {
    await endOfSlice()
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
    const completed =
      copy !== undefined &&
      own.replace(
        copy,
        policy.complete(
          copy.record,
          record,
          consistent(match.papers, record).map(({ record }) => record)
        )
      )
    const known = copy === undefined ? match.papers : [copy, ...match.papers]
    const paper = known.find(isInFeed) ?? known[0] ?? own.add(record, { shared: false })
    // Shared papers stay as they are unless sources describe them: one user's text is not another's.
    const described = [...new Set([paper, ...known])].filter(({ shared }) => !shared || policy.newPapers === 'shared')
    citations.add(consistent(described, record), record)
    if (isInFeed(paper) || arriving.has(paper)) again.push({ known, changed: match.changed || completed })
    if (!isInFeed(paper)) arriving.set(paper, record)
    found.push({ paper, source: record.source.name })
  }
  const rows: PaperValues[] = []
  for (const paper of [...shared.unsaved(), ...own.unsaved()]) {
    rows.push(rowOf(paper, project.account_id))
    await endOfSlice()
  }
  await savePapers(db, rows)
  for (const { kept, duplicate } of duplicates) if (!duplicate.isNew) await mergePapers(db, kept.id, duplicate.id)
  await addCitations(db, citations.rows(duplicates))

  const placed: Array<{ paper: IndexedPaper, relevance: Relevance }> = []
  for (const [paper, record] of arriving) {
    placed.push({ paper, relevance: placement.relevanceOf(paper.record, record) })
    await endOfSlice()
  }
  const [entering, candidates] = [true, false].map(enters =>
    placed.filter(({ relevance }) => placement.entersFeed(relevance) === enters)
  ) as [typeof placed, typeof placed]
  const items: ItemValues[] = []
  for (const { paper, relevance } of entering) {
    items.push({ ...itemOf(paper, { projectId: project.id, relevance, readyAt: now(), origin: placement.origin }), ...placement.values })
    await endOfSlice()
  }
  await addItems(db, items)
  await addCandidates(
    db,
    candidates.map(({ paper: { id }, relevance: { relevance_score } }) => ({
      project_id: project.id,
      paper_id: id,
      relevance_score,
      found_at: now()
    }))
  )
  const keptOf = new Map(duplicates.map(({ kept, duplicate }) => [duplicate, kept]))
  const remaining = (paper: IndexedPaper): IndexedPaper => {
    const kept = keptOf.get(paper)
    return kept === undefined ? paper : remaining(kept)
  }
  await addFoundPapers(db, project.id, found.map(({ paper, source }) => ({ paper_id: remaining(paper).id, source })), {
    now: now(),
    importId: placement.values?.import_id ?? null
  })
  if (policy.newPapers === 'shared') {
    const named = new Set([...shared.unsaved(), ...placed.map(({ paper }) => paper).filter(({ shared }) => shared)].map(remaining))
    await linkVersions(db, [...named].map(({ id, record: { doi, metadata: { published_doi, preprint_doi } } }) =>
      ({ id, dois: versionsOf(doi), published: versionsOf(published_doi), preprint: versionsOf(preprint_doi) })))
  }
  // Where two records of a batch describe one paper, each may undo what the other changed.
  const updated = again.filter(({ known, changed }) => changed && known.some(isChanged)).length
  return { created: entering.length, updated, unchanged: again.length - updated + candidates.length }
}

const versionsOf = (doi: unknown) => typeof doi === 'string' ? doiVersions(doi.toLowerCase()) : []

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

/** Adds a record to its shared paper, or creates it. Merges papers that the record identifies as one work. */
function mergeShared (index: PaperIndex, record: PaperRecord): SharedMatch {
  // A stored paper stays rather than one of this batch.
  const found = index.findAll(record).sort((a, b) => Number(a.isNew) - Number(b.isNew))
  const [first, ...others] = consistent(found, record)
  // A record that shares one identifier with a paper and contradicts another is wrong about one of two works: nothing of it is kept.
  if (first === undefined && found.length > 0) return { papers: [found[0]!], changed: false, duplicates: [] }
  if (first === undefined) return { papers: [index.add(record, { shared: true })], changed: false, duplicates: [] }
  const duplicates = others.filter(other => !contradicts(first.record, other.record))
  const whole = duplicates.reduce((merged, other) => merge(merged, other.record), first.record)
  for (const duplicate of duplicates) index.remove(duplicate, first)
  return { papers: [first], changed: index.replace(first, merge(whole, record)), duplicates }
}
