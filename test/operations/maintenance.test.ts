import { randomBytes } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import { deleteUpload, saveUpload } from '../../db/queries/markdown.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { testDatabaseUrl } from '../support/database.js'
import { projectWith, testService } from '../support/service.js'

const megabyte = 1024 * 1024

// A PostgreSQL server reclaims space by itself.
t.test('maintenance of the embedded database', { skip: testDatabaseUrl !== undefined }, async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const sizeOf = async (table: string) => (await sql<{ bytes: number }>`select pg_total_relation_size(${table}) as bytes`.execute(db)).rows[0]!.bytes

  await t.test('reclaims the space of uploads that were converted', async t => {
    await projectWith(user, Array.from({ length: 8 }, (_, at) => ({ title: `Paper ${at}` })))
    const papers = await db.selectFrom('paper').select('id').execute()
    const before = await sizeOf('pdf_upload')
    for (const { id } of papers) {
      const { created_at } = await saveUpload(db, { account_id: user.context.account.id, paper_id: id, bytes: randomBytes(megabyte) })
      t.ok(await deleteUpload(db, user.context.account.id, id, created_at))
    }
    t.ok(await sizeOf('pdf_upload') > 8 * megabyte, 'deleted rows still take space')
    await maintenance.run(service.context, {})
    t.ok(await sizeOf('pdf_upload') < before + megabyte)
  })

  await t.test('reaches every table', async t => {
    await maintenance.run(service.context, {})
    const { rows } = await sql<{ name: string }>`select relname as name from pg_stat_user_tables where schemaname = 'public' and last_vacuum is null`.execute(db)
    t.strictSame(rows, [])
  })
})
