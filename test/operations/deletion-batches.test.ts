import t, { type Test } from 'tap'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { sampleUnrated } from '../../db/queries/relevance.js'
import { abandonUpload, findUpload, uploadPartBytes, withdrawUpload } from '../../db/queries/uploads.js'
import { feedSeen } from '../../src/operations/feed/feed-seen.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { readUpload, storeUpload } from '../support/uploads.js'

/* The embedded database runs one transaction at a time, so a transaction that deletes or changes many rows holds up everyone. */

/** Counts the rows of a table that transactions delete or update. @returns a function that returns the counts, one of each transaction */
async function watchBatches (t: Test, db: Db, table: string, event: 'delete' | 'update' = 'delete'): Promise<() => Promise<number[]>> {
  const name = sql.table(`watched_${table}`)
  await sql`create table ${name} (at serial, transaction xid8 default pg_current_xact_id(), rows integer)`.execute(db)
  await sql`create function ${name} () returns trigger language plpgsql as $$
    begin insert into ${name} (rows) select count(*) from former; return null; end $$`.execute(db)
  await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)} referencing old table as former
    for each statement execute function ${name}()`.execute(db)
  t.teardown(async () => await sql`drop trigger ${name} on ${sql.table(table)}; drop function ${name}; drop table ${name}`.execute(db))
  return async () => (await sql<{ rows: number }>`
    with counted as (delete from ${name} where rows > 0 returning at, transaction, rows)
    select sum(rows)::integer as rows from counted group by transaction order by min(at)`.execute(db)).rows.map(({ rows }) => rows)
}

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_each, at) => ({ title: `Paper ${from + at}` }))

t.test('a project is deleted with its papers, some at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const other = await service.user()
  const project_id = await projectWith(user, numbered(450))
  const kept = await projectWith(user, numbered(10, 445))
  await projectWith(other, numbered(5))
  const deletions = await watchBatches(t, db, 'paper')
  await projectDelete.run(user.context, { project_id })
  const counts = await deletions()
  t.equal(counts.reduce((sum, count) => sum + count, 0), 445)
  t.ok(Math.max(...counts) <= 200, counts.join(' '))
  const rest = await db.selectFrom('paper').select(({ fn }) => fn.countAll<number>().as('papers')).where('account_id', 'is not', null)
    .executeTakeFirstOrThrow()
  t.equal(Number(rest.papers), 15, 'papers of the other project and of the other account')
  await projectDelete.run(user.context, { project_id: kept })
  t.strictSame(await deletions(), [10])
})

t.test('a PDF is deleted some parts at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const account_id = user.context.account.id
  await storeUpload(db, { account_id, paper_id, bytes: randomBytes(20 * uploadPartBytes) })
  const deletions = await watchBatches(t, db, 'pdf_part')
  const replacement = randomBytes(3 * uploadPartBytes)
  const { created_at } = await storeUpload(db, { account_id, paper_id, bytes: replacement })
  t.strictSame(await deletions(), [8, 8, 4], 'the upload that was replaced')
  t.ok((await readUpload(db, account_id, paper_id))!.equals(replacement))
  const { id } = (await findUpload(db, account_id, paper_id))!
  await abandonUpload(db, account_id, id)
  t.strictSame(await deletions(), [], 'a complete upload stays')
  t.ok(await withdrawUpload(db, account_id, paper_id, created_at))
  t.equal(await findUpload(db, account_id, paper_id), undefined)
  await abandonUpload(db, account_id, id)
  t.strictSame(await deletions(), [3])
  t.strictSame(await db.selectFrom('pdf_upload').select('id').execute(), [])
})

t.test('a sample of unrated papers is read some at a time, each paper once', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, numbered(300))
  await addPapers(user.context, project_id, numbered(150, 300))
  const ids = (await db.selectFrom('paper').select('id').orderBy('id').execute()).map(({ id }) => id)
  for (const limit of [100, 200, 400, 1000]) {
    const sample = await sampleUnrated(db, user.context.account.id, project_id, limit)
    t.strictSame(sample.map(({ paper_id }) => paper_id), ids.slice(0, limit))
  }
})

t.test('a day is marked as seen some papers at a time, and back', async t => {
  const service = await testService(t, {}, () => new Date('2026-11-20T12:00:00Z'))
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, [])
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${user.context.account.id}, 'day', 'Paper ' || n, '[]', 'json-lines', '{}', n::text from generate_series(1, 1000) n returning id, title
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${project_id}, id, 0.5, case when title like '%5' then 'must_read' else 'related' end,
      timestamptz '2026-11-20 08:00Z' + (length(title) || ' hours')::interval - interval '8 hours' from papers`.execute(db)
  const [seen, other] = await db.selectFrom('project_paper').select('id').limit(2).execute()
  const earlier = new Date('2026-11-20T09:00:00Z')
  await db.updateTable('project_paper').set({ seen_at: earlier }).where('id', '=', seen!.id).execute()
  const batches = await watchBatches(t, db, 'project_paper', 'update')
  const day = { project_id, day: '2026-11-20', at: '2026-11-20T11:00:00Z' }
  t.strictSame(await feedSeen.run(user.context, day), { changed: 999 })
  t.strictSame(await batches(), [300, 300, 300, 99])
  t.strictSame(await feedSeen.run(user.context, day), { changed: 0 })
  await db.updateTable('project_paper').set({ seen_at: null }).where('id', '=', other!.id).execute()
  await batches()
  t.strictSame(await feedSeen.run(user.context, { ...day, seen: false }), { changed: 998 })
  t.strictSame(await batches(), [300, 300, 300, 98])
  t.strictSame(await db.selectFrom('project_paper').select(['id', 'seen_at']).where('seen_at', 'is not', null).execute(),
    [{ id: seen!.id, seen_at: earlier }], 'what was seen before keeps its time')
  t.strictSame(await feedSeen.run(user.context, { ...day, must_read: true }), { changed: 100 })
})
