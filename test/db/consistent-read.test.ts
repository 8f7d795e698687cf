import fs, { chownSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { sql } from 'kysely'
import { connect, type Db } from '../../db/connection.js'
import { copyDatabase } from '../../db/embedded/copy.js'
import { acquireLock } from '../../db/embedded/lock.js'
import { consistentReadsOf } from '../../db/consistent-read.js'
import { connectionTimeoutMs, copyTemplate, testDatabaseUrl } from '../support/database.js'
import { testService } from '../support/service.js'

const copiesIn = (dataDir: string) => readdirSync(dataDir).filter(name => name.startsWith('litfeed-copy-'))

/** Rows whose sum stays, in two tables; of each, an index is as large as the table. */
async function createBalances (db: Db): Promise<void> {
  for (const table of ['debit', 'credit']) {
    await sql`create table ${sql.table(table)} (id integer primary key, amount integer not null, filler text)`.execute(db)
    await sql`insert into ${sql.table(table)} select n, 100, repeat('x', 500) from generate_series(1, 4000) n`.execute(db)
  }
}

/** Moves amounts from one table to the other, a few in a transaction, and writes much of the log. @returns the number of transactions */
async function moveAmounts (db: Db, isOver: () => boolean): Promise<number> {
  let count = 0
  for (; !isOver(); count++) {
    await db.transaction().execute(async transaction => {
      const rows = sql`(select id from debit tablesample system (3))`
      const { rows: [taken] } = await sql<{ amount: number }>`
        with taken as (update debit set amount = amount - 1, filler = md5(random()::text) || repeat('y', 468) where id in ${rows} returning 1)
        select count(*)::integer as amount from taken`.execute(transaction)
      await sql`update credit set amount = amount + ${taken!.amount} where id = ${1 + count % 4000}`.execute(transaction)
    })
    if (count % 20 === 0) await sql`checkpoint`.execute(db)
    if (count % 30 === 0) await sql`vacuum debit`.execute(db)
  }
  return count
}

const readBalances = async (db: Db) => (await sql<{ total: number, rows: number, entries: number }>`
  select (select sum(amount) from debit) + (select sum(amount) from credit) as total, (select count(*) from debit) as rows,
    (select count(*) from generate_series(1, 4000) n join debit on debit.id = n) as entries`.execute(db)).rows[0]!

// A PostgreSQL server runs many transactions at a time.
t.test('a snapshot of the embedded database', { skip: testDatabaseUrl !== undefined }, async t => {
  const service = await testService(t)
  const { connection, context: { db, installation: { dataDir } } } = service.service
  const failures: unknown[] = []
  const readConsistently = consistentReadsOf(connection, cause => { failures.push(cause) })
  await service.user('first@example.org')
  const countAccounts = async (each: Db) => (await each.selectFrom('account').select('id').execute()).length

  await t.test('does not change while others read and write', async t => {
    await readConsistently(async transaction => {
      t.equal(await countAccounts(transaction), 1)
      await service.user('later@example.org')
      t.equal(await countAccounts(db), 2)
      t.equal(await countAccounts(transaction), 1)
    })
    t.strictSame(failures, [])
  })

  await t.test('is private, and removed, also after a failure', async t => {
    await readConsistently(async () => {
      const [copy, ...others] = copiesIn(dataDir)
      t.strictSame(others, [])
      t.equal(statSync(join(dataDir, copy!)).mode & 0o777, 0o700)
    })
    t.strictSame(copiesIn(dataDir), [])
    await t.rejects(readConsistently(async () => { throw new Error('A failure.') }), { message: 'A failure.' })
    t.strictSame(copiesIn(dataDir), [])
  })

  await t.test('belongs to the owner of the data directory, who can remove it', { skip: process.getuid?.() !== 0 }, async t => {
    const { uid, gid } = statSync(dataDir)
    t.teardown(() => chownSync(dataDir, uid, gid))
    chownSync(dataDir, 12345, 12345)
    const ofRoot = (directory: string) => ['.', 'lock', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
      .filter(name => name === 'lock' || statSync(join(directory, name)).isDirectory())
      .filter(name => statSync(join(directory, name)).uid !== 12345)
    await readConsistently(async () => { t.strictSame(ofRoot(join(dataDir, copiesIn(dataDir)[0]!)), []) })
    const killed = join(dataDir, 'litfeed-copy-1-abcdef')
    mkdirSync(killed)
    acquireLock(killed, { pid: 1, name: 'a backup', socketDirectory: killed, started_at: new Date().toISOString() })!.release()
    chownSync(killed, 12345, 12345)
    await copyDatabase(db, join(dataDir, 'postgres'), join(killed, 'postgres'))
    t.strictSame(ofRoot(killed), [], 'from the beginning')
    utimesSync(killed, 0, 0)
    await readConsistently(async () => { t.notOk(existsSync(killed), 'and the next command of root removes it') })
  })

  await t.test('is of one time, though files change while they are copied', async t => {
    await createBalances(db)
    const { total } = await readBalances(db)
    let isOver = false
    const moving = moveAmounts(db, () => isOver)
    for (let round = 0; round < 5; round++) {
      await wait(50)
      t.strictSame(await readConsistently(readBalances), { total, rows: 4000, entries: 4000 })
    }
    isOver = true
    t.ok(await moving > 20)
    t.strictSame(failures, [])
    await sql`drop table debit, credit`.execute(db)
  })

  await t.test('is read in place if its disk has no space for a copy', async t => {
    const { statfsSync } = fs
    t.teardown(() => {
      fs.statfsSync = statfsSync
      syncBuiltinESMExports()
    })
    fs.statfsSync = ((path: string) => ({ ...statfsSync(path), bavail: 1 })) as typeof statfsSync
    syncBuiltinESMExports()
    t.equal(await readConsistently(countAccounts), 2)
    t.match(failures, [{ message: /^A copy of the database needs/ }])
    t.strictSame(copiesIn(dataDir), [])
  })
})

t.test('a start removes the copies of processes that were killed', async t => {
  const dataDir = copyTemplate(t)
  const [abandoned, used] = ['litfeed-copy-1-abcdef', 'litfeed-copy-2-abcdef'].map(name => join(dataDir, name))
  for (const directory of [abandoned!, used!]) mkdirSync(join(directory, 'postgres'), { recursive: true })
  const lock = acquireLock(used!, { pid: 2, name: 'a backup', socketDirectory: used!, started_at: new Date().toISOString() })
  const { close } = await connect({ dataDir, name: 'test', share: false, connectionTimeoutMs })
  t.notOk(existsSync(abandoned!))
  t.ok(existsSync(used!))
  await close()
  lock!.release()
})
