import t, { type Test } from 'tap'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { sampleUnrated } from '../../db/queries/relevance.js'
import { abandonUpload, findUpload, uploadPartBytes, withdrawUpload } from '../../db/queries/uploads.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { readUpload, storeUpload } from '../support/uploads.js'

/* The embedded database runs one statement at a time, so a statement that deletes many rows holds up everyone. */

/** Counts the rows that statements delete from a table. @returns a function that returns the counts, one of each statement */
async function watchDeletions (t: Test, db: Db, table: string): Promise<() => Promise<number[]>> {
  await sql`create table deletion (at serial, rows integer)`.execute(db)
  await sql`create function record_deletion () returns trigger language plpgsql as $$
    begin insert into deletion (rows) select count(*) from gone; return null; end $$`.execute(db)
  await sql`create trigger record_deletion after delete on ${sql.table(table)} referencing old table as gone
    for each statement execute function record_deletion()`.execute(db)
  t.teardown(async () => await sql`drop trigger record_deletion on ${sql.table(table)}; drop function record_deletion; drop table deletion`.execute(db))
  return async () => (await sql<{ rows: number }>`delete from deletion where rows > 0 returning rows`.execute(db)).rows.map(({ rows }) => rows)
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
  const deletions = await watchDeletions(t, db, 'paper')
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
  const deletions = await watchDeletions(t, db, 'pdf_part')
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
