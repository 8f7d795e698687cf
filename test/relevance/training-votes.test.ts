import { sql } from 'kysely'
import t from 'tap'
import { sampleUnrated, walkVotes } from '../../db/queries/relevance.js'
import { sampleTexts } from '../../db/queries/texts.js'
import { readTrainingVotes } from '../../src/relevance/training-votes.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

t.test('votes are read some at a time, newest first, up to a number and a length of texts', async t => {
  const user = await (await testService(t)).user()
  const { db, account: { id: account } } = user.context
  const papers = Array.from({ length: 230 }, (_each, at) => ({ title: `Paper ${100 + at}`, abstract: 'x'.repeat(91) }))
  const project = await projectWith(user, papers)
  // All but thirty at one time, as an import votes.
  await sql`update project_paper set vote = 'upvote', voted_at = '2026-11-01' where project_id = ${project}`.execute(db)
  await sql`update project_paper set voted_at = '2026-11-02'::timestamptz + (paper.title > 'Paper 310')::int * interval '1 day'
    from paper where paper.id = paper_id and paper.title >= 'Paper 300' and project_id = ${project}`.execute(db)
  const { rows } = await sql<{ paper_id: string }>`select paper_id from project_paper where project_id = ${project}
    order by voted_at desc, id`.execute(db)
  const expected = rows.map(({ paper_id }) => paper_id)

  const batches: string[][] = []
  for await (const batch of walkVotes(db, account, project, 50)) batches.push(batch.map(({ paper_id }) => paper_id))
  t.strictSame(batches.map(({ length }) => length), [50, 50, 50, 50, 30])
  t.strictSame(batches.flat(), expected)
  const statements = await explainSelects(db, async recorded => {
    for await (const batch of walkVotes(recorded, account, project, 50)) t.ok(batch.length > 0)
  })
  t.ok(statements.every(({ rows }) => rows <= 51), `each vote is read once: ${statements.map(({ rows }) => rows).join(', ')} rows`)

  const idsWithin = async (limits: { maxVotes: number, maxCharacters: number }) =>
    (await readTrainingVotes(db, account, project, limits)).votes.map(({ paper_id }) => paper_id)
  t.strictSame(await idsWithin({ maxVotes: 1000, maxCharacters: 1_000_000 }), expected)
  t.strictSame(await idsWithin({ maxVotes: 120, maxCharacters: 1_000_000 }), expected.slice(0, 120))
  t.strictSame(await idsWithin({ maxVotes: 1000, maxCharacters: 15_050 }), expected.slice(0, 150), '100 characters each')
})

t.test('samples of a feed with very long texts are smaller', async t => {
  const user = await (await testService(t)).user()
  const { db, account: { id: account } } = user.context
  const project = await projectWith(user, Array.from({ length: 550 }, (_each, at) => ({ title: `Paper ${at}`, abstract: 'word '.repeat(4000) })))
  t.equal((await sampleUnrated(db, account, project, 1000)).length, 500, 'the first hundreds beyond 10 million characters')
  const texts = await sampleTexts(db, account, 50)
  t.equal(texts.length, 50)
  t.ok(texts.every(({ abstract }) => abstract!.length === 4000))
})
