import { isDeepStrictEqual } from 'node:util'
import { addItems, findInFeed, findSame, importBatch, savePapers } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../relevance/score.js'
import { merge } from './merge.js'
import { itemOf } from './feed-item.js'
import type { Context } from '../operations/context.js'
import { identitiesOf, Shelf, valuesOf, type Work } from './paper-index.js'
import { type Applied, applySound, type Placed } from './valid-records.js'

export interface Batch {
  projectId: string
  /** Called in the transaction, before anything else: what papers are scored by must not change until they are in. */
  scorerIn: (transaction: Db) => Promise<(paper: PaperRecord) => Relevance>
  records: readonly Placed[]
}

/**
 * Puts records that a person imports into a project's feed, all of them in one transaction. Each is matched with what the account has
 * and with shared papers; the account's own are completed, shared ones are left as they are, since one user's text is not another's.
 */
export const applyRecords = (context: Context, { records, ...batch }: Batch): Promise<Applied> =>
  applySound(records, sound => importBatch(context.db, context.account.id, transaction => applyAll(transaction, context, { ...batch, records: sound })))

async function applyAll (db: Db, { account, now }: Context, { projectId, scorerIn, records }: Batch): Promise<Applied> {
  const score = await scorerIn(db)
  const shelf = new Shelf(await findSame(db, account.id, identitiesOf(records.map(({ record }) => record))))
  const inFeed = await findInFeed(db, projectId, shelf.ids())
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  const entering: Work[] = []
  for (const { record } of records) {
    const known = shelf.find(record)
    const work = known ?? shelf.add(record, { shared: false })
    const changed = known !== undefined && !known.shared && shelf.replace(known, merge(known.record, record), isDeepStrictEqual)
    if (!inFeed.has(work.id)) {
      inFeed.add(work.id)
      entering.push(work)
      applied.created++
    } else if (changed) applied.updated++
    else applied.unchanged++
  }
  await savePapers(db, shelf.unsaved().map(work => valuesOf(work, account.id)))
  await addItems(db, entering.map(work => itemOf(work, { projectId, relevance: score(work.record), readyAt: now(), origin: 'import' })))
  return applied
}
