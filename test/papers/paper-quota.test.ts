import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { countOwnPapers } from '../../db/queries/import.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { examplesAdd } from '../../src/operations/papers/examples-add.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { reservePapers } from '../../src/papers/paper-quota.js'
import { dayMs } from '../../schemas/durations.js'
import { runNextImport, sendLibrary } from '../support/library-imports.js'
import { addPapers, projectWith, testService, type TestUser } from '../support/service.js'
import { feedOf, journal, only, startSources } from '../support/sources.js'

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${JSON.stringify({ title: `Invented paper number ${from + at}`, doi: `10.1000/${from + at}` })}\n`).join('')
const sizeOf = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id })).total

t.test('an account stores at most MAX_PAPERS papers of its own', async t => {
  const service = await testService(t, { MAX_PAPERS: '300' })
  const user = await service.user()
  const project_id = await projectWith(user, [])

  await t.test('an import stops at the limit, keeps what it stored, and says why', async t => {
    await sendLibrary(user, project_id, lines(0, 400), { name: 'library.jsonl' })
    t.match(await runNextImport(service), { message: /can store at most 300 papers from files.*Delete projects.*MAX_PAPERS/ })
    t.equal(await sizeOf(user, project_id), 250, 'a batch that does not fit is not stored')
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ state: 'failed', error: /can store at most 300 papers/ }])
  })

  await t.test('a file fills the rest, and then none is accepted', async t => {
    await sendLibrary(user, project_id, lines(250, 50), { name: 'library.jsonl' })
    t.match(await runNextImport(service), { created: 50 })
    await t.rejects(sendLibrary(user, project_id, lines(300, 1), { name: 'library.jsonl' }), {
      code: 'quota_exceeded', status: 413, message: /MAX_PAPERS/, userMessage: /ask your administrator/
    })
    await t.rejects(addPapers(user.context, project_id, [{ title: 'One more paper than allowed' }]), { code: 'quota_exceeded' })
    t.equal(await sizeOf(user, project_id), 300)
  })

  await t.test('papers that are stored already need no room', async t => {
    t.match(await addPapers(user.context, project_id, [{ title: 'Invented paper number 7', doi: '10.1000/7', abstract: 'An abstract.' }]), {
      created: 0, updated: 1
    })
    const other = await projectWith(user, [])
    t.match(await addPapers(user.context, other, [{ title: 'Invented paper number 7', doi: '10.1000/7' }]), { created: 1 })
    await projectDelete.run(user.context, { project_id: other })
  })

  await t.test('listed papers, which sources share, are accepted', async t => {
    t.match(await examplesAdd.run(user.context, { project_id, papers: ['10.1000/elsewhere'] }), { created: true })
  })

  await t.test('the command imports no more either', async t => {
    const path = join(t.testdir(), 'papers.jsonl')
    await writeFile(path, lines(300, 1))
    await t.rejects(papersImport.run(user.context, { project_id, files: [path] }), { code: 'quota_exceeded' })
  })

  await t.test('each account has its own', async () => {
    const other = await service.user()
    await projectWith(other, [{ title: 'A paper of another account' }])
  })

  await t.test('deleting a project makes room', async t => {
    await projectDelete.run(user.context, { project_id })
    const next = await projectWith(user, [{ title: 'A paper after the deletion' }])
    t.equal(await sizeOf(user, next), 1)
  })
})

t.test('the feeds of an account have at most five times MAX_PAPERS papers', async t => {
  const papers = Array.from({ length: 12 }, (_, at) => ({ title: `Base editing of rods, part ${at}`, doi: `10.1000/part${at}` }))
  const { user, project, fetchNow } = await startSources(t, papers.map(paper => only({ doi: paper.doi }, paper)), { MAX_PAPERS: '2' })
  const first = await project([{ name: 'crossref', query: 'editing' }])
  const { sources: [source] } = await fetchNow(first)
  t.match(source, { error: null, entered: 0, rejections: [/feeds together can have at most 10 papers.* ask your administrator/] })
  t.strictSame(await feedOf(user, first), [])
})

t.test('the papers of an account have limited bytes, references included', async t => {
  const service = await testService(t, { MAX_PAPERS: '300' })
  const user = await service.user()
  const { db } = service.context
  const paper = { title: 'An invented paper of many bytes', doi: '10.1000/1', abstract: '长'.repeat(5000) }
  const references = Array.from({ length: 500 }, (_, at) => `10.1000/reference.${at}`)
  const project_id = await projectWith(user, [paper, { title: 'A paper that takes the room' }])
  const bytes = async () => (await countOwnPapers(db, user.context.account.id)).bytes
  const first = await bytes()
  t.ok(first > 15_000 && first < 17_000, `${first} bytes`)

  const citing = { ...paper, citations: { references, cited_by: null } }
  await addPapers(user.context, project_id, [citing])
  const withReferences = await bytes()
  t.ok(withReferences > first + 500 * 20, `${withReferences} bytes with references`)
  await addPapers(user.context, project_id, [citing])
  t.equal(await bytes(), withReferences, 'nothing is counted twice')
  await addPapers(user.context, project_id, [{ ...citing, abstract: '长'.repeat(9000) }])
  t.ok(await bytes() > withReferences + 10_000, 'what a record gains is counted')

  const isFull = { code: 'quota_exceeded', status: 413, message: /can have at most 100 MiB together.*Delete projects.*MAX_PAPERS/ }
  const taken = 100 * 2 ** 20 - 10_000 - await bytes()
  await db.updateTable('paper').set({ bytes: taken }).where('title', '=', 'A paper that takes the room').execute()
  await t.rejects(reservePapers(db, user.context.account.id, { papers: 1, bytes: 100 * 2 ** 20 }, 300), isFull)
  await t.rejects(addPapers(user.context, project_id, [{ ...paper, doi: '10.1000/2', title: 'Another large one' }]), isFull)
  await t.rejects(addPapers(user.context, project_id, [{ ...paper, abstract: '长'.repeat(19_000) }]), isFull, 'a paper that grows')
  t.match(
    await addPapers(user.context, project_id, [{ ...citing, abstract: '长'.repeat(9001) }]),
    { updated: 1 },
    'references that are stored already need no room'
  )
  const filled = 100 * 2 ** 20 - 1500 - await bytes()
  await sql`update paper set bytes = bytes + ${filled} where title = 'A paper that takes the room'`.execute(db)
  await t.rejects(reservePapers(db, user.context.account.id, { papers: 0, bytes: 100 * 2 ** 20 }, 300), isFull, 'it is counted again')
  const added = Array.from({ length: 100 }, (_, at) => `10.1000/later.${at}`)
  const cites = (references: string[]) => [{ ...citing, abstract: '长'.repeat(9001), citations: { references, cited_by: null } }]
  await t.rejects(addPapers(user.context, project_id, cites([...references, ...added])), isFull, 'references that a paper gains')
  const before = await bytes()
  t.match(await addPapers(user.context, project_id, cites([...references, added[0]!])), { unchanged: 1 })
  t.equal(await bytes(), before + '10.1000/later.0 '.length, 'only new ones are counted')
  t.match(await addPapers(user.context, project_id, [{ title: 'A small one' }]), { created: 1 })
  await projectDelete.run(user.context, { project_id })
  t.match(await addPapers(user.context, await projectWith(user, []), [{ ...paper, doi: '10.1000/2' }]), { created: 1 })
})

t.test('papers are not counted for each batch', async t => {
  const service = await testService(t)
  const { context: { db, account } } = await service.user()
  let counted = 0
  const watched = db.withPlugin({
    transformQuery ({ node }) {
      counted++
      return node
    },
    transformResult: async ({ result }) => result
  })
  for (let batch = 0; batch < 5; batch++) await reservePapers(watched, account.id, { papers: 1, bytes: 4000 }, 10)
  t.equal(counted, 1)
  await t.rejects(reservePapers(watched, account.id, { papers: 11, bytes: 4000 }, 10), { code: 'quota_exceeded' })
  t.equal(counted, 2, 'what was refused is counted')
})

t.test('an account without room gets papers that sources share, also those of its own papers', async t => {
  const other = only({ doi: '10.1000/other', pmid: '41000009' }, { title: 'Prime editing restores vision in adult mice' })
  const { user, project, fetchNow } = await startSources(t, [journal, other], { MAX_PAPERS: '2' })
  const project_id = await project([{ name: 'pubmed', query: '' }])
  await addPapers(user.context, project_id, [{ title: journal.title, doi: journal.doi! }, { title: 'A paper that takes the room' }])
  await user.context.db.updateTable('paper').set({ bytes: 100 * 2 ** 20 }).where('title', '=', 'A paper that takes the room').execute()
  const { db, account } = user.context
  await t.rejects(reservePapers(db, account.id, { papers: 0, bytes: 100 * 2 ** 20 }, 2), { code: 'quota_exceeded' }, 'it is counted again')
  const { sources: [source] } = await fetchNow(project_id)
  t.match(source, { error: null, rejections: { length: 0 } })
  t.equal((await feedOf(user, project_id)).length, 3)
})

t.test('a journal feed without room fails nothing, and is complete once there is room', async t => {
  const papers = [
    only({ doi: '10.1000/one' }, { title: 'Base editing of rods in adult mice' }),
    only({ doi: '10.1000/two' }, { title: 'Base editing of cones in adult mice' })
  ]
  const { user, clock, project, fetchNow, journalFeed } = await startSources(t, papers, { MAX_PAPERS: '2' })
  const { context } = user
  const imported = await projectWith(user, [{ title: 'An imported paper' }])
  const project_id = await project([{ name: 'feed', query: `${journalFeed.url}/feed` }])
  const { sources: [source] } = await fetchNow(project_id)
  t.match(source, { error: null, entered: 0, rejections: [/can store at most 2 papers .* ask your administrator/] })
  t.match((await projectsGet.run(context, { project_id })).source_states, [{ failures: 0, last_error: /can store at most 2 papers/ }])
  t.strictSame(await feedOf(user, project_id), [])

  await projectDelete.run(context, { project_id: imported })
  clock.now = new Date(clock.now.getTime() + dayMs)
  await fetchNow(project_id)
  t.equal((await feedOf(user, project_id)).length, 2)
  t.match((await projectsGet.run(context, { project_id })).source_states, [{ failures: 0, last_error: null }])
})
