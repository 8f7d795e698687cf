import t from 'tap'
import { sql } from 'kysely'
import { addCandidates } from '../../db/queries/candidates.js'
import { dayMs } from '../../schemas/durations.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

type Vote = 'upvote' | 'downvote'

t.test('the estimate of recall', async t => {
  const clock = { now: new Date('2026-11-02T12:00:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const user = await service.user()
  const { context } = user
  const later = () => { clock.now = new Date(clock.now.getTime() + 1000) }
  const project = async (name: string, papers: number) => {
    const titles = Array.from({ length: papers }, (_each, at) => ({ title: `Soil moisture in field ${at}` }))
    const id = await projectWith(user, titles, { name, interest_description: 'Soil moisture', sources: [] })
    await sql`update project_paper set origin = 'fetch' where project_id = ${id}`.execute(context.db)
    return id
  }
  const recallOf = async (project_id: string) => (await projectStatistics.run(context, { project_id })).recall
  const set = async (paper_id: string, vote: Vote) => {
    later()
    await feedbackSet.run(context, { paper_id, vote })
  }
  const itemsOf = async (project_id: string, feedback_filter: 'unrated' | 'disliked', limit = 100) =>
    (await feedGet.run(context, { project_id, feedback_filter, limit })).items.map(({ id }) => id)
  const rate = async (project_id: string, ...votes: Vote[]) => {
    const items = await itemsOf(project_id, 'unrated', votes.length)
    for (const [at, id] of items.entries()) await set(id, votes[at]!)
  }

  await t.test('counts a paper when it was first rated, whatever becomes of its vote', async t => {
    const id = await project('Votes', 60)
    await rate(id, ...Array.from({ length: 40 }, (_each, at): Vote => at % 4 === 0 ? 'upvote' : 'downvote'))
    const before = await recallOf(id)
    t.match(before, { relevant: 10, unrated: 20, level: null })
    const disliked = await itemsOf(id, 'disliked')
    for (const paper of disliked) await set(paper, 'downvote')
    t.strictSame(await recallOf(id), before, 'repeated votes')
    for (const paper of disliked) {
      await set(paper, 'upvote')
      await set(paper, 'downvote')
    }
    t.strictSame(await recallOf(id), before, 'changed votes')
    for (const paper_id of disliked) {
      await feedbackClear.run(context, { paper_id })
      await set(paper_id, 'downvote')
    }
    t.strictSame(await recallOf(id), before, 'votes that were removed and given again')
  })
  await t.test('counts votes on the worst papers in part, by the scores that they had', async t => {
    const id = await project('Worst', 120)
    const items = await itemsOf(id, 'unrated')
    await sql`update project_paper set relevance_score = case when id in (${sql.join(items.slice(20))}) then 0.02 else 0.4 end
      where project_id = ${id}`.execute(context.db)
    for (const item of items.slice(0, 20)) await set(item, 'upvote')
    for (const item of items.slice(20, 100)) await set(item, 'downvote')
    await sql`update project_paper set relevance_score = 0.9 where project_id = ${id}`.execute(context.db)
    const recall = await recallOf(id)
    t.match(recall, { relevant: 20, unrated: 20, level: null, reached: false }, 'also if these rise later')
    t.match(recall.sentence, / Votes on papers with low scores show less: rate the best papers first\.$/)
    for (const item of items.slice(20, 100)) await set(item, 'downvote')
    t.strictSame(await recallOf(id), recall, 'repeated votes keep the weight of the first one')
    await sql`update project_paper set rated_weight = 1 where project_id = ${id} and vote is not null`.execute(context.db)
    const { sentence, level } = await recallOf(id)
    t.ok(level !== null)
    t.notMatch(sentence, /low scores|assumes/)
    await sql`update project_paper set rated_weight = null where project_id = ${id}`.execute(context.db)
    t.match(await recallOf(id), { level, sentence: `${sentence} This assumes that you rated the best papers first.` }, 'votes of earlier versions')
  })
  await t.test('draws nothing from the unrated papers by the vote of an import, changed or not', async t => {
    const id = await project('Imported', 30)
    await rate(id, 'upvote', 'downvote', 'downvote')
    const imported = await itemsOf(id, 'unrated', 5)
    await sql`update project_paper set vote = 'upvote', voted_at = ${clock.now}, vote_import_id = ${id}
      where id in (${sql.join(imported)})`.execute(context.db)
    const before = await recallOf(id)
    t.match(before, { relevant: 1, unrated: 22 })
    for (const paper of imported) await set(paper, 'downvote')
    t.strictSame(await recallOf(id), before)
  })

  await t.test('reads no votes of imports, however many there are', async t => {
    const id = await project('Many imported', 40)
    await rate(id, 'upvote', 'downvote', 'downvote')
    later()
    await projectUpdate.run(context, { project_id: id, interest_description: 'Sleep spindles and memory', positive_keywords: [] })
    await rate(id, 'upvote', 'downvote', 'downvote')
    const before = await recallOf(id)
    await sql`
      with papers as (
        insert into paper (slug, title, authors, source_name, metadata, title_key)
        select 'paper', 'Imported paper ' || n, '[]', 'json-lines', '{}', n::text from generate_series(1, 3000) n returning id
      )
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at, vote_import_id)
      select ${id}, id, 0.5, 'related', timestamptz '2025-01-01', 'upvote', timestamptz '2025-02-01' + random() * interval '3 years', ${id}
      from papers`.execute(context.db)
    await sql`analyze project_paper`.execute(context.db)
    const statements = await explainSelects(context.db, async recorded => {
      const { recall } = await projectStatistics.run({ ...context, db: recorded }, { project_id: id })
      t.strictSame(recall, before)
    })
    const votes = statements.filter(({ sql }) => sql.includes('vote_import_id'))
    t.strictSame(votes.map(({ rows }) => rows <= 10), [true, true], JSON.stringify(votes))
  })

  await t.test('is complete once every paper was rated again for another interest', async t => {
    const id = await project('Again', 6)
    await rate(id, 'upvote', 'upvote', 'downvote', 'downvote', 'downvote', 'downvote')
    t.match(await recallOf(id), { relevant: 2, reached: true })
    later()
    await projectUpdate.run(context, { project_id: id, interest_description: 'Sleep spindles and memory', positive_keywords: [] })
    t.match(await recallOf(id), { relevant: 0, reached: false })
    const items = (await feedGet.run(context, { project_id: id, limit: 10 })).items.map(({ id }) => id)
    for (const [at, paper] of items.entries()) await set(paper, at === 0 ? 'upvote' : 'downvote')
    t.match(await recallOf(id), { relevant: 1, reached: true, reached_in_feed: true, min_recall: 1 })
  })

  await t.test('is not complete while papers are rated for a former interest alone', async t => {
    const id = await project('Partly', 40)
    await rate(id, ...Array.from({ length: 30 }, (_each, at): Vote => at < 5 ? 'upvote' : 'downvote'))
    later()
    await projectUpdate.run(context, { project_id: id, interest_description: 'Sleep spindles and memory', positive_keywords: [] })
    await rate(id, 'upvote', ...Array.from({ length: 9 }, (): Vote => 'downvote'))
    const recall = await recallOf(id)
    t.match(recall, { relevant: 1, unrated: 0, reached: false, reached_in_feed: false, level: null, max_missing: 30, votes_to_target: 30 })
    t.match(recall.sentence, /^You have most likely seen about .* 30 papers have a vote for a former interest only: vote on them again/)
    t.ok(recall.estimate! < 1)
    for (const { id: paper } of (await feedGet.run(context, { project_id: id, limit: 100 })).items) await set(paper, 'downvote')
    t.match(await recallOf(id), { max_missing: 0, reached: true })
  })

  await t.test('starts again with another interest', async t => {
    const id = await project('Interests', 50)
    await rate(id, 'upvote', 'upvote', 'downvote', 'upvote', 'downvote')
    const before = await recallOf(id)
    t.match(before, { relevant: 3, unrated: 45 })
    const change = async (interest_description: string, positive_keywords: string[] = []) => {
      later()
      await projectUpdate.run(context, { project_id: id, interest_description, positive_keywords })
      later()
      return await recallOf(id)
    }
    t.strictSame(await change('Moisture of the soil', ['soil']), before, 'the same interest in other words')
    t.match(await change('Sleep spindles and memory'), { relevant: 0, estimate: null, max_missing: 50, unrated: 45 }, 'another interest')
    t.strictSame(await change('Soil moisture'), before, 'the former one')
    await change('Sleep spindles and memory')
    await rate(id, 'upvote', 'downvote')
    t.match(await recallOf(id), { relevant: 1, unrated: 43 }, 'votes under the other interest')
    t.match(await change('Soil moisture'), { relevant: 3 }, 'which say nothing about the former one')
  })

  await t.test('counts votes of an interest that returns as found', async t => {
    const id = await project('Returning', 40)
    await rate(id, ...Array.from({ length: 30 }, (_each, at): Vote => at < 5 ? 'upvote' : 'downvote'))
    const change = async (interest_description: string) => {
      later()
      await projectUpdate.run(context, { project_id: id, interest_description, positive_keywords: [] })
      later()
    }
    await change('Sleep spindles and memory')
    await rate(id, 'upvote')
    t.match((await recallOf(id)).sentence, / 30 papers have a vote for a former interest only/)
    await change('Soil moisture')
    const recall = await recallOf(id)
    t.match(recall, { relevant: 5, unrated: 9, max_missing: 10 }, 'votes before the change are no draws from the papers that are left')
    t.match(recall.sentence, / 1 paper has a vote for a former interest only: vote on it again/)
    for (const paper of (await feedGet.run(context, { project_id: id, feedback_filter: 'liked' })).items) await set(paper.id, 'downvote')
    t.match(await recallOf(id), { relevant: 0, max_missing: 9 }, 'a vote that changes counts as it is now')
    await rate(id, ...Array.from({ length: 9 }, (): Vote => 'downvote'))
    t.match(await recallOf(id), { max_missing: 0, reached: true })
    await context.db.updateTable('project').set({ recall_since: clock.now }).where('id', '=', id).execute()
    t.match(await recallOf(id), { max_missing: 0 }, 'votes before recall was recorded are neither found nor former')
  })

  await t.test('leaves out excluded papers that were scored for another interest', async t => {
    const id = await project('Excluded', 20)
    await rate(id, 'upvote', 'downvote')
    const elsewhere = await project('Elsewhere', 2)
    const papers = await context.db.selectFrom('project_paper').select('paper_id').where('project_id', '=', elsewhere).execute()
    const days = (count: number) => new Date(clock.now.getTime() - count * dayMs)
    await addCandidates(context.db, papers.map(({ paper_id }, at) =>
      ({ project_id: id, paper_id, relevance_score: 0.5, found_at: days([40, 20][at]!) })))
    await context.db.updateTable('project').set({ weekly_limit: 5 }).where('id', '=', id).execute()
    t.match(await recallOf(id), { excluded: 2 })
    later()
    await projectUpdate.run(context, { project_id: id, interest_description: 'Sleep spindles and memory' })
    t.match(await recallOf(id), { excluded: 1 }, 'found too long ago to be scored again')
  })
  await t.test('counts papers that left the feed since among those that votes were drawn from', async t => {
    const titles = Array.from({ length: 120 }, (_each, at) => ({ title: `Soil moisture in ${at % 2 === 0 ? 'desert' : 'field'} ${at}` }))
    const id = await projectWith(user, titles, { name: 'Leaving', interest_description: 'Soil moisture', sources: [] })
    await sql`update project_paper set origin = 'fetch' where project_id = ${id}`.execute(context.db)
    const fields = (await feedGet.run(context, { project_id: id, limit: 100 })).items.filter(({ paper_title }) => /field/.test(paper_title))
    for (const [at, { id }] of fields.slice(0, 35).entries()) await set(id, at < 10 ? 'upvote' : 'downvote')
    const before = await recallOf(id)
    t.match(before, { relevant: 10, unrated: 85 })
    later()
    await projectUpdate.run(context, { project_id: id, negative_keywords: ['desert'] })
    t.equal((await projectScore.run(context, { project_id: id })).dropped, 60)
    const after = await recallOf(id)
    t.match(after, { unrated: 25, max_missing: before.max_missing, min_recall: before.min_recall, estimate: before.estimate })
    later()
    for (const { id } of fields.slice(35, 40)) await set(id, 'upvote')
    for (const { id } of fields.slice(40, 50)) await set(id, 'downvote')
    const known = await recallOf(id)
    t.ok(known.max_missing < known.unrated, 'votes since do not count them')
    clock.now = new Date(clock.now.getTime() + 54 * dayMs)
    t.strictSame(await recallOf(id), known, 'also after months')
    await context.db.updateTable('project').set({ items_left_at: clock.now }).where('id', '=', id).execute()
    t.equal((await recallOf(id)).max_missing, known.unrated, 'nor does anything when it is not known any more what left')
  })
  await t.test('is not stored with what a rescoring changed, which the next vote would contradict', async t => {
    const id = await project('Sentences', 20)
    await rate(id, 'upvote', 'downvote')
    await projectScore.run(context, { project_id: id })
    const { learning, recall } = await projectsGet.run(context, { project_id: id })
    t.match(learning.changes!.sentence, /^Learned from 2 votes\. .* fell\.$/)
    t.match(recall.sentence, /of what matters/)
  })
})
