import t from 'tap'
import { sql } from 'kysely'
import { searchStorage } from '../../db/queries/search-storage.js'
import type { PartKey } from '../../schemas/search-index.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { compact, endCompactions } from '../../src/search/compaction.js'
import { indexPending } from '../../src/search/indexing.js'
import { countIndexRows } from '../support/index-rows.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { searchFeed } from '../../src/search/search.js'
import type { IndexStorage } from '../../src/search/storage.js'
import { tombstonesPart } from '../../src/search/segment.js'

t.test('the compaction of an index', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const { db } = context
  const storage = searchStorage(db)
  const titles = async (project_id: string, q: string) =>
    (await feedSearch.run(context, { project_id, q, limit: 100 })).items.map(({ paper_title }) => paper_title)
  const items = async (project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items

  t.test('returns equal results after compaction, without deleted items', async t => {
    const project = await projectWith(user, [])
    for (let at = 0; at < 30; at++) {
      await addPapers(context, project, [
        { title: `Paper ${at} of many`, doi: `10.5555/fold.${at}` },
        { title: `Other ${at}`, doi: `10.5555/fold.${at}.b` }
      ])
      await titles(project, 'paper')
      if (at % 3 === 0) await addPapers(context, project, [{ title: `Renamed paper ${at} of many`, doi: `10.5555/fold.${at}` }])
    }
    const before = await feedSearch.run(context, { project_id: project, q: 'paper many', limit: 50 })
    t.equal(before.items.length, 30)
    t.ok(await countIndexRows(db, 'search_segment', project) < 20, 'small segments are folded as they come')
    await compact(storage, project)
    t.ok(await countIndexRows(db, 'search_segment', project) <= 5)
    const after = await feedSearch.run(context, { project_id: project, q: 'paper many', limit: 50 })
    t.strictSame(after.items.map(({ id }) => id), before.items.map(({ id }) => id))
    t.equal((await titles(project, 'renamed')).length, 10)
  })

  t.test('neither delays nor fails a search', async t => {
    const projectId = await projectWith(user, [])
    for (let at = 0; at < 12; at++) {
      await addPapers(context, projectId, [{ title: `Quick zeta ${at}` }])
      await indexPending({ ...storage, reserveSegment: async () => undefined }, projectId)
    }
    let fail = (_error: Error) => {}
    const failure = new Promise<never>((_resolve, reject) => { fail = reject })
    let attempts = 0
    const failing = {
      ...storage,
      reserveSegment: async () => {
        attempts++
        return await failure
      }
    }
    await addPapers(context, projectId, [{ title: 'Quick zeta last' }])
    const search = async () =>
      (await searchFeed(failing, { accountId: context.account.id, projectId }, { terms: ['zeta'] }, { limit: 50, offset: 0 }))!.items
    t.equal((await search()).length, 13, 'while a merge has not ended')
    fail(new Error('The disk is full.'))
    await endCompactions()
    await addPapers(context, projectId, [{ title: 'Quick zeta after' }])
    t.equal((await search()).length, 14)
    await endCompactions()
    t.equal(attempts, 2)
    await compact(storage, projectId)
    t.equal(await countIndexRows(db, 'search_segment', projectId), 1)
  })

  t.test('hides deleted items of segments that compaction leaves alone, and drops their tombstones with them', async t => {
    const project = await projectWith(user, Array.from({ length: 40 }, (_each, at) => ({ title: `Old ${at} delta` })))
    t.equal((await titles(project, 'delta')).length, 40)
    const tombstones = async () =>
      (await storage.listSegments(project)).map(({ documents, tombstones }) => [documents, tombstones])
    for (const [at, { id }] of (await items(project)).slice(0, 3).entries()) {
      await db.deleteFrom('project_paper').where('id', '=', id).execute()
      if (at < 2) await addPapers(context, project, [{ title: `New ${at} delta` }])
      t.equal((await titles(project, 'delta')).length, 40 - (at === 2 ? 1 : 0))
    }
    t.strictSame(await tombstones(), [[40, 0], [1, 1], [1, 1], [0, 1]])
    await compact(storage, project)
    t.strictSame(await tombstones(), [[40, 0], [2, 3]])
    t.equal((await titles(project, 'delta')).length, 39)
    await addPapers(context, project, Array.from({ length: 30 }, (_each, at) => ({ title: `Newer ${at} delta` })))
    t.equal((await titles(project, 'delta')).length, 69)
    await compact(storage, project)
    t.strictSame(await tombstones(), [[69, 0]])
    t.equal((await titles(project, 'delta')).length, 69)
  })

  t.test('reads its tombstones once', async t => {
    const projectId = await projectWith(user, [{ title: 'Early epsilon' }, { title: 'Late epsilon' }])
    await titles(projectId, 'epsilon')
    await db.deleteFrom('project_paper').where('id', '=', (await items(projectId))[0]!.id).execute()
    let read: number[] = []
    const counted = {
      ...storage,
      readParts: async (keys: readonly PartKey[]) => {
        read.push(...keys.map(({ part }) => part))
        return await storage.readParts(keys)
      }
    }
    const search = async () =>
      (await searchFeed(counted, { accountId: context.account.id, projectId }, { terms: ['epsilon'] }, { limit: 10, offset: 0 }))!.items
    t.equal((await search()).length, 1)
    t.ok(read.includes(tombstonesPart))
    read = []
    t.equal((await search()).length, 1)
    t.strictSame(read, [])
  })

  t.test('loses nothing and never blocks under concurrent writes, searches and compactions', async t => {
    const project = await projectWith(user, [])
    const work = Array.from({ length: 12 }, async (_each, at) => {
      for (let round = 0; round < 5; round++) {
        await addPapers(context, project, [{ title: `Crowd ${at} ${round}`, doi: `10.5555/crowd.${at}.${round}` }])
        const found = await titles(project, `crowd ${at} ${round}`)
        t.ok(found.includes(`Crowd ${at} ${round}`), 'found by the search that follows')
        if (round % 2 === 0) await compact(storage, project)
      }
    })
    await Promise.all(work)
    t.equal((await titles(project, 'crowd')).length, 60)
  })

  t.test('is replaced without its old blocks, which are deleted in batches and by maintenance', async t => {
    const project = await projectWith(user, [{ title: 'Replaced one' }])
    await titles(project, 'replaced')
    await addPapers(context, project, [{ title: 'Replaced two' }])
    await titles(project, 'replaced')
    const replaced = await storage.listSegments(project)
    t.equal(replaced.length, 2)
    for (const { id } of replaced) {
      await sql`
        insert into search_block (segment_id, part, bytes) select ${id}::uuid, 1e6::integer + n, '' from generate_series(1, 250) n`.execute(db)
    }
    await sql`create table deleted_blocks (count integer not null)`.execute(db)
    await sql`
      create function count_deleted_blocks () returns trigger language plpgsql as $$ begin
        if (select count(*) from deleted_blocks) = 2 then raise exception 'interrupted'; end if;
        insert into deleted_blocks select count(*) from deleted;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger count_deleted after delete on search_block referencing old table as deleted
      for each statement execute function count_deleted_blocks()`.execute(db)
    await t.rejects(compact(storage, project), { message: 'The database reported an error.' }, 'interrupted')
    t.strictSame((await storage.listSegments(project)).map(({ documents }) => documents), [2], 'the new one is live')
    t.ok((await storage.reserveSegment(project)) !== undefined, 'another compaction can begin')
    t.equal((await titles(project, 'replaced')).length, 2)
    const { rows: deleted } = await sql<{ count: number }>`select count from deleted_blocks`.execute(db)
    t.strictSame(deleted, [{ count: 100 }, { count: 100 }])
    await sql`drop trigger count_deleted on search_block`.execute(db)
    await sql`drop function count_deleted_blocks`.execute(db)
    await sql`drop table deleted_blocks`.execute(db)
    await maintenance.run(service.context, {})
    const left = replaced.map(({ id }) => id)
    t.strictSame(await db.selectFrom('search_segment').select('id').where('id', 'in', left).execute(), [])
    t.strictSame(await db.selectFrom('search_block').select('part').where('segment_id', 'in', left).execute(), [])
    t.equal((await titles(project, 'replaced')).length, 2)
  })
})

t.test('an index is rewritten without its deleted documents at once, or in a long import when they are half of it', async t => {
  let rewritten = 0
  const storage = (tombstones: number) => ({
    listSegments: async () => [{ id: 'one', documents: 10_000, tombstones }],
    reserveSegment: async () => { rewritten++ }
  }) as unknown as IndexStorage
  const isRewritten = async (tombstones: number, isThorough: boolean) => {
    const before = rewritten
    await compact(storage(tombstones), 'project', { isThorough })
    return rewritten > before
  }
  t.notOk(await isRewritten(2000, true))
  t.ok(await isRewritten(2001, true))
  t.notOk(await isRewritten(5000, false))
  t.ok(await isRewritten(5001, false))
})
