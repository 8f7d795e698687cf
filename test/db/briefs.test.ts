import fc from 'fast-check'
import { sql } from 'kysely'
import t from 'tap'
import { connect, type Db } from '../../db/connection.js'
import { namedConsumer } from '../../db/queries/briefs.js'
import { setFeedback } from '../../db/queries/votes.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { replaceScores } from '../../db/queries/relevance.js'
import { deleteUnusedBriefs } from '../../db/queries/unused-briefs.js'
import { retryConflicts } from '../../db/queries/retry.js'
import { type SavedBrief, saveNextBrief } from '../support/briefs.js'
import { connectionTimeoutMs } from '../support/database.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainDeletes, explainSelects } from '../support/plans.js'
import { addPapers, projectWith, testService, type TestService, type TestUser } from '../support/service.js'

const consumers = ['agent', 'digest', 'notebook'] as const
type Consumer = typeof consumers[number]

const consumer = fc.constantFrom(...consumers)
const nth = fc.nat({ max: 1000 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('arrive' as const), papers: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('read' as const), consumer, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), consumer, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('acknowledge again' as const), consumer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rescore' as const), nth, score: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('vote' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave and return' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), nth, other: nth }) }
)
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

t.test('every item reaches every consumer until acknowledged', async t => {
  const service = await testService(t)
  const { settings: { databaseUrl, dataDir }, context: { installation } } = service
  const secondProcess =
    installation.databaseKind === 'postgresql'
      ? await connect({ databaseUrl, dataDir, name: 'second process', share: false, connectionTimeoutMs })
      : undefined
  if (secondProcess !== undefined) t.teardown(() => secondProcess.close())
  const databases = [service.context.db, secondProcess?.db ?? service.context.db]
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 16, maxLength: 28 }), async rounds => {
      const trial = await beginTrial(service, databases)
      for (const steps of rounds) {
        count += steps.length
        // The steps of a round run at the same time.
        await Promise.all(steps.map(each => trial.run(each)))
      }
      await trial.drain()
      const { delivered, feed } = await trial.state()
      for (const name of consumers) {
        for (const paper of feed) if (!delivered[name].has(paper)) throw new Error(`${name} was not delivered ${paper}`)
      }
    }),
    { numRuns: 30, endOnFailure: true }
  )
  t.ok(count >= 1000, `${count} steps`)
})

/** One user with one project; every read is held against what its consumer had acknowledged before it began. */
async function beginTrial (service: TestService, databases: Array<TestService['context']['db']>) {
  const user: TestUser = await service.user()
  const accountId = user.context.account.id
  const projectId = await projectWith(user, [{ title: 'First paper' }])
  const db = databases[0]!
  const delivered: Record<Consumer, Set<string>> = { agent: new Set(), digest: new Set(), notebook: new Set() }
  const acknowledged: Record<Consumer, Set<string>> = { agent: new Set(), digest: new Set(), notebook: new Set() }
  const open: Partial<Record<Consumer, { id: string, papers: string[] }>> = {}
  const last: Partial<Record<Consumer, string>> = {}
  const reading = new Map<Consumer, Promise<unknown>>()
  const mergedInto = new Map<string, string>()
  const canonical = (id: string): string => mergedInto.has(id) ? canonical(mergedInto.get(id)!) : id
  let papers = 0
  let turn = 0

  const items = () =>
    db
      .selectFrom('project_paper')
      .select(['id', 'paper_id', 'summary', 'relevance_class', 'ready_at'])
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute()
  const pick = async (nth: number) => {
    const all = await items()
    return all[nth % Math.max(all.length, 1)]
  }

  const next = async (name: Consumer, limit: number, acknowledge?: { id: string, papers: string[] }) => {
    // A merge that ends during the read may come after it.
    const acknowledgedIds = new Set([...acknowledged[name], ...(acknowledge?.papers ?? [])].map(canonical))
    const brief = await saveNextBrief(
      databases[turn++ % databases.length]!,
      accountId,
      { consumer: name, projectIds: [projectId] },
      { acknowledge: acknowledge?.id, limit, now: new Date() },
      // So few that a call takes several steps.
      { items: 3, itemsOfFeed: 1 }
    )
    if (typeof brief === 'string' || Array.isArray(brief)) throw new Error(String(brief))
    if (acknowledge !== undefined) {
      for (const paper of acknowledge.papers) acknowledged[name].add(paper)
      last[name] = acknowledge.id
    }
    for (const { id } of brief.items) {
      if (acknowledgedIds.has(id)) throw new Error(`${name} was delivered ${id} again`)
      delivered[name].add(id)
    }
    open[name] = { id: brief.id, papers: brief.items.map(({ id }) => id) }
    return brief
  }
  /** A consumer makes one call after another. */
  const inOrder = async (name: Consumer, call: () => Promise<unknown>) => {
    const done = (reading.get(name) ?? Promise.resolve()).then(call)
    reading.set(name, done.catch(() => {}))
    await done
  }

  const actions: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => Promise<unknown> } = {
    arrive: async ({ papers: number }) =>
      await addPapers(
        user.context,
        projectId,
        Array.from({ length: number }, () => ({ title: `Paper ${++papers}` }))
      ),
    // An answer that is lost on its way is never acknowledged.
    read: async ({ consumer: name, limit }) => await inOrder(name, async () => await next(name, limit)),
    acknowledge: async ({ consumer: name, limit }) => await inOrder(name, async () => await next(name, limit, open[name])),
    'acknowledge again': async ({ consumer: name }) => await inOrder(name, async () => {
      if (last[name] !== undefined) await next(name, 1, { id: last[name], papers: [] })
    }),
    rescore: async ({ nth: position, score }) => {
      const item = await pick(position)
      if (item !== undefined) {
        await replaceScores(db, accountId, projectId, [
          {
            id: item.id,
            relevance_score: score,
            relevance_class: 'related',
            matching_details: {},
            personalized_note: null
          } as unknown as Parameters<typeof replaceScores>[3][number]
        ])
      }
    },
    vote: async ({ nth: position }) => {
      const item = await pick(position)
      const vote = { vote: 'star' as const, downvote_reason: null, updated_at: new Date().toISOString() }
      if (item !== undefined) await setFeedback(db, accountId, item.id, vote, { at: new Date(), latest: new Date() }).catch(() => {})
    },
    'leave and return': async ({ nth: position }) => {
      const item = await pick(position)
      if (item === undefined) return
      await db.updateTable('project_paper').set({ origin: 'fetch' }).where('id', '=', item.id).execute()
      if ((await demoteItems(db, accountId, projectId, [item.id], new Date())) === 0) return
      await promoteCandidates(db, accountId, projectId, [
        {
          project_id: projectId,
          paper_id: item.paper_id,
          summary: null,
          relevance_score: 0.5,
          relevance_class: 'related',
          ready_at: new Date()
        }
      ]).catch(() => {})
    },
    delete: async ({ nth: position }) => {
      const item = await pick(position)
      if (item !== undefined) await db.deleteFrom('project_paper').where('id', '=', item.id).execute()
    },
    merge: async ({ nth: position, other }) => {
      const [kept, duplicate] = [await pick(position), await pick(other)]
      if (kept === undefined || duplicate === undefined || kept.paper_id === duplicate.paper_id) return
      const merged = await retryConflicts(() =>
        db.transaction().execute(async transaction => {
          const both = await transaction
            .selectFrom('paper')
            .select('id')
            .where('id', 'in', [kept.paper_id, duplicate.paper_id])
            .orderBy('id')
            .forUpdate()
            .execute()
          if (both.length === 2) await mergePapers(transaction, kept.paper_id, duplicate.paper_id)
          return both.length === 2
        })
      )
      if (merged) mergedInto.set(duplicate.paper_id, kept.paper_id)
    }
  }

  return {
    run: async (each: Step) => { await (actions[each.kind] as (step: Step) => Promise<unknown>)(each) },
    /** Reads and acknowledges until nothing remains. */
    drain: async () => {
      for (const name of consumers) while ((await next(name, 5, open[name])).items.length > 0);
    },
    state: async () => ({
      feed: (await items()).map(({ paper_id }) => paper_id),
      delivered: Object.fromEntries(consumers.map(name => [name, new Set([...delivered[name]].map(canonical))])) as typeof delivered
    })
  }
}

t.test('a paper that is merged while a brief is read is delivered', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [])
  await addPapers(user.context, project_id, [{ title: 'The best one' }, { title: 'The same work' }])
  const request = { limit: 1, now: new Date() }
  const reader = (name: string) => ({ consumer: namedConsumer(name), projectIds: [project_id] })
  const { items: [best] } = await saveNextBrief(db, account.id, reader('other'), request) as SavedBrief
  const papers = await db.selectFrom('paper').select(['id', 'title']).execute()
  const duplicate = papers.find(({ title }) => title === best!.title)!
  const kept = papers.find(paper => paper !== duplicate)!
  const merging = mergingOnce(db, kept.id, duplicate.id)
  const brief = await saveNextBrief(merging, account.id, reader('agent'), request) as SavedBrief
  t.strictSame(brief.items.map(({ title }) => title), [kept.title])
  t.match(await saveNextBrief(db, account.id, reader('agent'), { ...request, acknowledge: brief.id }), { items: { length: 0 } })
})

t.test('a paper that becomes an acknowledged one while a brief is read is not delivered again', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [{ title: 'Acknowledged' }])
  const request = { limit: 1, now: new Date() }
  const reader = { consumer: namedConsumer('agent'), projectIds: [project_id] }
  const { id: acknowledge, items: [kept] } = await saveNextBrief(db, account.id, reader, request) as SavedBrief
  t.match(await saveNextBrief(db, account.id, reader, { ...request, acknowledge }), { items: { length: 0 } })
  await addPapers(user.context, project_id, [{ title: 'The same work' }])
  const duplicate = await db.selectFrom('project_paper').select(['id', 'paper_id']).where('paper_id', '<>', kept!.id)
    .executeTakeFirstOrThrow()
  // Of two items, the one with a vote remains.
  const vote = { vote: 'star' as const, downvote_reason: null, updated_at: new Date().toISOString() }
  await setFeedback(db, account.id, duplicate.id, vote, { at: new Date(), latest: new Date() })
  const merging = mergingOnce(db, kept!.id, duplicate.paper_id)
  t.match(await saveNextBrief(merging, account.id, reader, request), { items: { length: 0 } })
  t.match(await db.selectFrom('project_paper').select(['id', 'paper_id']).execute(), [{ id: duplicate.id, paper_id: kept!.id }])
})

/** Merges two papers after the transaction that chose a brief. */
function mergingOnce (db: Db, keptId: string, duplicateId: string): Db {
  let isMerged = false
  return new Proxy(db, {
    get (target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (typeof value !== 'function') return value
      if (name !== 'transaction') return value.bind(target) as unknown
      return () => ({
        execute: async <T>(run: (transaction: Db) => Promise<T>) => {
          const result = await target.transaction().execute(run)
          if (!isMerged && Object.hasOwn(result as object, 'remaining')) {
            isMerged = true
            await target.transaction().execute(async transaction => { await mergePapers(transaction, keptId, duplicateId) })
          }
          return result
        }
      })
    }
  })
}

t.test('changes in many feeds move the positions of other consumers a few feeds at a time', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const projectIds: string[] = []
  for (let project = 0; project < 31; project++) projectIds.push(await projectWith(user, [{ title: `Paper ${project}` }]))
  const read = async (name: string) =>
    await saveNextBrief(db, account.id, { consumer: namedConsumer(name), projectIds }, { limit: 40, now: new Date() }) as SavedBrief
  await read('other')
  const { reader } = await db.selectFrom('brief_position').select('reader').distinct().executeTakeFirstOrThrow()
  await db.updateTable('project_paper').set({ relevance_score: 0.99 }).execute()
  t.match(await read('agent'), { items: { length: 31 } })
  const { rows } = await sql<{ feeds: number }>`
    select count(*)::integer as feeds from brief_position where reader = ${reader} and relevance_score = 0.99::float8
    group by xmin::text order by feeds`.execute(db)
  t.strictSame(rows.map(({ feeds }) => feeds), [1, 15, 15])
})

t.test('a brief of very many feeds has their best items, and a statement reads some of the feeds', async t => {
  const service = await testService(t)
  const { context: { db, account } } = await service.user()
  await sql`
    with numbered as (${numberedPapers(account.id, 30)}), created as (
      insert into project (account_id, name) select ${account.id}, 'Project ' || n from generate_series(1, 200) n returning id
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select created.id, numbered.id, round(random()::numeric, 2)::float8, 'related', now() from numbered, created`.execute(db)
  const projects = await db.selectFrom('project').select('id').where('account_id', '=', account.id).execute()
  const reader = { consumer: namedConsumer('agent'), projectIds: projects.map(({ id }) => id) }
  const listed = await db.selectFrom('project_paper').select('id').where('project_id', 'in', reader.projectIds)
    .orderBy('relevance_score', 'desc').orderBy('ready_at', 'desc').orderBy('id').execute()
  const read = async (database: Db, acknowledge?: string) =>
    await saveNextBrief(database, account.id, reader, { limit: 100, acknowledge, now: new Date() }) as SavedBrief
  let first: SavedBrief
  const statements = await explainSelects(db, async recorded => { first = await read(recorded) })
  t.strictSame(first!.items.map(item => item.item_id), listed.slice(0, 100).map(({ id }) => id))
  t.equal(first!.remaining, 5900)
  const second = await read(db, first!.id)
  t.strictSame(second.items.map(item => item.item_id), listed.slice(100, 200).map(({ id }) => id))
  const scans = statements.filter(({ sql }) => sql.includes('as is_found'))
  t.equal(scans.length, 5, 'statements that read 40 feeds each')
})

t.test('what a consumer has acknowledged of a large feed is passed in several transactions', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const projectId = await projectWith(user, [])
  const papers = 480
  const steps = { items: 100, itemsOfFeed: 100 }
  await sql`
    with numbered as (${numberedPapers(account.id, papers)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${projectId}, id, 1 - n / ${papers}::float8, 'related', now() from numbered`.execute(db)
  const reader = { consumer: namedConsumer('agent'), projectIds: [projectId] }
  const read = async (limit: number, acknowledge?: string) => {
    const counted = countingTransactions(db)
    const brief = await saveNextBrief(counted.db, account.id, reader, { limit, acknowledge, now: new Date() }, steps) as SavedBrief
    return { ...brief, titles: brief.items.map(({ title }) => title), transactions: counted.count() }
  }
  const all = await read(papers)
  t.match(await read(1, all.id), { titles: { length: 0 }, remaining: 0 }, 'all are acknowledged')
  // Makes the first, middle and last outstanding again, and the count unknown.
  await sql`
    delete from brief_item where paper_id in (select id from paper where title in ('Paper 1', 'Paper 240', 'Paper 480'))`.execute(db)
  const brief = await read(2)
  t.match(brief, { titles: ['Paper 1', 'Paper 240'], remaining: 1 })
  t.ok(brief.transactions > 4, `${brief.transactions} transactions`)
  t.match(await read(2, brief.id), { titles: ['Paper 480'], remaining: 0 })
})

t.test('calls of one consumer at the same time count what it has acknowledged together', { timeout: 60_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const projectId = await projectWith(user, [])
  await sql`
    with numbered as (${numberedPapers(account.id, 400)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${projectId}, id, 1 - n / 400::float8, 'related', now() from numbered`.execute(db)
  const reader = { consumer: namedConsumer('agent'), projectIds: [projectId] }
  const read = async (limit: number, acknowledge?: string) => {
    const request = { limit, acknowledge, now: new Date() }
    return await saveNextBrief(db, account.id, reader, request, { items: 20, itemsOfFeed: 20 }) as SavedBrief
  }
  await read(1, (await read(300)).id)
  await sql`delete from brief_item where paper_id in (select id from paper where title = 'Paper 1')`.execute(db)
  const briefs = await Promise.all([1, 2, 3].map(limit => read(limit)))
  t.strictSame(briefs.map(({ items, remaining }) => items.length + remaining), [101, 101, 101])
})

/** Counts the transactions of a database. */
function countingTransactions (db: Db): { db: Db, count: () => number } {
  let transactions = 0
  const counting = new Proxy(db, {
    get (target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (name === 'transaction') transactions++
      return typeof value === 'function' ? value.bind(target) as unknown : value
    }
  })
  return { db: counting, count: () => transactions }
}

t.test('maintenance deletes the briefs of any number of unused consumers, and positions without acknowledgements', async t => {
  const service = await testService(t)
  const { context: { db, account } } = await service.user()
  const [old, recent] = [new Date('2025-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')]
  await db.insertInto('brief').values([
    ...Array.from({ length: 1100 }, (_each, at) => ({ account_id: account.id, consumer: namedConsumer(`${at}`), created_at: old })),
    { account_id: account.id, consumer: namedConsumer('5'), created_at: recent }
  ]).execute()
  await saveNextBrief(db, account.id, { consumer: namedConsumer('5'), projectIds: [] }, { limit: 1, now: recent })
  const before = { emptyBefore: new Date('2024-01-01T00:00:00Z'), consumersBefore: new Date('2026-01-01T00:00:00Z') }
  await deleteUnusedBriefs(db, before)
  const consumers = async () => (await db.selectFrom('brief').select(['consumer', 'created_at']).orderBy('created_at').execute())
  t.strictSame(await consumers(), [old, recent].map(created_at => ({ consumer: namedConsumer('5'), created_at })))
  await deleteUnusedBriefs(db, { ...before, emptyBefore: before.consumersBefore })
  t.strictSame(await consumers(), [{ consumer: namedConsumer('5'), created_at: recent }])
  t.strictSame(await db.selectFrom('brief_position').selectAll().execute(), [])
})

t.test('a call deletes few of the briefs that were not acknowledged, and reads none that were', async t => {
  const user = await (await testService(t)).user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [{ title: 'A paper' }])
  const consumer = namedConsumer('forgetful')
  await sql`insert into brief (account_id, consumer, created_at, acknowledged_at)
    select ${account.id}::uuid, ${consumer}, timestamptz '2026-01-01' + n * 7919 % 3000 * interval '1 minute',
      case when n % 100 > 0 then timestamptz '2026-02-01' end
    from generate_series(1, 4000) n`.execute(db)
  const listOpen = async () => (await db.selectFrom('brief').select('id').where('acknowledged_at', 'is', null)
    .orderBy('created_at', 'desc').orderBy('id').execute()).map(({ id }) => id)
  const kept = (await listOpen()).slice(0, 19)
  const reader = { consumer, projectIds: [project_id] }
  const deleteOld = async () => {
    const next = async (recorded: Db) => await saveNextBrief(recorded, account.id, reader, { limit: 1, now: new Date() })
    return (await explainDeletes(db, next)).map(statement => statement.rows)
  }
  const rows = await deleteOld()
  t.equal((await listOpen()).length, 41 - 20, 'ten by the call, and ten by its explanation')
  await sql`vacuum analyze`.execute(db)
  rows.push(...await deleteOld())
  t.ok(rows.length >= 2 && Math.max(...rows) <= 30, `${rows.join(', ')} rows`)
  t.strictSame((await listOpen()).slice(1), kept)
})
