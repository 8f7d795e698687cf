import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { addCandidates } from '../../db/queries/candidates.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { addStoredPaper } from '../../src/imports/place-paper.js'
import { minModelPapers } from '../../src/relevance/learned-model.js'
import { projectWith, testService } from '../support/service.js'
import { journal, sourcesNamed, startSources } from '../support/sources.js'
import { ForeignKeyViolation, SerializationConflict } from '../../db/errors.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'

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
  const { context } = await (await testService(t)).user()
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

t.test('a candidate that is merged while it is scored is left out', async t => {
  const user = await (await testService(t)).user()
  const { context, context: { db } } = user
  for (const into of ['another candidate', 'a paper of the feed']) {
    const project_id = await projectWith(user, ['kept', 'merged'].map(name => ({ title: `Base editing, ${name} ${into}` })))
    const settings = { interest_description: 'Base editing', feed_threshold: 0.01 }
    await db.updateTable('project').set(settings).where('id', '=', project_id).execute()
    const { items: [kept, merged] } = await feedGet.run(context, { project_id })
    const moved = into === 'another candidate' ? [kept!, merged!] : [merged!]
    await db.deleteFrom('project_paper').where('id', 'in', moved.map(({ id }) => id)).execute()
    await addCandidates(db, moved.map(({ paper }) => ({ project_id, paper_id: paper.id, relevance_score: 0, found_at: new Date() })))
    const score: typeof context.relevance.score = async (interest, model, papers, options) => {
      const scores = await context.relevance.score(interest, model, papers, options)
      if (papers.some(({ title }) => title === merged!.paper_title)) {
        await db.transaction().execute(async transaction => { await mergePapers(transaction, kept!.paper.id, merged!.paper.id) })
      }
      return scores
    }
    const { added } = await projectScore.run({ ...context, relevance: { ...context.relevance, score } }, { project_id })
    t.equal(added, moved.length - 1, into)
    t.match((await feedGet.run(context, { project_id })).items, [{ paper: { id: kept!.paper.id } }])
    const missing = { id: merged!.paper.id, title: merged!.paper_title, abstract: null }
    await t.rejects(addStoredPaper(context, project_id, missing), ForeignKeyViolation, 'a paper that somebody adds is not left out')
  }
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

t.test('project settings', async t => {
  const { context } = await (await testService(t, { PRIVATE_ORIGINS: 'http://10.0.0.7:8080' })).user()

  await t.test('that do not change leave updated_at', async t => {
    const sources = [{ name: 'arxiv', query: 'all:sleep' }]
    const project = await projectCreate.run(context, { name: 'Still', positive_keywords: ['nap'], sources })
    const { id: project_id } = project
    const same = { project_id, name: 'Still', positive_keywords: ['nap'], sources, matching_state: 'active', weekly_limit: 0 }
    t.equal((await projectUpdate.run(context, same)).updated_at, project.updated_at)
    const others = [
      { sources: [{ name: 'arxiv', query: 'all:naps' }] }, { name: 'Moved' }, { matching_state: 'paused' }, { weekly_limit: 3 },
      { positive_keywords: [] }
    ]
    let before = project.updated_at
    for (const change of others) {
      await new Promise(resolve => setTimeout(resolve, 2))
      const { updated_at } = await projectUpdate.run(context, { project_id, ...change })
      t.ok(updated_at > before, Object.keys(change).join())
      before = updated_at
    }
    t.equal((await projectUpdate.run(context, { project_id })).updated_at, before, 'nothing')
  })

  await t.test('contain no invisible characters', async t => {
    const hidden = '\u{E0049}\u202E'
    const project = await projectCreate.run(context, {
      name: `Sle${hidden}ep`,
      interest_description: `Naps${hidden}`,
      positive_keywords: [`nap${hidden}`, hidden],
      sources: []
    })
    t.match(project, { name: 'Sleep', interest_description: 'Naps', positive_keywords: ['nap'] })
    t.match(await projectUpdate.run(context, { project_id: project.id, name: `Na${hidden}ps 👩\u200D🔬` }), {
      name: 'Naps 👩\u200D🔬',
      positive_keywords: ['nap']
    })
    await t.rejects(projectCreate.run(context, { name: hidden, sources: [] }), {
      code: 'invalid_arguments',
      message: /no visible characters/
    })
    await t.rejects(projectUpdate.run(context, { project_id: project.id, name: hidden }), {
      code: 'invalid_arguments',
      message: /no visible characters/
    })
  })

  await t.test('reject a journal feed at a private address unless the operator allows it', async t => {
    const { id: project_id } = await projectCreate.run(context, {
      name: 'Feeds',
      sources: [{ name: 'feed', query: 'http://10.0.0.7:8080/rss' }]
    })
    const refusal = { code: 'invalid_arguments', message: /is not on the public Internet/ }
    for (const host of ['10.0.0.7', 'localhost:8080', 'wiki', '[::ffff:10.0.0.7]']) {
      const sources = [{ name: 'feed', query: `http://${host}/rss` }]
      await t.rejects(projectCreate.run(context, { name: 'Feeds', sources }), refusal, host)
      await t.rejects(projectUpdate.run(context, { project_id, sources }), refusal, host)
    }
  })

  await t.test('are deleted after a retry if the deletion conflicts with a merge of papers', async t => {
    const { id: project_id } = await projectCreate.run(context, { name: 'Deleted', sources: [] })
    let conflicts = 2
    const db = new Proxy(context.db, {
      get (target, name) {
        if (name === 'transaction' && conflicts-- > 0) return () => ({ execute: async () => { throw new SerializationConflict({}) } })
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      }
    })
    t.strictSame(await projectDelete.run({ ...context, db }, { project_id }), {})
    t.ok(conflicts < 0, 'it went on after both conflicts')
    await t.rejects(projectsGet.run(context, { project_id }), { code: 'project_not_found' })
  })
})

t.test('an aborted scoring ends when its last write has ended', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  for (const writes of ['project_paper', 'candidate'] as const) {
    const project_id = await projectWith(user, [{ title: 'A paper of the feed' }])
    const stored = { relevance_score: 0.9, personalized_note: 'Stored' }
    const { paper_id } = await context.db.updateTable('project_paper').set(stored).where('project_id', '=', project_id)
      .returning('paper_id').executeTakeFirstOrThrow()
    if (writes === 'candidate') {
      await context.db.deleteFrom('project_paper').where('project_id', '=', project_id).execute()
      await context.db.updateTable('project').set({ feed_threshold: 1 }).where('id', '=', project_id).execute()
      await context.db.insertInto('candidate').values({ project_id, paper_id, relevance_score: 0.9, found_at: new Date() }).execute()
    }
    const aborting = new AbortController()
    const score: typeof context.relevance.score = async (...of) => {
      const scores = await context.relevance.score(...of)
      aborting.abort(new Error('aborted'))
      return scores
    }
    const slow = new Set<unknown>()
    let isWritten = false
    const db = context.db.withPlugin({
      transformQuery ({ node, queryId }) {
        if (new RegExp(`^\\s*update ${writes} set relevance_score`).test('sqlFragments' in node ? node.sqlFragments[0]! : '')) slow.add(queryId)
        return node
      },
      async transformResult ({ result, queryId }) {
        if (slow.has(queryId)) {
          await wait(100)
          isWritten = true
        }
        return result
      }
    })
    const aborted = { ...context, db, signal: aborting.signal, relevance: { ...context.relevance, score } }
    await t.rejects(projectScore.run(aborted, { project_id }), { message: 'aborted' })
    t.ok(isWritten, writes)
  }
})
