import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { sql } from 'kysely'
import type { Context } from '../../src/operations/context.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { paperAdd } from '../../src/operations/papers/paper-add.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectPreview } from '../../src/operations/projects/project-preview.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectWith, testService, type TestUser } from '../support/service.js'
import { until } from '../support/until.js'

const interest = { interest_description: 'Sleep spindles and memory' }

t.test('previews of changed projects', async t => {
  const service = await testService(t)
  const { db } = service.context
  /** A project with fetched papers in its feed and as candidates; every other one is about its interest. */
  const projectOf = async (user: TestUser, { items, candidates }: { items: number, candidates: number }) => {
    const project_id = await projectWith(user, [], interest)
    await sql`
      with stored as (
        insert into paper (slug, title, abstract, authors, source_name, metadata, title_key)
        select 'p', case when n % 2 = 0 then 'Sleep spindles and memory ' else 'Soil of fields ' end || n, repeat('A text. ', 20), '[]',
          'crossref', '{}', ${project_id} || n from generate_series(1, ${items + candidates}) n
        returning id, title, regexp_replace(title, '\\D', '', 'g')::int as n
      ), fetched as (
        insert into project_paper (project_id, paper_id, relevance_score, relevance_class, origin, ready_at)
        select ${project_id}, id, 0.9, 'must_read', 'fetch', now() - n / 10 * interval '1 minute' from stored where n <= ${items}
      )
      insert into candidate (project_id, paper_id, relevance_score, found_at)
      select ${project_id}, id, 0, now() from stored where n > ${items}`.execute(db)
    return project_id
  }
  /** A context that notes how many papers are scored at a time. */
  const watched = ({ context }: TestUser, beforeScores: (papers: number) => Promise<void> | void): Context => ({
    ...context,
    relevance: {
      ...context.relevance,
      async score (interest, model, papers) {
        await beforeScores(papers.length)
        return await context.relevance.score(interest, model, papers)
      }
    }
  })

  await t.test('read and score a hundred papers at a time', async t => {
    const user = await service.user()
    const project_id = await projectOf(user, { items: 250, candidates: 150 })
    const batches: number[] = []
    const preview = await projectPreview.run(watched(user, papers => { batches.push(papers) }), { project_id })
    t.strictSame(batches, [100, 100, 50, 100, 50])
    t.match(preview, { compared: 400, complete: true, counts: { added: 75, dropped: 125, must_read_now: 250 } })
    t.ok(preview.added.every(({ title, now }) => title.startsWith('Sleep') && now === null))
    t.ok(preview.dropped.every(({ title, now }) => title.startsWith('Soil') && now === 0.9))

    const { paper_id, title } = preview.added[0]!
    const entering = await paperGet.run(user.context, { paper_id })
    t.match(entering, { id: paper_id, title, projects: { length: 0 } }, 'a paper that would enter can be read')
    t.match(await paperGet.run(user.context, { paper_id: paper_id.slice(0, 8) }), { id: paper_id })
    t.match(await paperCite.run(user.context, { paper_id, format: 'text' }), { citation: new RegExp(title) })
    t.match(await paperMarkdown.run(user.context, { paper_id }), { status: 'unavailable' })
    await t.rejects(feedbackSet.run(user.context, { paper_id, vote: 'star' }), {
      code: 'paper_not_found',
      message: `Paper ${paper_id} is not in a feed yet. Add it with paper_add, with ${paper_id} as identifier, then call again.`
    }, 'a vote needs a feed item')
    const key = { id: paper_id, name: 'x', scope: 'act' as const, projectIds: [await projectWith(user, [])] }
    for (const context of [{ ...user.context, key }, (await service.user()).context]) {
      await t.rejects(paperGet.run(context, { paper_id }), { code: 'paper_not_found' })
      await t.rejects(feedbackSet.run(context, { paper_id, vote: 'star' }), { code: 'paper_not_found', message: /isn't in your feeds/ })
    }
    const other = await service.user()
    const theirs = await projectWith(other, [])
    await t.rejects(paperAdd.run(other.context, { project_id: theirs, identifier: paper_id }), { code: 'paper_not_found' })
    const added = await paperAdd.run(user.context, { project_id, identifier: ` ${preview.added[1]!.paper_id.toUpperCase()}` })
    t.match(added, { project_id, paper: { id: preview.added[1]!.paper_id } })
    t.match(await paperAdd.run(user.context, { project_id, identifier: added.id! }), { id: added.id }, 'adding it again changes nothing')
    t.match(await feedbackSet.run(user.context, { paper_id: added.paper!.id, vote: 'star' }), { item: { id: added.id } })
    await sql`update paper set pdf_url = 'https://example.org/a.pdf' where id = ${paper_id}`.execute(db)
    const { job_id } = await paperMarkdown.run(user.context, { paper_id }) as { job_id: string }
    t.match(await jobGet.run(user.context, { job_id }), { task: 'convert-markdown', paper_id })
    await t.rejects(jobGet.run({ ...user.context, key }, { job_id }), { code: 'job_not_found' })
  })

  await t.test('of another keyword state the scores that saving it leads to', async t => {
    const user = await service.user()
    const project_id = await projectOf(user, { items: 80, candidates: 0 })
    const { items } = await feedGet.run(user.context, { project_id, limit: 100 })
    for (const { id, paper_title } of items.slice(0, 12)) {
      await feedbackSet.run(user.context, { paper_id: id, vote: paper_title.startsWith('Soil') ? 'star' : 'downvote' })
    }
    await projectScore.run(user.context, { project_id })
    const change = { positive_keywords: ['glymphatic clearance'], feed_threshold: 1 }
    const { dropped } = await projectPreview.run(user.context, { project_id, ...change })
    t.ok(dropped.length > 20)
    await projectUpdate.run(user.context, { project_id, ...change })
    await projectScore.run(user.context, { project_id })
    const saved = await db.selectFrom('candidate').select(['paper_id', 'relevance_score']).where('project_id', '=', project_id).execute()
    const savedOf = new Map(saved.map(({ paper_id, relevance_score }) => [paper_id, relevance_score]))
    for (const { paper_id, title, relevance_score } of dropped) {
      t.ok(Math.abs(savedOf.get(paper_id)! - relevance_score) < 0.03, `${title}: ${relevance_score}, saved ${savedOf.get(paper_id)}`)
    }
  })

  await t.test('count a keyword in several spellings once, as saving does', async t => {
    const user = await service.user()
    const project_id = await projectOf(user, { items: 3, candidates: 3 })
    const addedWith = async (positive_keywords: string[]) =>
      (await projectPreview.run(user.context, { project_id, positive_keywords })).added
    const once = await addedWith(['soil'])
    t.ok(once.length > 0)
    t.strictSame(await addedWith(['soil', 'Soil', ' SOIL ']), once)
  })

  await t.test('compare the newest 5,000 items and 5,000 candidates', async t => {
    const user = await service.user()
    const project_id = await projectOf(user, { items: 5001, candidates: 1 })
    t.match(await projectPreview.run(user.context, { project_id }), { compared: 5001, complete: false })
  })

  await t.test('run two at a time, one of each account', async t => {
    const users = [await service.user(), await service.user(), await service.user()]
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    const started: number[] = []
    const preview = async (at: number, project_id: string) => await projectPreview.run(watched(users[at]!, async () => {
      started.push(at)
      await opened
    }), { project_id })
    const projects = await Promise.all(users.map(async user => await projectOf(user, { items: 1, candidates: 0 })))
    const previews = [0, 0, 1, 2].map(async at => await preview(at, projects[at]!))
    await until(async () => started.length === 2)
    // Time in which another would start.
    await new Promise(resolve => setTimeout(resolve, 200))
    t.strictSame([started.length, new Set(started).size], [2, 2])
    // Each looks its project up first, so either of them may come too late. The other one waits.
    const further = [0, 0].map(async at => await preview(at, projects[at]!).catch((error: unknown) => error))
    t.match(await Promise.race(further), { code: 'rate_limited', message: 'You already have 3 previews in progress.' })
    gate.emit('open')
    await Promise.all([...previews, ...further])
    t.equal(started.length, 5)
  })
})
