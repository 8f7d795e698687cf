import { setFeedback } from '../../db/queries/votes.js'
import { findItemByIdentifier, findPaperByIdentifier } from '../../db/queries/identifiers.js'
import { scheduleScoring } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { shortText } from '../../schemas/short-text.js'
import { typedIdentifier } from '../papers/identifier-in-text.js'
import { findTitled } from '../papers/titled-paper.js'
import { ingestFetched } from '../papers/ingest-fetched.js'
import type { Placement } from '../papers/ingest.js'
import { allVersions, identifiersOf } from '../papers/pasted-identifier.js'
import { learningDueAt, learningTimes } from '../relevance/learned-model.js'
import { openProjectScoring } from '../relevance/project-scoring.js'
import { recentSignalReader } from '../relevance/signals.js'
import type { RelevanceWorker } from '../relevance/worker.js'
import { findPaper } from '../sources/fetching/find-paper.js'
import type { LookupContext } from '../sources/fetching/lookup.js'
import { SlotYielded } from '../jobs/failures.js'
import { addRejections, type ImportCounts } from './import-counts.js'
import { maxLineLength, maxListedPapers, parsePaperList } from './paper-list.js'
import { addStoredPaper } from './place-paper.js'

/** Services that an import of a list uses. */
export interface ListContext extends LookupContext { maxPapers: number, now: () => Date, relevance: RelevanceWorker }

interface ListImport {
  projectId: string
  text: string
  name: string
  /** The counts of the import so far, other files included. */
  before: ImportCounts
  /** Records of the list that an earlier attempt has done. */
  from: number
  maxRejections: number
  /** The projects whose papers it may name; null: all of the account. */
  visibleProjects?: ProjectIds | undefined
  /** Further values of the items that enter the feed. */
  values?: Placement['values']
  lock?: ((transaction: Db) => Promise<void>) | undefined
  onPaper: (counts: ImportCounts, share: number) => Promise<void>
  /** Milliseconds after which no further paper is looked up. */
  maxRunMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** The counts after a list, and how many records it has. */
export interface ListImported { counts: ImportCounts, position: number }

/**
 * Adds the papers of a list to a project, one after the other. What cannot be found is rejected with the reason.
 * @throws SlotYielded at the end of its time, after one paper at least
 */
export async function importList (
  context: ListContext,
  { projectId, text, name, before, from, maxRejections, visibleProjects, values, lock, onPaper, maxRunMs = Infinity, signal }: ListImport
): Promise<ListImported> {
  const { lines, remaining } = parsePaperList(text, maxListedPapers)
  // The remaining lines are rejected as one.
  const total = lines.length + Math.min(remaining, 1)
  const startedAt = performance.now()
  let counts = before
  const reject = (record: number, reason: string) => {
    counts = addRejections(counts, [{ file: name, record, reason }], maxRejections)
  }
  for (const [at, line] of lines.entries()) {
    const record = at + 1
    if (at < from) continue
    signal?.throwIfAborted()
    if (at > from && performance.now() - startedAt > maxRunMs) throw new SlotYielded()
    const outcome = await addListed({ ...context, signal }, { projectId, line, visibleProjects, values, lock })
    if (typeof outcome === 'string') counts = { ...counts, [outcome]: counts[outcome] + 1 }
    else reject(record, `“${shortText(line, 120)}”: ${outcome.why}`)
    counts = { ...counts, read: counts.read + 1 }
    await onPaper(counts, record / total)
  }
  if (total > lines.length && from < total) {
    reject(
      total,
      `${remaining === 1 ? '1 more line was' : `${remaining.toLocaleString('en')} more lines were`} not read: a list may have at most ` +
        `${maxListedPapers} papers. Import the rest as another list.`
    )
    counts = { ...counts, read: counts.read + 1 }
    await onPaper(counts, 1)
  }
  return { counts, position: total }
}

type Outcome = 'created' | 'updated' | 'unchanged' | { why: string }

/** A line of a list. */
type ListedPaper = Pick<ListImport, 'projectId' | 'visibleProjects' | 'values' | 'lock'> & { line: string }

/** Adds a paper by its identifier or title. @returns why it cannot be found */
async function addListed (
  context: ListContext,
  { projectId, line, visibleProjects, values, lock }: ListedPaper
): Promise<Outcome> {
  const { db, account, now } = context
  if (line.length > maxLineLength) return { why: `A line can have ${maxLineLength} characters.` }
  const identifier = typedIdentifier(line)
  const own = identifier === undefined ? await findTitled(context, line, visibleProjects) : []
  const present = identifier === undefined
    ? own.find(({ project_id }) => project_id === projectId)
    : await findItemByIdentifier(db, account.id, projectId, allVersions(identifier))
  if (present !== undefined) return await rateItem(context, present, { values, lock })
  const known = identifier === undefined ? own[0] : await findPaperByIdentifier(db, account.id, allVersions(identifier), visibleProjects)
  // In the transaction that stores the vote: an attempt that ends before it notes the paper would leave it unlearned.
  const lockToAdd = async (transaction: Db): Promise<void> => {
    if (values?.vote != null) await scheduleScoring(transaction, account.id, projectId, learningDueAt(now()))
    await lock?.(transaction)
  }
  if (known !== undefined) {
    return await addStoredPaper(context, projectId, known, { values, lock: lockToAdd }) > 0 ? 'created' : 'unchanged'
  }
  const found = await findPaper(context, line, identifier)
  if ('why' in found) return found
  const { created } = await ingestFetched(context, {
    project: { id: projectId, account_id: account.id },
    visibleProjects,
    openScoring: async () => await openProjectScoring(context, projectId, {
      lock: lockToAdd,
      withSignals: async (_settings, records) => await (await recentSignalReader(db, account.id, projectId)).ofRecords(records)
    }),
    records: [{ place: 1, record: found }],
    origin: 'import',
    values
  })
  if (created > 0) return 'created'
  // The stored paper may lack some of them.
  for (const stored of identifiersOf(found)) {
    const item = await findItemByIdentifier(db, account.id, projectId, allVersions(stored))
    if (item !== undefined) return await rateItem(context, item, { values, lock })
  }
  return 'unchanged'
}

/** Gives the vote to an item of the feed without one. */
async function rateItem (
  { db, account, now }: ListContext,
  item: { item_id: string, vote: string | null },
  { values, lock }: Pick<ListImport, 'values' | 'lock'>
): Promise<Outcome> {
  if (item.vote !== null || values?.vote == null) return 'unchanged'
  const feedback = { vote: values.vote, downvote_reason: null, updated_at: now().toISOString() }
  await setFeedback(db, account.id, item.item_id, feedback, learningTimes(now()), { importId: values.vote_import_id, lock })
  return 'updated'
}
