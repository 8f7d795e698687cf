import t from 'tap'
import { sql } from 'kysely'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { addCandidates, demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { listItems } from '../../db/queries/feed.js'
import { saveSummary } from '../../db/queries/summaries.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { minuteMs } from '../../schemas/durations.js'
import type { FeedScope } from '../../schemas/search-filter.js'
import type { PartKey } from '../../schemas/search-index.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { compact } from '../../src/search/compaction.js'
import { buildOffThread } from '../../src/search/indexer.js'
import { indexAllPending, indexPending } from '../../src/search/indexing.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { readFilters } from '../../src/search/filters.js'
import { searchFeed, searchItems, searchWholeFeed } from '../../src/search/search.js'
import { evictReplaced } from '../../src/search/segment-cache.js'
import type { IndexedBatch, IndexStorage, PendingChanges, SearchStorage } from '../../src/search/storage.js'
import { tombstonesPart } from '../../src/search/segment.js'
import { WorkerPool } from '../../src/threads/worker-pool.js'

const count = async (
  db: Awaited<ReturnType<typeof testService>>['context']['db'],
  table: 'search_segment' | 'search_block' | 'search_document' | 'search_pending',
  projectId?: string
) => {
  const rows = await db.selectFrom(table).selectAll().execute()
  return rows.filter(row => projectId === undefined || ('project_id' in row && row.project_id === projectId)).length
}

t.test('the index of a project', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const { db } = context
  const storage = searchStorage(db)
  const titles = async (project_id: string, q: string) =>
    (await feedSearch.run(context, { project_id, q, limit: 100 })).items.map(({ paper_title }) => paper_title)
  const items = async (project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items

  t.test('follows every insert, change and deletion of an item', async t => {
    const project = await projectWith(user, [{ title: 'Stays here', abstract: 'alpha' }, { title: 'Moves away', abstract: 'alpha' }])
    t.equal((await titles(project, 'alpha')).length, 2)
    const [one] = (await items(project)).filter(({ paper_title }) => paper_title === 'Moves away')
    await saveSummary(db, context.account.id, one!.id, 'A summary about kangaroos.')
    t.strictSame(await titles(project, 'kangaroo'), ['Moves away'], 'a new summary')
    await db.updateTable('paper').set({ title: 'Moved on' }).where('id', '=', one!.paper.id).execute()
    t.strictSame(await titles(project, 'moved'), ['Moved on'], 'a new title')
    t.strictSame(await titles(project, 'away'), [])
    await db.updateTable('project_paper').set({ origin: 'fetch' }).where('id', '=', one!.id).execute()
    await demoteItems(db, context.account.id, project, [one!.id], new Date())
    t.strictSame(await titles(project, 'alpha'), ['Stays here'], 'out of the feed')
    await promoteCandidates(db, context.account.id, project, [
      {
        project_id: project,
        paper_id: one!.paper.id,
        summary: null,
        relevance_score: 0.5,
        relevance_class: 'related',
        ready_at: new Date()
      }
    ])
    t.equal((await titles(project, 'alpha')).length, 2, 'and in again')
    await addCandidates(db, [])
  })

  t.test('finds the words of LaTeX as they are displayed, not its commands', async t => {
    const all = ['TGF$\\beta_1$ in \\textit{vivo}', 'Adsorption of $\\mathrm{H_2O}$', "Schr{\\\"o}dinger's cat", '$\\Lambda$CDM cosmology']
    const project = await projectWith(user, all.map(title => ({ title, authors: [{ name: 'Zo{\\"e} M\\"uller' }] })))
    for (const q of ['TGFβ1', 'tgf beta', 'in vivo']) t.strictSame(await titles(project, q), [all[0]], q)
    t.strictSame(await titles(project, 'H2O'), [all[1]])
    t.strictSame(await titles(project, 'schrodinger'), [all[2]])
    for (const q of ['ΛCDM', 'lambda cdm']) t.strictSame(await titles(project, q), [all[3]], q)
    t.equal((await titles(project, 'zoe müller')).length, 4)
    for (const q of ['textit', 'mathrm']) t.strictSame(await titles(project, q), [], q)
  })

  t.test('follows merged papers in every feed', async t => {
    const one = await projectWith(user, [
      { title: 'Preprint words', doi: '10.5555/merge.1' },
      { title: 'Published words', doi: '10.5555/merge.2' }
    ])
    const other = await projectWith(user, [{ title: 'Published words', doi: '10.5555/merge.2' }])
    t.equal((await titles(one, 'words')).length, 2)
    t.equal((await titles(other, 'published')).length, 1)
    const paper = async (title: string) => (await items(one)).find(({ paper_title }) => paper_title === title)!.paper.id
    const [kept, gone] = [await paper('Preprint words'), await paper('Published words')]
    await db.transaction().execute(transaction => mergePapers(transaction, kept, gone))
    t.strictSame(await titles(one, 'words'), ['Preprint words'])
    t.strictSame(await titles(other, 'preprint'), ['Preprint words'])
    t.strictSame(await titles(other, 'published'), [])
  })

  t.test(
    'follows a paper that changes during an addition',
    { skip: service.context.installation.databaseKind === 'embedded' && 'one transaction at a time' },
    async t => {
      const one = await projectWith(user, [{ title: 'Former words' }])
      const other = await projectWith(user, [])
      const { paper } = (await items(one))[0]!
      await db.transaction().execute(async transaction => {
        await transaction.updateTable('paper').set({ title: 'Latter words' }).where('id', '=', paper.id).execute()
        await promoteCandidates(db, context.account.id, other, [
          { project_id: other, paper_id: paper.id, summary: null, relevance_score: 0.5, relevance_class: 'related', ready_at: new Date() }
        ])
        t.strictSame(await titles(other, 'former'), ['Former words'])
      })
      t.strictSame(await titles(other, 'latter'), ['Latter words'])
      t.strictSame(await titles(other, 'former'), [])
      t.equal(await count(db, 'search_pending', other), 0)
    }
  )

  t.test(
    'is complete although one of very many additions is of a paper that changes',
    { skip: service.context.installation.databaseKind === 'embedded' && 'one transaction at a time' },
    async t => {
      const project = await projectWith(user, Array.from({ length: 1200 }, (_, at) => ({ title: `Gamma ${at}` })))
      const { paper_id } = await db.selectFrom('search_pending').innerJoin('project_paper', 'project_paper.id', 'item_id')
        .select('paper_id').where('search_pending.project_id', '=', project).orderBy('search_pending.id').limit(1).executeTakeFirstOrThrow()
      await db.transaction().execute(async transaction => {
        await transaction.updateTable('paper').set({ title: 'Gamma changed' }).where('id', '=', paper_id).execute()
        await indexPending(storage, project)
        t.equal(await count(db, 'search_pending', project), 1)
      })
      await indexPending(storage, project)
      t.equal(await count(db, 'search_pending', project), 0)
    }
  )

  t.test('is built in batches of bounded size, and is complete', async t => {
    const abstract = 'Omega words. '.repeat(5000)
    const project = await projectWith(user, Array.from({ length: 90 }, (_, at) => ({ title: `Long ${at}`, abstract })))
    const batches: number[] = []
    await indexPending({
      ...storage,
      async readPending (projectId, limit) {
        const pending = await storage.readPending(projectId, limit)
        if (pending.changes.length > 0) batches.push(pending.documents.reduce((sum, { abstract }) => sum + abstract!.length, 0))
        return pending
      }
    }, project)
    t.ok(batches.length >= 2 && batches.every(characters => characters <= 1_500_000), batches.join(', '))
    t.equal(await count(db, 'search_pending', project), 0)
    t.equal((await feedSearch.run(context, { project_id: project, q: 'omega', limit: 100 })).items.length, 90)
  })

  t.test('is built in smaller batches from texts that take longer', async t => {
    for (const abstract of ['脑电图'.repeat(5000), '$x_{1}$ and '.repeat(2000)]) {
      const project = await projectWith(user, Array.from({ length: 30 }, (_, at) => ({ title: `Slow ${at}`, abstract })))
      const batches: number[] = []
      await indexPending({
        ...storage,
        async readPending (projectId, limit) {
          const pending = await storage.readPending(projectId, limit)
          if (pending.changes.length > 0) batches.push(pending.documents.length)
          return pending
        }
      }, project)
      t.ok(batches.length >= 3 && batches.every(documents => documents <= 12), batches.join(', '))
      t.equal(await count(db, 'search_pending', project), 0)
    }
  })

  t.test('is built while no transaction holds its lock', async t => {
    const project = await projectWith(user, Array.from({ length: 30 }, (_each, at) => ({ title: `Unlocked ${at}` })))
    const locks: number[] = []
    const { run } = WorkerPool.prototype
    t.intercept(WorkerPool.prototype, 'run', {
      configurable: true,
      // On the embedded database, a statement beside an open transaction would wait for it.
      async value (this: WorkerPool<unknown, unknown>, ...task: Parameters<typeof run>) {
        const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and datname = current_database()`.execute(db)
        locks.push(rows.length)
        return await run.apply(this, task)
      }
    })
    await indexPending(storage, project)
    t.strictSame(locks, [0])
    t.equal((await titles(project, 'unlocked')).length, 30)
  })

  t.test('is not given a batch of changes that another process has indexed meanwhile', async t => {
    const project = await projectWith(user, [{ title: 'Raced once' }, { title: 'Raced twice' }])
    const limit = { changes: 500, characters: 1_500_000 }
    const batchOf = async (pending: PendingChanges): Promise<IndexedBatch> =>
      ({
        pending,
        segment: await buildOffThread(pending.documents, pending.formerNumbers),
        settledIds: pending.changes.map(({ id }) => id)
      })
    const one = await batchOf(await storage.readPending(project, limit))
    const other = await batchOf(await storage.readPending(project, limit))
    t.equal(await storage.storeBatch(project, other), true)
    t.equal(await storage.storeBatch(project, one), false)
    t.equal(await count(db, 'search_segment', project), 1)
    t.strictSame((await titles(project, 'raced')).sort(), ['Raced once', 'Raced twice'])

    await addPapers(context, project, [{ title: 'Raced with lower numbers' }])
    const early = await batchOf(await storage.readPending(project, limit))
    await addPapers(context, project, [{ title: 'Raced with higher numbers' }])
    const late = await storage.readPending(project, limit)
    const [change] = late.changes.slice(1)
    const withoutEarly = { ...late, changes: [change!], documents: late.documents.filter(({ itemId }) => itemId === change!.itemId) }
    t.equal(await storage.storeBatch(project, await batchOf(withoutEarly)), true)
    t.equal(await storage.storeBatch(project, early), false, 'numbers rise from segment to segment')
    t.equal((await titles(project, 'raced')).length, 4)
    t.equal(await count(db, 'search_pending', project), 0)
  })

  t.test('is built once for searches that come at the same time', async t => {
    const project = await projectWith(user, [{ title: 'Sought by many' }])
    let stored = 0
    const counted: SearchStorage = {
      ...storage,
      async storeBatch (...batch) {
        stored++
        return await storage.storeBatch(...batch)
      }
    }
    await Promise.all(Array.from({ length: 5 }, () => indexPending(counted, project)))
    t.equal(stored, 1)
  })

  t.test('is not given a batch of a project that is deleted meanwhile', async t => {
    const project = await projectWith(user, [{ title: 'Deleted while it is built' }])
    const pending = await storage.readPending(project, { changes: 500, characters: 1_500_000 })
    await db.updateTable('project').set({ account_id: null, deleted_account_id: context.account.id }).where('id', '=', project).execute()
    const batch = { pending, segment: await buildOffThread(pending.documents, pending.formerNumbers), settledIds: [] }
    t.equal(await storage.storeBatch(project, batch), false)
    t.equal(await count(db, 'search_document', project), 0)
  })

  t.test('is given batches of papers that have some megabytes together, whatever their words', async t => {
    const project = await projectWith(user, Array.from({ length: 10 }, (_each, at) => ({ title: `Weighty ${at}` })))
    await sql`update paper set bytes = 1e6 where id in (select paper_id from project_paper where project_id = ${project})`.execute(db)
    const { changes, hasMore } = await storage.readPending(project, { changes: 500, characters: 1_500_000 })
    t.strictSame([changes.length, hasMore], [3, true])
    const [first] = (await storage.readPending(project, { changes: 500, characters: 10 })).changes
    t.strictSame(first, changes[0], 'at least one')
    t.equal((await titles(project, 'weighty')).length, 10)
  })

  t.test('is unaffected by scores and votes', async t => {
    const project = await projectWith(user, [{ title: 'Scored again' }])
    await titles(project, 'scored')
    await sql`update project_paper set relevance_score = 0.9, relevance_class = 'must_read', vote = 'star', voted_at = now(),
      personalized_note = 'x' where project_id = ${project}`.execute(db)
    t.equal(await count(db, 'search_pending', project), 0)
    t.equal(
      (await feedSearch.run(context, { project_id: project, q: 'scored', must_read: true, feedback_filter: 'starred' })).items.length,
      1
    )
  })

  t.test('is deleted completely with the project', async t => {
    const project = await projectWith(user, [{ title: 'Going' }, { title: 'Gone' }])
    await titles(project, 'going')
    await addPapers(context, project, [{ title: 'Not taken in' }])
    await projectDelete.run(context, { project_id: project })
    for (const table of ['search_segment', 'search_document', 'search_pending'] as const) {
      t.equal(await count(db, table, project), 0, table)
    }
    const { rows } = await sql`select from search_block where segment_id not in (select id from search_segment)`.execute(db)
    t.equal(rows.length, 0)
  })

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
    t.ok(await count(db, 'search_segment', project) < 20, 'small segments are folded as they come')
    await compact(storage, project)
    t.ok(await count(db, 'search_segment', project) <= 5)
    const after = await feedSearch.run(context, { project_id: project, q: 'paper many', limit: 50 })
    t.strictSame(after.items.map(({ id }) => id), before.items.map(({ id }) => id))
    t.equal((await titles(project, 'renamed')).length, 10)
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

  t.test('is not read again while it stays the same, and changes are found at once', async t => {
    const projectId = await projectWith(user, [{ title: 'Early zeta' }])
    await titles(projectId, 'zeta')
    await addPapers(context, projectId, [{ title: 'Later zeta' }])
    let reads = 0
    const counted = { ...storage, readIndex: async (feed: FeedScope) => { reads++; return await storage.readIndex(feed) } }
    const feed = { accountId: context.account.id, projectId }
    const search = async (scope = feed) => {
      const page = await searchItems(counted, scope, { terms: ['zeta'] }, { limit: 10, offset: 0 }, async (ids, index) =>
        await listItems(db, scope.accountId, ids, { index }))
      return page?.found.map(({ title }) => title).sort()
    }
    const searchStable = async () => {
      for (let at = 0; at < 3; at++) await search()
      reads = 0
      const found = await search()
      t.equal(reads, 0)
      return found
    }
    t.strictSame(await searchStable(), ['Early zeta', 'Later zeta'])
    await addPapers(context, projectId, [{ title: 'New zeta' }])
    t.strictSame(await search(), ['Early zeta', 'Later zeta', 'New zeta'])
    t.ok(reads > 0)
    await searchStable()
    await db.deleteFrom('project_paper').where('id', '=', (await items(projectId))[0]!.id).execute()
    t.strictSame(await search(), ['Early zeta', 'Later zeta'])
    await searchStable()
    await compact(storage, projectId)
    evictReplaced(projectId, [])
    t.strictSame(await search(), ['Early zeta', 'Later zeta'], 'after compaction')
    await searchStable()
    t.equal(await search({ ...feed, accountId: (await service.user()).context.account.id }), undefined)
    await projectDelete.run(context, { project_id: projectId })
    t.equal(await search(), undefined)
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

  t.test('ranks once for the pages of a query, until a paper changes', async t => {
    const projectId = await projectWith(user, Array.from({ length: 30 }, (_each, at) => ({ title: `Spindles of sleep and memory ${at}` })))
    const read: string[][] = []
    const counted = {
      ...storage,
      readTexts: async (scope: FeedScope, ids: readonly string[]) => {
        read.push([...ids])
        return await storage.readTexts(scope, ids)
      }
    }
    const page = async (offset: number) => {
      const query = { terms: ['spindles', 'sleep', 'memory'] }
      return await searchFeed(counted, { accountId: context.account.id, projectId }, query, { limit: 10, offset })
    }
    const pages = [await page(0), await page(10), await page(20)]
    t.equal(new Set(pages.flatMap(each => each!.items.map(({ id }) => id))).size, 30)
    t.equal(read.length, 1)
    await addPapers(context, projectId, [{ title: 'Spindles, sleep and memory' }])
    t.equal((await page(30))!.items.length, 1)
    t.equal(read.length, 2)
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

  t.test('is built from existing items', async t => {
    const project = await projectWith(user, [{ title: 'Old paper' }])
    await sql`truncate search_segment, search_block, search_document, search_pending`.execute(db)
    await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
    await indexAllPending(storage)
    t.equal(await count(db, 'search_pending'), 0)
    t.strictSame(await titles(project, 'old'), ['Old paper'])
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

const feed = { accountId: 'account', projectId: 'project' }
/** A feed in which this many items are in every group. */
const storageOf = (count: number) => ({
  listNumbers: async (_feed: unknown, _group: unknown, limit: number) =>
    count > limit ? undefined : Uint32Array.from({ length: count }, (_each, at) => at)
}) as unknown as SearchStorage

t.test('lists a small group, and filters results by a large one', async t => {
  const asOf = new Date()
  for (const seen of [true, false]) {
    const filter = { seen, must_read: true, feedback: 'unrated', asOf } as const
    const { filters, unlisted } = await readFilters(storageOf(2000), feed, filter, 2000)
    t.match(filters, [{ keep: false }, { keep: seen }, { keep: true }])
    t.strictSame(unlisted, [])
    const large = await readFilters(storageOf(2001), feed, filter, 2000)
    t.strictSame(large, {
      filters: [],
      unlisted: [
        { group: 'rated', keep: false, asOf },
        { group: 'seen', keep: seen, asOf: seen ? undefined : asOf },
        { group: 'must_read', keep: true }
      ]
    })
  }
})

t.test('the lists of all groups are arrays of bytes, which neither the event loop nor a message to a thread takes apart', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, Array.from({ length: 300 }, (_each, at) => ({ title: `Sleep ${at}` })))
  const scope = { accountId: owner.context.account.id, projectId }
  await db.updateTable('project_paper')
    .set({ vote: 'upvote', voted_at: new Date(), saved: true, tags: ['sleep'], tag_keys: ['sleep'], links: 1, seen_at: new Date() })
    .execute()
  await feedSearch.run(owner.context, { project_id: projectId, q: 'sleep' })
  const expected = (await db.selectFrom('search_document').select('number').orderBy('number').execute()).map(({ number }) => number)
  t.equal(expected.length, 300)
  const filters = [
    { feedback: 'liked' },
    { feedback: 'unrated' },
    { saved: true },
    { tagKey: 'sleep' },
    { link: 'followed' },
    { seen: true }
  ] as const
  for (const filter of filters) {
    const { filters: [list] } = await readFilters(searchStorage(db), scope, filter, 300)
    t.type(list!.numbers, Uint32Array, JSON.stringify(filter))
    t.strictSame([...list!.numbers].sort((a, b) => a - b), expected)
  }
  const stranger = (await user()).context.account.id
  const { filters: [none] } = await readFilters(searchStorage(db), { ...scope, accountId: stranger }, { saved: true }, 300)
  t.equal(none!.numbers.length, 0)
  t.equal((await readFilters(searchStorage(db), scope, { feedback: 'starred' }, 300)).filters[0]!.numbers.length, 0)
  t.equal((await readFilters(searchStorage(db), scope, { must_read: true }, 300)).filters[0]!.numbers.length, 0)
})

t.test('a search of a whole feed makes ids when they are read, and filters thousands of items per statement', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const { context } = owner
  const projectId = await projectWith(owner, [], { sources: [] })
  const [full, partial] = [2100, 2050]
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${context.account.id}, 'paper', case when n <= ${full}::integer then 'Sleep memory ' else 'Sleep ' end || n,
        '[]', 'json-lines', '{}', n::text
      from generate_series(1, ${full + partial}::integer) n returning id, title_key
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${projectId}, id, 0.5, 'related', timestamptz '2026-01-01' + title_key::integer * interval '1 minute' from papers`.execute(db)
  const scope = { accountId: context.account.id, projectId }
  const filtered: number[] = []
  const storage = searchStorage(db)
  const counted: SearchStorage = {
    ...storage,
    async filterItems (feed, ids, filter) {
      filtered.push(ids.length)
      return await storage.filterItems(feed, ids, filter)
    }
  }
  const search = async (query: object) => await searchWholeFeed(counted, scope, { terms: ['sleep', 'memory'], ...query })
  const all = (await search({}))!
  t.equal(all.length, full)
  const paged = async (query: object, limit: number) =>
    (await searchFeed(storage, scope, { terms: ['sleep', 'memory'], ...query }, { limit, offset: 0 }))!.items.map(({ id }) => id)
  t.strictSame([...all.slice(0, 3), ...all.slice(3)], await paged({}, full))
  t.strictSame(all.slice(full - 1, full + 10), (await paged({}, full)).slice(-1), 'none with some of the terms')
  t.strictSame(filtered, [], 'the index alone answers')

  const since = { since: new Date('2026-01-01') }
  t.strictSame((await search(since))!.slice(), await paged(since, full))
  t.strictSame(filtered, [2000, 100])
  const late = { since: new Date(Date.parse('2026-01-01') + full * minuteMs + 1) }
  const rest = (await search(late))!
  t.equal(rest.length, partial)
  t.strictSame(rest.slice(), await paged(late, partial), 'those with some of the terms if none has all')
  t.strictSame(filtered.slice(2), [2000, 100, 2000, 50])
  t.equal((await search({ since: new Date('2030-01-01') }))!.length, 0)
  t.equal((await searchWholeFeed(storage, scope, { terms: ['kangaroo'] }))!.length, 0)
  t.equal((await searchWholeFeed(storage, scope, { terms: ['kangaroo', 'memory'] }))!.length, full, 'none has all')
  t.equal(await searchWholeFeed(storage, { ...scope, projectId: scope.accountId }, { terms: ['sleep'] }), undefined)
})

t.test('a search in a large group finds all of its items, also where few of the best matches are in it', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, [], { sources: [] })
  // The worst 2,010 matches are in the groups.
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${owner.context.account.id}, 'paper', case when n <= 6000 then 'Sleep' else repeat('Other ', 9) || 'sleep' end || ' ' || n,
        '[]', 'json-lines', '{}', n::text
      from generate_series(1, 8010) n returning id, title_key
    )
    insert into project_paper
      (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at, seen_at, saved, tags, tag_keys, links)
    select ${projectId}, id, 0.5, 'related', timestamptz '2026-01-01' + title_key::integer * interval '1 minute',
      case when title_key::integer > 6000 then 'upvote' end, case when title_key::integer > 6000 then now() end,
      case when title_key::integer > 6000 then now() end, title_key::integer > 6000,
      case when title_key::integer > 6000 then '{sleep}'::text[] else '{}' end,
      case when title_key::integer > 6000 then '{sleep}'::text[] else '{}' end, case when title_key::integer > 6000 then 1 else 0 end
    from papers`.execute(db)
  const scope = { accountId: owner.context.account.id, projectId }
  const lists: number[] = []
  const storage: SearchStorage = {
    ...searchStorage(db),
    async listNumbers (feed, group, limit) {
      const numbers = await searchStorage(db).listNumbers(feed, group, limit)
      lists.push(numbers?.length ?? NaN)
      return numbers
    }
  }
  const search = async (query: object) =>
    await searchFeed(storage, scope, { terms: ['sleep'], ...query }, { limit: 2000, offset: 0 })
  const isInGroup = async ({ items }: { items: Array<{ id: string }> }) => {
    const rows = await db.selectFrom('project_paper').select('vote').where('id', 'in', items.map(({ id }) => id)).execute()
    return rows.every(({ vote }) => vote !== null)
  }
  for (const filter of [{ feedback: 'liked' }, { seen: true }, { saved: true }, { tagKey: 'sleep' }, { link: 'followed' }]) {
    const found = (await search(filter))!
    t.strictSame([found.items.length, found.hasMore, await isInGroup(found)], [2000, true, true], JSON.stringify(filter))
    t.strictSame(lists.splice(0), [NaN, 2010], 'listed only after the best matches did not fill the page')
  }
  const unrated = (await search({ feedback: 'unrated' }))!
  t.strictSame([unrated.items.length, await isInGroup(unrated)], [2000, false])
  t.strictSame(lists, [NaN])
})

t.test('results are filtered by whether they were seen, also by an earlier time', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, ['Early', 'Late', 'Never'].map(title => ({ title })))
  const { items } = await feedGet.run(owner.context, { project_id: projectId })
  const idOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.id
  for (const [title, seen_at] of [['Early', new Date('2026-11-01')], ['Late', new Date('2026-11-03')]] as const) {
    await db.updateTable('project_paper').set({ seen_at }).where('id', '=', idOf(title)).execute()
  }
  const passing = async (filter: object) => {
    const ids = await searchStorage(db).filterItems({ accountId: owner.context.account.id, projectId }, items.map(({ id }) => id), filter)
    return items.filter(({ id }) => ids.includes(id)).map(({ paper_title }) => paper_title).sort()
  }
  const seen = (keep: boolean, asOf?: Date) => ({ groups: [{ group: 'seen', keep, asOf }] })
  t.strictSame(await passing(seen(true)), ['Early', 'Late'])
  t.strictSame(await passing(seen(false)), ['Never'])
  t.strictSame(await passing(seen(false, new Date('2026-11-02'))), ['Late', 'Never'])
})
