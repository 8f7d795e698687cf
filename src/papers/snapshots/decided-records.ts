import type { Db } from '../../../db/connection.js'
import {
  type DecisionPage, type DecisionPeriod, type DecisionRow, type SnapshotPaperRow, countDecisions, listPapersForSnapshot, walkDecisions
} from '../../../db/queries/snapshot-decisions.js'
import { listTalliedPapers } from '../../../db/queries/found-tally.js'
import type { FairQueue } from '../../threads/fair-queue.js'
import { interleave } from '../../threads/interleave.js'
import { createYielder } from '../../threads/yielder.js'
import { recordOf } from './content.js'
import type { SnapshotRecord, UnlistedRecords } from './document.js'

/** Papers were merged, deleted or tallied since the decisions on them were read, which must be read again. */
export class PapersChanged extends Error {}

interface Caller { db: Db, account: { id: string }, sharedWork: { exports: FairQueue }, signal?: AbortSignal | undefined }

/**
 * Reads the decisions on all papers of a period, a page at a time: one statement or transaction for all of them would hold up everybody
 * else on the embedded database. Nothing that enters meanwhile is in the period, and each paper is read once, wherever it is then. A vote
 * that is given during these seconds counts or does not; the counts follow from what was read.
 * @throws PapersChanged
 */
export async function readDecisions (
  { db, account, sharedWork, signal }: Caller,
  period: DecisionPeriod
): Promise<{ pages: DecisionPage[], unlisted: UnlistedRecords[] }> {
  const pages: DecisionPage[] = []
  const unlisted = new Map<string, UnlistedRecords>()
  const count = ({ sources, records }: UnlistedRecords) => {
    const key = JSON.stringify(sources)
    unlisted.set(key, { sources, records: records + (unlisted.get(key)?.records ?? 0) })
  }
  const tallied = await listTalliedPapers(db, account.id, period)
  tallied.forEach(count)
  for await (const page of interleave(sharedWork.exports, account.id, walkDecisions(db, account.id, period))) {
    signal?.throwIfAborted()
    pages.push(page)
    page.unlisted.forEach(count)
  }
  if (JSON.stringify(tallied) !== JSON.stringify(await listTalliedPapers(db, account.id, period))) {
    throw new PapersChanged('Papers were tallied')
  }
  return { pages, unlisted: [...unlisted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each) }
}

/** @throws PapersChanged */
export async function * readRecords (
  context: Caller,
  period: DecisionPeriod,
  pages: readonly DecisionPage[]
): AsyncIterable<SnapshotRecord> {
  const yieldIfDue = createYielder()
  let decided: Set<string> | undefined
  for await (const { rows, papers } of interleave(context.sharedWork.exports, context.account.id, readPapers(context, period, pages))) {
    for (const row of rows) {
      const paper = papers.get(row[0])
      if (paper === undefined) throw new PapersChanged('A paper was deleted')
      if (paper.id !== row[0]) {
        // It was merged. The kept paper stands for it, unless there is a decision on that one, too.
        decided ??= await idsIn(pages)
        if (decided.has(paper.id)) throw new PapersChanged('Papers were merged')
        decided.add(paper.id)
      }
      yield recordOf(row, paper)
      await yieldIfDue()
    }
  }
}

/** Yields the decisions of each page with their papers. @throws PapersChanged */
async function * readPapers (
  { db, account, signal }: Caller,
  period: DecisionPeriod,
  pages: readonly DecisionPage[]
): AsyncIterable<{ rows: DecisionRow[], papers: Map<string, SnapshotPaperRow> }> {
  for (const page of pages) {
    signal?.throwIfAborted()
    // A merge moves the decision on a paper to the kept paper, whose page may have been read before.
    if (await countDecisions(db, account.id, period, page) > page.decisions) throw new PapersChanged('Papers were merged')
    const rows = rowsOf(page)
    const papers = await listPapersForSnapshot(db, account.id, rows.map(([id]) => id))
    yield { rows, papers: new Map(papers.map(paper => [paper.asked_id, paper])) }
  }
}

const rowsOf = ({ text }: DecisionPage) => JSON.parse(`[${text}]`) as DecisionRow[]

async function idsIn (pages: readonly DecisionPage[]): Promise<Set<string>> {
  const ids = new Set<string>()
  const yieldIfDue = createYielder()
  for (const page of pages) {
    for (const [id] of rowsOf(page)) ids.add(id)
    await yieldIfDue()
  }
  return ids
}
