import t, { type Test } from 'tap'
import { startSchedule } from '../../src/adapters/jobs/schedule.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { type TestUser, testService } from '../support/service.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { json, standIn } from '../support/stand-ins/server.js'
import { until } from '../support/until.js'

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
  t.teardown(async () => { await Promise.all([schedule.stop(), workers.stop(1000)]) })
}

const feedOf = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items

t.test('a new project fills its feed, and learns from votes within a minute', async t => {
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

  const started = Date.now()
  for (const { id } of of('memory').slice(0, 3)) await feedbackSet.run(user.context, { paper_id: id, vote: 'star' })
  for (const { id } of of('diet').slice(0, 3)) {
    await feedbackSet.run(user.context, { paper_id: id, vote: 'downvote', downvote_reason: 'not_relevant' })
  }
  const unrated = async (topic: string) =>
    (await feedOf(user, id)).filter(({ paper_title, feedback }) => paper_title.includes(topic) && feedback === null)
  await until(async () => (await unrated('memory'))[0]!.relevance_score > (await unrated('diet'))[0]!.relevance_score + 0.2)
  t.ok(Date.now() - started < 60_000, `after ${Date.now() - started} ms`)
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
