import t from 'tap'
import { sql } from 'kysely'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { noticesIn } from '../../src/papers/notices.js'
import { disableSource } from '../../db/queries/disabled-sources.js'
import { type DatabaseError, ForeignKeyViolation, SerializationConflict } from '../../db/errors.js'
import { hasDuePaper, listPapersToCheck, saveNotices } from '../../db/queries/notice-checks.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { explainSelects } from '../support/plans.js'
import { projectWith } from '../support/service.js'
import { resetRateLimits } from '../support/sources.js'
import { dayMs } from '../../schemas/durations.js'
import { watchedPapers } from '../support/watched-papers.js'

t.test('repeated checks of papers', async t => {
  const {
    planted, crossref, pubmed, clock, later, service, user, context, db, items, itemOf, choose, check, noticesOn
  } = await watchedPapers(t)
  await choose()
  await check()

  await t.test('a source that is down or sends nonsense changes nothing, and stops no other', async t => {
    later(8)
    crossref.next.push({ status: 503, headers: { 'retry-after': '80000' }, body: 'down' })
    pubmed.next.push({ body: '{"esearchresult": {"idlist": ["x"' })
    const before = await noticesOn('all')
    const { failing } = await check()
    t.strictSame(failing, ['crossref'], 'PubMed was asked again, in halves')
    t.match(await noticesOn('all'), before)
    t.match(await noticesOn('crossref'), [{ withdrawn: null }])
    const { next_check_at } = await db
      .selectFrom('paper_check')
      .select('next_check_at')
      .where('source', '=', 'crossref')
      .where('failures', '>', 0)
      .executeTakeFirstOrThrow()
    t.equal(next_check_at.getTime(), clock.now.getTime() + 80_000_000, 'Crossref asked for this pause')
    later(2)
    t.strictSame((await check()).failing, [])
  })

  await t.test('a paper with more notices than Crossref lists at once hides none of others', async t => {
    later(8)
    planted.crossref.updates = [
      ...Array.from({ length: 600 }, (_, at) => ({ type: 'correction', doi: `10.1000/crossref.c${at}`, only: true as const })),
      { type: 'retraction', doi: '10.1000/crossref.r', only: true }
    ]
    const due = [(await itemOf('crossref')).paper.id, (await itemOf('update_to')).paper.id]
    const next_check_at = new Date(clock.now.getTime() + dayMs)
    await db.updateTable('paper_check').set({ next_check_at }).where('paper_id', 'not in', due).execute()
    t.strictSame((await check()).failing, [])
    t.match(await noticesOn('update_to'), [{ kind: 'retraction', sources: ['crossref'] }])
    const [first, ...others] = await noticesOn('crossref')
    t.match(first, { kind: 'retraction', withdrawn: null }, 'a truncated list withdraws nothing')
    t.ok(others.length > 0 && others.every(({ kind }) => kind === 'correction'))
    planted.crossref.updates = []
  })

  await t.test('a paper that a source was never asked about comes first, then the one that is due longest', async t => {
    later(8)
    const due = async () => (await listPapersToCheck(db, { source: 'crossref', identifiers: ['doi'], now: clock.now, limit: 3 }))
      .map(({ id }) => id)
    const [soon, sooner, first] = await due()
    const isDueAt = async (now: Date) => await hasDuePaper(db, { source: 'crossref', identifiers: ['doi'], now })
    t.strictSame([await isDueAt(clock.now), await isDueAt(new Date(0))], [true, false])
    const isDue = async (id: string, days: number) => await db
      .updateTable('paper_check')
      .set({ next_check_at: new Date(clock.now.getTime() - days * dayMs) })
      .where('paper_id', '=', id)
      .where('source', '=', 'crossref')
      .execute()
    await isDue(soon!, 20)
    await isDue(sooner!, 30)
    await db.deleteFrom('paper_check').where('paper_id', '=', first!).where('source', '=', 'crossref').execute()
    t.strictSame(await due(), [first, sooner, soon])
  })

  await t.test('accounts take turns, each with its newest papers', async t => {
    const [many, few] = [await service.user(), await service.user()]
    const list = (prefix: string, count: number) => Array.from({ length: count }, (_each, at) => ({
      title: `${prefix} work ${at}`, doi: `10.1000/${prefix}.${at}`
    }))
    const choose = async (user: typeof many, prefix: string, count: number) => {
      const project_id = await projectWith(user, list(prefix, count))
      await sql`update project_paper set saved = true, ready_at = now() - substring(paper.doi from '[0-9]+$')::integer * interval '1 hour'
        from paper where paper.id = paper_id and project_id = ${project_id}`.execute(db)
      return project_id
    }
    const projects = [await choose(many, 'many', 40), await choose(few, 'few', 2)]
    const dois = async (limit: number, maxWatched?: number) =>
      (await listPapersToCheck(db, { source: 'crossref', identifiers: ['doi'], now: new Date(0), limit, maxWatched }))
        .map(({ doi }) => doi!).filter(doi => /many|few/.test(doi))
    t.equal((await dois(5)).filter(doi => doi.startsWith('10.1000/few')).length, 2, 'the second account does not wait for the first')
    t.equal((await dois(100)).length, 42)
    t.strictSame((await dois(100, 3)).sort(), ['few.0', 'few.1', 'many.0', 'many.1', 'many.2'].map(name => `10.1000/${name}`))
    const warned = ['30', '35', '36'].map(at => `10.1000/many.${at}`)
    await sql`
      with stated as (
        insert into paper_notice (paper_id, source, kind, reference, first_seen_at)
        select id, 'crossref', 'retraction', '', now() from paper where doi = any(${warned}) returning id
      )
      insert into account_notice (account_id, notice_id, found_at, is_warning)
      select ${many.context.account.id}, id, now() + interval '1 hour', true from stated`.execute(db)
    await sql`update project_paper set saved = false from paper where paper.id = paper_id and doi = ${warned[0]}`.execute(db)
    await sql`delete from project_paper using paper where paper.id = paper_id and doi = ${warned[1]}`.execute(db)
    t.strictSame((await dois(100, 3)).sort(), ['few.0', 'few.1', 'many.0', 'many.30', 'many.36'].map(name => `10.1000/${name}`),
      'papers with a warning count toward the maximum, watched or not, in a feed only')
    await sql`delete from project where id = any(${projects}::uuid[])`.execute(db)
  })

  await t.test('what is read for an account does not grow with its projects', async t => {
    const { context: { account } } = await service.user()
    const [projects, watched, maxWatched] = [20, 100, 100]
    await sql`
      with created as (
        insert into project (account_id, name) select ${account.id}, 'Project ' || n from generate_series(1, ${projects}::integer) n
        returning id
      ), added as (
        insert into paper (account_id, slug, title, authors, source_name, metadata, title_key, doi)
        select ${account.id}, 'many', 'Many ' || n, '[]', 'json-lines', '{}', 'many ' || n, '10.1000/projects.' || n
        from generate_series(1, ${projects * watched}::integer) n returning id
      ), numbered as (select id, row_number() over (order by id) as place from added)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, saved)
      select created.id, numbered.id, 1, 'related', now() - numbered.place * interval '1 minute', true
      from (select id, row_number() over (order by id) as place from created) created
      join numbered on numbered.place % ${projects}::integer = created.place % ${projects}::integer`.execute(db)
    await sql`delete from search_pending`.execute(db)
    await sql`analyze project, project_paper, paper, paper_check`.execute(db)
    const source = { source: 'never asked', identifiers: ['doi'], now: new Date(0), maxWatched } as const
    const dois = (await listPapersToCheck(db, { ...source, limit: 1000 })).map(({ doi }) => doi!).filter(doi => doi.includes('/projects.'))
    t.equal(dois.length, maxWatched)
    const statements = await explainSelects(db, async recorded => {
      // As in a large database: a join with few papers reads all of them in a small one.
      await sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`
        .execute(recorded)
      await listPapersToCheck(recorded, { ...source, limit: 10 })
    })
    const most = Math.max(...statements.map(({ rows }) => rows))
    t.ok(most <= 6 * maxWatched, `${most} rows`)
    await sql`delete from project where account_id = ${account.id}`.execute(db)
  })

  await t.test('what is read for an account does not grow with the notices that it was told', async t => {
    const { context: { account } } = await service.user()
    await sql`
      with added as (
        insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
        values (${account.id}, 'often', 'Often updated', '[]', 'json-lines', '{}', 'often updated') returning id
      ), stated as (
        insert into paper_notice (paper_id, source, kind, reference, first_seen_at)
        select id, 'crossref', 'new_version', n, now() from added, generate_series(1, 2000) n returning id
      )
      insert into account_notice (account_id, notice_id, found_at) select ${account.id}, id, now() from stated`.execute(db)
    await sql`analyze account_notice, paper_notice`.execute(db)
    const due = { source: 'never asked', identifiers: ['doi'], now: new Date(0) } as const
    const statements = await explainSelects(db, async recorded => { await listPapersToCheck(recorded, { ...due, limit: 10 }) })
    const most = Math.max(...statements.map(({ rows }) => rows))
    t.ok(most < 1000, `${most} rows`)
    await sql`delete from paper where account_id = ${account.id}`.execute(db)
  })

  await t.test('a project has all that an account may watch, where others have little', async t => {
    const { context, context: { account } } = await service.user()
    await sql`insert into project (account_id, name) select ${account.id}, 'Empty ' || n from generate_series(1, 20) n`.execute(db)
    const project_id = await projectWith({ ...user, context }, Array.from({ length: 60 }, (_each, at) =>
      ({ title: `Alone ${at}`, doi: `10.1000/alone.${at}` })))
    await sql`update project_paper set saved = true where project_id = ${project_id}`.execute(db)
    const listed = await listPapersToCheck(db, { source: 'crossref', identifiers: ['doi'], now: new Date(0), limit: 1000, maxWatched: 50 })
    t.equal(listed.filter(({ doi }) => doi!.includes('/alone.')).length, 50)
    await sql`delete from project where account_id = ${account.id}`.execute(db)
  })

  await t.test('hostile answers are bounded, and only papers that were asked about change', async t => {
    later(8)
    const hostile = {
      DOI: '10.1000/fine',
      'updated-by': [
        { type: 'retraction', DOI: 7 },
        { type: 'constructor', DOI: '10.1000/x' },
        null,
        ...Array.from({ length: 500 }, (_, at) => ({ type: 'correction', DOI: `10.1000/c${at}` })),
        { type: 'retraction', DOI: '10.1000/"><script>', updated: { 'date-parts': [[99999, 77, 'x']] } }
      ],
      relation: { 'is-preprint-of': [{ 'id-type': 'doi', id: {} }] }
    }
    const works = [hostile, { DOI: '10.1000/not-asked', 'updated-by': hostile['updated-by'] }, 'x']
    crossref.next.push({ body: JSON.stringify({ status: 'ok', message: { items: works } }) })
    await check()
    const notices = await noticesOn('fine')
    t.ok(notices.length > 0 && notices.length <= 100, `${notices.length} notices`)
    t.ok(notices.every(({ date, url }) => date === null && (url === null || /^https:\/\/doi\.org\/10\.1000\/\S+$/.test(url))))
    t.strictSame(await db.selectFrom('paper_notice').select('id').where('doi', '=', 'not-asked').execute(), [])
  })

  await t.test('a merge of papers keeps notices, once each, and who was told of them', async t => {
    const [kept, other] = [await itemOf('pubmed'), await itemOf('disputed')]
    await db.transaction().execute(async transaction => await mergePapers(transaction, kept.paper.id, other.paper.id))
    const merged = noticesIn((await paperGet.run(context, { paper_id: other.paper.id })).metadata)
    t.match(merged.map(({ kind }) => kind), ['retraction', 'correction'])
    const stored = await db.selectFrom('paper_notice').select('kind').where('paper_id', '=', kept.paper.id).execute()
    t.equal(stored.length, 3, 'both retractions and the correction')
  })

  await t.test('a merge at the same time is no failure of a source', async t => {
    const lostTo = (conflict: DatabaseError, times: number) => db.withPlugin({
      transformQuery ({ node }) {
        if (JSON.stringify(node).includes('insert into paper_notice') && times-- > 0) throw conflict
        return node
      },
      transformResult: async ({ result }) => result
    })
    const { paper: { id } } = await itemOf('fine')
    const stated = { source: 'test', kind: 'correction', reference: 'merged', date: null, doi: null, pmid: null, url: null } as const
    await saveNotices(lostTo(new SerializationConflict(), 2), [{ id, notices: [stated] }], ['test'], clock.now)
    t.equal((await db.selectFrom('paper_notice').select('id').where('source', '=', 'test').execute()).length, 1)
    later(8)
    await resetRateLimits(user)
    const missing = noticesCheck.run({ ...service.context, db: lostTo(new ForeignKeyViolation(), 1) }, {})
    await t.rejects(missing, ForeignKeyViolation, 'the next run asks again')
    t.strictSame(await db.selectFrom('paper_check').select('source').where('failures', '>', 0).execute(), [])
    await resetRateLimits(user)
    t.strictSame((await check()).failing, [])
  })

  await t.test('an imported record cannot plant a notice', async t => {
    const id = await projectWith(user, [{ title: 'Planted', metadata: { notices: [{ kind: 'retraction' }] } as object }])
    t.notOk('notices' in (await items(context, id))[0]!.paper.metadata)
  })

  await t.test('a source that is disabled during a check is not asked further', async t => {
    const many = Array.from({ length: 45 }, (_, at) => ({ title: `Further ${at}`, doi: `10.1000/further${at}` }))
    const id = await projectWith(user, many)
    for (const { id: item } of await items(context, id)) await itemUpdate.run(context, { ref: item, saved: true })
    later(8)
    await resetRateLimits(user)
    const { sources } = service.context
    const contextFor: typeof sources.contextFor = (source, caller) => {
      const tools = sources.contextFor(source, caller)
      return {
        ...tools,
        async fetch (...request) {
          if (source.name === 'crossref') await disableSource(db, source.name, clock.now)
          return await tools.fetch(...request)
        }
      }
    }
    await noticesCheck.run({ ...service.context, sources: { ...sources, contextFor } }, {})
    const checked = await db.selectFrom('paper_check').select('paper_id').where('source', '=', 'crossref')
      .where('next_check_at', '>', clock.now).execute()
    t.equal(checked.length, 40, 'one batch')
  })
})
