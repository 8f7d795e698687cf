import t from 'tap'
import { sql } from 'kysely'
import { readZip } from '../../src/files/zip.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { examplesAdd } from '../../src/operations/papers/examples-add.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { paperAdd } from '../../src/operations/papers/paper-add.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { listProjectsToTally, tallyFoundPapers } from '../../db/queries/found-tally.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import type { SnapshotDocument } from '../../src/papers/snapshots/document.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { ris, runNextImport, sendLibrary } from '../support/library-imports.js'
import { testService } from '../support/service.js'
import { only, resetRateLimits, startSources } from '../support/sources.js'
import { downloadSnapshot, freeze, freezeDuring, ingestFrom, work } from '../support/snapshots.js'

t.test('snapshots', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db } } = user

  await t.test('count each paper once as of their time, wherever it is since then', async t => {
    const project = await projectCreate.run(context, { name: 'Promoted', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, project, [work('in-feed'), work('below-first')])
    const until = new Date()
    await sql`update found_paper set found_at = found_at - interval '1 minute' where project_id = ${project.id}`.execute(db)
    await sql`update project_paper set ready_at = ready_at - interval '1 minute' where project_id = ${project.id}`.execute(db)
    await sql`with promoted as (delete from candidate where project_id = ${project.id} returning project_id, paper_id, relevance_score)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
      select project_id, paper_id, relevance_score, 'related', now() + interval '1 minute' from promoted`.execute(db)
    t.match((await freeze(user, project, { until: until.toISOString() })).summary!.flow, {
      identified: { records: 2 }, not_screened: 1, excluded_automatically: { records: 1, listed: 1 }
    })
  })

  await t.test('do not count papers of imports alone as excluded automatically', async t => {
    const project = await projectCreate.run(context, { name: 'Imported', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, project, [work('below-fetched')])
    const titles = ['Imported and kept', 'Imported and removed']
    await sendLibrary(user, project.id, ris(...titles))
    await runNextImport(service)
    await sql`delete from candidate where project_id = ${project.id}`.execute(db)
    // As by an undo under way.
    await sql`delete from project_paper using paper where paper.id = paper_id and project_id = ${project.id} and title = ${titles[1]!}`
      .execute(db)
    t.match((await freeze(user, project)).summary!.flow, {
      identified: { records: 2 }, not_screened: 1, excluded_automatically: { records: 1, listed: 0 }
    })
  })

  await t.test('count papers that only an import voted for as included without screening', async t => {
    const project = await projectCreate.run(context, { name: 'Examples', interest_description: 'Retina', sources: [] })
    const titles = ['Example alone', 'Example voted on', 'Example rejected']
    await sendLibrary(user, project.id, ris(...titles), { name: 'own.ris', vote: 'upvote' })
    await runNextImport(service)
    const { items } = await feedGet.run(context, { project_id: project.id })
    for (const [title, vote] of [['Example voted on', 'upvote'], ['Example rejected', 'downvote']] as const) {
      await feedbackSet.run(context, { paper_id: items.find(({ paper_title }) => paper_title === title)!.id, vote })
    }
    const snapshot = await freeze(user, project)
    t.match(snapshot.summary!.flow, {
      identified: { records: 3 }, screened: 2, excluded: { records: 1 }, included: { records: 1 }, included_unscreened: 1, not_screened: 0
    })
    const archive = await downloadSnapshot(user, project, snapshot)
    const files = readZip(archive, 10_000_000)
    const document = JSON.parse(files.get('snapshot.json')!.toString('utf8')) as SnapshotDocument
    t.strictSame(
      document.records.map(({ title, decision }) => [title, decision]).sort(),
      [['Example alone', 'included_unscreened'], ['Example rejected', 'excluded'], ['Example voted on', 'included']]
    )
    t.match(files.get('prisma.csv')!.toString('utf8'), /Included,"Studies included from other sources, not screened",1/)
    t.match(files.get('included.ris')!.toString('utf8'), /Example alone/)
    t.equal(verifySnapshot(archive).valid, true)
  })

  await t.test('state what was added in a period, and was identified and excluded in an earlier one', async t => {
    const project = await projectCreate.run(context, { name: 'Late', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, project, [work('by-limit'), work('by-score')])
    await ingestFrom('crossref', user, project, [work('by-score')])
    const moveTo = async (name: string, readyAt: string, enteredAt: string | null) => await sql`
      update project_paper set ready_at = ${readyAt}, entered_at = ${enteredAt} from paper
      where paper.id = paper_id and project_id = ${project.id} and doi = ${`10.1000/${name}`}`.execute(db)
    await moveTo('by-limit', '2025-10-28', '2025-11-03')
    await moveTo('by-score', '2025-11-04', null)
    await sql`update found_paper set found_at = '2025-10-28' where project_id = ${project.id}`.execute(db)
    const [october, november, both] = [
      await freeze(user, project, { since: '2025-10-01', until: '2025-11-01' }),
      await freeze(user, project, { since: '2025-11-01', until: '2025-11-27' }),
      await freeze(user, project, { since: '2025-10-01', until: '2025-11-27' })
    ]
    t.match(october.summary!.flow, {
      identified: { records: 3 }, duplicates_removed: 1, excluded_automatically: { records: 2 }, not_screened: 0
    })
    t.equal(october.summary!.flow.identified_earlier, undefined)
    t.match(november.summary!.flow, {
      identified: { records: 0, sources: { length: 0 } },
      identified_earlier: 2,
      duplicates_removed: 0,
      excluded_automatically: { records: 0 },
      not_screened: 2
    })
    t.match(both.summary!.flow, {
      identified: { records: 3 }, duplicates_removed: 1, excluded_automatically: { records: 0 }, not_screened: 2
    })
    t.equal(both.summary!.flow.identified_earlier, undefined)
    const files = readZip(await downloadSnapshot(user, project, november), 1e7)
    t.match(String(files.get('prisma.csv')), /Identification,"Records identified in earlier periods, added in this one",2/)
    t.equal(String(files.get('snapshot.json')).match(/"found_earlier":true/g)?.length, 2)
    t.match(String(files.get('records.csv')), /,pubmed,yes,/)
    for (const snapshot of [october, november, both]) t.ok(verifySnapshot(await downloadSnapshot(user, project, snapshot)).valid)
  })

  await t.test('count each paper in one of the periods that follow each other', async t => {
    const project = await projectCreate.run(context, { name: 'Following', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, project, [work('at-midnight'), work('below-at-midnight'), work('below-again')])
    for (const [table, column] of [['project_paper', 'ready_at'], ['candidate', 'found_at'], ['found_paper', 'found_at']] as const) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = '2025-11-01' where project_id = ${project.id}`.execute(db)
    }
    // Upkeep deleted it, or it left the feed, and a source found it again.
    await sql`update candidate set found_at = '2025-12-05' from paper
      where paper.id = paper_id and project_id = ${project.id} and doi = '10.1000/below-again'`.execute(db)
    const bounds = ['2025-10-01', '2025-11-01', '2025-12-01', '2025-12-20']
    const identified: number[] = []
    for (const [at, until] of bounds.slice(1).entries()) {
      identified.push((await freeze(user, project, { since: bounds[at]!, until })).summary!.flow.identified.records)
    }
    t.strictSame(identified, [0, 3, 0])
  })

  await t.test('keep their counts when papers have no row of their own any more', async t => {
    const project = await projectCreate.run(context, { name: 'Tallied', interest_description: 'Retina', sources: [] })
    const names = Array.from({ length: 20 }, (_each, at) => `below-tallied-${at}`)
    await ingestFrom('pubmed', user, project, [...names, 'in-feed-tallied', 'below-listed-tallied'].map(name => work(name)))
    await ingestFrom('crossref', user, project, names.slice(0, 5).map(name => work(name)))
    await sql`update found_paper set found_at = '2025-11-01T12:00:00Z'::timestamptz
      + coalesce(substring(doi from '[0-9]+$')::integer, 0) * interval '1 day' from paper
      where paper.id = paper_id and project_id = ${project.id}`.execute(db)
    await sql`delete from candidate using paper where paper.id = paper_id and project_id = ${project.id}
      and doi <> '10.1000/below-listed-tallied'`.execute(db)
    const found = async () => (await db.selectFrom('found_paper').innerJoin('paper', 'paper.id', 'found_paper.paper_id').select('doi')
      .where('project_id', '=', project.id).execute()).map(({ doi }) => doi!.replace('10.1000/', '')).sort()
    const flows = async () => {
      const periods = [{}, { since: '2025-11-05', until: '2025-11-08' }, { since: '2025-11-08', until: '2025-11-30' }]
      const all = []
      for (const period of periods) all.push((await freeze(user, project, period)).summary!.flow)
      return all
    }
    const before = await flows()
    t.match(before[0], { identified: { records: 27 }, duplicates_removed: 5, excluded_automatically: { records: 21, listed: 1 } })

    // The item of the feed does not count.
    t.strictSame(await listProjectsToTally(db, { maxUnlisted: 20, maxCandidates: 1 }), [])
    t.strictSame(await listProjectsToTally(db, { maxUnlisted: 19, maxCandidates: 1 }), [project.id])
    await tallyFoundPapers(db, project.id, { maxUnlisted: 19 })
    t.strictSame(await found(), ['below-listed-tallied', ...names.slice(3), 'in-feed-tallied'].sort())
    t.strictSame(await flows(), before)

    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    await freezeDuring(context, () => tallyFoundPapers(db, project.id, { maxUnlisted: 10 }), row => 'records' in row && 'sources' in row)
    t.equal((await found()).length, 11)
    t.strictSame((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.flow, before[0])
    t.strictSame(await flows(), before)
    await tallyFoundPapers(db, project.id, { maxUnlisted: 0 })
    t.strictSame(await found(), ['below-listed-tallied', 'in-feed-tallied'])
    t.strictSame(await flows(), before)
  })

  await t.test('count each imported file as a source', async t => {
    const project = await projectCreate.run(context, { name: 'Two databases', interest_description: 'Retina', sources: [] })
    for (const [name, text] of [['embase.ris', ris('In both files', 'In Embase')], ['scopus.ris', ris('In both files')]] as const) {
      await sendLibrary(user, project.id, text, { name })
      await runNextImport(service)
    }
    t.match((await freeze(user, project)).summary!.flow, {
      identified: { records: 3, sources: [{ title: 'embase.ris (RIS file)', records: 2 }, { title: 'scopus.ris (RIS file)', records: 1 }] },
      duplicates_removed: 1
    })
  })
})

t.test('papers that are added one by one count as single additions, whether another project had them before or not', async t => {
  const [example, added] = [only({ doi: '10.1000/example' }), only({ doi: '10.1000/added' }, { title: 'Another work on the retina' })]
  const { service, user, clock, project } = await startSources(t, [example, added])
  const { db } = service.context
  const run = async (name: 'import-library' | 'add-paper') => {
    const task = tasks.find(each => each.task === name)!
    const job = await service.context.queue.claim(name)
    await resetRateLimits(user)
    if (job !== undefined) {
      await service.context.queue.complete(job, await task.run({ ...service.context, signal: new AbortController().signal }, job))
    }
  }
  const createProject = async () => {
    const project_id = await project([])
    await examplesAdd.run(user.context, { project_id, papers: [example.doi!] })
    await run('import-library')
    await paperAdd.run(user.context, { project_id, identifier: added.doi! })
    await run('add-paper')
    clock.now = new Date(clock.now.getTime() + 1000)
    return project_id
  }
  const flowOf = async (id: string) => (await freeze(user, { id })).summary!.flow
  const [first, second] = [await createProject(), await createProject()]
  const flow = await flowOf(first)
  t.match(flow, { identified: { records: 2, one_source_known: 0 }, included_unscreened: 1, not_screened: 1 })
  t.strictSame(await flowOf(second), flow)
  const single = { name: 'added', title: 'Single additions', records: 1 }
  t.match(flow.identified.sources.find(({ name }) => name === 'added'), single, 'no source found what a person added')
  t.equal(flow.identified.sources.length, 2)

  const { items: [imported] } = await libraryImports.run(user.context, { project_id: second })
  await libraryImportUndo.run(user.context, { project_id: second, import_id: imported!.id })
  t.match(await flowOf(second), { identified: { records: 1, one_source_known: 0 } }, 'an import that is undone states none')

  const third = await project([])
  await ingestFrom('pubmed', user, { id: third }, [{ title: 'Another work on the retina below', doi: added.doi! }])
  await sql`update paper set source_name = 'crossref' where doi = ${added.doi!}`.execute(db)
  await paperAdd.run(user.context, { project_id: third, identifier: added.doi! })
  clock.now = new Date(clock.now.getTime() + 1000)
  t.match((await flowOf(third)).identified, { records: 1, sources: [{ name: 'pubmed' }], one_source_known: 0 }, 'as a candidate')
})
