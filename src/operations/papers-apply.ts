import { isDeepStrictEqual } from 'node:util'
import { type ItemValues, addItems, findInFeed, findSame, findSummaries, importBatch, replaceSearchVectors, savePapers } from '../../db/queries/import.js'
import { isDataError, type Db } from '../../db/connection.js'
import { searchVector } from '../../db/search/vector.js'
import { PaperRecord } from '../../schemas/paper.js'
import { InvalidArguments } from '../errors.js'
import type { Relevance } from '../relevance/score.js'
import { summaryOf } from '../relevance/summary.js'
import { merge } from '../sources/merge.js'
import { checker } from './check.js'
import type { Context } from './operation.js'
import { identitiesOf, Shelf, valuesOf, wellFormed, type Work } from './shelf.js'

/** A record with its place in its file. */
export interface Placed { place: number, record: PaperRecord }

export interface Batch {
  projectId: string
  score: (paper: PaperRecord) => Relevance
  records: readonly Placed[]
}

export interface Applied { created: number, updated: number, unchanged: number, rejected: Array<{ record: number, reason: string }> }

const check = checker(PaperRecord, 'json')

/**
 * Puts records into a project's feed, all of them in one transaction. Each is matched with what the account has and with shared
 * papers; the account's own are completed, shared ones are left as they are, since one user's text is not another's.
 */
export async function applyRecords (context: Context, { projectId, score, records }: Batch): Promise<Applied> {
  const rejected: Applied['rejected'] = []
  const sound: Placed[] = []
  for (const { place, record } of records) {
    try {
      sound.push({ place, record: check(wellFormed(record)) })
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error
      rejected.push({ record: place, reason: error.message })
    }
  }
  const applied = await applySound(context, { projectId, score, records: sound })
  return { ...applied, rejected: [...rejected, ...applied.rejected].sort((a, b) => a.record - b.record) }
}

/** A record that the database refuses takes none of its neighbours with it: they are applied one by one. */
async function applySound (context: Context, batch: Batch): Promise<Applied> {
  const { records } = batch
  if (records.length === 0) return { created: 0, updated: 0, unchanged: 0, rejected: [] }
  try {
    return await importBatch(context.db, context.account.id, async transaction => await applyAll(transaction, context, batch))
  } catch (error) {
    if (!isDataError(error)) throw error
    if (records.length === 1) return { created: 0, updated: 0, unchanged: 0, rejected: [{ record: records[0]!.place, reason: 'Its content cannot be stored.' }] }
    const total: Applied = { created: 0, updated: 0, unchanged: 0, rejected: [] }
    for (const record of records) {
      const applied = await applySound(context, { ...batch, records: [record] })
      total.created += applied.created
      total.updated += applied.updated
      total.unchanged += applied.unchanged
      total.rejected.push(...applied.rejected)
    }
    return total
  }
}

async function applyAll (db: Db, { account, now }: Context, { projectId, score, records }: Batch): Promise<Applied> {
  const shelf = new Shelf(await findSame(db, account.id, identitiesOf(records.map(({ record }) => record))))
  const inFeed = await findInFeed(db, projectId, shelf.ids())
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  const entering: Work[] = []
  for (const { record } of records) {
    const known = shelf.find(record)
    const work = known ?? shelf.add(record)
    const changed = known !== undefined && !known.shared && shelf.replace(known, merge(known.record, record), isDeepStrictEqual)
    if (!inFeed.has(work.id)) {
      inFeed.add(work.id)
      entering.push(work)
      applied.created++
    } else if (changed) applied.updated++
    else applied.unchanged++
  }
  await savePapers(db, shelf.unsaved().map(work => valuesOf(work, account.id)))
  await addItems(db, entering.map(work => itemOf(work, projectId, score(work.record), now())))
  await refreshVectors(db, shelf.changed())
  return applied
}

/** Feed items that show a changed paper, in whichever feed, are found by its new words. */
async function refreshVectors (db: Db, changed: Work[]): Promise<void> {
  if (changed.length === 0) return
  const works = new Map(changed.map(work => [work.id, work]))
  const items = await findSummaries(db, [...works.keys()])
  await replaceSearchVectors(db, items.map(({ id, paper_id, summary }) => ({ id, search_vector: vectorOf(works.get(paper_id)!.record, summary) })))
}

function itemOf ({ id, record }: Work, projectId: string, relevance: Relevance, readyAt: Date): ItemValues {
  const summary = summaryOf(record.abstract)
  return {
    project_id: projectId,
    paper_id: id,
    summary,
    relevance_score: relevance.relevance_score,
    relevance_class: relevance.relevance_class,
    matching_details: JSON.stringify(relevance.matching_details),
    personalized_note: relevance.personalized_note,
    ready_at: readyAt,
    search_vector: vectorOf(record, summary)
  }
}

const vectorOf = (record: PaperRecord, summary: string | null) => searchVector({
  title: record.title,
  authors: record.authors,
  summary,
  abstract: record.abstract,
  identifiers: [record.doi, ...Object.values(record.external_ids)]
})
