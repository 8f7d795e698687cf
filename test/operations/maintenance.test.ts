import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { sql } from 'kysely'
import { DatabaseUnreachable } from '../../db/errors.js'
import { deleteOldCandidates } from '../../db/queries/candidates.js'
import { deleteUnreadTexts } from '../../db/queries/markdown.js'
import { compactFeedChanges, listLongFeedChanges } from '../../db/queries/briefs.js'
import { deleteProject, listPendingDeletions } from '../../db/queries/deletions.js'
import { addImportPart, beginLibraryImport, completeImportFile } from '../../db/queries/library-imports.js'
import { compactTally, listLongTallies } from '../../db/queries/tally.js'
import { abandonUpload, findUpload, withdrawUpload } from '../../db/queries/uploads.js'
import { getLogBytes } from '../../db/embedded/wal-limit.js'
import { startSchedule } from '../../src/adapters/jobs/schedule.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { libraryImportRun } from '../../src/operations/papers/library-import-run.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { paperConvert } from '../../src/operations/papers/paper-convert.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { dayMs } from '../../schemas/durations.js'
import { testDatabaseUrl } from '../support/database.js'
import { countWaiting } from '../support/locks.js'
import { projectWith, testService } from '../support/service.js'
import { storeUpload } from '../support/uploads.js'
import { explainSelects } from '../support/plans.js'
import { until } from '../support/until.js'

const megabyte = 1024 * 1024

t.test('maintenance keeps the newest candidates of a project', async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const project_id = await projectWith(user, [])
  await sql`
    with papers as (
      insert into paper (slug, title, authors, source_name, metadata, title_key)
      select n, n, '[]', 'x', '{}', n from generate_series(1, 12) n returning id, title::integer as n
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, 0.1, now() - n * interval '1 day' from papers`.execute(db)
  await deleteOldCandidates(db, { before: new Date(Date.now() - 11.5 * dayMs), maxPerProject: 5 })
  const left = await db.selectFrom('candidate').innerJoin('paper', 'paper.id', 'candidate.paper_id').select('title')
    .orderBy('found_at').execute()
  t.strictSame(left.map(({ title }) => Number(title)), [5, 4, 3, 2, 1])
})

t.test('maintenance looks at the candidates of a few projects at a time', async t => {
  const service = await testService(t)
  const { context: { db, account } } = await service.user()
  await sql`
    with papers as (
      insert into paper (slug, title, authors, source_name, metadata, title_key)
      select n, n, '[]', 'x', '{}', n from generate_series(1, 30) n returning id, title::integer as n
    ), projects as (
      insert into project (account_id, name) select ${account.id}, 'Project ' || n from generate_series(1, 45) n returning id
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select projects.id, papers.id, 0.1, now() - n * interval '1 day' from papers, projects`.execute(db)
  await sql`analyze project, candidate`.execute(db)
  const bounds = { before: new Date(Date.now() - 28.5 * dayMs), maxPerProject: 20 }
  const statements = await explainSelects(db, async recorded => { await deleteOldCandidates(recorded, bounds) })
  const most = Math.max(...statements.map(({ rows }) => rows))
  t.ok(most <= 20 * 21, `${most} rows`)
  const left = await db.selectFrom('candidate').select(({ fn }) => ['project_id', fn.countAll().as('count')]).groupBy('project_id')
    .execute()
  t.strictSame(left.map(({ count }) => count), Array(45).fill(20))
})

t.test('maintenance keeps the full texts that were read last, which it sums up a part at a time', async t => {
  const service = await testService(t)
  const { context: { db } } = service
  await sql`
    with papers as (
      insert into paper (slug, title, authors, source_name, metadata, title_key)
      select n, n, '[]', 'x', '{}', n from generate_series(1, 250) n returning id, title::integer as n
    )
    insert into markdown (paper_id, markdown, start, read_at)
    select id, repeat('x', 50), start, now() - n % 125 * interval '1 day' from papers, unnest(array[0, 50]) start`.execute(db)
  await sql`analyze markdown`.execute(db)
  const statements = await explainSelects(db, async recorded => { await deleteUnreadTexts(recorded, 24_000) })
  const most = Math.max(...statements.map(({ rows }) => rows))
  t.ok(most <= 201, `${most} rows`)
  const left = await db.selectFrom('markdown').innerJoin('paper', 'paper.id', 'paper_id').select(['title', 'start']).execute()
  t.equal(left.length, 480)
  t.ok(left.every(({ title }) => Number(title) % 125 < 120))
  await deleteUnreadTexts(db, 24_000)
  t.equal((await db.selectFrom('markdown').select('start').execute()).length, 480, 'then nothing is left to do')
})

// A PostgreSQL server reclaims space by itself.
t.test('maintenance of the embedded database', { skip: testDatabaseUrl !== undefined }, async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const sizeOf = async (table: string) =>
    (await sql<{ bytes: number }>`select pg_total_relation_size(${table}) as bytes`.execute(db)).rows[0]!.bytes

  await t.test('reclaims the space of converted uploads', async t => {
    await projectWith(user, Array.from({ length: 8 }, (_, at) => ({ title: `Paper ${at}` })))
    const papers = await db.selectFrom('paper').select('id').execute()
    await maintenance.run(service.context, {})
    const before = await sizeOf('pdf_part')
    // A session states its changes at most once a second.
    await sql`select pg_stat_force_next_flush()`.execute(db)
    for (const { id } of papers) {
      const { created_at } = await storeUpload(db, { account_id: user.context.account.id, paper_id: id, bytes: randomBytes(megabyte) })
      const upload = await findUpload(db, user.context.account.id, id)
      t.ok(await withdrawUpload(db, user.context.account.id, id, created_at))
      await abandonUpload(db, user.context.account.id, upload!.id)
    }
    t.ok(await sizeOf('pdf_part') > 8 * megabyte, 'deleted rows still take space')
    await maintenance.run(service.context, {})
    t.ok(await sizeOf('pdf_part') < before + megabyte)
  })

  await t.test('is not needed after conversions', async t => {
    const { fulltext, installation: { dataDir } } = service.context
    const convertPdf = async () => ({ markdown: '# Text', converter: 'test', warnings: [], pages: 1 })
    const context = { ...service.context, fulltext: { ...fulltext, convertPdf } }
    const papers = await db.selectFrom('paper').select('id').limit(4).execute()
    const before = await sizeOf('pdf_part')
    const account_id = user.context.account.id
    for (const { id: paper_id } of papers) {
      await storeUpload(db, { account_id, paper_id, bytes: randomBytes(24 * megabyte) })
      await paperConvert.run(context, { paper_id, uploaded_by: account_id })
    }
    t.ok(await sizeOf('pdf_part') < before + megabyte, `${await sizeOf('pdf_part')} bytes after conversions of 96 MB`)
    await db.selectFrom('account').select('id').execute()
    const logBytes = getLogBytes(join(dataDir, 'postgres'))
    t.ok(logBytes <= 96 * megabyte, `the log has ${logBytes / megabyte} MB`)
  })

  await t.test('is not needed after imports', async t => {
    const { account: { id: account_id }, installation: { dataDir } } = user.context
    const project_id = await projectWith(user, [])
    const before = await sizeOf('import_part')
    const store = async (...parts: Buffer[]) => {
      const pending_bytes = parts.reduce((sum, { length }) => sum + length, 0)
      const limits = { maxAccountBytes: 100 * megabyte, maxPending: 1 }
      const row = { account_id, project_id, file_name: 'library.ris', vote: null, pending_bytes, created_at: new Date(), ...limits }
      const begun = await beginLibraryImport(db, row)
      if (!('id' in begun)) throw new Error('The import was refused.')
      for (const [ordinal, bytes] of parts.entries()) await addImportPart(db, account_id, { fileId: begun.id, ordinal, bytes })
      t.ok(await completeImportFile(db, account_id, begun.id))
      return begun.id
    }
    const random = () => Array.from({ length: 20 }, () => randomBytes(megabyte))
    const run = async (import_id: string) => await libraryImportRun.run(user.context, { import_id })
    const text = Buffer.from(`TY  - JOUR\nTI  - Imported\nN1  - ${randomBytes(megabyte).toString('base64')}\nER  -\n`)
    for (let count = 0; count < 2; count++) {
      await t.rejects(run(await store(...random())), { message: /unknown format/ })
      t.match(await run(await store(text)), { read: 1 })
      await libraryImportUndo.run(user.context, { project_id, import_id: await store(...random()) })
      t.ok(await sizeOf('import_part') < before + megabyte, `${await sizeOf('import_part')} bytes after imports`)
    }
    const logBytes = getLogBytes(join(dataDir, 'postgres'))
    t.ok(logBytes <= 96 * megabyte, `the log has ${logBytes / megabyte} MB`)
  })

  await t.test('updates the statistics of tables that changed, from a small sample', async t => {
    await sql`create table measured (value integer)`.execute(db)
    await sql`insert into measured select generate_series(1, 1000)`.execute(db)
    const read = async () => (await sql<{ analyzed: number, entries: number }>`
      select analyze_count::int as analyzed, (select cardinality(histogram_bounds::text::text[]) from pg_stats where tablename = 'measured')
        as entries
      from pg_stat_user_tables where relname = 'measured'`.execute(db)).rows[0]
    const maintain = async () => {
      // PostgreSQL counts changes with a delay.
      await sql`select pg_stat_force_next_flush()`.execute(db)
      await maintenance.run(service.context, {})
    }
    await maintain()
    t.strictSame(await read(), { analyzed: 1, entries: 21 })
    await sql`delete from measured where value <= 50`.execute(db)
    await maintain()
    t.match(await read(), { analyzed: 1 }, 'few changes')
    await sql`delete from measured where value <= 300`.execute(db)
    await maintain()
    t.match(await read(), { analyzed: 2 })
    await sql`drop table measured`.execute(db)
  })

  await t.test('vacuums the tables that changed much', async t => {
    await sql`create table churned (n integer primary key, filler text)`.execute(db)
    await sql`insert into churned select n, repeat('x', 1000) from generate_series(1, 10000) n`.execute(db)
    const maintain = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      await maintenance.run(service.context, {})
    }
    const count = async () => (await sql<{ vacuum_count: number }>`
      select vacuum_count from pg_stat_user_tables where relname = 'churned'`.execute(db)).rows[0]!.vacuum_count
    await maintain()
    let before = await count()
    t.ok(before > 0, 'a new table')
    await sql`delete from churned where n <= 1000`.execute(db)
    await maintain()
    t.equal(await count(), before, 'few deleted rows')
    await sql`delete from churned where n <= 5000`.execute(db)
    await maintain()
    t.ok(await count() > before, 'many deleted rows')
    before = await count()
    await sql`insert into churned select n, '' from generate_series(1, 5000) n`.execute(db)
    await maintain()
    t.ok(await count() > before, 'many new rows')
    await sql`drop table churned`.execute(db)
  })

  await t.test('reclaims the space of few rows with long values', async t => {
    await sql`create table lengthy as select n, repeat('', 0) as value from generate_series(1, 1000) n`.execute(db)
    await sql`alter table lengthy alter column value set storage external`.execute(db)
    await maintenance.run(service.context, {})
    for (let count = 0; count < 4; count++) await sql`update lengthy set value = repeat(${String(count)}, 1000000) where n = 1`.execute(db)
    t.ok(await sizeOf('lengthy') > 4_000_000)
    await sql`update lengthy set value = '' where n = 1`.execute(db)
    await sql`select pg_stat_force_next_flush()`.execute(db)
    await maintenance.run(service.context, {})
    t.ok(await sizeOf('lengthy') < megabyte, `${await sizeOf('lengthy')} bytes`)
    await sql`drop table lengthy`.execute(db)
  })

  await t.test('reclaims space while the database is read-only', async t => {
    await sql`create table crowded as select n, repeat('x', 1000) from generate_series(1, 5000) n`.execute(db)
    await sql`delete from crowded`.execute(db)
    t.ok(await sizeOf('crowded') > 4 * megabyte)
    await sql`set default_transaction_read_only = on`.execute(db)
    const schedule = startSchedule(service.context)
    await until(async () => await sizeOf('crowded') < megabyte)
    await schedule.stop(1000)
    await sql`set default_transaction_read_only = off`.execute(db)
    t.ok(service.logged.some(line => line.includes('"step":"delete ended jobs"')), 'writes failed')
    await sql`drop table crowded`.execute(db)
  })

  await t.test('covers every table', async t => {
    await maintenance.run(service.context, {})
    const { rows } = await sql<{
      name: string
    }>`select relname as name from pg_stat_user_tables where schemaname = 'public' and last_vacuum is null`.execute(db)
    t.strictSame(rows, [])
  })
})

t.test('maintenance of which a part fails for one account does the rest', async t => {
  const service = await testService(t)
  const { context: { db }, logged } = service
  const user = await service.user()
  const deleted = [await service.user(), await service.user(), await service.user()].map(({ context }) => context.account.id)
  const [failing] = deleted.sort()
  const project_id = await projectWith(user, [{ title: 'A paper' }])
  await sql`insert into feed_tally (project_id, measure, value, change) select ${project_id}, 'vote', 'none', 1 from generate_series(1, 600)`
    .execute(db)
  await sql`insert into feed_change (project_id, relevance_score, ready_at) select ${project_id}, 0, now() from generate_series(1, 600)`
    .execute(db)
  await sql`update account set deleted_at = now() where id = any(${deleted}::uuid[])`.execute(db)
  await sql`create function refuse_deletion () returns trigger language plpgsql as $$ begin raise 'Refused.'; end $$`.execute(db)
  await sql`create trigger refuse_deletion before delete on account for each row when (old.id = ${sql.lit(failing!)}::uuid)
    execute function refuse_deletion()`.execute(db)

  await maintenance.run(service.context, {})
  t.strictSame(await listPendingDeletions(db), [failing])
  const failures = logged.filter(line => line.includes('A maintenance step failed'))
  t.equal(failures.length, 1)
  t.match(failures[0], `"step":"finish deletions","item":"${failing}"`)
  t.strictSame(await listLongTallies(db), [])
  t.strictSame(await listLongFeedChanges(db), [])
})

t.test('maintenance whose connection is lost', async t => {
  const service = await testService(t)
  const { context, logged } = service
  /** A database of which a condition on statements says which of them lose the connection. */
  const losing = (isLost: (statement: string) => boolean) => context.db.withPlugin({
    transformQuery ({ node }) {
      if (isLost(JSON.stringify(node))) throw new DatabaseUnreachable()
      return node
    },
    transformResult: async ({ result }) => result
  })
  const failures = () => logged.splice(0).filter(line => line.includes('A maintenance step failed'))
  failures()

  await t.test('goes on if the database is still there', async t => {
    await maintenance.run({ ...context, db: losing(statement => statement.includes('password_reset')) }, {})
    t.match(failures(), [/"step":"delete expired password resets"/])
  })

  await t.test('ends if the database is lost', async t => {
    let isLost = false
    const db = losing(statement => (isLost ||= statement.includes('password_reset')))
    await t.rejects(maintenance.run({ ...context, db }, {}), DatabaseUnreachable)
    t.strictSame(failures(), [])
  })

  await t.test('is interrupted in the schedule, and logged once', async t => {
    let isLost = false
    const db = losing(statement => (isLost ||= statement.includes('password_reset')))
    const schedule = startSchedule({ ...context, db })
    await until(async () => logged.some(line => line.includes('Maintenance was interrupted')))
    await schedule.stop(1000)
    t.equal(logged.filter(line => line.includes('Maintenance was interrupted')).length, 1)
    t.strictSame(failures(), [])
  })
})

t.test('due work is enqueued during maintenance, which a stop ends before its next step', async t => {
  const service = await testService(t)
  const { context } = service
  let [release, isWaiting, hasGoneOn] = [() => {}, false, false]
  const files = {
    ...context.files,
    removeAbandoned: async () => {
      isWaiting = true
      await new Promise<void>(resolve => { release = resolve })
      return 0
    }
  }
  const db = context.db.withPlugin({
    transformQuery ({ node }) {
      if (isWaiting && JSON.stringify(node).includes('search_pending')) hasGoneOn = true
      return node
    },
    transformResult: async ({ result }) => result
  })
  const schedule = startSchedule({ ...context, db, files }, 20)
  await until(async () => isWaiting)
  const user = await service.user()
  const { id } = await projectCreate.run(user.context, { name: 'Sleep', sources: [{ name: 'europepmc', query: 'sleep' }] })
  await until(async () => (await jobsList.run(user.context, {})).items.some(({ project_id }) => project_id === id))
  await schedule.stop(50)
  release()
  await new Promise(resolve => setTimeout(resolve, 200))
  t.equal(hasGoneOn, false)
})

// The embedded database has one transaction at a time.
t.test('maintenance beside other processes', { skip: testDatabaseUrl === undefined }, async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()

  // Holds compactions between their deletion and their insertion.
  await sql`create function wait_for_test () returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`.execute(db)

  for (const { table, fill, compact } of [
    {
      table: 'feed_change',
      fill: (project_id: string) => sql`insert into feed_change (project_id, relevance_score, ready_at)
        select ${project_id}::uuid, 0, now() from generate_series(1, 501)`,
      compact: (project_id: string) => compactFeedChanges(db, user.context.account.id, project_id)
    },
    {
      table: 'feed_tally',
      fill: (project_id: string) => sql`insert into feed_tally (project_id, measure, value, change) values (${project_id}, 'vote', 'none', 1)`,
      compact: (project_id: string) => compactTally(db, project_id)
    }
  ] as const) {
    await t.test(`keeps no row of ${table} of a project that is deleted meanwhile`, async t => {
      const project_id = await projectWith(user, [{ title: 'A paper' }])
      await fill(project_id).execute(db)
      await sql`create trigger wait_for_test before insert on ${sql.table(table)} for each row execute function wait_for_test()`.execute(db)
      let ended: Promise<unknown> | undefined
      await db.transaction().execute(async transaction => {
        await sql`select pg_advisory_xact_lock(4711)`.execute(transaction)
        const compacted = compact(project_id)
        await until(async () => await countWaiting(db) === 1)
        const deleted = deleteProject(db, user.context.account.id, project_id)
        await until(async () => await countWaiting(db) === 2)
        ended = Promise.all([compacted, deleted])
      })
      await ended
      t.strictSame(await db.selectFrom(table).selectAll().where('project_id', '=', project_id).execute(), [])
      await sql`drop trigger wait_for_test on ${sql.table(table)}`.execute(db)
    })
  }
})
