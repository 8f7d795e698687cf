import t from 'tap'
import { sql } from 'kysely'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { addCandidates, demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { listItems } from '../../db/queries/feed.js'
import { saveSummary } from '../../db/queries/summaries.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import type { FeedScope } from '../../schemas/search-filter.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { compact } from '../../src/search/compaction.js'
import { buildOffThread } from '../../src/search/indexer.js'
import { indexAllPending, indexPending } from '../../src/search/indexing.js'
import { countIndexRows } from '../support/index-rows.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { searchFeed, searchItems } from '../../src/search/search.js'
import { evictReplaced } from '../../src/search/segment-cache.js'
import type { IndexedBatch, PendingChanges, SearchStorage } from '../../src/search/storage.js'
import { WorkerPool } from '../../src/threads/worker-pool.js'

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
      t.equal(await countIndexRows(db, 'search_pending', other), 0)
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
        t.equal(await countIndexRows(db, 'search_pending', project), 1)
      })
      await indexPending(storage, project)
      t.equal(await countIndexRows(db, 'search_pending', project), 0)
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
    t.equal(await countIndexRows(db, 'search_pending', project), 0)
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
      t.equal(await countIndexRows(db, 'search_pending', project), 0)
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

  t.test('lets no search wait for long while many papers are indexed', async t => {
    const project = await projectWith(user, [{ title: 'Rebuilt' }])
    const { timeout } = AbortSignal
    t.intercept(AbortSignal, 'timeout', { configurable: true, value: () => timeout.call(AbortSignal, 500) })
    let finish = () => {}
    const blocked = new Promise<void>(resolve => { finish = resolve })
    const search = async (indexed?: Promise<void>) => await searchFeed({
      ...storage,
      async readPending (...args) {
        await indexed
        return await storage.readPending(...args)
      }
    }, { accountId: context.account.id, projectId: project }, { terms: ['rebuilt'] }, { limit: 1, offset: 0 })
    await t.rejects(search(blocked), { code: 'unavailable', retryAfter: 60, message: /^Papers are being indexed/ })
    finish()
    t.equal((await search())?.items.length, 1, 'indexing continued')
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
    t.equal(await countIndexRows(db, 'search_segment', project), 1)
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
    t.equal(await countIndexRows(db, 'search_pending', project), 0)
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
    t.equal(await countIndexRows(db, 'search_document', project), 0)
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
    t.equal(await countIndexRows(db, 'search_pending', project), 0)
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
      t.equal(await countIndexRows(db, table, project), 0, table)
    }
    const { rows } = await sql`select from search_block where segment_id not in (select id from search_segment)`.execute(db)
    t.equal(rows.length, 0)
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

  t.test('is built from existing items', async t => {
    const project = await projectWith(user, [{ title: 'Old paper' }])
    await sql`truncate search_segment, search_block, search_document, search_pending`.execute(db)
    await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
    await indexAllPending(storage)
    t.equal(await countIndexRows(db, 'search_pending'), 0)
    t.strictSame(await titles(project, 'old'), ['Old paper'])
  })
})
