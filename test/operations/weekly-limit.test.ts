import t from 'tap'
import { claimBatch } from '../../db/queries/alert-items.js'
import { createAlert, findAlert } from '../../db/queries/alerts.js'
import { candidateAdd } from '../../src/operations/feed/candidate-add.js'
import { candidatesList } from '../../src/operations/feed/candidates-list.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { projectPreview } from '../../src/operations/projects/project-preview.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { projectThresholds } from '../../src/operations/projects/project-thresholds.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { feedOf, resetRateLimits, startSources } from '../support/sources.js'

/** Papers for the project of these tests; the later ones match less. */
const graded = (texts: readonly string[], first: number): Publication[] =>
  texts.map((text, at) => ({ title: `${text}, study ${first + at}`, abstract: 'A study.', date: '2026-11-18', pmid: String(41_500_000 + first + at) }))

t.test('under a weekly limit, the feed has the best papers of each week', async t => {
  const weaker = graded(['Base editing as a therapy', 'Base editing of cells', 'Editing of cells'], 1)
  const papers = [...weaker]
  const { user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 2, feed_threshold: 0.05 })
  const titles = async () => (await feedGet.run(context, { project_id: id, sort: 'relevance' })).items.map(({ paper_title }) => paper_title)
  const others = async () => (await candidatesList.run(context, { project_id: id })).items.map(({ title }) => title)
  const [first, second, third] = weaker.map(({ title }) => title) as [string, string, string]

  t.match((await fetchNow(id)).sources, [{ found: 3, entered: 2 }])
  t.strictSame(await titles(), [first, second])
  t.strictSame(await others(), [third], 'the others are listed apart')
  t.match((await projectsGet.run(context, { project_id: id })).source_states, [{ papers_entered: 2 }])

  const [better] = graded(['Base editing as a therapy of the retina'], 4)
  papers.push(better!)
  clock.now = new Date('2026-11-20T18:00:00Z')
  await resetRateLimits(user)
  await fetchNow(id)
  t.strictSame(await titles(), [better!.title, first], 'a better paper of the same week displaces an unseen one')
  await fetchNow(id)
  t.strictSame(await titles(), [better!.title, first], 'and stays')

  const preview = async (weekly_limit: number) => await projectPreview.run(context, { project_id: id, weekly_limit })
  t.match(await preview(3), { counts: { added: 1, dropped: 0 }, added: [{ title: second }] })
  t.match(await preview(1), { counts: { added: 0, dropped: 1 }, dropped: [{ title: first }] })
  t.match(await preview(0), { counts: { added: 2, dropped: 0 } })

  const { items } = await feedGet.run(context, { project_id: id, sort: 'relevance' })
  await itemUpdate.run(context, { ref: items[1]!.id, saved: true })
  t.match(await preview(1), { counts: { dropped: 1 }, dropped: [{ title: better!.title }] }, 'marked papers stay and take the places')
  clock.now = new Date('2026-11-20T19:00:00Z')
  await projectUpdate.run(context, { project_id: id, weekly_limit: 1 })
  t.match(await projectScore.run(context, { project_id: id }), { added: 0, dropped: 1 })
  t.strictSame(await titles(), [first])
  await itemUpdate.run(context, { ref: items[1]!.id, saved: false })
  clock.now = new Date('2026-11-20T20:00:00Z')
  await projectUpdate.run(context, { project_id: id, weekly_limit: 3 })
  t.match(await projectScore.run(context, { project_id: id }), { added: 2, dropped: 0 })
  const returned = (await feedGet.run(context, { project_id: id, sort: 'relevance' })).items.map(({ id }) => id)
  t.strictSame(returned.slice(0, 2), items.map(({ id }) => id), 'a paper that returns keeps its id')
  clock.now = new Date('2026-11-20T21:00:00Z')
  await projectUpdate.run(context, { project_id: id, weekly_limit: 1 })
  t.match(await projectScore.run(context, { project_id: id }), { added: 0, dropped: 2 })
  t.strictSame(await titles(), [better!.title])

  const { items: [left] } = await candidatesList.run(context, { project_id: id })
  t.strictSame(left!.changes, [])
  const metadata = JSON.stringify({ retracted: true })
  await context.db.updateTable('paper').set({ metadata }).where('id', '=', left!.candidate_id).execute()
  t.match(await candidatesList.run(context, { project_id: id }), { items: { 0: { changes: [{ kind: 'retraction' }] } } })
  t.match(await candidateAdd.run(context, { project_id: id, candidate_id: left!.candidate_id }), { paper_title: left!.title })
  t.match(await candidateAdd.run(context, { project_id: id, candidate_id: left!.candidate_id }), { paper_title: left!.title }, 'once')
  t.match(await projectScore.run(context, { project_id: id }), { dropped: 0 })
  t.strictSame(await titles(), [better!.title, left!.title], 'a paper that a person added stays')
  const missing = '00000000-0000-4000-8000-000000000000'
  await t.rejects(candidateAdd.run(context, { project_id: id, candidate_id: missing }), { code: 'paper_not_found' })
  await t.rejects(candidatesList.run(context, { project_id: id, offset: 10_001 }), {
    code: 'invalid_arguments',
    message: 'offset is larger than 10,000, the maximum. Send a smaller one.'
  })

  papers.push(...graded(['Base editing in yeast'], 5))
  clock.now = new Date('2026-11-23T08:00:00Z')
  await resetRateLimits(user)
  await fetchNow(id)
  t.equal((await titles()).length, 3, 'each week has its own places')
})

t.test('papers that do not enter are listed by their scores as of the last rescoring', async t => {
  const papers = graded(['Base editing as a therapy of the retina', 'Nitrogen in soil and water'], 1)
  const { user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project([{ name: 'pubmed', query: 'study' }], { feed_threshold: 1 })
  await fetchNow(id)
  const listed = async () => (await candidatesList.run(context, { project_id: id })).items
  t.match((await listed()).map(({ title }) => title), [papers[0]!.title])
  await projectScore.run(context, { project_id: id })
  clock.now = new Date(clock.now.getTime() + 60_000)
  await projectUpdate.run(context, { project_id: id, interest_description: 'Nitrogen in soil', positive_keywords: ['nitrogen'] })
  t.match(await projectScore.run(context, { project_id: id }), { added: 0 })
  t.strictSame((await listed()).map(({ title }) => title), [papers[1]!.title])
})

t.test('under a weekly limit, papers that were seen keep the places of their week', async t => {
  const papers = graded(['Base editing of cells'], 1)
  const { user, project, fetchNow } = await startSources(t, papers)
  const id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 1, feed_threshold: 0 })
  await fetchNow(id)
  const [item] = await feedOf(user, id)
  await itemUpdate.run(user.context, { ref: item!.id, seen: true })
  papers.push(...graded(['Base editing as a therapy of the retina'], 2))
  await resetRateLimits(user)
  await fetchNow(id)
  t.strictSame((await feedOf(user, id)).map(({ id }) => id), [item!.id])
})

t.test('a vote or a mark brings a paper back that left the feed since it was listed', async t => {
  const papers = graded(['Base editing of cells', 'Base editing of yeast', 'Base editing of maize'], 1)
  const { service, user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project([{ name: 'pubmed', query: 'study' }], { feed_threshold: 0 })
  await fetchNow(id)
  const listed = new Map((await feedOf(user, id)).map(item => [item.paper_title, item.id]))
  const [cells, yeast, maize] = papers.map(({ title }) => listed.get(title)!) as [string, string, string]
  await projectScore.run(context, { project_id: id })
  clock.now = new Date(clock.now.getTime() + 60_000)
  await projectUpdate.run(context, { project_id: id, negative_keywords: ['cells', 'yeast', 'maize'] })
  t.match(await projectScore.run(context, { project_id: id }), { dropped: 3 })

  t.match(await feedbackSet.run(context, { paper_id: cells, vote: 'upvote' }), { item: { id: cells, feedback: { vote: 'upvote' } } })
  t.match(await itemUpdate.run(context, { ref: yeast.slice(0, 8), saved: true }), { id: yeast, saved: true }, 'also by its short id')
  await t.rejects(itemUpdate.run(context, { ref: maize, seen: true }), { code: 'paper_not_found' }, 'having seen it does not')
  await t.rejects(itemUpdate.run(context, { ref: maize, saved: false, tags: [], note: '' }), { code: 'paper_not_found' })
  const stranger = await service.user()
  await t.rejects(feedbackSet.run(stranger.context, { paper_id: maize, vote: 'upvote' }), { code: 'paper_not_found' })
  t.match(await projectScore.run(context, { project_id: id }), { dropped: 0 })
  t.strictSame(new Set((await feedOf(user, id)).map(({ id }) => id)), new Set([cells, yeast]), 'they stay')
})

t.test('under a weekly limit, papers that an alert or a brief delivered keep the places of their week', async t => {
  const papers = graded(['Base editing of cells'], 1)
  const { user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const sources = [{ name: 'pubmed', query: 'study' }]
  const oneAWeek = async () => await project(sources, { weekly_limit: 1, feed_threshold: 0 })
  const [briefed, mailed] = [await oneAWeek(), await oneAWeek()]
  const before = []
  for (const id of [briefed, mailed]) {
    await fetchNow(id)
    before.push((await feedOf(user, id))[0]!.id)
    await resetRateLimits(user)
  }
  const { items } = await feedBrief.run(context, { project_id: briefed })
  t.equal(items.length, 1)
  const alert = await createAlert(context.db, context.account.id, {
    project_id: mailed,
    kind: 'webhook',
    target: 'https://example.org/hook',
    frequency: 'daily',
    created_at: new Date('2026-11-20T00:00:00Z'),
    next_send_at: clock.now
  }, { perProject: 20, perAccount: 200 }) as { id: string }
  const details = (await findAlert(context.db, context.account.id, alert.id))!
  t.equal((await claimBatch(context.db, context.account.id, details, { maxItems: 10, maxRead: 10 }))!.items.length, 1)

  papers.push(...graded(['Base editing as a therapy of the retina'], 2))
  const after = []
  for (const id of [briefed, mailed]) {
    await fetchNow(id)
    after.push(...(await feedOf(user, id)).map(({ id }) => id))
    await resetRateLimits(user)
  }
  t.strictSame(after, before)
})

t.test('under a weekly limit, the papers of a fetch that was cut off enter in the week that found them', async t => {
  const papers = graded(['Base editing of cells'], 1)
  const { user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 2, feed_threshold: 0 })
  await fetchNow(id)
  papers.push(...graded(['Base editing as a therapy of the retina'], 2))
  clock.now = new Date('2026-11-22T23:59:00Z')
  await resetRateLimits(user)
  const controller = new AbortController()
  const cutOff = { ...context, ignoreSchedule: true, signal: controller.signal, onProgress: () => controller.abort() }
  await t.rejects(projectFetch.run(cutOff, { project_id: id }), { name: 'AbortError' })
  t.equal((await feedOf(user, id)).length, 1)
  clock.now = new Date('2026-11-23T00:01:00Z')
  await resetRateLimits(user)
  await fetchNow(id)
  const [newest, ...others] = await feedOf(user, id)
  t.match(newest, { paper_title: 'Base editing as a therapy of the retina, study 2', ready_at: '2026-11-22T23:59:00.000Z' })
  t.equal(others.length, 1)
})

t.test('under a weekly limit, downvotes let no other papers in', async t => {
  const others: string[] = Array(4).fill('Base editing of cells')
  const papers = graded(['Base editing as a therapy', 'Base editing as a therapy of the retina', ...others], 1)
  const { user, clock, project, fetchNow } = await startSources(t, papers)
  const { context } = user
  const id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 2, feed_threshold: 0 })
  await fetchNow(id)
  const items = await feedOf(user, id)
  t.equal(items.length, 2)
  clock.now = new Date('2026-11-20T13:00:00Z')
  for (const item of items) await feedbackSet.run(context, { paper_id: item.id, vote: 'downvote', downvote_reason: 'not_relevant' })
  const ids = items.map(item => item.id).sort()
  t.match(await projectScore.run(context, { project_id: id }), { added: 0, dropped: 0 })
  await fetchNow(id)
  t.strictSame((await feedOf(user, id)).map(item => item.id).sort(), ids)
  t.match(await projectPreview.run(context, { project_id: id }), { counts: { added: 0, dropped: 0 } })
  t.match((await projectStatistics.run(context, { project_id: id })).recall, { relevant: 0, estimate: null, excluded: 4, max_missing: 4 })
})

t.test('under a weekly limit, a candidate that enters the feed during a rescoring is no longer a candidate', async t => {
  const { user, project, fetchNow } = await startSources(t, graded(['Base editing as a therapy', 'Base editing of cells'], 1))
  const { context } = user
  const project_id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 1, feed_threshold: 0 })
  await fetchNow(project_id)
  const { items: [candidate] } = await candidatesList.run(context, { project_id })
  const relevance = Object.assign(Object.create(context.relevance) as typeof context.relevance, {
    async score (...args: Parameters<typeof context.relevance.score>) {
      const scores = await context.relevance.score(...args)
      if (args[2].some(({ title }) => title === candidate!.title)) {
        await candidateAdd.run(context, { project_id, candidate_id: candidate!.candidate_id })
      }
      return scores
    }
  })
  await projectScore.run({ ...context, relevance }, { project_id })
  const left = await context.db.selectFrom('candidate').select('paper_id').where('project_id', '=', project_id).execute()
  t.strictSame([(await feedOf(user, project_id)).length, left], [2, []])
})

t.test('papers per week are counted over the days that the papers cover', async t => {
  const found = graded(['Base editing as a therapy', 'Base editing of cells'], 1)
  const { user, clock, project, fetchNow } = await startSources(t, found, { FETCH_DAYS: '63' })
  const { context } = user
  const project_id = await project([{ name: 'pubmed', query: 'study' }], { weekly_limit: 1 })
  await fetchNow(project_id)
  clock.now = new Date('2026-11-27T12:00:00Z')
  const { weeks, weekly_limit, papers } = await projectThresholds.run(context, { project_id })
  t.strictSame([weeks, weekly_limit, papers.reduce((sum, each) => sum + each, 0)], [10, 1, 2], 'nine before the first fetch, and one since')
  clock.now = new Date('2026-12-20T12:00:00Z')
  t.match(await projectThresholds.run(context, { project_id }), { since: '2026-11-22T12:00:00.000Z', weeks: 4 })
})
