import t from 'tap'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { examplesAdd } from '../../src/operations/papers/examples-add.js'
import { libraryImportRun } from '../../src/operations/papers/library-import-run.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { keywordsSuggest } from '../../src/operations/projects/keywords-suggest.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectsList } from '../../src/operations/projects/projects-list.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { callTool } from '../support/mcp.js'
import { logIn, projectWith } from '../support/service.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { feedOf, resetRateLimits, startSources } from '../support/sources.js'

const paper = (part: Partial<Publication>): Publication => ({
  title: 'Sleep spindles',
  abstract: 'Sleep spindles support memory consolidation in adults. Results were significant.',
  date: '2020-01-10',
  ...part
})
const papers = [
  paper({ title: 'Sleep spindles and memory consolidation', doi: '10.1000/one', authors: [['A.', 'One']] }),
  paper({ title: 'Memory consolidation in the aging brain', pmid: '41000002', authors: [['B.', 'Two']] }),
  paper({ title: 'Thalamic sleep spindles: a review of memory', doi: '10.1000/three', date: '1999-05-01', authors: [['C.', 'Three']] }),
  paper({ title: 'Letter to the editor', doi: '10.1000/four', authors: [['D.', 'Four']] }),
  paper({ title: 'Letter to the editor', doi: '10.1000/five', authors: [['E.', 'Five']] }),
  ...[
    ['Grain yields of terraced barley', ['10.1000/yields-preprint', 'Hans', 'Müller'], ['10.1000/yields', 'H.', 'Mueller']],
    ['Root depth of terraced barley', ['10.1000/roots-preprint', 'Xiaoming', 'Li'], ['10.1000/roots', 'Li', 'Xiaoming']],
    ['Straw length of terraced barley', ['10.12688/f1000research.7.1', 'Ada', 'Married'], ['10.12688/f1000research.7.2', 'Ada', 'Born']]
  ].flatMap(([title, ...forms]) => (forms as Array<[string, string, string]>).map(([doi, given, family]) =>
    paper({ title: title as string, doi, authors: [[given, family]] })))
]

t.test('example papers', async t => {
  const { service, user, clock, crossref } = await startSources(t, papers)
  const { context } = user
  const runImport = async () => {
    const task = tasks.find(each => each.task === 'import-library')!
    const job = (await service.context.queue.claim('import-library'))!
    await resetRateLimits(user)
    await service.context.queue.complete(job, await task.run({ ...service.context, signal: new AbortController().signal }, job))
  }
  const create = async (examples: string[], more: object = {}) =>
    (await projectCreate.run(context, { name: 'Sleep', interest_description: 'Sleep and memory', sources: [], examples, ...more })).id
  const importsOf = async (project_id: string) => (await libraryImports.run(context, { project_id })).items

  let project_id = ''
  await t.test('of a new project are looked up by identifier and title, and upvoted', async t => {
    project_id = await create(['https://doi.org/10.1000/ONE', 'PMID 41000002', 'Thalamic sleep spindles', '10.1000/none', 'Letter to the Editor.', 'Sleep spindles'])
    t.match(await importsOf(project_id), [{ file_name: 'Example papers', learned: true, state: 'waiting' }])
    await runImport()
    t.strictSame(
      (await feedOf(user, project_id)).map(({ paper_title, feedback }) => [paper_title.split(' ')[0], feedback?.vote]).sort(),
      [['Memory', 'upvote'], ['Sleep', 'upvote'], ['Thalamic', 'upvote']]
    )
  })

  await t.test('that cannot be found are listed with what to do', async t => {
    const [imported] = await importsOf(project_id)
    t.match(imported, { state: 'done', result: { read: 6, created: 3, rejected_count: 3 }, progress: { read: 6 } })
    t.strictSame(imported!.result!.rejected.map(({ record }) => record), [4, 5, 6], 'at their places in the list')
    const [missing, ambiguous, short] = imported!.result!.rejected.map(({ reason }) => reason)
    t.match(missing, /“10\.1000\/none”: No source has .* Check the identifier/)
    t.match(ambiguous, /“Letter to the Editor\.”: Several papers have this title\. Use the DOI/)
    t.match(short, /“Sleep spindles”: The title is too short to look up\. Use the DOI or PMID\./)
  })

  await t.test('are one work if names of its first author are spelled or ordered differently, or it has one DOI', async t => {
    const of = await create(['Grain yields of terraced barley', 'Root depth of terraced barley', 'Straw length of terraced barley'])
    await runImport()
    t.match((await importsOf(of))[0], { result: { read: 3, rejected_count: 0 } })
    t.equal((await feedOf(user, of)).length, 3)
  })

  await t.test('are learned from, and do not count as rated in the feed', async t => {
    await projectScore.run(context, { project_id })
    const { learned, reliability, recall } = await projectStatistics.run(context, { project_id })
    t.ok(learned.wanted.length > 0)
    t.equal(reliability, null)
    t.equal(recall!.relevant, 0)
  })

  await t.test('keep a downvote, and upvote unrated papers of the feed', async t => {
    const [first, second] = await feedOf(user, project_id)
    clock.now = new Date(clock.now.getTime() + 60_000)
    await feedbackSet.run(context, { paper_id: first!.id, vote: 'downvote' })
    await feedbackClear.run(context, { paper_id: second!.id })
    await examplesAdd.run(context, { project_id, papers: ['10.1000/one', '41000002', '10.1000/three'] })
    await runImport()
    t.match((await importsOf(project_id))[0], { result: { read: 3, created: 0, updated: 1, unchanged: 2 } })
    const votes = new Map((await feedOf(user, project_id)).map(({ id, feedback }) => [id, feedback?.vote]))
    t.strictSame([votes.get(first!.id), votes.get(second!.id)], ['downvote', 'upvote'])
  })

  await t.test('in the feed lose the upvotes of an import that is undone, and keep those given since', async t => {
    const of = await create([])
    await examplesAdd.run(context, { project_id: of, papers: ['10.1000/one', '41000002', '10.1000/three'], vote: 'none' })
    await runImport()
    clock.now = new Date(clock.now.getTime() + 60_000)
    const { import_id } = await examplesAdd.run(context, { project_id: of, papers: ['10.1000/one', '41000002', '10.1000/three'] })
    await runImport()
    t.match((await importsOf(of))[0], { result: { created: 0, updated: 3 } })
    const { recall } = await projectStatistics.run(context, { project_id: of })
    t.equal(recall?.relevant ?? 0, 0, 'they are no ratings of the feed')
    const [changed, repeated, neither] = await feedOf(user, of)
    await feedbackSet.run(context, { paper_id: changed!.id, vote: 'downvote' })
    await feedbackSet.run(context, { paper_id: repeated!.id, vote: 'upvote' })
    await projectScore.run(context, { project_id: of })
    t.match(await libraryImportUndo.run(context, { project_id: of, import_id }), { removed: 0 })
    const items = new Map((await feedOf(user, of)).map(({ id, feedback, seen_at }) => [id, [feedback?.vote, seen_at !== null]]))
    t.strictSame([changed, repeated, neither].map(item => items.get(item!.id)), [['downvote', true], ['upvote', true], [undefined, false]])
    t.equal((await projectsGet.run(context, { project_id: of })).learning.pending, true, 'the feed is rescored')
  })

  await t.test('known to the service are not asked for', async t => {
    const asked = crossref.requests.length
    const other = await create(['10.1000/one'])
    await runImport()
    t.match(await feedOf(user, other), [{ feedback: { vote: 'upvote' } }])
    t.equal(crossref.requests.length, asked)
  })

  await t.test('are stated with the job that looks them up, and with those that cannot be', async t => {
    const examples = ['10.1000/one', 'Sleep spindles', 'https://www.example.org/blog', 'Thalamic sleep spindles: a review of memory']
    const created = await projectCreate.run(context, { name: 'Stated', sources: [], examples })
    const [imported] = await importsOf(created.id)
    t.match(created.examples, {
      job_id: /^[0-9a-f-]{36}$/,
      import_id: imported!.id,
      count: 2,
      problems: [
        { text: 'Sleep spindles', problem: 'The title is too short to look up. Use the DOI or PMID.' },
        { text: 'https://www.example.org/blog', problem: 'This address states no identifier of a paper. Use the DOI or PMID.' }
      ]
    })
    t.equal(created.examples!.problems.length, 2)
    await runImport()
    t.match((await importsOf(created.id))[0], { result: { created: 2, rejected_count: 2 } })
    t.notOk('examples' in await projectCreate.run(context, { name: 'None', sources: [] }))
    const { source_states: [state] } = await projectCreate.run(context, { name: 'Nothing', sources: [{ name: 'pubmed', query: '' }] })
    t.match(state, { failures: 0, last_error: /^There is nothing to search for: add keywords/ })
  })

  await t.test('are found by title among the papers of the account first', async t => {
    const source = await projectWith(user, [{ title: 'An unpublished report on sleep spindles' }], { name: 'Own', sources: [] })
    const asked = crossref.requests.length
    const other = await create(['an unpublished report on “Sleep Spindles”.'])
    await runImport()
    t.match(await feedOf(user, other), [{ paper_title: 'An unpublished report on sleep spindles', feedback: { vote: 'upvote' } }])
    await examplesAdd.run(context, { project_id: source, papers: ['An unpublished report on sleep spindles'] })
    await runImport()
    t.match((await importsOf(source))[0], { result: { created: 0, updated: 1 } })
    t.equal(crossref.requests.length, asked)
  })

  await t.test('of a key that can see some projects are none of the others', async t => {
    const title = 'A hidden manuscript on the thalamus'
    await projectWith(user, [{ title, doi: '10.1000/hidden' }], { name: 'Hidden', sources: [] })
    const target = await projectWith(user, [], { name: 'Visible', sources: [] })
    const limited = { ...context, key: { id: target, scope: 'act', projectIds: [target] } } as unknown as typeof context
    await examplesAdd.run(limited, { project_id: target, papers: [title, '10.1000/hidden'] })
    await runImport()
    t.strictSame(await feedOf(user, target), [])
    await examplesAdd.run(context, { project_id: target, papers: [title] })
    await runImport()
    t.match(await feedOf(user, target), [{ paper_title: title }])
  })

  await t.test('suggest keywords before the project exists', async t => {
    await resetRateLimits(user)
    const asked = ['10.1000/one', '10.1000/three', 'PMID 41000002', '10.1000/none']
    const { terms, examples } = await keywordsSuggest.run(context, { examples: asked })
    const names = terms.map(({ term }) => term)
    t.strictSame(new Set(names.slice(0, 2)), new Set(['sleep spindles', 'memory consolidation']))
    t.match(terms[0], { papers: 3 })
    t.notOk(names.some(name => /\b(results|significant|were|in|the)\b/.test(name)), names.join(', '))
    t.match(examples, [{ title: /^Sleep/, problem: null }, {}, {}, { title: null, problem: /No source has/ }])
  })

  await t.test('come over REST, and as a file', async t => {
    const { access_token } = await logIn(service, user)
    const headers = { authorization: `Bearer ${access_token}` }
    const created = await service.app.inject({
      method: 'POST', url: '/api/projects', headers, payload: { name: 'Over REST', sources: [], examples: ['10.1000/one'] }
    })
    t.equal(created.statusCode, 201)
    const id = created.json().id as string
    t.match((await service.app.inject({ url: `/api/projects/${id}/imports`, headers })).json(), { items: [{ state: 'waiting' }] })
    await runImport()
    const body = '--part\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n10.1000/three\r\n41000002\r\n--part\r\n' +
      'content-disposition: form-data; name="vote"\r\n\r\nupvote\r\n--part--\r\n'
    const sent = await service.app.inject({
      method: 'POST',
      url: `/api/projects/${id}/imports`,
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=part' },
      payload: body
    })
    t.equal(sent.statusCode, 202, sent.body)
    await runImport()
    t.strictSame((await feedOf(user, id)).map(({ feedback }) => feedback?.vote), ['upvote', 'upvote', 'upvote'])
  })

  await t.test('come with the MCP tool, as over REST', async t => {
    const { api_key } = await keyCreate.run(context, { name: 'Agent', scope: 'act' })
    const given = { name: 'By an agent', sources: [], examples: ['10.1000/one'] }
    const { structuredContent } = await callTool(service, api_key, 'project_create', given)
    await runImport()
    t.strictSame((await feedOf(user, structuredContent.id)).map(({ feedback }) => feedback?.vote), ['upvote'])
  })

  await t.test('are refused without leaving a project behind', async t => {
    const before = (await projectsList.run(context, {})).total
    for (const examples of [[''], Array.from({ length: 101 }, (_, at) => `10.1000/${at}`), ['x'.repeat(601)]]) {
      await t.rejects(create(examples), { code: 'invalid_arguments' })
    }
    const full = { ...context, uploadQuotaBytes: 1 }
    await t.rejects(projectCreate.run(full, { name: 'Full', examples: ['10.1000/one'] }), { code: 'quota_exceeded' })
    t.equal((await projectsList.run(context, {})).total, before)
  })
})

t.test('an import of a list that ends before it notes a paper has its vote learned', async t => {
  const { service, user, project } = await startSources(t, papers)
  const { context } = user
  const isPending = async (project_id: string) => (await projectsGet.run(context, { project_id })).learning.pending
  for (const added of ['from a source', 'from the papers of the account']) {
    const project_id = await project([])
    await projectScore.run(context, { project_id })
    const { import_id } = await examplesAdd.run(context, { project_id, papers: ['10.1000/one'] })
    const db = context.db.withPlugin({
      transformQuery ({ node }) {
        if (node.kind === 'UpdateQueryNode' && JSON.stringify(node.updates).includes('"progress"')) throw new Error('lost')
        return node
      },
      transformResult: async ({ result }) => result
    })
    await resetRateLimits(user)
    t.equal(await isPending(project_id), false)
    await t.rejects(libraryImportRun.run({ ...context, db }, { import_id }), { message: 'lost' })
    t.match(await feedOf(user, project_id), [{ feedback: { vote: 'upvote' } }], added)
    t.equal(await isPending(project_id), true, added)
    await service.context.db.deleteFrom('job').execute()
  }
})
