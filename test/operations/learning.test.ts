import t from 'tap'
import { keepFormerInterest, listFormerInterests } from '../../db/queries/former-interests.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackPreview } from '../../src/operations/feed/feedback-preview.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { leastDistinct } from '../../src/relevance/interest-change.js'
import { LearningRecorder } from '../../src/relevance/learning-changes.js'
import { projectWith, testService } from '../support/service.js'

const paper = (topic: string, at: number) => ({
  title: `${topic} study ${at}`,
  abstract: `We study ${topic} in ${at} people.`,
  doi: `10.5555/${topic.replace(' ', '.')}.${at}`
})

t.test('learning changes', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const user = await service.user()
  const project_id = await projectWith(user, [
    ...Array.from({ length: 10 }, (_, at) => paper('sleep spindles', at)),
    ...Array.from({ length: 10 }, (_, at) => paper('airway surgery', at))
  ])
  const learning = async () => (await projectsGet.run(user.context, { project_id })).learning
  const itemsOn = async (topic: string) =>
    (await feedGet.run(user.context, { project_id, limit: 100 })).items.filter(({ paper_title }) => paper_title.startsWith(topic))

  await t.test('are empty at first', async t => {
    t.strictSame(await learning(), { learned_at: null, pending: false, effective_by: null, changes: null })
  })

  await t.test('are announced in the vote response', async t => {
    const [liked] = await itemsOn('sleep')
    const [disliked] = await itemsOn('airway')
    await feedbackSet.run(user.context, { paper_id: liked!.id, vote: 'star' })
    const answer = await feedbackSet.run(user.context, { paper_id: disliked!.id, vote: 'downvote', downvote_reason: 'not_relevant' })
    t.match(answer.item, { id: disliked!.id, feedback: { vote: 'downvote' } })
    t.strictSame(answer.learning, { learned_at: null, pending: true, effective_by: '2026-11-20T12:01:00.001Z' })
    t.match(await learning(), { pending: true, changes: null })
  })

  await t.test('are in the project after rescoring, as data and text', async t => {
    clock.now = new Date('2026-11-20T12:00:10Z')
    await projectScore.run(user.context, { project_id })
    const learned = await learning()
    t.match(learned, {
      learned_at: '2026-11-20T12:00:10.000Z',
      pending: false,
      effective_by: null,
      changes: { votes: 2, entered: { count: 0 }, left: { count: 0 } }
    })
    const { terms_gained, terms_lost, rose, sentence } = learned.changes!
    t.ok(terms_gained.some(({ term, effect }) => /spindle|sleep/.test(term) && effect === 'raises'), JSON.stringify(terms_gained))
    t.ok(terms_gained.some(({ term, effect }) => /airway|surgery/.test(term) && effect === 'lowers'))
    t.strictSame(terms_lost, [])
    t.ok(rose.count >= 9)
    t.equal(rose.items.length, 5)
    for (const { title, score_before, score } of rose.items) t.ok(title.startsWith('sleep') && score! > score_before!)
    t.match(
      sentence,
      /^Learned from 2 votes\. Terms gained: “.*\(raises scores\).* 0 papers added, 0 removed; \d+ scores? rose, \d+ fell\.$/
    )
  })

  await t.test('come within half a minute, whatever the rate of votes', async t => {
    const [paper] = await itemsOn('sleep')
    const start = clock.now.getTime()
    const voteAfter = async (seconds: number) => {
      clock.now = new Date(start + 1000 * seconds)
      await feedbackSet.run(user.context, { paper_id: paper!.id, vote: 'upvote' })
      const { scoring_due_at } = await user.context.db.selectFrom('project').select('scoring_due_at').where('id', '=', project_id)
        .executeTakeFirstOrThrow()
      return (scoring_due_at!.getTime() - start) / 1000
    }
    t.strictSame([await voteAfter(0), await voteAfter(4), await voteAfter(8)], [5, 9, 13], 'few votes are learned together')
    const due = []
    for (let seconds = 12; seconds <= 60; seconds += 4) due.push(await voteAfter(seconds))
    t.ok(due.every(seconds => seconds < 30.1), JSON.stringify(due))
    t.equal(new Set(due).size, due.length, 'each vote is one that a rescoring may have missed')
    await projectScore.run(user.context, { project_id })
    t.equal(await voteAfter(64), 69, 'votes after a rescoring are learned together again')
    await projectScore.run(user.context, { project_id })
    await feedbackSet.run(user.context, { paper_id: paper!.id, vote: 'star' })
  })

  await t.test('disappear with the votes', async t => {
    for (const { id, feedback } of [...(await itemsOn('sleep')), ...(await itemsOn('airway'))]) {
      if (feedback !== null) {
        t.match(await feedbackClear.run(user.context, { paper_id: id }), { item: { feedback: null }, learning: { pending: true } })
      }
    }
    await projectScore.run(user.context, { project_id })
    const { terms_gained, terms_lost, fell, sentence } = (await learning()).changes!
    t.strictSame(terms_gained, [])
    t.ok(terms_lost.length > 0 && fell.count > 0)
    t.match(sentence, /^Rescored without votes\. Terms lost: /)
  })

  await t.test('are not announced when there is no vote to remove', async t => {
    const [item] = await itemsOn('sleep')
    const before = await learning()
    t.equal(before.pending, false)
    t.match(await feedbackClear.run(user.context, { paper_id: item!.id }), { item: { feedback: null }, learning: { pending: false } })
    t.strictSame(await learning(), before)
  })

  await t.test('of a vote are previewed and come true, and without it nothing changes', async t => {
    const scores = async () => {
      const { items } = await feedGet.run(user.context, { project_id, limit: 100 })
      return new Map(items.map(({ paper, relevance_score }) => [paper.id, relevance_score]))
    }
    const { id: paper_id, paper: { id: voted } } = (await itemsOn('sleep'))[0]!
    const [before, learned] = [await scores(), await learning()]
    const preview = await feedbackPreview.run(user.context, { paper_id, vote: 'star' })
    t.match(preview, { compared: 19, fell: { count: Number } })
    t.ok(preview.rose.count >= 9)
    t.equal(preview.rose.items.length, 5)
    t.strictSame([await scores(), await learning()], [before, learned])
    t.equal((await itemsOn('sleep')).find(({ id }) => id === paper_id)!.feedback, null)

    await feedbackSet.run(user.context, { paper_id, vote: 'star' })
    await projectScore.run(user.context, { project_id })
    const after = await scores()
    const isNear = (one: number | null, other: number | undefined) => Math.abs(one! - other!) < 0.005
    const changed = [...before.keys()].filter(id => id !== voted && Math.abs(after.get(id)! - before.get(id)!) >= 0.05)
    t.equal(preview.rose.count + preview.fell.count, changed.length)
    for (const { paper_id, title, score_before, score } of [...preview.rose.items, ...preview.fell.items]) {
      t.ok(isNear(score_before, before.get(paper_id)) && isNear(score, after.get(paper_id)), title)
    }
    t.equal(preview.passing, [...after].filter(([id, score]) => id !== voted && score >= 0.1).length)

    const opposite = await feedbackPreview.run(user.context, { paper_id, vote: 'downvote', downvote_reason: 'not_relevant' })
    t.ok(opposite.fell.count >= 9, 'a vote replaces the former one')
    t.match(await feedbackPreview.run(user.context, { paper_id, vote: 'star' }), { rose: { count: 0 }, fell: { count: 0 } })
    await feedbackClear.run(user.context, { paper_id })
  })

  await t.test('of a vote are previewed for its owner, a few at a time', async t => {
    const { id: paper_id } = (await itemsOn('sleep'))[0]!
    const preview = async () => await feedbackPreview.run(user.context, { paper_id, vote: 'upvote' })
    const results = await Promise.allSettled(Array.from({ length: 5 }, preview))
    const limited = { status: 'rejected', reason: { code: 'rate_limited' } }
    t.match(results.filter(({ status }) => status !== 'fulfilled'), [limited, limited])
    const { context } = await service.user()
    await t.rejects(feedbackPreview.run(context, { paper_id, vote: 'upvote' }), { code: 'paper_not_found' })
    const withReason = { paper_id, vote: 'star', downvote_reason: 'low_quality' }
    await t.rejects(feedbackPreview.run(user.context, withReason), { code: 'invalid_arguments' })
  })
})

t.test('votes of a former interest', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const { context, ...user } = await service.user()
  const project_id = await projectWith({ context, ...user }, [
    ...Array.from({ length: 15 }, (_, at) => paper('airway surgery', at)),
    ...Array.from({ length: 15 }, (_, at) => paper('sleep spindles', at)),
    ...Array.from({ length: 15 }, (_, at) => paper('soil moisture', at))
  ], { interest_description: 'Airway surgery', positive_keywords: [], sources: [] })
  const change = async (interest_description: string) => {
    clock.now = new Date(clock.now.getTime() + 60_000)
    await projectUpdate.run(context, { project_id, interest_description })
  }
  const best = async () => {
    clock.now = new Date(clock.now.getTime() + 60_000)
    await projectScore.run(context, { project_id })
    const { items } = await feedGet.run(context, { project_id, limit: 100 })
    const unrated = items.filter(({ feedback }) => feedback === null).sort((a, b) => b.relevance_score - a.relevance_score)
    return unrated[0]!.paper_title.split(' ')[0]
  }
  const { items } = await feedGet.run(context, { project_id, limit: 100 })
  clock.now = new Date('2026-11-20T13:00:00Z')
  for (const { id, paper_title } of items.filter(({ paper_title }) => / [0-9]$/.test(paper_title))) {
    await feedbackSet.run(context, { paper_id: id, vote: paper_title.startsWith('airway') ? 'upvote' : 'downvote' })
  }

  await t.test('give way to the new one, and count again once it returns', async t => {
    t.equal(await best(), 'airway')
    await change('Sleep spindles')
    t.equal(await best(), 'sleep')
    await change('Airway surgery')
    t.equal(await best(), 'airway')
    t.equal((await listFormerInterests(context.db, context.account.id, project_id)).length, 1, 'no vote was given under the second')
  })

  await t.test('are listed for their owner alone', async t => {
    t.strictSame(await listFormerInterests(context.db, (await service.user()).context.account.id, project_id), [])
    const until = new Date(clock.now.getTime() + 1000)
    await keepFormerInterest(context.db, (await service.user()).context.account.id, project_id, { until, leastDistinct })
    t.equal((await listFormerInterests(context.db, context.account.id, project_id)).length, 1)
  })

  await t.test('remain those of the former one, however often the present one is edited', async t => {
    const edited = await projectWith({ context, ...user }, [paper('sleep spindles', 50)], { interest_description: 'Soil moisture' })
    const { items: [item] } = await feedGet.run(context, { project_id: edited })
    for (let edit = 0; edit < 14; edit++) {
      clock.now = new Date(clock.now.getTime() + 1000)
      await feedbackSet.run(context, { paper_id: item!.id, vote: 'upvote' })
      clock.now = new Date(clock.now.getTime() + 1000)
      await projectUpdate.run(context, { project_id: edited, interest_description: `Sleep spindles and memory of night ${edit}` })
    }
    const former = await listFormerInterests(context.db, context.account.id, edited)
    t.equal(former.length, 10)
    t.match(former.map(each => each.interest_description), ['Soil moisture', / 4$/, ...Array<RegExp>(7).fill(/^Sleep/), / 12$/])
  })

  await t.test('show how reliable scores are', async t => {
    const { reliability } = await projectStatistics.run(context, { project_id })
    t.match(reliability, { votes: 30, sentence: /^Scores are .* over 30 votes/, bins: { length: 3 } })
  })
})

t.test('votes that come due while a feed is rescored', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const { context, ...user } = await service.user()
  const topics = ['sleep spindles', 'airway surgery']
  const project_id = await projectWith({ context, ...user }, Array.from({ length: 450 }, (_, at) => paper(topics[at % 2]!, at)))
  const { items } = await feedGet.run(context, { project_id, limit: 100 })
  const vote = async (at: number) => {
    await feedbackSet.run(context, { paper_id: items[at]!.id, vote: items[at]!.paper_title.startsWith('sleep') ? 'star' : 'downvote' })
    clock.now = new Date(clock.now.getTime() + 60_000)
  }
  /** Rescores the feed. @param onBatch called before each batch @returns the batches, each with its model */
  const rescore = async (onBatch: (batch: number) => Promise<void>) => {
    const batches: Array<{ model: object | null, papers: string[] }> = []
    const score: typeof context.relevance.score = async (interest, model, papers, options) => {
      batches.push({ model, papers: (papers as unknown as Array<{ paper_id: string }>).map(({ paper_id }) => paper_id) })
      await onBatch(batches.length)
      return await context.relevance.score(interest, model, papers, options)
    }
    const result = await projectScore.run({ ...context, relevance: { ...context.relevance, score } }, { project_id })
    return { result, batches, models: [...new Set(batches.map(({ model }) => model))] }
  }
  const isPending = async () => (await projectsGet.run(context, { project_id })).learning.pending

  await t.test('are learned at once, and what is scored already follows last', async t => {
    await vote(0)
    const { result, batches, models } = await rescore(async batch => { if (batch === 2) await vote(1) })
    t.equal(models.length, 2)
    t.match(result, { votes: 2 })
    const scored = batches.filter(({ model }) => model === models[1]).flatMap(({ papers }) => papers)
    t.equal(scored.length, 450, 'each paper is scored once by the newer model')
    t.equal(new Set(scored).size, 450)
    t.ok(!batches[0]!.papers.includes(scored[0]!), 'it begins where the former one ended')
    t.equal(await isPending(), false)
    const { total } = await feedGet.run(context, { project_id })
    t.equal(total, 450)
  })

  await t.test('wait for the next rescoring after some minutes of it', async t => {
    await vote(2)
    let at = 3
    const { models } = await rescore(async () => { await vote(at++) })
    t.ok(models.length > 1 && models.length < 10, `${models.length} models`)
    t.equal(await isPending(), true)
    t.equal((await rescore(async () => {})).models.length, 1)
    t.equal(await isPending(), false)
  })
})

t.test('count a paper once that several models of a rescoring move', t => {
  const recorder = new LearningRecorder()
  const papers = Array.from({ length: 100 }, (_, at) => ({ paper_id: `p${at}`, title: `Paper ${at}` }))
  const scored = (from: number, to: number, papersOfPass = papers) => {
    for (const paper of papersOfPass) recorder.rescored({ ...paper, relevance_score: from }, to)
  }
  const counts = () => {
    const { rose, fell, entered, left } = recorder.changes({ votes: 1, before: undefined, after: undefined })
    return { rose: rose.count, fell: fell.count, entered: entered.count, left: left.count }
  }
  scored(0.5, 0.7)
  scored(0.7, 0.9)
  t.strictSame(counts(), { rose: 100, fell: 0, entered: 0, left: 0 }, 'risen twice')
  scored(0.9, 0.52, papers.slice(0, 40))
  t.strictSame(counts(), { rose: 60, fell: 0, entered: 0, left: 0 }, 'moved back')
  scored(0.9, 0.3, papers.slice(40, 60))
  t.strictSame(counts(), { rose: 40, fell: 20, entered: 0, left: 0 }, 'risen, then fallen')
  scored(0.52, 0.56, papers.slice(0, 10))
  t.strictSame(counts(), { rose: 50, fell: 20, entered: 0, left: 0 }, 'moved a little by each')
  for (const paper of papers.slice(60, 70)) recorder.left({ ...paper, relevance_score: 0.9 })
  t.strictSame(counts(), { rose: 40, fell: 20, entered: 0, left: 10 }, 'risen, then left')
  for (const paper of papers.slice(60, 65)) recorder.entered(paper, 0.8)
  const { left, rose } = recorder.changes({ votes: 1, before: undefined, after: undefined })
  t.match([left.count, rose.count], [5, 45], 'left, then entered again')
  t.match(left.items[0], { score_before: 0.5, score: null })
  t.end()
})

t.test('list the most changed papers and count all', t => {
  const recorder = new LearningRecorder()
  for (let at = 0; at < 100; at++) recorder.rescored({ paper_id: `p${at}`, title: `Paper ${at}`, relevance_score: 0 }, at / 100)
  recorder.left({ paper_id: 'gone', title: 'Gone', relevance_score: 0.4 })
  recorder.entered({ paper_id: 'new', title: 'New' }, 0.8)
  // By a newer model.
  recorder.rescored({ paper_id: 'p98', title: 'Paper 98', relevance_score: 0.98 }, 0.975)
  const { rose, fell, entered, left, sentence } = recorder.changes({ votes: 1, before: undefined, after: undefined })
  t.equal(rose.count, 95, 'changes below 0.05 do not count')
  t.strictSame(
    rose.items.map(({ paper_id }) => paper_id),
    ['p99', 'p98', 'p97', 'p96', 'p95'],
    'each once'
  )
  t.match(rose.items[1], { score_before: 0, score: 0.975 })
  t.strictSame(
    [fell.count, entered.items, left.items],
    [
      0,
      [{ paper_id: 'new', title: 'New', score_before: null, score: 0.8 }],
      [{ paper_id: 'gone', title: 'Gone', score_before: 0.4, score: null }]
    ]
  )
  t.equal(sentence, 'Learned from 1 vote. 1 paper added, 1 removed; 95 scores rose, 0 fell.')
  t.equal(
    new LearningRecorder().changes({ votes: 0, before: undefined, after: undefined }).sentence,
    'Rescored without votes. No score changed noticeably.'
  )
  t.end()
})
