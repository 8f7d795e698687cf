import t, { type Test } from 'tap'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { createAlert, deleteAlert, detachAlerts } from '../../db/queries/alerts.js'
import { listProjectsToTally } from '../../db/queries/found-tally.js'
import { addImportPart, beginLibraryImport, deleteOldImports } from '../../db/queries/library-imports.js'
import { sampleUnrated } from '../../db/queries/relevance.js'
import { findDeletedAlert, unsubscribeAlert } from '../../db/queries/unsubscriptions.js'
import { abandonUpload, findUpload, uploadPartBytes, withdrawUpload } from '../../db/queries/uploads.js'
import { deleteUnusedBriefs } from '../../db/queries/unused-briefs.js'
import { deleteZoteroAccount, deleteZoteroSync, saveZoteroAccount, saveZoteroSync } from '../../db/queries/zotero.js'
import { candidateRetentionDays } from '../../schemas/candidate.js'
import { jobRetentionDays, maxKeptJobs } from '../../schemas/job.js'
import { maxKeptImports } from '../../schemas/library-import.js'
import { accountDelete } from '../../src/operations/accounts/account-delete.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { alertDelete } from '../../src/operations/alerts/alert-delete.js'
import { feedSeen } from '../../src/operations/feed/feed-seen.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { countWaiting } from '../support/locks.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { until } from '../support/until.js'
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

t.test('the texts of a project\'s own papers are deleted some at a time, and those of papers in use stay', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, numbered(130))
  await projectWith(user, numbered(10, 125))
  await sql`insert into markdown (paper_id, account_id, markdown) select id, account_id, 'Text' from paper where account_id is not null`.execute(db)
  const deletions = await watchBatches(t, db, 'markdown')
  await projectDelete.run(user.context, { project_id })
  t.strictSame(await deletions(), [50, 50, 25])
  t.equal((await db.selectFrom('markdown').select('paper_id').execute()).length, 10)
})

t.test('projects that found more papers than they have room for are told, some papers at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const count = 10_500
  await sql`
    with numbered as (${numberedPapers(user.context.account.id, count)})
    insert into found_paper (project_id, paper_id, sources, fetched_sources, found_at)
    select ${project_id}, id, array['openalex'], array['openalex'], now() from numbered`.execute(db)
  const isFull = async (room: number) => (await listProjectsToTally(db, { maxUnlisted: room, maxCandidates: 0 })).length === 1
  for (const room of [0, 1, 4999, 5000, 5001, 10_000, count - 1]) t.ok(await isFull(room), `${room}`)
  for (const room of [count, count + 1, 20_000]) t.notOk(await isFull(room), `${room}`)
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

/** Adds papers that belong to everyone. @returns the number of papers */
const addSharedPapers = async (db: Db, count: number) => await sql`
  insert into paper (slug, title, authors, source_name, metadata, title_key)
  select 'shared', 'Shared paper ' || n, '[]', 'openalex', '{}', 'shared ' || n from generate_series(1, ${count}::integer) n`.execute(db)

t.test('an alert is deleted with what it sent, some items at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const [first, user, leaving] = [await service.user(), await service.user(), await service.user()]
  await addSharedPapers(db, 1500)
  const deletions = await watchBatches(t, db, 'alert_item')
  const addAlert = async ({ context }: typeof user, project_id: string, target: string) => {
    const alert = { project_id, kind: 'email', target, frequency: 'daily', next_send_at: new Date() } as const
    const created = await createAlert(db, context.account.id, alert, { perProject: 20, perAccount: 200 })
    if (typeof created !== 'object') throw new Error(created)
    const { id } = created
    await sql`insert into alert_item (alert_id, paper_id, batch, sent_at)
      select ${id}::uuid, id, gen_random_uuid(), now() from paper where account_id is null`.execute(db)
    return id
  }
  const project_id = await projectWith(user, numbered(5))
  await addAlert(first, await projectWith(first, numbered(5)), 'kept@example.org')
  const countAlerts = async () => (await db.selectFrom('alert').select('id').execute()).length

  await alertDelete.run(user.context, { alert_id: await addAlert(user, project_id, 'a@example.org') })
  t.strictSame(await deletions(), [1000, 500])
  await addAlert(user, project_id, 'a@example.org')
  await addAlert(user, project_id, 'b@example.org')
  await projectDelete.run(user.context, { project_id })
  t.strictSame(await deletions(), [1000, 500, 1000, 500], 'with its project')
  await addAlert(leaving, await projectWith(leaving, numbered(5)), 'a@example.org')
  await accountDelete.run(leaving.context, { password: leaving.password })
  t.strictSame(await deletions(), [1000, 500], 'with its account')
  t.equal(await countAlerts(), 1)

  const id = await addAlert(user, await projectWith(user, numbered(5)), 'A@example.org')
  await db.transaction().execute(async transaction => await detachAlerts(transaction, user.context.account.id, { id }))
  await unsubscribeAlert(db, id, new Date())
  t.match(await findDeletedAlert(db, id), { address: 'a@example.org', unsubscribed: true }, 'a link to unsubscribe works meanwhile')
  await maintenance.run(service.context, {})
  t.strictSame(await deletions(), [1000, 500], 'maintenance continues where a process ended')
  t.equal(await countAlerts(), 1)
})

t.test('of two processes that delete the same rows, none ends before all are deleted', async t => {
  const service = await testService(t)
  const { db, installation: { databaseKind } } = service.context
  const user = await service.user()
  const account_id = user.context.account.id
  const project_id = await projectWith(user, [])
  /** Runs a deletion while another process is deleting the first of the rows. */
  const runBeside = async (table: 'alert_item' | 'zotero_item', count: number, run: () => Promise<unknown>) => {
    let running: Promise<unknown> | undefined
    await db.transaction().execute(async transaction => {
      await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} limit ${sql.lit(count)}))`
        .execute(transaction)
      running = run()
      // The embedded database has one transaction at a time.
      await until(async () => databaseKind === 'embedded' || await countWaiting(db) > 0)
    })
    await running
  }

  await t.test('an alert with what it sent', async t => {
    await addSharedPapers(db, 3500)
    const created = await createAlert(db, account_id, {
      project_id, kind: 'email', target: 'a@example.org', frequency: 'daily', next_send_at: new Date()
    }, { perProject: 20, perAccount: 200 })
    if (typeof created !== 'object') throw new Error(created)
    await sql`insert into alert_item (alert_id, paper_id, batch, sent_at)
      select ${created.id}::uuid, id, gen_random_uuid(), now() from paper where account_id is null`.execute(db)
    const deletions = await watchBatches(t, db, 'alert_item')
    await runBeside('alert_item', 1000, async () => await deleteAlert(db, account_id, created.id))
    const counts = await deletions()
    t.equal(counts.reduce((sum, count) => sum + count, 0), 3500)
    t.ok(Math.max(...counts) <= 1000, counts.join(' '))
    t.strictSame(await db.selectFrom('alert').select('id').execute(), [])
  })

  await t.test('a sync that is saved again knows no items of the former', async t => {
    const sync = { library: 'users/1', library_name: 'Own', collections: [], learn: false, target: null }
    await sql`insert into zotero_item (project_id, library, item_key, state)
      select ${project_id}::uuid, 'users/1', lpad(n::text, 4, '0'), 'imported' from generate_series(1, 1500) n`.execute(db)
    await runBeside('zotero_item', 1000, async () => await saveZoteroSync(db, account_id, project_id, sync))
    t.strictSame(await db.selectFrom('zotero_item').select('item_key').execute(), [])
  })
})

t.test('maintenance deletes expired rows some at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const account_id = user.context.account.id
  const project_id = await projectWith(user, [])
  await addSharedPapers(db, 1500)
  const candidates = await watchBatches(t, db, 'candidate')
  const jobs = await watchBatches(t, db, 'job')
  const parts = await watchBatches(t, db, 'import_part')
  await sql`insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}::uuid, id, 0.1, now() - ((${candidateRetentionDays} + case when title like '%5' then -1 else 1 end) || ' days')::interval
    from paper`.execute(db)
  await sql`insert into job (task, once_key, state, updated_at)
    select 'convert-markdown', n::text, (array['done', 'failed', 'waiting'])[n % 3 + 1], now() - ((${jobRetentionDays} + 1) || ' days')::interval
    from generate_series(1, 2100) n`.execute(db)
  for (const created_at of [new Date('2026-01-01'), new Date()]) {
    const limits = { maxAccountBytes: 10_000, maxPending: 2, pending_bytes: 20 }
    const begun = await beginLibraryImport(db, { account_id, project_id, file_name: 'a.ris', vote: null, created_at, ...limits })
    if (!('id' in begun)) throw new Error('The import was refused.')
    for (let ordinal = 0; ordinal < 20; ordinal++) {
      await addImportPart(db, account_id, { fileId: begun.id, ordinal, bytes: Buffer.from([ordinal]) })
    }
  }
  await maintenance.run(service.context, {})
  t.strictSame(await candidates(), [1000, 350])
  t.strictSame(await jobs(), [500, 200, 500, 200])
  t.strictSame(await parts(), [8, 8, 4])
  t.strictSame(await db.selectFrom('library_import').select('pending_bytes').execute(), [{ pending_bytes: 20 }])
})

t.test('the briefs of an unused consumer are deleted a few at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const { account } = user.context
  const project_id = await projectWith(user, [])
  await sql`
    with papers as (${numberedPapers(account.id, 100)}), briefs as (
      insert into brief (account_id, consumer, created_at)
      select ${account.id}, 'weekly', '2020-01-01' from generate_series(1, 25) returning id
    )
    insert into brief_item (brief_id, project_id, paper_id) select briefs.id, ${project_id}, papers.id from briefs, papers`.execute(db)
  const items = await watchBatches(t, db, 'brief_item')
  await deleteUnusedBriefs(db, { emptyBefore: new Date('2020-01-01'), consumersBefore: new Date('2025-01-01') })
  t.strictSame(await items(), [1000, 1000, 500])
  t.strictSame(await db.selectFrom('brief').selectAll().execute(), [])
})

t.test('a project forgets the items of Zotero some at a time', async t => {
  const service = await testService(t)
  const { db } = service.context
  const [user, other] = [await service.user(), await service.user()]
  const deletions = await watchBatches(t, db, 'zotero_item')
  const sync = { library: 'users/1', library_name: 'Own', collections: [], learn: false, target: null }
  const addItems = async (project_id: string) => await sql`insert into zotero_item (project_id, library, item_key, state)
    select ${project_id}::uuid, 'users/1', n::text, 'imported' from generate_series(1, 1500) n`.execute(db)
  const connect = async ({ context: { account } }: typeof user, user_id: string) =>
    await saveZoteroAccount(db, { account_id: account.id, api_key: Buffer.from('key'), user_id, username: 'ada' })
  const projectOf = async (someone: typeof user) => {
    const project_id = await projectWith(someone, [])
    await saveZoteroSync(db, someone.context.account.id, project_id, sync)
    await addItems(project_id)
    return project_id
  }
  const account_id = user.context.account.id
  await connect(user, '1')
  await projectOf(other)
  const project_id = await projectOf(user)
  t.ok(await deleteZoteroSync(db, account_id, project_id))
  t.strictSame(await deletions(), [1000, 500])
  await addItems(project_id)
  await saveZoteroSync(db, account_id, project_id, sync)
  t.strictSame(await deletions(), [1000, 500], 'what an interrupted deletion left is not what a later sync knows')
  await addItems(project_id)
  await connect(user, '1')
  await saveZoteroSync(db, account_id, project_id, sync)
  t.strictSame(await deletions(), [])
  await connect(user, '2')
  t.strictSame(await deletions(), [1000, 500], 'of another user')
  await saveZoteroSync(db, account_id, project_id, sync)
  await addItems(project_id)
  t.ok(await deleteZoteroAccount(db, account_id))
  t.strictSame(await deletions(), [1000, 500], 'with the connection')
  await addItems(project_id)
  await maintenance.run(service.context, {})
  t.strictSame(await deletions(), [1000, 500], 'maintenance continues where a process ended')
  t.equal((await db.selectFrom('zotero_item').select('item_key').execute()).length, 1500, 'the other account keeps its items')
})

t.test('an account keeps its newest ended jobs and imports', async t => {
  const service = await testService(t)
  const { db } = service.context
  const [user, other] = [await service.user(), await service.user()]
  const account_id = user.context.account.id
  const project_id = await projectWith(user, numbered(400))
  const jobs = await watchBatches(t, db, 'job')
  const items = await watchBatches(t, db, 'project_paper', 'update')
  const addJobs = async (account: string | null, count: number) => await sql`
    insert into job (account_id, task, once_key, state, updated_at)
    select ${account}::uuid, 'score-project', ${account} || ' ' || n, (array['done', 'failed', 'waiting'])[n % 3 + 1], now() - (n || ' minutes')::interval
    from generate_series(1, ${count}::integer) n`.execute(db)
  await addJobs(account_id, 4800)
  await addJobs(other.context.account.id, 2700)
  await sql`
    insert into job (account_id, task, once_key, state, error, updated_at)
    select ${account_id}::uuid, 'convert-markdown', n::text, 'failed', 'The PDF is encrypted.', now() - interval '20 days'
    from generate_series(1, 3) n`.execute(db)
  await maintenance.run(service.context, {})
  t.strictSame(await jobs(), [500, 100, 500, 100])
  const kept = await db.selectFrom('job').select(({ fn }) => ['task', 'state', fn.countAll<number>().as('jobs')])
    .where('account_id', '=', account_id).where('state', '<>', 'waiting').groupBy(['task', 'state']).orderBy('task').orderBy('state')
    .execute()
  t.strictSame(kept.map(({ task, state, jobs }) => [task, state, Number(jobs)]), [
    ['convert-markdown', 'failed', 3], ['score-project', 'done', maxKeptJobs], ['score-project', 'failed', maxKeptJobs]
  ], 'neither successes nor other tasks displace failures')

  await sql`insert into library_import (account_id, project_id, file_name, pending_bytes, complete, created_at)
    select ${account_id}::uuid, ${project_id}::uuid, n || '.ris', 0, true, now() - (n || ' days')::interval
    from generate_series(1, ${maxKeptImports + 2}::integer) n`.execute(db)
  await sql`update project_paper set import_id = (select id from library_import where file_name = ${`${maxKeptImports + 2}.ris`})`.execute(db)
  await sql`insert into job (account_id, import_id, task, once_key, state)
    select account_id, id, 'import-library', id::text, case file_name when ${`${maxKeptImports + 1}.ris`} then 'waiting' else 'done' end
    from library_import`.execute(db)
  await sql`insert into found_paper (project_id, paper_id, sources, found_at, fetched_sources, imports)
    select project_id, paper_id, '{pubmed,ris}', now(), '{pubmed}', jsonb_build_object(import_id, '["ris"]'::jsonb, 'a-newer-one', '["ris"]'::jsonb)
    from project_paper where project_id = ${project_id}
    on conflict (project_id, paper_id) do update set fetched_sources = excluded.fetched_sources, imports = excluded.imports`.execute(db)
  await items()
  await maintenance.run(service.context, {})
  t.strictSame(await items(), [300, 100], 'papers lose their import some at a time, and stay')
  const { rows: found } = await sql`select distinct fetched_sources, imports from found_paper where project_id = ${project_id}`.execute(db)
  t.same(found, [{ fetched_sources: ['pubmed', 'ris'], imports: { 'a-newer-one': ['ris'] } }], 'and keep what it stated')
  t.strictSame(await jobs(), [1], 'the job of the import')
  const names = async () =>
    (await db.selectFrom('library_import').select('file_name').orderBy('created_at').execute()).map(({ file_name }) => file_name)
  t.strictSame((await names()).slice(0, 2), [`${maxKeptImports + 1}.ris`, `${maxKeptImports}.ris`], 'one with an unfinished job stays')
  await deleteOldImports(db, account_id, 1)
  t.strictSame(await names(), [`${maxKeptImports + 1}.ris`, '1.ris'])
})
