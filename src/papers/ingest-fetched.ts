import { isDeepStrictEqual } from 'node:util'
import { findInFeed, findSame, importBatch, savePapers, sharedBatch } from '../../db/queries/import.js'
import { linkVersions, mergePapers } from '../../db/queries/papers-merge.js'
import { findScoring, holdScoring } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../relevance/score.js'
import { complete, contradicts, isAlike, isOfFeed, merge } from './merge.js'
import { learnedModel } from '../relevance/learned-model.js'
import type { ServiceContext } from '../operations/context.js'
import { applyOwn, ownShelf } from './ingest-journal-feed.js'
import { type FedProject, placeIn, type Scored } from './placement.js'
import { identitiesOf, Shelf, valuesOf, type Work } from './paper-index.js'
import { type Applied, applySound, type Placed } from './valid-records.js'
import { stillThere } from '../errors/still-exists.js'

export interface FetchedBatch {
  project: { id: string, account_id: string }
  records: readonly Placed[]
}

/**
 * Puts records that a source gave into the shared papers, and those that match into the project's feed; the others are noted as candidates.
 * One work is one paper: what several sources say of it is brought together, and papers that a record shows to be one become one. What a
 * feed of a person's choice gave is that person's own. All records are of one source, and are scored by the settings that the project
 * has when they come in: a change is before that, or waits for it and has them scored anew.
 *
 * @returns `created` counts papers that entered the feed
 */
export const applyFetched = (context: ServiceContext, { project: { id, account_id }, records }: FetchedBatch): Promise<Applied> =>
  applySound(records, async sound => {
    const { db, relevance } = context
    const ofFeed = sound.some(({ record }) => isOfFeed(record))
    for (;;) {
      const project = stillThere(await findScoring(db, id))
      const relevances = await relevance.score(project, await learnedModel(db, id), sound.map(({ record }) => record))
      const scored = sound.map(({ record }, at) => ({ record, relevance: relevances[at]! }))
      const applied = await (ofFeed ? importBatch : sharedBatch)(db, account_id, async transaction => {
        const { settings_changed_at } = stillThere(await holdScoring(transaction, id))
        if (!isDeepStrictEqual(settings_changed_at, project.settings_changed_at)) return undefined
        return await (ofFeed ? applyOwn : applyShared)(transaction, context, project, scored)
      })
      if (applied !== undefined) return applied
    }
  })

async function applyShared (db: Db, { now }: ServiceContext, project: FedProject, records: readonly Scored[]): Promise<Applied> {
  const { id: projectId, account_id } = project
  const same = await findSame(db, account_id, identitiesOf(records.map(({ record }) => record)))
  const shared = new Shelf(same.filter(({ account_id }) => account_id === null), isAlike)
  const own = ownShelf(same)
  const inFeed = await findInFeed(db, projectId, [...shared.ids(), ...own.ids()])
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, rejected: [] }
  const seen = new Map<Work, Relevance>()
  const doubles: Array<{ kept: Work, gone: Work }> = []

  for (const { record, relevance } of records) {
    const { work, changed, gone } = settle(shared, record)
    // A person's own copy of the paper stands for it in the feed, and learns what the source knows.
    const copies = own.findAll(record)
    const copy = copies.find(({ id }) => inFeed.has(id)) ?? copies[0]
    // What all sources say together does not depend on who comes first.
    const said = copy !== undefined && isOfFeed(copy.record) ? work.record : record
    const completed = copy !== undefined && !contradicts(copy.record, said) && own.replace(copy, complete(copy.record, said), isDeepStrictEqual)
    doubles.push(...gone.map(each => ({ kept: work, gone: each })))
    for (const each of gone) {
      seen.delete(each)
      if (inFeed.has(each.id)) inFeed.add(work.id)
    }
    if (inFeed.has(work.id) || (copy !== undefined && inFeed.has(copy.id))) applied[changed || completed ? 'updated' : 'unchanged']++
    else seen.set(copy ?? work, relevance)
  }
  await savePapers(db, [...shared.unsaved(), ...own.unsaved()].map(work => valuesOf(work, account_id)))
  for (const { kept, gone } of doubles) if (gone.state !== 'new') await mergePapers(db, kept.id, gone.id)

  const { entered, noted } = await placeIn(db, project, seen, now())
  await linkVersions(db, [...seen.keys()].map(({ id }) => id))
  applied.created = entered
  applied.unchanged += noted
  return applied
}

/** Finds the record's paper, or makes it, and completes it; papers that turn out to be the same one go into it. */
function settle (shelf: Shelf, record: PaperRecord): { work: Work, changed: boolean, gone: Work[] } {
  // A paper that is stored stays rather than one of this batch.
  const found = shelf.findAll(record).sort((a, b) => Number(a.state === 'new') - Number(b.state === 'new'))
  const [first, ...others] = found.filter(({ record: known }) => !contradicts(known, record))
  // A record that shares one identifier and speaks against another says wrong things of one of two works: nothing of it is taken over.
  if (first === undefined && found.length > 0) return { work: found[0]!, changed: false, gone: [] }
  if (first === undefined) return { work: shelf.add(record, { shared: true }), changed: false, gone: [] }
  const gone = others.filter(other => !contradicts(first.record, other.record))
  const whole = gone.reduce((merged, other) => merge(merged, other.record), first.record)
  for (const other of gone) shelf.remove(other, first)
  return { work: first, changed: shelf.replace(first, merge(whole, record), isDeepStrictEqual), gone }
}
