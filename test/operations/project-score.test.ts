import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { minModelPapers } from '../../src/relevance/learned-model.js'
import { projectWith, testService } from '../support/service.js'
import { sourcesNamed, journal, startSources } from '../support/sources.js'

t.test('settings changed during scoring take effect in the next run, which drops papers that no longer match', async t => {
  const { user: { context }, clock, project, fetchNow } = await startSources(t, [journal])
  const project_id = await project(sourcesNamed('pubmed'), { feed_threshold: 0 })
  await fetchNow(project_id)
  // The change has the time at which it was asked for; it may wait until the scoring has begun.
  clock.now = new Date('2026-11-20T12:00:02Z')
  let changed = false
  const score: typeof context.relevance.score = async (...of) => {
    if (!changed) {
      changed = true
      await projectUpdate.run({ ...context, now: () => new Date('2026-11-20T12:00:01Z') }, { project_id, negative_keywords: ['mice'] })
    }
    return await context.relevance.score(...of)
  }
  t.match(await projectScore.run({ ...context, relevance: { ...context.relevance, score } }, { project_id }), { scored: 1, dropped: 0 })
  t.match(await projectScore.run(context, { project_id }), { dropped: 1 })
  t.equal((await feedGet.run(context, { project_id })).total, 0)
})

t.test('a feed without votes gets a model once it has 100 papers', async t => {
  const service = await testService(t)
  const { context } = await service.user()
  const { id: project_id } = await projectCreate.run(context, { name: 'Sleep', interest_description: 'Sleep spindles', sources: [] })
  const path = join(t.testdir(), 'papers.jsonl')
  const importPapers = async (first: number, count: number) => {
    const abstract = (at: number) => at % 4 === 0 ? 'Spindles in the night.' : 'Snoring in the night.'
    const line = (at: number) => JSON.stringify({ title: `Sleep study ${at}`, abstract: abstract(at), doi: `10.5555/first.${at}` })
    await writeFile(path, Array.from({ length: count }, (_, at) => line(first + at)).join('\n'))
    await papersImport.run(context, { project_id, files: [path] })
  }
  const isDue = async () => (await projectsGet.run(context, { project_id })).learning.pending
  const bestContributions = async () => {
    const { items: [best] } = await feedGet.run(context, { project_id, limit: 1, sort: 'relevance' })
    return best!.matching_details.contributions
  }

  await importPapers(0, minModelPapers - 1)
  t.equal(await isDue(), false)
  t.match(await bestContributions(), { base: 0 })
  await importPapers(minModelPapers - 1, 1)
  t.equal(await isDue(), true)
  t.match(await projectScore.run(context, { project_id }), { scored: minModelPapers, votes: 0 })
  t.ok((await bestContributions())!.base > 0, 'scores compare papers with the feed')
  await importPapers(minModelPapers, 1)
  t.equal(await isDue(), false, 'only the first time')
})

t.test('items that an earlier version scored have null contributions until they are scored again', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep' }])
  await sql`update project_paper set matching_details = matching_details - 'contributions'`.execute(service.context.db)
  const contributions = async () => (await feedGet.run(user.context, { project_id })).items[0]!.matching_details.contributions
  t.equal(await contributions(), null)
  await projectUpdate.run(user.context, { project_id, interest_description: 'Sleep' })
  await projectScore.run(user.context, { project_id })
  t.match(await contributions(), { base: 0, interest: Number })
})
