import { sql } from 'kysely'
import t from 'tap'
import type { Db } from '../../db/connection.js'
import { namedConsumer } from '../../db/queries/briefs.js'
import { deleteUnusedBriefs } from '../../db/queries/unused-briefs.js'
import { type SavedBrief, saveNextBrief } from '../support/briefs.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainDeletes, explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

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
