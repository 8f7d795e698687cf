import { isDeepStrictEqual } from 'node:util'
import { findInFeed, findSame, type SamePaper, savePapers } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import type { Relevance } from '../relevance/score.js'
import { complete, contradicts, isAlike, isOfFeed } from './merge.js'
import type { ServiceContext } from '../operations/context.js'
import { type FedProject, placeIn, type Scored } from './placement.js'
import { identitiesOf, Shelf, valuesOf, type Work } from './paper-index.js'
import type { Applied } from './valid-records.js'

/** The account's own papers among these. What feeds gave is told apart as what any source gave, since no person has looked at it. */
export const ownShelf = (same: readonly SamePaper[]): Shelf =>
  new Shelf(same.filter(({ account_id }) => account_id !== null), (one, other) => isOfFeed(one) ? isAlike(one, other) : !contradicts(one, other))

/** What sources said of a paper stands over what its feed says anew. */
const sharedOnes = (works: readonly Work[]) => works.filter(({ shared }) => shared).map(({ record }) => record)

/**
 * Puts what a feed of a person's choice says into papers that are that person's own, as an import does: what stands there is no index's
 * word, and may be meant for its reader alone. A shared paper that a record is of stands in the project as it is.
 */
export async function applyOwn (db: Db, { now }: ServiceContext, project: FedProject, records: readonly Scored[]): Promise<Applied> {
  const same = await findSame(db, project.account_id, identitiesOf(records.map(({ record }) => record)))
  const own = ownShelf(same)
  const shared = new Shelf(same.filter(({ account_id }) => account_id === null), isAlike)
  const inFeed = await findInFeed(db, project.id, same.map(({ id }) => id))
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  const seen = new Map<Work, Relevance>()

  for (const { record, relevance } of records) {
    const found = [...own.findAll(record), ...shared.findAll(record)]
    const sound = found.filter(({ record: known }) => !contradicts(known, record))
    const known = sound.find(({ id }) => inFeed.has(id)) ?? sound[0]
    const work = known ?? found[0] ?? own.add(record, { shared: false })
    // A record that speaks against the paper says wrong things, and a shared paper is not its to change.
    const changed = known !== undefined && !known.shared && own.replace(known, [record, ...sharedOnes(sound)].reduce(complete, known.record), isDeepStrictEqual)
    if (inFeed.has(work.id)) applied[changed ? 'updated' : 'unchanged']++
    else seen.set(work, relevance)
  }
  await savePapers(db, own.unsaved().map(work => valuesOf(work, project.account_id)))
  const { entered, noted } = await placeIn(db, project, seen, now())
  applied.created = entered
  applied.unchanged += noted
  return applied
}
