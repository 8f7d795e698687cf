import t, { type Test } from 'tap'
import { startSchedule } from '../../src/adapters/jobs/schedule.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { logIn, projectWith, testService, type TestUser } from '../support/service.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { json, standIn } from '../support/stand-ins/server.js'
import { until } from '../support/until.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { paperConvert } from '../../src/operations/papers/paper-convert.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { column, writePdf } from '../support/pdf.js'

const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const abstract = (topic: string) =>
  `We studied ${topic} in adults. ${topic} was measured twice a year by trained observers in three towns. The effect of ${topic} was larger than had been thought, and it lasted.`
const paper = (at: number, topic: string): Publication => ({
  title: `Effects of ${topic}, report ${at}`,
  abstract: abstract(topic),
  date: day(2),
  pmid: String(43_000_000 + at),
  doi: `10.1000/report.${at}`
})

/** The background work of one process, ended with the test. */
function run (t: Test, { context }: Awaited<ReturnType<typeof testService>>) {
  const [workers, schedule] = [startWorkers(context, tasks), startSchedule(context)]
  t.teardown(async () => { await Promise.all([schedule.stop(1000), workers.stop(1000)]) })
}

const feedOf = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items

t.test('a new project fills its feed, and learns from votes', async t => {
  const europepmc = await europepmcStandIn(t, [
    ...Array.from({ length: 20 }, (_, at) => paper(at, 'sleep and memory')),
    ...Array.from({ length: 20 }, (_, at) => paper(100 + at, 'sleep and diet'))
  ])
  const service = await testService(t, { EUROPEPMC_URL: europepmc.url })
  run(t, service)
  const user = await service.user()
  const { id } = await projectCreate.run(user.context, {
    name: 'Sleep',
    interest_description: 'sleep',
    sources: [{ name: 'europepmc', query: 'sleep' }]
  })
  await until(async () => (await projectsGet.run(user.context, { project_id: id })).last_fetched_at !== null)
  const items = await feedOf(user, id)
  t.equal(items.length, 40)
  const of = (topic: string) => items.filter(({ paper_title }) => paper_title.includes(topic))
  t.equal(of('memory')[0]!.relevance_score, of('diet')[0]!.relevance_score)

  for (const { id } of of('memory').slice(0, 3)) await feedbackSet.run(user.context, { paper_id: id, vote: 'star' })
  for (const { id } of of('diet').slice(0, 3)) {
    await feedbackSet.run(user.context, { paper_id: id, vote: 'downvote', downvote_reason: 'not_relevant' })
  }
  const unrated = async (topic: string) =>
    (await feedOf(user, id)).filter(({ paper_title, feedback }) => paper_title.includes(topic) && feedback === null)
  await until(async () => (await unrated('memory'))[0]!.relevance_score > (await unrated('diet'))[0]!.relevance_score + 0.2)
  const [liked] = await unrated('memory')
  t.match(liked!.matching_details, { learned_from: { liked: 3, disliked: 3 }, liked_paper: { title: /memory/, starred: true } })
  t.match(liked!.personalized_note, /starred/)
})

t.test('summaries', async t => {
  const europepmc = await europepmcStandIn(
    t,
    Array.from({ length: 5 }, (_, at) => paper(at, 'sleep and memory'))
  )
  const model = await standIn(t, ({ body }) =>
    json({
      choices: [
        {
          message: {
            role: 'assistant',
            content: `<think>hm</think> Written of ${JSON.parse(body.toString()).messages[1].content.match(/report \d+/)[0]}. ${'long '.repeat(500)}`
          }
        }
      ]
    })
  )
  const service = await testService(t, {
    EUROPEPMC_URL: europepmc.url,
    LLM_URL: `${model.url}/v1`,
    LLM_MODEL: 'small',
    LLM_KEY: 'a-secret-key'
  })
  run(t, service)
  const user = await service.user()
  const filled = async () => {
    const { id } = await projectCreate.run(user.context, {
      name: 'Sleep',
      interest_description: 'sleep',
      sources: [{ name: 'europepmc', query: 'sleep' }]
    })
    await until(async () => (await projectsGet.run(user.context, { project_id: id })).last_fetched_at !== null)
    return id
  }
  await t.test('are sentences of the abstract if the model is unavailable', async t => {
    model.next.push(...Array.from({ length: 8 }, () => ({ status: 500, body: 'no' })))
    const id = await filled()
    await until(async () => model.next.length === 0 || model.requests.length >= 3)
    const items = await feedOf(user, id)
    t.same(
      items.map(({ summary_origin, summary }) => [summary_origin, summary!.slice(0, 22)]),
      Array.from({ length: 5 }, () => ['abstract', 'Background: We studied'])
    )
    model.next.length = 0
  })
  await t.test('are written by the configured model and marked as such', async t => {
    const id = await filled()
    await until(async () => (await feedOf(user, id)).every(({ summary_origin }) => summary_origin === 'model'))
    const [item] = await feedOf(user, id)
    t.match(item!.summary, /^Written of report \d\. long/)
    t.ok(item!.summary!.length <= 610)
    t.match(model.requests.at(-1), { url: { pathname: '/v1/chat/completions' }, headers: { authorization: 'Bearer a-secret-key' } })
    t.notMatch(service.logged.join('\n'), 'a-secret-key')
  })
})

const jats = (
  body: string
) => `<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">
<article><front><article-meta><title-group><article-title>Base editing of mice</article-title></title-group><abstract><p>Short.</p></abstract></article-meta></front>${body}</article>`
const whole = jats('<body><sec><title>Results</title><p>Vision came back in <italic>twelve</italic> of fourteen mice.</p></sec></body>')
const page =
  '<!DOCTYPE html><html><body><article class="ltx_document"><h1 class="ltx_title ltx_title_document">Editing in theory</h1><section ' +
  'class="ltx_section"><h2 class="ltx_title ltx_title_section">Model</h2><div class="ltx_para"><p class="ltx_p">We let <math ' +
  'alttext="x^{2}"><mi>x</mi></math> be small.</p></div></section></article></body></html>'

t.test('full text', async t => {
  const europepmc = await europepmcStandIn(t, [], { PMC1: whole, PMC2: jats(''), PMC3: '<article><front>broken' })
  const arxiv = await arxivStandIn(t, [], { '/html/2611.00001': page })
  const pmc = await standIn(t, () => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0"?><ListBucketResult></ListBucketResult>'
  }))
  const service = await testService(t, { EUROPEPMC_URL: europepmc.url, ARXIV_HTML_URL: arxiv.url, PMC_URL: pmc.url })
  const user = await service.user()
  const { context } = user
  const workers = startWorkers(service.context, tasks)
  t.teardown(async () => { await workers.stop(1000) })
  const project_id = await projectWith(user, [
    { title: 'Open', external_ids: { pmcid: 'PMC1' } },
    { title: 'Metadata only', external_ids: { pmcid: 'PMC2' } },
    { title: 'Broken', external_ids: { pmcid: 'PMC3' } },
    { title: 'On arXiv', external_ids: { arxiv: '2611.00001' } },
    { title: 'Private address', pdf_url: 'http://169.254.169.254/latest/meta-data.pdf' },
    { title: 'Mine', doi: '10.1000/mine' }
  ])
  const { items } = await feedGet.run(context, { project_id })
  const paperOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id
  /** Asks until the paper is ready or cannot be had. */
  const read = async (title: string) => {
    const paper_id = paperOf(title)
    const first = await paperMarkdown.run(context, { paper_id })
    t.match(first, { status: 'queued', created: true })
    const { job_id } = first as { job_id: string }
    await until(async () => ['done', 'failed'].includes((await jobGet.run(context, { job_id })).state))
    return { answer: await paperMarkdown.run(context, { paper_id }), job: await jobGet.run(context, { job_id }) }
  }

  await t.test('of an open article comes from its JATS', async t => {
    const { answer, job } = await read('Open')
    t.match(answer, {
      status: 'ready',
      markdown: /^# Base editing of mice\n\n## Abstract\n\nShort\.\n\n## Results\n\nVision came back in \*twelve\* of fourteen mice\./
    })
    t.match(job, { state: 'done', result: { origin: 'jats', converter: /^litfeed-jats/ } })
  })
  await t.test('of an arXiv paper comes from its HTML, with LaTeX formulas', async t => {
    const { answer } = await read('On arXiv')
    t.match(answer, { status: 'ready', markdown: /## Model\n\nWe let \$x\^\{2\}\$ be small\./ })
  })
  await t.test('is unavailable without an origin, with a reason', async t => {
    const { answer, job } = await read('Metadata only')
    t.match(answer, { status: 'unavailable', code: 'markdown_source_unavailable' })
    t.match(job, { state: 'failed', error: /Europe PMC: .*PubMed Central does not have it/ })
  })
  await t.test('is an error if broken', async t => {
    t.match((await read('Broken')).job, { state: 'failed', error: /Europe PMC: / })
  })
  await t.test('is never fetched from a private address', async t => {
    t.match((await read('Private address')).job, { state: 'failed', error: /its address cannot be fetched/ })
  })
  await t.test('of an upload is visible only to its uploader, over REST', async t => {
    const { access_token } = await logIn(service, user)
    const headers = { authorization: `Bearer ${access_token}` }
    const url = `/api/papers/${paperOf('Mine')}/pdf`
    t.match(
      (
        await service.app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/pdf' }, payload: 'hello' })
      ).json(),
      { code: 'invalid_arguments', detail: /not a PDF.*Send a PDF/ }
    )
    t.equal(
      (
        await service.app.inject({
          method: 'POST',
          url,
          headers: { 'x-api-key': user.key, 'content-type': 'application/pdf' },
          payload: '%PDF-1.4'
        })
      ).statusCode,
      403,
      'a key reads and changes nothing'
    )
    const upload = async (payload: string | Buffer) =>
      await service.app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/pdf' }, payload })
    t.match(
      (
        await service.app.inject({
          method: 'POST',
          url,
          headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
          payload: 'x'
        })
      ).json(),
      { detail: /Content-Type: application\/pdf/ }
    )
    const broken = await service.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/pdf' },
      payload: '%PDF-1.7 and nothing more'
    })
    t.equal(broken.statusCode, 202)
    await until(async () => (await jobGet.run(context, { job_id: broken.json().job_id })).state === 'failed')
    t.match(await jobGet.run(context, { job_id: broken.json().job_id }), { error: /damaged|cannot be read/i, attempts: 1 })

    // The second comes before the first is converted: each is a job of its own, and the later one counts.
    const sound = writePdf([
      { texts: column(['Vision came back in twelve of the fourteen mice that', 'were treated, and in none of those that were not.']) }
    ])
    const [wrong, right] = [await upload('%PDF-1.7 the wrong file'), await upload(Buffer.from(sound))]
    t.match([wrong.json(), right.json()], [{ created: true }, { created: true }])
    t.not(wrong.json().job_id, right.json().job_id)
    for (const { job_id } of [wrong.json(), right.json()]) {
      await until(async () => ['done', 'failed'].includes((await jobGet.run(context, { job_id })).state))
    }
    t.match(await paperMarkdown.run(context, { paper_id: paperOf('Mine') }), { status: 'ready', markdown: /Vision came back/ })
    const again = await paperConvert.run(service.context, { paper_id: paperOf('Mine'), uploaded_by: context.account.id })
    t.match(again, { origin: 'upload', converter: /litfeed/ }, 'a try whose process ended after its work is repeated without harm')
  })
})
