import t from 'tap'
import type { PaperRecord } from '../../schemas/paper.js'
import { scheduleScoring } from '../../db/queries/relevance.js'
import { saveSummary } from '../../db/queries/summaries.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { ingestFetched } from '../../src/papers/ingest-fetched.js'
import { followCreate } from '../../src/operations/follows/follow-create.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { entersFeedAtOnce } from '../../src/relevance/interest.js'
import { openProjectScoring } from '../../src/relevance/project-scoring.js'
import { projectWith, record, type TestUser, testService } from '../support/service.js'
import { feedOf } from '../support/sources.js'

const interest = { interest_description: 'Base editing of the retina', negative_keywords: ['mice'] }
const bare = record({ title: 'Editing of eyes', abstract: null, doi: '10.1000/eyes', source: { name: 'crossref' } })
const withAbstract = (abstract: string): PaperRecord =>
  ({ ...bare, abstract, source: { name: 'pubmed' } })
const described = withAbstract('Base editing of the retina restores vision in macaques.')
const excluded = withAbstract('Base editing of the retina restores vision in mice.')

async function fetched ({ context }: TestUser, projectId: string, paper: PaperRecord): Promise<void> {
  await ingestFetched(context, {
    project: { id: projectId, account_id: context.account.id },
    openScoring: async () => await openProjectScoring(context, projectId, { entersFeed: entersFeedAtOnce }),
    records: [{ place: 1, record: paper }]
  })
}

const scoringDue = async ({ context: { db } }: TestUser, projectId: string) =>
  await db.selectFrom('project').select('scoring_due_at').where('id', '=', projectId).executeTakeFirst()

t.test('a paper is scored by the text that is stored, whichever record of it comes last', async t => {
  const user = await (await testService(t)).user()
  const id = await projectWith(user, [], { ...interest, feed_threshold: 0.01 })
  await fetched(user, id, excluded)
  await fetched(user, id, bare)
  t.same(await feedOf(user, id), [], 'its abstract has an excluded keyword')
})

t.test('an item whose paper gains an abstract', async t => {
  const service = await testService(t)
  const [user, other] = [await service.user(), await service.user()]
  const settings = { ...interest, feed_threshold: 0 }
  const [id, others] = [await projectWith(user, [], settings), await projectWith(other, [], settings)]
  for (const [reader, project] of [[user, id], [other, others]] as const) await fetched(reader, project, bare)
  const [before] = await feedOf(user, id)
  t.match(before, { summary: null })

  await t.test('is scored and summarized by it', async t => {
    await fetched(user, id, described)
    t.match(await feedOf(user, id), [{ summary: described.abstract, relevance_score: before!.relevance_score }])
    t.match(await scoringDue(user, id), { scoring_due_at: Date })
    await projectScore.run(user.context, { project_id: id })
    const [after] = await feedOf(user, id)
    t.ok(after!.relevance_score > before!.relevance_score + 0.1)
    t.match(after, { summary: described.abstract, personalized_note: /retina/ })
  })

  await t.test('through another project, is scored once its own sources show it again', async t => {
    t.match(await feedOf(other, others), [{ summary: null }])
    await fetched(other, others, bare)
    t.match(await feedOf(other, others), [{ summary: described.abstract }])
    t.match(await scoringDue(other, others), { scoring_due_at: Date })
    await projectScore.run(other.context, { project_id: others })
    t.ok((await feedOf(other, others))[0]!.relevance_score > before!.relevance_score + 0.1)
    await fetched(other, others, bare)
    t.strictSame(await scoringDue(other, others), { scoring_due_at: null }, 'once')
  })

  await t.test('keeps a summary that a model wrote, and says that a keyword excludes it', async t => {
    const [item] = await feedOf(user, id)
    await saveSummary(user.context.db, user.context.account.id, item!.id, 'Written.')
    await fetched(user, id, { ...excluded, abstract: `${excluded.abstract} It lasts for years, and edits elsewhere are rare.` })
    await projectScore.run(user.context, { project_id: id })
    t.match(await feedOf(user, id), [{ summary: 'Written.', relevance_score: 0, matching_details: { excluded: true } }])
  })
})

t.test('texts that change do not delay votes', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const user = await (await testService(t, {}, () => clock.now)).user()
  const id = await projectWith(user, [{ title: 'Voted on' }], { ...interest, feed_threshold: 0 })
  const [voted] = await feedOf(user, id)
  await fetched(user, id, bare)
  const at = (time: string) => { clock.now = new Date(`2026-11-20T${time}Z`) }
  const due = async () => (await scoringDue(user, id))!.scoring_due_at?.toISOString().slice(11, -1)
  const vote = async () => {
    const { learning } = await feedbackSet.run(user.context, { paper_id: voted!.id, vote: 'star' })
    return learning.effective_by
  }
  const change = async (abstract: string) => { await fetched(user, id, withAbstract(abstract)) }

  await t.test('that are waiting', async t => {
    t.equal(await vote(), '2026-11-20T12:01:00.000Z')
    at('12:00:02')
    await change('Base editing.')
    t.equal(await due(), '12:00:30.000', 'they wait as long as for further votes at most')
    await change('Base editing of the retina.')
    t.equal(await due(), '12:00:30.001', 'a rescoring under way sees that another one follows')
    const { learning } = await projectsGet.run(user.context, { project_id: id })
    t.match(learning, { pending: true, effective_by: '2026-11-20T12:01:25.001Z' })
    await projectScore.run(user.context, { project_id: id })
    t.equal(await due(), undefined)
  })

  await t.test('that follow', async t => {
    at('12:10:00')
    await change('Base editing of the retina restores vision.')
    t.equal(await due(), '12:12:00.000')
    at('12:10:01')
    t.equal(await vote(), '2026-11-20T12:11:01.000Z')
    t.equal(await due(), '12:10:06.000')
  })
})

t.test('a rescoring that is due at once waits for no texts of a fetch', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const user = await (await testService(t, {}, () => clock.now)).user()
  const { context } = user
  const project_id = await projectWith(user, [], { ...interest, feed_threshold: 0 })
  await fetched(user, project_id, bare)
  const dueAfterSeconds = async () => ((await scoringDue(user, project_id))!.scoring_due_at!.getTime() - clock.now.getTime()) / 1000
  const changes = {
    settings: async () => await projectUpdate.run(context, { project_id, positive_keywords: ['retina'] }),
    follow: async () => await followCreate.run(context, { project_id, kind: 'author', name: 'Grace Hopper' })
  }
  let edition = 0
  const fetchChanged = async () => await fetched(user, project_id, withAbstract(`Base editing of the retina, edition ${edition++}.`))
  for (const [name, change] of Object.entries(changes)) {
    await change()
    for (let page = 0; page < 3; page++) {
      clock.now = new Date(clock.now.getTime() + 1000)
      await fetchChanged()
    }
    t.ok(await dueAfterSeconds() < 0, name)
    await projectScore.run(context, { project_id })
    await fetchChanged()
    t.equal(await dueAfterSeconds(), 120, 'after it, pages of a fetch are scored together')
    await projectScore.run(context, { project_id })
  }
})

t.test('texts that change page by page are scored together, but a long fetch delays a rescoring by five minutes at most', async t => {
  const clock = { now: new Date('2026-11-20T12:00:00Z') }
  const user = await (await testService(t, {}, () => clock.now)).user()
  const id = await projectWith(user, [], { ...interest, feed_threshold: 0 })
  await fetched(user, id, bare)
  const { db, account } = user.context
  const dueAfterPages = async (pages: number) => {
    const start = clock.now.getTime()
    for (let page = 0; page < pages; page++) {
      await fetched(user, id, withAbstract(`Base editing of the retina at ${clock.now.toISOString()}.`))
      clock.now = new Date(clock.now.getTime() + 60_000)
    }
    return ((await scoringDue(user, id))!.scoring_due_at!.getTime() - start) / 1000
  }
  t.equal(await dueAfterPages(3), 240)
  t.equal(Math.floor(await dueAfterPages(5)), 120)
  await projectScore.run(user.context, { project_id: id })
  await scheduleScoring(db, account.id, id, clock.now)
  t.equal(Math.floor(await dueAfterPages(20)), 300, 'also one that something else has scheduled')
})
