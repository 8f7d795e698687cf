import t from 'tap'
import { sql } from 'kysely'
import { databaseVersion, migrate, newestVersion } from '../../db/migrate.js'
import { migrations } from '../../db/migrations/index.js'
import { migrationDatabase } from '../support/migrations.js'

t.test('migrations', async t => {
  const { db, open, empty } = await migrationDatabase(t)

  t.test('migrate an empty database and leave a current one unchanged', async t => {
    await empty()
    t.equal(await databaseVersion(db), null)
    t.strictSame(await migrate(db), Object.keys(migrations))
    t.strictSame(await migrate(db), [])
    t.equal(await databaseVersion(db), newestVersion)
  })

  t.test('run once when several processes start concurrently', async t => {
    await empty()
    const others = await Promise.all(Array.from({ length: 4 }, open))
    const versions: Array<string | null> = []
    const ran = await Promise.all(others.map(async each => await migrate(each.db, version => { versions.push(version) })))
    t.equal(ran.flat().length, Object.keys(migrations).length)
    t.strictSame(versions, [null], 'the others are not asked about a version that is past')
    for (const each of others) await each.close()
  })

  t.test('roll back when killed midway', async t => {
    await empty()
    await db.transaction().execute(async transaction => {
      await migrations['2026-11-20-first']!.up(transaction)
      throw new Error('killed')
    }).catch(() => {})
    t.equal(await databaseVersion(db), null)
    t.strictSame(await migrate(db), Object.keys(migrations))
  })

  t.test('preserve the data of the first version', async t => {
    await empty()
    await migrations['2026-11-20-first']!.up(db)
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
    await sql`insert into kysely_migration values ('2026-11-20-first', '2026-11-20')`.execute(db)
    const {
      rows: [account]
    } = await sql<{ id: string }>`insert into account (email, password_hash) values ('a@example.org', 'x') returning id`.execute(db)
    await sql`insert into project (account_id, name, sources)
      values (${account!.id}, 'P', '[{"name":"arxiv","query":"cat:cs.CL"}]')`.execute(db)
    await migrate(db)
    const { rows } = await sql`select name, query, next_fetch_at <= now() as due from source_state`.execute(db)
    t.strictSame(rows, [{ name: 'arxiv', query: 'cat:cs.CL', due: true }])
  })

  t.test('reject a database of a newer version and name both versions', async t => {
    await sql`insert into kysely_migration (name, timestamp) values ('2099-01-01-future', 'x')`.execute(db)
    await t.rejects(migrate(db), { message: /version 2099-01-01-future; this litfeed knows versions up to \d{4}-\d\d-\d\d-\w+/ })
    await sql`delete from kysely_migration where name = '2099-01-01-future'`.execute(db)
  })

  t.test('assign version 4 UUIDs, which begin with their short ids', async t => {
    const { rows: indexes } = await sql<{
      indexdef: string
    }>`select indexdef from pg_indexes where indexname in ('paper_short_id', 'project_paper_short_id')`.execute(db)
    t.equal(indexes.length, 0, 'the primary key finds them')
    const { rows: [row] } = await sql<{
      id: string
      short_id: string
    }>`insert into paper (slug, title, authors, source_name, metadata, title_key) values ('s', 't', '[]', 'x', '{}', 'k')
      returning id, short_id`.execute(db)
    t.match(row!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
    t.equal(row!.short_id, row!.id.slice(0, 8))
  })
})
