import t from 'tap'
import { sql } from 'kysely'
import { addCandidates } from '../../db/queries/candidates.js'
import { compactTally, listLongTallies, readTally } from '../../db/queries/tally.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import type { Context } from '../../src/operations/context.js'
import { randomNumbers } from '../../bench/search/random.js'
import { addPapers, projectWith, testService } from '../support/service.js'

/** Statistics counted from the feed itself, to compare with the tally. */
async function counted ({ db }: Context, projectId: string) {
  const { rows } = await sql<{ week: string, score: string, class: string, vote: string }>`
    select to_char(date_trunc('week', ready_at at time zone 'UTC'), 'YYYY-MM-DD') as week,
    least(floor(relevance_score * 20), 19)::text as score,
      relevance_class as class, case when vote is null then 'none' else concat_ws(' ', vote, downvote_reason) end as vote
    from project_paper where project_id = ${projectId}`.execute(db)
  const tally = new Map<string, number>()
  for (const row of rows) {
    for (const [measure, value] of Object.entries(row)) tally.set(`${measure} ${value}`, (tally.get(`${measure} ${value}`) ?? 0) + 1)
  }
  return Object.fromEntries([...tally].sort(([a], [b]) => a < b ? -1 : 1))
}

const tallied = async ({ db, account }: Context, projectId: string) =>
  Object.fromEntries(
    (await readTally(db, account.id, projectId))
      .map(({ measure, value, items }) => [`${measure} ${value}`, items] as const)
      .sort(([a], [b]) => a < b ? -1 : 1)
  )

const spindles = (at: number) => ({
  title: `Sleep spindles and memory ${at}`,
  abstract: 'Thalamic bursts couple to slow waves. Recall of word pairs rose overnight.'
})
const apnoea = (at: number) => ({
  title: `Sleep apnoea and memory clinic ${at}`,
  abstract: 'Airway pressure masks were worn. Oxygen desaturation fell.'
})
const soil = (at: number) => ({
  title: `Soil moisture in field ${at}`,
  abstract: 'Rain infiltrated clay and loam. Roots drew water deeper.'
})

t.test('project statistics', async t => {
  const clock = { now: new Date('2026-11-02T23:59:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [0, 1, 2, 3].map(spindles), { interest_description: 'How sleep changes memory', sources: [] })
  clock.now = new Date('2026-11-20T12:00:00Z')
  await addPapers(context, project_id, [...[0, 1, 2].map(apnoea), ...[0, 1, 2, 3].map(soil)])
  const figures = async () => await projectStatistics.run(context, { project_id })
  const item = async (title: string) =>
    (await feedGet.run(context, { project_id, limit: 100 })).items.find(({ paper_title }) => paper_title === title)!.id

  await t.test('count papers per week over the last 26 weeks', async t => {
    const { papers_per_week } = await figures()
    t.equal(papers_per_week.length, 26)
    t.strictSame(papers_per_week.filter(({ papers }) => papers > 0), [{ week: '2026-11-02', papers: 4 }, { week: '2026-11-16', papers: 7 }])
    t.strictSame([papers_per_week[0]!.week, papers_per_week[25]!.week], ['2026-05-25', '2026-11-16'])
  })

  await t.test('contain a histogram of scores', async t => {
    await projectScore.run(context, { project_id })
    const { scores } = await figures()
    t.strictSame([scores.length, scores[0]!.from, scores[19]!.to], [20, 0, 1])
    t.equal(scores.reduce((sum, { papers }) => sum + papers, 0), 11)
    t.equal(scores[0]!.papers, 4, 'those of soil, which match nothing')
  })

  await t.test('have no learned terms before the first vote', async t => {
    t.match(await figures(), {
      feedback: { unrated: 11, upvotes: 0, stars: 0, downvotes: 0 },
      learned: { at: null, wanted: { length: 0 }, unwanted: { length: 0 } }
    })
  })

  await t.test('count votes, also after removal', async t => {
    await feedbackSet.run(context, { paper_id: await item('Sleep spindles and memory 0'), vote: 'star' })
    await feedbackSet.run(context, { paper_id: await item('Sleep spindles and memory 1'), vote: 'upvote' })
    await feedbackSet.run(context, {
      paper_id: await item('Sleep apnoea and memory clinic 0'),
      vote: 'downvote',
      downvote_reason: 'not_relevant'
    })
    await feedbackSet.run(context, {
      paper_id: await item('Sleep apnoea and memory clinic 1'),
      vote: 'downvote',
      downvote_reason: 'low_quality'
    })
    await feedbackSet.run(context, { paper_id: await item('Soil moisture in field 0'), vote: 'downvote' })
    t.strictSame((await figures()).feedback, { upvotes: 1, stars: 1, downvotes: 3, not_relevant: 1, low_quality: 1, unrated: 6 })
    await feedbackClear.run(context, { paper_id: await item('Soil moisture in field 0') })
    t.strictSame((await figures()).feedback, { upvotes: 1, stars: 1, downvotes: 2, not_relevant: 1, low_quality: 1, unrated: 7 })
  })

  await t.test('estimate how much of what matters was rated', async t => {
    const { recall } = await figures()
    t.match(recall, { target: 0.95, confidence: 0.95, relevant: 2, unrated: 7, excluded: 0, reached: false, reached_in_feed: false })
    t.ok(recall.max_missing > 0 && recall.max_missing <= 7)
    t.ok(recall.estimate! >= recall.min_recall && recall.estimate! < 1, 'an estimate not below its bound')
    t.strictSame([recall.level, recall.next_level], [null, 0.8])
    t.ok(recall.votes_to_next_level > 0 && recall.votes_to_next_level <= recall.votes_to_target)
    const [likely, least] = [recall.estimate!, recall.min_recall].map(share => Math.floor(100 * share))
    t.equal(likely, least, 'an estimate whose bound need not be stated')
    t.equal(recall.sentence, `You have most likely seen about ${likely} % of what matters here. ` +
      `About ${recall.votes_to_next_level} more votes, best papers first, would make it at least 80 %, if all of them are downvotes.`)
    const { recall: summary } = await projectsGet.run(context, { project_id })
    t.strictSame(Object.keys(summary), ['sentence', 'estimate', 'min_recall', 'votes_to_target', 'reached', 'reached_in_feed'])
    t.match(recall, summary, 'the same figures in the project')
  })

  await t.test('state the lower bound of the share, unless it is the same', async t => {
    const other = await service.user()
    const projectId = await projectWith(other, Array.from({ length: 200 }, (_each, at) => soil(at)), { name: 'Soil', sources: [] })
    const sentenceAfter = async (vote: string, count: number) => {
      clock.now = new Date(clock.now.getTime() + 1000)
      await sql`update project_paper set vote = ${vote}, voted_at = ${clock.now}::timestamptz, origin = 'fetch' where id in (
        select id from project_paper where project_id = ${projectId} and vote is null limit ${count})`.execute(context.db)
      return (await projectStatistics.run(other.context, { project_id: projectId })).recall.sentence
    }
    t.match(await sentenceAfter('upvote', 2), /^You have most likely seen about 1 % of what matters here\. About /)
    t.match(await sentenceAfter('downvote', 20), / of what matters here, but it may be as little as \d+ %\. About /)
  })

  await t.test('say how many votes are missing instead of a share of less than 1 %', async t => {
    const other = await service.user()
    const projectId = await projectWith(other, Array.from({ length: 250 }, (_each, at) => soil(at)), { name: 'Soil', sources: [] })
    clock.now = new Date(clock.now.getTime() + 1000)
    await sql`update project_paper set vote = 'upvote', voted_at = ${clock.now}::timestamptz, origin = 'fetch' where id in (
      select id from project_paper where project_id = ${projectId} limit 2)`.execute(context.db)
    const { recall } = await projectStatistics.run(other.context, { project_id: projectId })
    const more = Math.ceil(recall.votes_to_next_level / 10) * 10
    t.equal(recall.sentence, `Not enough votes for an estimate: about ${more} more votes, best papers first, would show that you have seen ` +
      'at least 80 % of what matters here, if all of them are downvotes.')
  })

  await t.test('say how many relevant papers can be left where every vote is a downvote, and when none is', async t => {
    const other = await service.user()
    const projectId = await projectWith(other, Array.from({ length: 60 }, (_each, at) => soil(at)), { name: 'Soil', sources: [] })
    const downvote = async (count: number) => {
      clock.now = new Date(clock.now.getTime() + 1000)
      await sql`update project_paper set vote = 'downvote', voted_at = ${clock.now}::timestamptz, origin = 'fetch' where id in (
        select id from project_paper where project_id = ${projectId} and vote is null limit ${count})`.execute(context.db)
      return (await projectStatistics.run(other.context, { project_id: projectId })).recall
    }
    t.match(await downvote(3), { sentence: /^Not enough votes for an estimate/ })
    const { sentence, votes_to_target: votes } = await downvote(47)
    t.equal(sentence, `Nothing that you rated here matters; of the other 10 papers, at most 1 does. About ${votes} more votes would ` +
      'show that none does, if all of them are downvotes.')
    t.match(await downvote(9), {
      sentence: 'Nothing that you rated here matters, and most likely nothing else here does.',
      unrated: 1,
      estimate: null,
      min_recall: 1,
      max_missing: 0,
      reached: true,
      reached_in_feed: true
    })
  })

  await t.test('say in words what was rated, and what more votes would show', async t => {
    const other = await service.user()
    const projectId = await projectWith(other, Array.from({ length: 200 }, (_each, at) => soil(at)), { name: 'Soil', sources: [] })
    const vote = async (votes: Record<string, number>) => {
      for (const [kind, count] of Object.entries(votes)) {
        await sql`update project_paper set vote = ${kind}, voted_at = ${clock.now}::timestamptz, origin = 'fetch' where id in (
          select id from project_paper where project_id = ${projectId} and vote is null limit ${count})`.execute(context.db)
        clock.now = new Date(clock.now.getTime() + 1000)
      }
      return (await projectStatistics.run(other.context, { project_id: projectId })).recall
    }
    t.match(await vote({ downvote: 3 }), { sentence: /^Not enough votes for an estimate/, estimate: null, level: null })
    const recall = await vote({ upvote: 60, downvote: 60 })
    const [likely, more] = [Math.floor(100 * recall.estimate!), recall.votes_to_next_level]
    t.match(recall, { level: 0.9, next_level: 0.95, votes_to_target: more })
    t.equal(recall.sentence, `You have probably seen at least 90 % of what matters here (most likely about ${likely} %). ` +
      `About ${more} more votes, best papers first, would make it at least 95 %, if all of them are downvotes. This assumes that you rated the best papers first.`)
    t.match(await vote({ downvote: 100 }), { sentence: 'You have rated every paper here, so none that matters is left.', estimate: 1 })
    await sql`update project_paper set vote = 'downvote' where project_id = ${projectId}`.execute(context.db)
    const sentence = 'You have rated every paper here, so none that matters is left.'
    t.match(await vote({}), { sentence, estimate: null, min_recall: 1, reached: true, reached_in_feed: true }, 'none matters')
    const { paper_id } = await context.db.selectFrom('project_paper').select('paper_id').where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    await addCandidates(context.db, [{ project_id: projectId, paper_id, relevance_score: 0.5, found_at: clock.now }])
    await context.db.updateTable('project').set({ weekly_limit: 5 }).where('id', '=', projectId).execute()
    t.match(await vote({}), { estimate: null, min_recall: 0, reached: false, reached_in_feed: true }, 'but papers were excluded')
  })

  await t.test('count papers that a weekly limit excluded as unseen', async t => {
    const { recall: before } = await figures()
    const elsewhere = await projectWith(user, [90, 91].map(soil), { name: 'Elsewhere', sources: [] })
    const excluded = await context.db.selectFrom('project_paper').select('paper_id').where('project_id', '=', elsewhere).execute()
    await addCandidates(context.db, excluded.map(({ paper_id }, at) =>
      ({ project_id, paper_id, relevance_score: [0.5, 0.01][at]!, found_at: clock.now })))
    t.strictSame((await figures()).recall, before, 'without a limit, they are below the minimum score')
    await context.db.updateTable('project').set({ weekly_limit: 5 }).where('id', '=', project_id).execute()
    const { recall } = await figures()
    t.match(recall, { excluded: 1, max_missing: before.max_missing + 1, unrated: 7, votes_to_target: before.votes_to_target })
    t.ok(recall.min_recall < before.min_recall && recall.estimate! < before.estimate!)
    t.match(recall.sentence, / in this feed\. .* The weekly limit excluded 1 paper; your votes say nothing about it\. /)
    t.match(recall.sentence, `With it, you have most likely seen about ${Math.floor(100 * recall.estimate!)} % of what matters.`)

    await sql`update project_paper set entered_at = ${clock.now}::timestamptz + interval '1 second'
      where project_id = ${project_id} and vote is null`.execute(context.db)
    t.equal((await figures()).recall.max_missing, 8, 'nor do votes say anything about papers that entered after them')
    await sql`update project_paper set entered_at = ${clock.now}::timestamptz - interval '1 second'
      where project_id = ${project_id} and vote is null`.execute(context.db)
    t.equal((await figures()).recall.max_missing, recall.max_missing, 'but they do about those that entered before')
    await sql`update project_paper set entered_at = null where project_id = ${project_id}`.execute(context.db)

    await context.db.updateTable('project').set({ recall_since: clock.now }).where('id', '=', project_id).execute()
    t.match((await figures()).recall, { relevant: 0, estimate: null, max_missing: 8 }, 'votes from before the times are known say nothing')
    await context.db.updateTable('project').set({ recall_since: null }).where('id', '=', project_id).execute()
    await context.db.deleteFrom('candidate').where('project_id', '=', project_id).execute()
    await context.db.updateTable('project').set({ weekly_limit: 0 }).where('id', '=', project_id).execute()
  })

  await t.test('list learned terms as written in the papers', async t => {
    await projectScore.run(context, { project_id })
    const { learned: { at, wanted, unwanted } } = await figures()
    t.equal(at, clock.now.toISOString())
    t.ok(wanted.some(({ term }) => /spindles/.test(term)), 'a liked word')
    t.ok(unwanted.some(({ term }) => /apnoea|airway|masks/.test(term)), 'a disliked word')
    t.notOk([...wanted, ...unwanted].some(({ term }) => /soil|rain/.test(term)), 'nothing of papers that nobody rated')
    t.ok([...wanted, ...unwanted].every(({ weight }) => weight > 0 && weight <= 1))
    t.equal(Math.max(...[...wanted, ...unwanted].map(({ weight }) => weight)), 1)
  })

  await t.test('stay exact after every feed change', async t => {
    t.strictSame(await tallied(context, project_id), await counted(context, project_id), 'scoring')
    await projectUpdate.run(context, { project_id, must_read_threshold: 0.2, negative_keywords: ['soil'] })
    await projectScore.run(context, { project_id })
    t.strictSame(await tallied(context, project_id), await counted(context, project_id), 'a change of settings')
    await sql`delete from project_paper where id in (select id from project_paper where project_id = ${project_id}
      limit 2)`.execute(context.db)
    t.strictSame(await tallied(context, project_id), await counted(context, project_id), 'items that go')
    const { papers, must_read, unrated } = (await projectsGet.run(context, { project_id })).counts
    const real = await counted(context, project_id)
    t.strictSame([papers, must_read, unrated], [9, real['class must_read'], real['vote none']], 'and so are the counts of a project')
  })

  await t.test('are unchanged by aggregation, also when two processes aggregate', async t => {
    const before = await tallied(context, project_id)
    await Promise.all([
      compactTally(context.db, project_id),
      compactTally(context.db, project_id),
      addPapers(context, project_id, [soil(77)])
    ])
    t.strictSame(await listLongTallies(context.db), [], 'few rows are left')
    t.strictSame(await tallied(context, project_id), await counted(context, project_id))
    t.not(await tallied(context, project_id), before)
  })

  await t.test('are exact after any changes of many items at a time', async t => {
    const other = await projectWith(user, [5, 6].map(soil), { name: 'Other', sources: [] })
    const random = randomNumbers(7)
    const pick = <T>(...values: T[]) => values[Math.floor(random() * values.length)]!
    const value = {
      relevance_score: () => pick(sql`0`, sql`1`, sql`0.05`, sql`random()`, sql`relevance_score`, sql`relevance_score + 0.0001`),
      relevance_class: () => pick(sql`'related'`, sql`'must_read'`, sql`relevance_class`),
      ready_at: () => pick(sql`ready_at`, sql`ready_at + interval '8 days'`, sql`'2026-11-08T23:59:59.999Z'`, sql`'2026-11-09T00:00:00Z'`),
      vote: () => pick(sql`null`, sql`'upvote'`, sql`'star'`, sql`'downvote'`),
      downvote_reason: () => pick(sql`null`, sql`'not_relevant'`, sql`'low_quality'`)
    }
    for (let round = 0; round < 25; round++) {
      const columns = Object.entries(value).filter(() => random() < 0.5)
      const changes = [sql`personalized_note = 'changed'`, ...columns.map(([column, of]) => sql`${sql.ref(column)} = ${of()}`)]
      const share = sql.lit(pick(0, 0.3, 1))
      await sql`
        update project_paper set ${sql.join(changes)} where project_id in (${project_id}, ${other}) and random() < ${share}`.execute(context.db)
      if (round % 5 === 0) await addPapers(context, pick(project_id, other), [soil(100 + round), apnoea(100 + round)])
      if (round % 7 === 0) {
        await sql`delete from project_paper where project_id in (${project_id}, ${other}) and random() < 0.2`.execute(context.db)
      }
      for (const id of [project_id, other]) t.strictSame(await tallied(context, id), await counted(context, id), `round ${round}`)
    }
    await sql`update project_paper set project_id = ${other} where project_id = ${project_id}
      and paper_id not in (select paper_id from project_paper where project_id = ${other})`.execute(context.db)
    for (const id of [project_id, other]) t.strictSame(await tallied(context, id), await counted(context, id), 'moved')
  })

  await t.test('are visible only to the owner of the project', async t => {
    const stranger = await service.user()
    await t.rejects(projectStatistics.run(stranger.context, { project_id }), { code: 'project_not_found' })
  })

  await t.test('are deleted with the project', async t => {
    await projectDelete.run(context, { project_id })
    t.strictSame(await tallied(context, project_id), {})
  })
})
