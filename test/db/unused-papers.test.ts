import t from 'tap'
import { type RawBuilder, sql, type ValueNode } from 'kysely'
import type { Db } from '../../db/connection.js'
import { deleteProject } from '../../db/queries/deletions.js'
import { firstId } from '../../db/queries/id-range.js'
import { deleteUnusedSharedPapers, usingTables } from '../../db/queries/unused-papers.js'
import { dayMs } from '../../schemas/durations.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { testDatabaseUrl } from '../support/database.js'
import { countWaiting } from '../support/locks.js'
import { explainSelects } from '../support/plans.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { feedOf, journal, only, resetRateLimits, sourcesNamed, startSources } from '../support/sources.js'
import { until } from '../support/until.js'

/** Adds shared papers that nothing uses. @returns their ids, in order */
async function addShared (db: Db, titles: readonly string[], updatedAt = new Date(0)): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into paper (slug, title, authors, source_name, metadata, title_key, doi, updated_at)
    select title, title, '[]', 'pubmed', '{}', title, '10.1000/' || title, ${updatedAt} from unnest(${[...titles]}::text[]) title
    returning id`.execute(db)
  return rows.map(({ id }) => id).sort()
}

const namesOf = (count: number) => Array.from({ length: count }, (_each, at) => `paper-${at}`)
const everything = { before: new Date(), after: firstId, maxPapers: 20_000 }
const listIds = async (db: Db) => (await db.selectFrom('paper').select('id').orderBy('id').execute()).map(({ id }) => id)

t.test('shared papers that nothing uses are deleted with what describes them', async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const account = user.context.account.id
  const project_id = await projectWith(user, [{ title: 'A paper of an account' }])
  const [own] = await listIds(db)
  await sql`update paper set updated_at = to_timestamp(0)`.execute(db)
  const { id: brief } = await db.insertInto('brief').values({ account_id: account, consumer: 'weekly', created_at: new Date() })
    .returning('id').executeTakeFirstOrThrow()
  const { id: alert } = await db.insertInto('alert').values({
    project_id, kind: 'email', target: 'a@example.org', frequency: 'daily', created_at: new Date(), next_send_at: new Date()
  }).returning('id').executeTakeFirstOrThrow()

  const uses: Record<typeof usingTables[number] | 'markdown', (paper: string) => RawBuilder<unknown>> = {
    project_paper: paper => sql`insert into project_paper (project_id, paper_id, relevance_score, relevance_class)
      values (${project_id}, ${paper}, 0.5, 'related')`,
    candidate: paper => sql`insert into candidate (project_id, paper_id, relevance_score, found_at)
      values (${project_id}, ${paper}, 0, now())`,
    found_paper: paper => sql`insert into found_paper (project_id, paper_id, sources, found_at)
      values (${project_id}, ${paper}, '{pubmed}', now())`,
    brief_item: paper => sql`insert into brief_item (brief_id, project_id, paper_id) values (${brief}, ${project_id}, ${paper})`,
    alert_item: paper => sql`insert into alert_item (alert_id, paper_id, batch) values (${alert}, ${paper}, gen_random_uuid())`,
    zotero_item: paper => sql`insert into zotero_item (project_id, library, item_key, paper_id, state)
      values (${project_id}, 'users/1', 'AAAAAAAA', ${paper}, 'deleted')`,
    job: paper => sql`insert into job (task, state, paper_id, once_key) values ('convert-markdown', 'done', ${paper}, ${paper})`,
    pdf_upload: paper => sql`insert into pdf_upload (account_id, paper_id, size_bytes) values (${account}, ${paper}, 1)`,
    markdown: paper => sql`insert into markdown (paper_id, account_id, markdown) values (${paper}, ${account}, 'Text of a PDF')`
  }
  const used: string[] = []
  for (const [table, use] of Object.entries(uses)) {
    const [id] = await addShared(db, [`used-by-${table}`])
    await use(id!).execute(db)
    used.push(id!)
  }
  const recent = await addShared(db, ['recent'], new Date())
  const [unused, related] = await addShared(db, ['unused', 'related'])
  const describe = [
    sql`insert into paper_alias (id, paper_id) values (gen_random_uuid(), ${unused})`,
    sql`insert into paper_citation (paper_id, cited) values (${unused}, '{10.1000/cited}')`,
    sql`insert into paper_relation (preprint_id, published_id) values (${unused}, ${related}), (${unused}, ${used[0]})`,
    sql`insert into paper_check (paper_id, source, next_check_at) values (${unused}, 'crossref', now())`,
    sql`insert into markdown (paper_id, markdown) values (${unused}, 'A shared text'), (${used[0]}, 'A text of a feed')`,
    sql`with notice as (
        insert into paper_notice (paper_id, source, kind, reference, first_seen_at) values (${unused}, 'crossref', 'retraction', '', now())
        returning id)
      insert into account_notice (account_id, notice_id, found_at) select ${account}, id, now() from notice`
  ]
  for (const statement of describe) await statement.execute(db)

  const before = new Date(Date.now() - dayMs)
  await deleteUnusedSharedPapers(db, { ...everything, before })
  t.strictSame(await listIds(db), [own!, ...used, ...recent].sort())
  for (const table of ['paper_alias', 'paper_citation', 'paper_relation', 'paper_check', 'paper_notice', 'account_notice'] as const) {
    t.strictSame(await db.selectFrom(table).selectAll().execute(), [], table)
  }
  t.same((await db.selectFrom('markdown').select('markdown').orderBy('markdown').execute()).map(({ markdown }) => markdown),
    ['A text of a feed', 'Text of a PDF'])

  await t.test('by tables that either use papers or describe them, each with an index', async t => {
    const { rows } = await sql<{ table: string, indexed: boolean }>`
      select conrelid::regclass::text as table, exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1]
          and (indpred is null or pg_get_expr(indpred, indrelid) = '(paper_id IS NOT NULL)')) as indexed
      from pg_constraint where contype = 'f' and confrelid = 'paper'::regclass`.execute(db)
    const describing = ['markdown', 'paper_alias', 'paper_check', 'paper_citation', 'paper_notice', 'paper_relation', 'paper_relation']
    t.strictSame(rows.map(({ table }) => table).sort(), [...usingTables, ...describing].sort())
    t.strictSame(rows.filter(({ indexed }) => !indexed), [])
  })
})

t.test('a walk looks at a part of the papers, and the next one continues', async t => {
  const { context: { db } } = await testService(t)
  const ids = await addShared(db, namesOf(1000))
  const after = ids[499]!
  const next = await deleteUnusedSharedPapers(db, { ...everything, after, maxPapers: 400 })
  t.strictSame(await listIds(db), [...ids.slice(0, 500), ...ids.slice(900)])
  t.equal(next, ids[899])
  t.equal(await deleteUnusedSharedPapers(db, { ...everything, after: next, maxPapers: 400 }), ids[199])
  t.strictSame(await listIds(db), ids.slice(200, 500), 'from the first after the last')
  await deleteUnusedSharedPapers(db, { ...everything, after: ids[300]! })
  t.strictSame(await listIds(db), [])
})

t.test('maintenance continues the walk of each database where it ended there', async t => {
  const services = [await testService(t), await testService(t)]
  const walks = services.map(({ context }) => {
    /** The paper after which each batch began, and the last one that it read. */
    const [starts, ends]: unknown[][] = [[], []]
    const batches = new Set<unknown>()
    const db = context.db.withPlugin({
      transformQuery ({ node, queryId }) {
        if (node.kind === 'RawNode' && node.sqlFragments[0]!.includes('from paper where id > ')) {
          batches.add(queryId)
          starts!.push((node.parameters[0] as ValueNode).value)
        }
        return node
      },
      async transformResult ({ result, queryId }) {
        if (batches.has(queryId)) ends!.push((result.rows[0] as { last: string | null }).last)
        return result
      }
    })
    return { context: { ...context, db }, starts: starts!, ends: ends! }
  })
  const maxCheckedPapers = 20_000
  for (const { context: { db } } of walks) await addShared(db, namesOf(maxCheckedPapers + 400), new Date())
  for (const { context } of walks) await maintenance.run(context, {})
  const former = walks.map(({ starts, ends }) => ({ batches: starts.length, end: ends.at(-1) }))
  for (const { context } of walks) await maintenance.run(context, {})
  t.strictSame(walks.map(({ starts }, at) => starts[former[at]!.batches]), former.map(({ end }) => end))
})

t.test('a walk reads as many rows for each paper, however many there are', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db } } = service
  const project_id = await projectWith(user, [])
  const ids = await addShared(db, namesOf(3000))
  await sql`insert into found_paper (project_id, paper_id, sources, found_at)
    select ${project_id}::uuid, id, '{pubmed}', now() from paper`.execute(db)
  const statements = await explainSelects(db, async recorded => {
    await deleteUnusedSharedPapers(recorded, { ...everything, maxPapers: 200 })
  })
  t.equal(statements.length, 1)
  t.ok(statements[0]!.rows <= 200, `${statements[0]!.rows} rows`)
  t.equal((await listIds(db)).length, ids.length)
})

t.test('papers of a deleted project are deleted after 30 days, and found again by another', async t => {
  const papers = [journal, only({ doi: '10.1000/second', pmid: '41000002' }, { title: 'Base editing of the second retina' })]
  const { user, clock, project, fetchNow, service: { context, context: { db } } } = await startSources(t, papers)
  const fetched = async () => {
    const id = await project(sourcesNamed('pubmed'))
    await fetchNow(id)
    return id
  }
  const id = await fetched()
  t.equal((await feedOf(user, id)).length, 2)
  clock.now = new Date()
  await maintenance.run(context, {})
  t.equal((await listIds(db)).length, 2)
  await deleteProject(db, user.context.account.id, id)
  await maintenance.run(context, {})
  t.equal((await listIds(db)).length, 2, 'for now')
  clock.now = new Date(Date.now() + 31 * dayMs)
  await maintenance.run(context, {})
  t.strictSame(await listIds(db), [])
  clock.now = new Date('2026-11-20T12:00:00Z')
  await resetRateLimits(user)
  t.equal((await feedOf(user, await fetched())).length, 2)
})

// The embedded database has one transaction at a time.
t.test('beside other processes', { skip: testDatabaseUrl === undefined }, async t => {
  const service = await testService(t)
  const { context: { db } } = service
  const user = await service.user()
  const titles = async (project_id: string) => (await feedOf(user, project_id)).map(({ paper }) => paper.title).sort()
  const record = { title: 'a-paper', doi: '10.1000/a-paper' }

  /** Runs work while a row that it writes waits. @param meanwhile runs before that row is written */
  const holding = async <T>(table: string, event: 'insert' | 'delete', run: () => Promise<T>, meanwhile: () => Promise<unknown>) => {
    await sql`create or replace function wait_for_test () returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return coalesce(new, old); end $$`.execute(db)
    await sql`create trigger wait_for_test before ${sql.raw(event)} on ${sql.table(table)} for each row execute function wait_for_test()`
      .execute(db)
    let ended: Promise<T> | undefined
    await db.transaction().execute(async transaction => {
      await sql`select pg_advisory_xact_lock(4711)`.execute(transaction)
      ended = run()
      await until(async () => await countWaiting(db) === 1)
      await meanwhile()
    })
    const result = await ended!
    await sql`drop trigger wait_for_test on ${sql.table(table)}`.execute(db)
    return result
  }

  await t.test('a paper that an import has just found stays', async t => {
    const project_id = await projectWith(user, [])
    const [id] = await addShared(db, [record.title])
    await holding('project_paper', 'insert', () => addPapers(user.context, project_id, [record]), async () => {
      await deleteUnusedSharedPapers(db, everything)
      t.strictSame(await listIds(db), [id])
    })
    t.strictSame(await titles(project_id), [record.title])
    t.strictSame(await listIds(db), [id])
    await deleteProject(db, user.context.account.id, project_id)
    await deleteUnusedSharedPapers(db, everything)
    t.strictSame(await listIds(db), [])
  })

  await t.test('an import that finds a paper which is being deleted adds it', async t => {
    const project_id = await projectWith(user, [])
    await addShared(db, [record.title])
    let imported: Promise<unknown> | undefined
    await holding('paper', 'delete', () => deleteUnusedSharedPapers(db, everything), async () => {
      imported = addPapers(user.context, project_id, [record])
      await until(async () => await countWaiting(db) === 2)
    })
    t.match(await imported, { created: 1 })
    t.strictSame(await titles(project_id), [record.title])
    t.equal((await listIds(db)).length, 1)
  })
})
