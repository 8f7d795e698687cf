import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
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
