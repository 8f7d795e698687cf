import t from 'tap'
import { disableSource, enableSource } from '../../db/queries/disabled-sources.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { findPaper } from '../../src/sources/fetching/find-paper.js'
import { sources } from '../../src/sources/index.js'
import { examplesAdd } from '../../src/operations/papers/examples-add.js'
import { paperAdd } from '../../src/operations/papers/paper-add.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { callTool, post } from '../support/mcp.js'
import { runNextImport, sendLibrary } from '../support/library-imports.js'
import { logIn, projectWith } from '../support/service.js'
import { until } from '../support/until.js'
import { feedOf, resetRateLimits, startSources } from '../support/sources.js'
import { type Answer, standIn } from '../support/stand-ins/server.js'

const paper = (part: Partial<Publication>): Publication => ({
  title: 'Sleep spindles',
  abstract: 'Spindles in sleep.',
  date: '2026-01-10',
  ...part
})
const papers = [
  paper({ title: 'By PMID', doi: '10.1000/pmid', pmid: '41000001', pmcid: 'PMC12000001' }),
  paper({ title: 'By DOI', doi: '10.1000/doi.only' }),
  paper({ title: 'By PMCID', pmid: '41000003', pmcid: 'PMC12000003' }),
  paper({ title: 'On arXiv', arxiv: '2611.01234' }),
  paper({ title: 'Second version', doi: '10.21203/rs.3.rs-1/v2' }),
  paper({ title: 'On a page', doi: '10.1000/page' }),
  paper({ title: 'By its DOI and a PMID', doi: '10.1000/both', pmid: '41000111' }),
  paper({ title: 'By its DOI and a PMID', doi: '10.1000/both', pmid: '41000222' }),
  paper({ title: 'Slow oscillations group the spindles of sleep', doi: '10.1000/titled' }),
  paper({ title: 'One title of two works', doi: '10.1000/one', authors: [['Ada', 'Lovelace']] }),
  paper({ title: 'One title of two works', doi: '10.1000/two', authors: [['Grace', 'Hopper']] }),
  paper({ title: 'A thesis on the ripples of sleep: how they group', preprint: true }),
  paper({ title: 'A record with an id beyond all measure', pmcid: `PMC12000009 ${'x'.repeat(600)}` }),
  ...['look-up', 'list', 'file'].map(way => paper({ title: `As sources have it, by ${way}`, doi: `10.1000/private-${way}` }))
]

const html = (body: string, type = 'text/html; charset=utf-8'): Answer => ({ headers: { 'content-type': type }, body })
/** What pages answer, by path. */
const pages: Readonly<Record<string, Answer>> = {
  '/article': html('<title>On a page</title><meta name="citation_doi" content="doi:10.1000/PAGE">'),
  '/blog': html('<p>Nothing'),
  '/file.pdf': html('%PDF-1.7', 'application/pdf'),
  '/huge': html('<p>'.repeat(3_000_000)),
  '/gone': { status: 404, body: 'Not found' },
  '/inward': { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
  '/resolver': { status: 302, headers: { location: '/article' }, body: '' }
}

t.test('adding a paper by its identifier', async t => {
  const site = await standIn(t, ({ url }) => pages[url.pathname]!)
  const { service, user, project, pubmed, crossref } = await startSources(t, papers, { PRIVATE_ORIGINS: site.url })
  const project_id = await project([])
  /** Adds a paper, and runs the job that this may queue. */
  const add = async (identifier: string, into = project_id) => {
    const answer = await paperAdd.run(user.context, { project_id: into, identifier })
    if (answer.job_id === undefined) return { answer, again: answer }
    await resetRateLimits(user)
    await runJob(service.context, answer.job_id)
    return {
      answer,
      again: await paperAdd.run(user.context, { project_id: into, identifier }),
      job: await jobGet.run(user.context, { job_id: answer.job_id })
    }
  }

  for (const [identifier, title] of [
    ['PMID: 41000001', 'By PMID'],
    ['https://doi.org/10.1000/DOI.only', 'By DOI'],
    ['PMC12000003', 'By PMCID'],
    ['https://arxiv.org/abs/2611.01234v2', 'On arXiv']
  ] as const) {
    await t.test(`asks the sources for ${identifier}, then returns the item`, async t => {
      const { answer, again, job } = await add(identifier)
      t.match(answer, { job_id: /^[0-9a-f-]{36}$/, created: true })
      t.match(again, { project_id, paper_title: new RegExp(title), feedback: null })
      t.match(job, { task: 'add-paper', state: 'done', result: { item_id: again.id } })
    })
  }

  await t.test('returns known papers and feed items immediately', async t => {
    const asked = pubmed.requests.length + crossref.requests.length
    const { answer: present } = await add('10.1000/pmid')
    t.match(present, { project_id, paper_title: /By PMID/ })
    const other = await project([], { name: 'Other', negative_keywords: ['spindles'] })
    const { answer: known } = await add('41000001', other)
    t.match(known, { project_id: other, paper_title: /By PMID/, relevance_score: 0 })
    t.equal(known.paper!.id, present.paper!.id)
    t.equal(pubmed.requests.length + crossref.requests.length, asked, 'no source is asked')
    t.equal((await feedOf(user, project_id)).length, 4)
  })

  await t.test('finds a paper by the DOI of another version', async t => {
    const { again: added } = await add('10.21203/rs.3.rs-1/v2')
    t.match(added, { paper_title: /Second version/ })
    t.match((await add('10.21203/rs.3.rs-1/v1')).answer, { id: added.id })
    const other = await project([], { name: 'Other versions' })
    t.match((await add('https://doi.org/10.21203/rs.3.rs-1', other)).answer, { project_id: other, paper: { id: added.paper!.id } })
  })

  await t.test('returns the stored paper that the record contradicts', async t => {
    const { again: stored } = await add('41000111')
    t.match(stored, { paper_title: 'By its DOI and a PMID' })
    const { job, again } = await add('41000222')
    t.match(job, { state: 'done', result: { item_id: stored.id } })
    t.match(again, { id: stored.id })
  })

  await t.test('keeps private records of other projects from a key that is limited to this one', async t => {
    const ways = ['look-up', 'list', 'file']
    const abstract = 'What nobody else is to read.'
    await projectWith(user, ways.map(way => ({ title: `As I have it, by ${way}`, doi: `10.1000/private-${way}`, abstract })))
    const seen = await projectWith(user, [])
    const context = { ...user.context, key: { id: user.context.account.id, name: 'x', scope: 'act' as const, projectIds: [seen] } }
    const identifier = '10.1000/private-look-up'
    const { job_id } = await paperAdd.run(context, { project_id: seen, identifier })
    await resetRateLimits(user)
    await runJob(service.context, job_id!)
    t.match(await paperAdd.run(context, { project_id: seen, identifier }), { paper_title: 'As sources have it, by look-up' })

    await examplesAdd.run(context, { project_id: seen, papers: ['10.1000/private-list'] })
    await resetRateLimits(user)
    await runNextImport(service)
    const file = JSON.stringify({ title: 'As the file has it', doi: '10.1000/private-file' })
    for (let time = 0; time < 2; time++) {
      await sendLibrary({ ...user, context }, seen, file, { name: 'papers.jsonl' })
      await runNextImport(service)
    }
    const items = await feedOf(user, seen)
    t.strictSame(items.map(({ paper_title }) => paper_title).sort(), [
      'As sources have it, by list', 'As sources have it, by look-up', 'As the file has it'
    ])
    t.ok(items.every(({ paper }) => paper.abstract !== abstract))

    await sendLibrary(user, seen, file, { name: 'papers.jsonl' })
    await runNextImport(service)
    t.equal((await feedOf(user, seen)).length, 3, 'an import without the limit adds no second copy')
  })

  await t.test('reads the identifier from the page of a paper', async t => {
    const { answer, again, job } = await add(`${site.url}/article?utm_source=mail#abstract`)
    t.match(answer, { job_id: String, created: true })
    t.match(job, { state: 'done' })
    t.match(again, { project_id, paper_title: /On a page/, id: job!.result!.item_id as string })
    const other = await project([], { name: 'Redirected' })
    t.match((await add(`${site.url}/resolver`, other)).again, { project_id: other, paper_title: /On a page/ })
  })

  await t.test('takes a whole title, and says why one is not enough', async t => {
    const titled = 'Slow oscillations group the spindles of sleep'
    const { answer, again, job } = await add(`  ${titled.toUpperCase().replace(' ', '\n ')}. `)
    t.match(answer, { job_id: String, created: true })
    t.match(job, { state: 'done', result: { item_id: again.id } })
    t.match(again, { project_id, paper_title: titled, paper: { doi: '10.1000/titled' } })
    const asked = crossref.requests.length
    t.match((await add(titled)).answer, { id: again.id }, 'the feed has it')
    const other = await project([], { name: 'By short id' })
    const { short_id } = again as { short_id: string }
    if (/[a-f]/.test(short_id)) t.match((await add(short_id, other)).answer, { project_id: other, paper_title: titled })
    const own = await projectWith(user, [{ title: 'A report that no source has' }])
    t.match((await add('A report that no source has', own)).answer, { paper_title: 'A report that no source has' })
    t.equal(crossref.requests.length, asked, 'no source is asked')

    for (const [title, reason] of [
      ['A title that no source has', /^No source has a paper with exactly this title\. Check the title, or use the DOI or PMID\.$/],
      ['One title of two works', /^Several papers have this title\. Use the DOI or PMID instead\.$/]
    ] as const) {
      const { job_id } = await paperAdd.run(user.context, { project_id, identifier: title })
      await resetRateLimits(user)
      await runJob(service.context, job_id!)
      t.match(await jobGet.run(user.context, { job_id: job_id! }), { state: 'failed', attempts: 1, error: reason })
      await t.rejects(paperAdd.run(user.context, { project_id, identifier: title }), { code: 'paper_not_found', message: reason })
    }
  })

  await t.test('returns a paper without identifiers by its title before the subtitle', async t => {
    const { answer, again, job } = await add('A thesis on the ripples of sleep')
    t.match(answer, { job_id: String, created: true })
    t.match(again, { project_id, paper_title: 'A thesis on the ripples of sleep: how they group', paper: { doi: null } })
    t.match(job, { state: 'done', result: { item_id: again.id } })
  })

  await t.test('says that the record of a source is invalid, and asks no more', async t => {
    const wanted = { project_id, identifier: 'A record with an id beyond all measure' }
    const { job_id } = await paperAdd.run(user.context, wanted)
    await resetRateLimits(user)
    await runJob(service.context, job_id!)
    const reason = /^A source has this paper, but its record is invalid\. Import the record from a file, or use another identifier\.$/
    t.match(await jobGet.run(user.context, { job_id: job_id! }), { state: 'failed', attempts: 1, error: reason })
    await t.rejects(paperAdd.run(user.context, wanted), { code: 'paper_not_found', message: reason })
    t.match(service.logged.join('\n'), /"reason":"[^"]*source_paper_id/, 'which quotes the record, is in the log')
  })

  for (const [path, reason] of [
    ['/blog', /^This page of 127\.0\.0\.1:\d+ states no DOI, PMID or arXiv id\. Enter the paper’s DOI/],
    ['/file.pdf', /is not a web page\./],
    ['/huge', /sent more than 8 MiB\./],
    ['/gone', /answered with status 404\./],
    ['/inward', /(?:is not on the public Internet|redirects to an address that Litfeed cannot fetch)\./]
  ] as const) {
    await t.test(`says why nothing is added from ${path}`, async t => {
      const identifier = `${site.url}${path}`
      const { job_id } = await paperAdd.run(user.context, { project_id, identifier })
      await resetRateLimits(user)
      await runJob(service.context, job_id!)
      t.match(await jobGet.run(user.context, { job_id: job_id! }), { state: 'failed', attempts: 1, error: reason })
      await t.rejects(paperAdd.run(user.context, { project_id, identifier }), { code: 'paper_not_found', message: reason })
    })
  }

  await t.test('refuses pages in a private network', async t => {
    for (const identifier of ['http://127.0.0.1/', 'http://[::1]/article', 'http://169.254.169.254/latest', 'http://localhost:9/x']) {
      await t.rejects(paperAdd.run(user.context, { project_id, identifier }), {
        code: 'invalid_arguments',
        userMessage: /not on the public Internet/
      }, identifier)
    }
  })

  await t.test('has status 200 for an item, and 202 for a job, over REST', async t => {
    const { access_token } = await logIn(service, user)
    const post = async (identifier: string) =>
      await service.app.inject({
        method: 'POST',
        url: `/api/projects/${project_id}/papers`,
        headers: { authorization: `Bearer ${access_token}` },
        payload: { identifier }
      })
    const [known, unknown] = [await post('10.1000/pmid'), await post('10.1000/never-seen')]
    t.match([known.statusCode, known.json()], [200, { project_id, paper_title: /By PMID/ }])
    t.match([unknown.statusCode, unknown.json()], [202, { job_id: /^[0-9a-f-]{36}$/ }])
  })

  await t.test('queues one job for repeated calls', async t => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await paperAdd.run(user.context, { project_id, identifier: '10.1000/new' }))
    )
    t.equal(new Set(answers.map(({ job_id }) => job_id)).size, 1)
    t.equal(answers.filter(({ created }) => created === true).length, 1)
    await resetRateLimits(user)
    await runJob(service.context, answers[0]!.job_id!)
  })

  await t.test('reports that no source has the paper', async t => {
    await t.rejects(paperAdd.run(user.context, { project_id, identifier: '10.1000/new' }), {
      code: 'paper_not_found',
      message: /No source has a paper/
    })
  })

  await t.test('skips disabled sources, and fails at once only where all are disabled', async t => {
    const { db, now } = service.context
    const disabled = async (identifier: string, names: string[]) => {
      for (const name of names) await disableSource(db, name, now())
      const { job_id } = await paperAdd.run(user.context, { project_id, identifier })
      await resetRateLimits(user)
      await runJob(service.context, job_id!)
      return await jobGet.run(user.context, { job_id: job_id! })
    }
    t.match(await disabled('10.1000/nowhere', ['crossref']), { state: 'failed', attempts: 1, error: /No enabled source has a paper/ })
    const again = { project_id, identifier: '10.1000/nowhere' }
    await t.rejects(paperAdd.run(user.context, again), { code: 'paper_not_found', message: /disabled Crossref/ })
    await enableSource(db, 'crossref')
    t.match(await paperAdd.run(user.context, again), { created: true }, 'a source that was enabled since is asked')
    const all = sources.map(({ name }) => name)
    t.match(await disabled('10.1000/nobody', all), { state: 'failed', attempts: 1, error: /administrator of this service disabled .*Crossref/ })
    t.match(await findPaper(user.context, 'A title of several words'), { why: /administrator of this service disabled/ })
    for (const name of all) await enableSource(db, name)
  })

  await t.test('says why a look-up failed and when to try again, and queues another one only then', async t => {
    const { db, now } = service.context
    const again = { project_id, identifier: '10.1000/unanswered' }
    const { job_id } = await paperAdd.run(user.context, again)
    const fail = async (ago: number, error = 'Crossref did not respond.') =>
      await db.updateTable('job').set({ state: 'failed', attempts: 4, error, updated_at: new Date(now().getTime() - ago) })
        .where('id', '=', job_id!).execute()
    await fail(60_000)
    await t.rejects(paperAdd.run(user.context, again), {
      code: 'unavailable',
      message: /^Crossref did not respond\. Retry after (?:240|239) s\.$/,
      retryAfter: Number
    })
    await fail(60_000, 'An administrator of this service disabled Crossref, and no other source can look this up.')
    t.match(await paperAdd.run(user.context, again), { created: true }, 'Crossref is enabled')
    await db.deleteFrom('job').where('state', '=', 'waiting').execute()
    await fail(6 * 60_000)
    t.match(await paperAdd.run(user.context, again), { created: true })
  })

  await t.test('is a tool error over MCP while a source does not answer, and leaves the other answers of its batch', async t => {
    const { db, now } = service.context
    const { api_key: key } = await keyCreate.run(user.context, { name: 'Assistant', scope: 'act' })
    const add = { name: 'paper_add', arguments: { project_id, identifier: '10.1000/silent' } }
    const { structuredContent: { job_id } } = await callTool(service, key, add.name, add.arguments)
    await db.updateTable('job').set({ state: 'failed', attempts: 4, error: 'Crossref did not respond.', updated_at: now() })
      .where('id', '=', job_id).execute()
    const failed = { isError: true, content: [{ type: 'text', text: 'unavailable: Crossref did not respond. Retry after 300 s.' }] }
    t.strictSame(await callTool(service, key, add.name, add.arguments), failed)
    const batch = await post(service, key, [add, { name: 'projects_list', arguments: {} }]
      .map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })))
    const answers = [{ id: 0, result: failed }, { id: 1, result: { structuredContent: { total: Number } } }]
    t.match([batch.statusCode, batch.json()], [200, answers])
  })

  await t.test('rejects invalid identifiers with a message', async t => {
    const invalid = ['Sleep spindles', 'Not a real identifier', 'ISBN 978-3-16-148410-0', 'x', '10.1000', 'ftp://example.org/', '<script>']
    for (const identifier of [...invalid, `10.1000/${'x'.repeat(590)}`]) {
      await t.rejects(paperAdd.run(user.context, { project_id, identifier }), { code: 'invalid_arguments' }, identifier.slice(0, 30))
    }
    for (const [identifier, message] of [
      ['Sleep spindles', /or the whole title of five words or more\.$/],
      ['Sleep spindles and memory, doi:10.1000/ABC, 2026', /Send its DOI 10\.1000\/abc alone, or one paper per call\. Allowed: /],
      ['PMID 41000001, PMID 41000003', /Send its PMID 41000001 alone, or one paper per call\. /],
      ['PMID 000000000000', /Allowed: a DOI, PMID, PMCID or arXiv id/]
    ] as const) await t.rejects(paperAdd.run(user.context, { project_id, identifier }), { code: 'invalid_arguments', message }, identifier)
  })
})

/** Runs jobs that add papers until this one has ended. */
async function runJob (context: ServiceContext, id: string): Promise<void> {
  const workers = startWorkers(context, tasks.filter(({ task }) => task === 'add-paper'))
  try {
    await until(
      async () =>
        (await context.db.selectFrom('job').select('id').where('id', '=', id).where('state', 'in', ['done', 'failed']).execute()).length > 0
    )
  } finally {
    await workers.stop(1000)
  }
}
