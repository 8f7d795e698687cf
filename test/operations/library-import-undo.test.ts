import t from 'tap'
import { removeImportedItems } from '../../db/queries/import-undo.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { ingestFetched } from '../../src/papers/ingest-fetched.js'
import { ris, runNextImport, sendLibrary } from '../support/library-imports.js'
import { countWaiting } from '../support/locks.js'
import { projectWith, record, testService } from '../support/service.js'
import { until } from '../support/until.js'

const service = await testService(t)
const user = await service.user()

t.test('an undo rescores the feed if it removes votes', async t => {
  const project_id = await projectWith(user, [])
  const isDue = async () => (await projectsGet.run(user.context, { project_id })).learning.pending
  for (const vote of ['none', 'upvote'] as const) {
    const { import_id } = await sendLibrary(user, project_id, ris('Border cells'), { vote })
    await runNextImport(service)
    await projectScore.run(user.context, { project_id })
    t.equal(await isDue(), false)
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { removed: 1 })
    t.equal(await isDue(), vote === 'upvote')
  }
})

t.test('an undo keeps papers that the user rated, saved, tagged or annotated', async t => {
  const project_id = await projectWith(user, [])
  const content = ris('Annotated', 'Changed', 'Repeated', 'Saved', 'Seen', 'Tagged', 'Untouched')
  const { import_id } = await sendLibrary(user, project_id, content, { vote: 'upvote' })
  await runNextImport(service)
  const items = async () => (await feedGet.run(user.context, { project_id })).items
  const idOf = new Map((await items()).map(({ id, paper_title }) => [paper_title, id]))
  await feedbackSet.run(user.context, { paper_id: idOf.get('Changed')!, vote: 'downvote' })
  await feedbackSet.run(user.context, { paper_id: idOf.get('Repeated')!, vote: 'upvote' })
  const marks = { Annotated: { note: 'See figure 2.' }, Saved: { saved: true }, Seen: { seen: true }, Tagged: { tags: ['methods'] } }
  for (const [title, mark] of Object.entries(marks)) await itemUpdate.run(user.context, { ref: idOf.get(title)!, ...mark })
  t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { removed: 2 })
  const left = (await items()).map(({ paper_title, feedback, saved, tags, note }) =>
    [paper_title, feedback?.vote ?? null, saved, tags, note])
  t.strictSame(left.sort(), [
    ['Annotated', null, false, [], 'See figure 2.'],
    ['Changed', 'downvote', false, [], null],
    ['Repeated', 'upvote', false, [], null],
    ['Saved', null, true, [], null],
    ['Tagged', null, false, ['methods'], null]
  ])
  t.match((await libraryImports.run(user.context, { project_id })).items, [{ undone_at: String, undo_pending: false }])
})

t.test('an undo whose process ended says so, and is completed by maintenance', async t => {
  const { db } = service.context
  const project_id = await projectWith(user, [{ title: 'Kept' }])
  await sendLibrary(user, project_id, ris(...Array.from({ length: 1100 }, (_each, at) => `Imported ${at}`)), { vote: 'upvote' })
  await runNextImport(service)
  const undo = { project_id, import_id: (await libraryImports.run(user.context, { project_id })).items[0]!.id }
  const items = async () => await db.selectFrom('project_paper').select('id').where('project_id', '=', project_id).execute()
  const state = async () => (await libraryImports.run(user.context, { project_id })).items[0]
  // The database is lost after the first batch.
  let deletions = 0
  const interrupted = db.withPlugin({
    transformQuery ({ node }) {
      if (/delete from .*project_paper/.test(JSON.stringify(node)) && ++deletions > 1) throw new Error('lost')
      return node
    },
    transformResult: async ({ result }) => result
  })
  await t.rejects(libraryImportUndo.run({ ...user.context, db: interrupted }, undo), { message: 'lost' })
  const { length } = await items()
  t.ok(length > 1 && length < 1101, `${length} items`)
  t.match(await state(), { undone_at: String, undo_pending: true })
  await maintenance.run(service.context, {})
  t.equal((await items()).length, 1)
  t.match(await state(), { undone_at: String, undo_pending: false })
  const stated = db.selectFrom('found_paper').select('paper_id').where('imports', '<>', '{}' as never)
  t.strictSame(await stated.where('project_id', '=', project_id).execute(), [])
})

t.test('of two processes that complete an undo, none ends before all items are removed', async t => {
  const { db, installation: { databaseKind } } = service.context
  const project_id = await projectWith(user, [{ title: 'Kept' }])
  await sendLibrary(user, project_id, ris(...Array.from({ length: 520 }, (_each, at) => `Other ${at}`)), { vote: 'none' })
  await runNextImport(service)
  const { id } = await db.updateTable('library_import').set({ undone_at: new Date(), undo_pending: true })
    .where('project_id', '=', project_id).returning('id').executeTakeFirstOrThrow()
  const { account } = user.context
  let removed: Promise<unknown> | undefined
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('project_paper').where('id', 'in', ({ selectFrom }) =>
      selectFrom('project_paper').select('id').where('import_id', '=', id).limit(500)).execute()
    removed = removeImportedItems(db, account.id, { projectId: project_id, id, now: new Date(), scoreAt: new Date() })
    // The embedded database has one transaction at a time.
    await until(async () => databaseKind === 'embedded' || await countWaiting(db) > 0)
  })
  await removed
  t.equal((await db.selectFrom('project_paper').select('id').where('project_id', '=', project_id).execute()).length, 1)
  t.match((await libraryImports.run(user.context, { project_id })).items, [{ undone_at: String, undo_pending: false }])
})

t.test('undo keeps papers that another import contains, and takes back its own votes on them', async t => {
  const { db } = service.context
  const project_id = await projectWith(user, [])
  const imported = async (vote: 'none' | 'upvote', ...titles: string[]) => {
    const { import_id } = await sendLibrary(user, project_id, ris(...titles), { vote })
    await runNextImport(service)
    return import_id
  }
  const undo = async (import_id: string) => await libraryImportUndo.run(user.context, { project_id, import_id })
  const items = async () => await db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'title', 'vote']).where('project_id', '=', project_id).orderBy('title').execute()
  const common = Array.from({ length: 600 }, (_each, at) => `Common ${1000 + at}`)
  const first = await imported('upvote', ...common, 'Earlier', 'Only here', 'Rated')
  const second = await imported('none', ...common, 'Rated')
  const third = await imported('none', 'Earlier')
  const rated = (await items()).find(({ title }) => title === 'Rated')!
  await feedbackSet.run(user.context, { paper_id: rated.id, vote: 'downvote' })
  await projectScore.run(user.context, { project_id })
  // As happens to an account's imports beyond the newest.
  await db.deleteFrom('library_import').where('id', '=', third).execute()

  t.match(await undo(first), { removed: 1 })
  t.strictSame((await items()).map(({ title, vote }) => [title, vote]), [
    ...common.map(title => [title, null]), ['Earlier', null], ['Rated', 'downvote']
  ])
  t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, true, 'the feed is rescored')
  await undo(second)
  const left = (await items()).map(({ title }) => title)
  t.ok(left.includes('Earlier'), 'an import that is no longer kept contains it')
  t.notOk(left.includes(common[0]!), 'no other import contains it')
})

t.test('undo keeps what other sources state about papers', async t => {
  const { db } = service.context
  const project_id = await projectWith(user, [])
  const fetch = async (...titles: string[]) => await ingestFetched(user.context, {
    project: { id: project_id, account_id: user.context.account.id },
    openScoring: async () => ({
      score: async records => records.map(() => (
        { relevance_score: 0.9, relevance_class: 'related' as const, matching_details: {} as never, personalized_note: '' })),
      entersFeed: () => true,
      lock: async () => true
    }),
    records: titles.map((title, place) => ({
      place,
      record: record({ title, authors: [{ name: 'M. Moser' }], published_date: '2024-01-01', source: { name: 'pubmed' } })
    }))
  })
  const imported = async (...titles: string[]) => {
    const { import_id } = await sendLibrary(user, project_id, ris(...titles))
    await runNextImport(service)
    return import_id
  }
  const found = async () => {
    const rows = await db.selectFrom('found_paper').innerJoin('paper', 'paper.id', 'found_paper.paper_id').select(['title', 'sources'])
      .where('project_id', '=', project_id).orderBy('title').execute()
    return Object.fromEntries(rows.map(({ title, sources }) => [title, sources]))
  }
  await fetch('Found before')
  const first = await imported('Found before', 'Found after', 'Imported once', 'Imported twice')
  await fetch('Found after')
  const second = await imported('Imported twice')
  t.strictSame(await found(), {
    'Found after': ['pubmed', 'ris'], 'Found before': ['pubmed', 'ris'], 'Imported once': ['ris'], 'Imported twice': ['ris']
  })
  t.match(await libraryImportUndo.run(user.context, { project_id, import_id: first }), { removed: 1 })
  t.strictSame(await found(), { 'Found after': ['pubmed'], 'Found before': ['pubmed'], 'Imported twice': ['ris'] })
  t.match(await libraryImportUndo.run(user.context, { project_id, import_id: second }), { removed: 1 })
  t.strictSame(await found(), { 'Found after': ['pubmed'], 'Found before': ['pubmed'] }, 'no import states the others any more')

  const both = [await imported('Found before', 'Imported thrice'), await imported('Found before', 'Imported thrice')]
  const third = await imported('Imported thrice')
  for (const import_id of both.reverse()) await libraryImportUndo.run(user.context, { project_id, import_id })
  t.strictSame(await found(), { 'Found after': ['pubmed'], 'Found before': ['pubmed'], 'Imported thrice': ['ris'] })
  await libraryImportUndo.run(user.context, { project_id, import_id: third })
  t.strictSame(await found(), { 'Found after': ['pubmed'], 'Found before': ['pubmed'] })
  await imported('Found before')
  t.strictSame((await found())['Found before'], ['pubmed', 'ris'], 'a later import states them again')
})
