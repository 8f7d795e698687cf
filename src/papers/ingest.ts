import { addCitations, type StatedCitations } from '../../db/queries/citations.js'
import {
  addItems, addPaperBytes, findInFeed, findMatchingPapers, findOwnPaperIds, type ItemValues, keepSharedPapers, type PaperValues,
  savePapers
} from '../../db/queries/import.js'
import { countItemsOf, readStoredPapers } from '../../db/queries/stored-papers.js'
import { linkVersions, mergePapers } from '../../db/queries/papers-merge.js'
import { scheduleScoring } from '../../db/queries/relevance.js'
import { addCandidates } from '../../db/queries/candidates.js'
import { addFoundPapers } from '../../db/queries/found-papers.js'
import { findWithoutSummary, replaceSummaries } from '../../db/queries/item-texts.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import type { Db } from '../../db/connection.js'
import { SerializationConflict } from '../../db/errors.js'
import { minuteMs } from '../../schemas/durations.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { createYielder } from '../threads/yielder.js'
import { limitBatch, maxChangedItems, maxMatchedBytes } from './batch-limit.js'
import { itemOf } from './feed-item.js'
import { doiVersions } from './doi-versions.js'
import { arxivDoi } from './identifiers.js'
import type { OwnershipPolicy } from './ownership.js'
import { type KnownPapers, type MatchedRecords, matchRecords } from './match-records.js'
import { changesItems, collectIdentities, type IndexedPaper, isChanged, PaperIndex } from './paper-index.js'
import { reserveItems, reservePapers } from './paper-quota.js'
import { rowOf } from './paper-row.js'
import { summaryOf } from './summary.js'

/** Places new papers in the feed or among the candidates. */
export interface Placement {
  origin: 'import' | 'fetch'
  /** Scores papers by the texts that the feed will show. */
  relevancesOf: (papers: readonly PaperRecord[]) => Relevance[]
  /** Whether a paper enters the feed; others become candidates. */
  entersFeed: (relevance: Relevance) => boolean
  /** What found the papers, in place of the sources that their records name. */
  foundBy?: string | undefined
  /** Further values of the items that enter the feed. */
  values?: Pick<ItemValues, 'import_id' | 'own_library' | 'vote_import_id' | 'vote' | 'voted_at' | 'seen_at'>
}

/** How a batch of records is ingested. */
export interface Ingest {
  project: { id: string, account_id: string }
  /** The projects whose own papers the records may match, those of a call's key; null: all of the account. */
  visibleProjects?: ProjectIds | undefined
  policy: OwnershipPolicy
  placement: Placement
  /** Papers that the account may own; its feeds may have a multiple of it. */
  maxPapers: number
  now: () => Date
}

/** Counts of an ingested batch. */
export interface IngestCounts {
  /** Papers that entered the feed. */
  created: number
  updated: number
  unchanged: number
}

/**
 * Matches records with the papers of the database, saves what they change or add, and places papers that are new to the project.
 *
 * @param db a transaction that holds the locks of the batch
 * @throws QuotaExceeded if the account would own too many papers or too large ones, or have too many in its feeds
 * @throws BatchTooLarge before it saves anything, if several records match or change too much together
 */
export async function ingest (
  db: Db,
  { project, visibleProjects = null, policy, placement, maxPapers, now }: Ingest,
  records: readonly PaperRecord[]
): Promise<IngestCounts> {
  const known = await findKnown(db, { project, visibleProjects, policy }, records)
  const matched = await matchRecords(known, policy, records)
  const unsaved = [...known.shared.unsaved(), ...known.own.unsaved()]
  await limitChangedItems(db, { unsaved, duplicates: matched.duplicates }, records)
  await keepSharedPapers(db, [...matched.arriving.keys()].filter(({ shared, isNew }) => shared && !isNew).map(({ id }) => id))
  const changed = await findChanged(db, project, { unsaved, inFeed: known.inFeed }, matched)
  const placed = placeArriving(matched.arriving, placement)
  const citations = matched.citations.rows(matched.duplicates)
  const { rows, added } = await rowsOf(unsaved, citations, project.account_id)
  // Sources add no papers to the account's own, and little to existing ones: an account at its quota still gets shared papers.
  const reserve = async (added: { papers: number, bytes: number }) => {
    if (policy.newPapers === 'account') await reservePapers(db, project.account_id, added, maxPapers)
  }
  await reserve(added)
  const enters = ({ relevance }: ScoredPaper) => placement.entersFeed(relevance)
  const [entering, candidates] = [placed.filter(enters), placed.filter(paper => !enters(paper))]
  await reserveItems(db, project.account_id, entering.length, maxPapers)
  await save(db, { rows, duplicates: matched.duplicates })
  await saveCitations(db, project.account_id, { citations, rows, reserve })
  const at = now()
  await updateItems(db, project, changed, at)
  await addItems(db, await itemsOf(entering, { project, placement, at }))
  await addCandidates(db, candidates.map(({ paper: { id }, relevance: { relevance_score } }) =>
    ({ project_id: project.id, paper_id: id, relevance_score, found_at: at })))
  const remaining = createDuplicateResolver(matched.duplicates)
  await addFoundPapers(db, project.id, matched.found.map(({ paper, source }) => ({
    paper_id: remaining(paper).id, source: placement.foundBy ?? source
  })), {
    now: at,
    importId: placement.values?.import_id ?? null
  })
  if (policy.newPapers === 'shared') {
    const described = [...known.shared.unsaved(), ...placed.map(({ paper }) => paper).filter(({ shared }) => shared)]
    await saveVersionLinks(db, new Set(described.map(remaining)))
  }
  // Where two records of a batch describe one paper, each may undo what the other changed.
  const updated = matched.again.filter(({ known, changed }) => changed && known.some(isChanged)).length
  return { created: entering.length, updated, unchanged: matched.again.length - updated + candidates.length }
}

/** A paper with its relevance to the project. */
interface ScoredPaper { paper: IndexedPaper, relevance: Relevance }

async function findKnown (
  db: Db,
  { project, visibleProjects, policy }: Pick<Ingest, 'project' | 'policy'> & { visibleProjects: ProjectIds },
  records: readonly PaperRecord[]
): Promise<KnownPapers> {
  const matching = await findMatchingPapers(db, project.account_id, await collectIdentities(records), visibleProjects)
  limitBatch(records, matching.reduce((sum, { bytes }) => sum + bytes, 0), maxMatchedBytes)
  const stored = await readStoredPapers(db, project.account_id, matching.map(({ id }) => id))
  // One was merged or deleted meanwhile.
  if (stored.length < matching.length) throw new SerializationConflict()
  const inFeed = await findInFeed(db, project.id, stored.map(({ id }) => id))
  const shared = stored.filter(({ account_id }) => account_id === null)
  // The feed's own copy first: a key that did not see another one may have added it.
  const own = stored.filter(({ account_id }) => account_id !== null).sort((a, b) => Number(inFeed.has(b.id)) - Number(inFeed.has(a.id)))
  return { own: await PaperIndex.of(own, policy.isSameWork), shared: await PaperIndex.of(shared, policy.isSameWork), inFeed }
}

/** @throws BatchTooLarge if more items of feeds change with their papers than in one transaction may */
async function limitChangedItems (
  db: Db,
  { unsaved, duplicates }: Pick<MatchedRecords, 'duplicates'> & { unsaved: readonly IndexedPaper[] },
  records: readonly PaperRecord[]
): Promise<void> {
  const changing = [...unsaved.filter(changesItems), ...duplicates.map(({ duplicate }) => duplicate)].filter(({ isNew }) => !isNew)
  if (records.length === 1 || changing.length === 0) return
  const items = await countItemsOf(db, changing.map(({ id }) => id), records.length * maxChangedItems)
  limitBatch(records, items, maxChangedItems)
}

/** The rows of new and changed papers, and what they add to those that the account owns. */
async function rowsOf (
  unsaved: readonly IndexedPaper[],
  citations: readonly StatedCitations[],
  accountId: string
): Promise<{ rows: PaperValues[], added: { papers: number, bytes: number } }> {
  const yieldIfDue = createYielder()
  const referenceBytes = new Map(citations.map(each => [each.paper_id, bytesOfReferences(each)]))
  const rows: PaperValues[] = []
  const added = { papers: 0, bytes: 0 }
  for (const paper of unsaved) {
    const row = rowOf(paper, accountId)
    row.bytes += referenceBytes.get(paper.id) ?? 0
    rows.push(row)
    if (!paper.shared) {
      added.papers += paper.isNew ? 1 : 0
      added.bytes += Math.max(0, row.bytes - paper.storedBytes)
    }
    await yieldIfDue()
  }
  return { rows, added }
}

const bytesOfReferences = ({ cited }: StatedCitations): number => cited.reduce((sum, id) => sum + Buffer.byteLength(id) + 1, 0)

/** Saves new and changed papers, and merges stored ones that are one work. */
async function save (db: Db, { rows, duplicates }: Pick<MatchedRecords, 'duplicates'> & { rows: PaperValues[] }): Promise<void> {
  await savePapers(db, rows)
  for (const { kept, duplicate } of duplicates) if (!duplicate.isNew) await mergePapers(db, kept.id, duplicate.id)
}

/**
 * Adds citations, and counts the references that papers of the account's own gain, apart from those whose rows count them already.
 * @param reserve called with what is about to be counted
 */
async function saveCitations (
  db: Db,
  accountId: string,
  { citations, rows, reserve }: {
    citations: readonly StatedCitations[]
    rows: readonly PaperValues[]
    reserve: (added: { papers: number, bytes: number }) => Promise<void>
  }
): Promise<void> {
  const saved = new Set(rows.map(({ id }) => id))
  const gaining = (await addCitations(db, citations)).filter(({ id }) => !saved.has(id))
  const own = await findOwnPaperIds(db, accountId, gaining.map(({ id }) => id))
  const counted = gaining.filter(({ id }) => own.has(id))
  await reserve({ papers: 0, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) })
  await addPaperBytes(db, accountId, counted)
}

/** Batches of a fetch follow each other within seconds, of a long one for more than the longest delay. */
const [rescoringDelayMs, maxRescoringDelayMs] = [2 * minuteMs, 5 * minuteMs]

const hasEqualText = (one: PaperRecord, other: PaperRecord): boolean => one.title === other.title && one.abstract === other.abstract

/**
 * Papers in the feed with other texts than those by which they were scored: that the batch changes, or that have gained an abstract through
 * another project.
 */
async function findChanged (
  db: Db,
  { id, account_id }: Ingest['project'],
  { unsaved, inFeed }: Pick<KnownPapers, 'inFeed'> & { unsaved: readonly IndexedPaper[] },
  { again, duplicates }: MatchedRecords
): Promise<IndexedPaper[]> {
  const changed = unsaved.filter(({ isNew, record, original }) => !isNew && !hasEqualText(record, original))
  const described = again.flatMap(({ known }) => known).filter(({ record }) => record.abstract !== null)
  const mergedAway = new Set(duplicates.map(({ duplicate }) => duplicate))
  const withoutSummary = await findWithoutSummary(db, account_id, id, described.map(paper => paper.id))
  return [...new Set([...changed, ...described.filter(paper => withoutSummary.has(paper.id))])]
    .filter(paper => inFeed.has(paper.id) && !mergedAway.has(paper))
}

/** Summarizes papers of the feed whose texts have changed, and has the feed scored once no further ones come. */
async function updateItems (db: Db, { id, account_id }: Ingest['project'], changed: readonly IndexedPaper[], at: Date): Promise<void> {
  if (changed.length === 0) return
  await replaceSummaries(db, account_id, id, changed.map(({ id, record }) => ({ paper_id: id, summary: summaryOf(record.abstract) })))
  const after = (delayMs: number) => new Date(at.getTime() + delayMs)
  await scheduleScoring(db, account_id, id, after(rescoringDelayMs), after(maxRescoringDelayMs))
}

/** Scores papers by the texts that the feed will show: a later record of one may lack its abstract. */
function placeArriving (matched: MatchedRecords['arriving'], { relevancesOf }: Placement): ScoredPaper[] {
  const arriving = [...matched]
  const relevances = relevancesOf(arriving.map(([{ record: paper }, record]) => {
    const { citations } = record
    return hasEqualText(paper, record) ? record : { ...paper, ...(citations === undefined ? {} : { citations }) }
  }))
  return arriving.map(([paper], at) => ({ paper, relevance: relevances[at]! }))
}

async function itemsOf (
  entering: readonly ScoredPaper[],
  { project, placement, at }: { project: Ingest['project'], placement: Placement, at: Date }
): Promise<ItemValues[]> {
  const yieldIfDue = createYielder()
  const items: ItemValues[] = []
  for (const { paper, relevance } of entering) {
    items.push({ ...itemOf(paper, { projectId: project.id, relevance, readyAt: at, origin: placement.origin }), ...placement.values })
    await yieldIfDue()
  }
  return items
}

/** Returns a function that follows duplicates to the paper that stays. */
function createDuplicateResolver (duplicates: MatchedRecords['duplicates']): (paper: IndexedPaper) => IndexedPaper {
  const keptOf = new Map(duplicates.map(({ kept, duplicate }) => [duplicate, kept]))
  return paper => {
    let remaining = paper
    for (let kept = keptOf.get(paper); kept !== undefined; kept = keptOf.get(kept)) remaining = kept
    return remaining
  }
}

const saveVersionLinks = async (db: Db, papers: ReadonlySet<IndexedPaper>): Promise<void> =>
  await linkVersions(db, [...papers].map(({ id, record: { doi, external_ids: { arxiv }, metadata: { published_doi, preprint_doi } } }) => ({
    id,
    // Others name a preprint on arXiv by the DOI that arXiv derives from its id, which arXiv itself does not state.
    dois: versionsOf(doi ?? (arxiv == null ? null : arxivDoi(arxiv))),
    published: versionsOf(published_doi),
    preprint: versionsOf(preprint_doi)
  })))

const versionsOf = (doi: unknown) => typeof doi === 'string' ? doiVersions(doi.toLowerCase()) : []
