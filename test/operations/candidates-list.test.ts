import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { candidatesList } from '../../src/operations/feed/candidates-list.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const candidateCount = 6000
/** Rows that a step of a plan may fetch for a page. */
const maxRows = 300

t.test('thousands of papers that a feed does not include are listed by an index', { timeout: 120_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Large', sources: [] })
  await numberedPapers(account.id, 10).execute(db)
  await db.deleteFrom('paper').execute()
  await sql`analyze`.execute(db)
  // Many share a score; every seventh matches nothing.
  await sql`
    with papers as (${numberedPapers(account.id, candidateCount)})
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, (n % 7)::float8 / 10, timestamptz '2026-01-01' - (n * 7919 % 90) * interval '1 day' from papers`.execute(db)
  await sql`delete from search_pending`.execute(db)
  const stored = await db.selectFrom('candidate').select(['paper_id', 'relevance_score', 'found_at'])
    .where('relevance_score', '>', 0).execute()
  const listed = stored
    .map(candidate => ({ ...candidate, week: mondayOf(candidate.found_at).getTime() }))
    .sort((a, b) => b.week - a.week || b.relevance_score - a.relevance_score || (a.paper_id < b.paper_id ? -1 : 1))

  const readPages = (offsets: readonly number[]) => async (t: Test) => {
    for (const offset of offsets) {
      const { items, total } = await candidatesList.run(context, { project_id, limit: 20, offset })
      const expected = listed.slice(offset, offset + 20).map(({ paper_id }) => paper_id)
      t.strictSame(items.map(({ candidate_id }) => candidate_id), expected, `from ${offset}`)
      t.equal(total, listed.length)
      const statements = await explainSelects(db, recorded => candidatesList.run({ ...context, db: recorded }, { project_id, offset }))
      const fetched = statements.filter(({ sql }) => sql.includes('date_trunc')).map(({ rowsFetched }) => rowsFetched)
      t.ok(Math.max(...fetched) <= maxRows, `from ${offset}: ${fetched.join(', ')} rows fetched`)
    }
  }
  await t.test('with statistics of a database whose papers were deleted', readPages([0, 2000]))
  await sql`vacuum analyze`.execute(db)
  await t.test('with statistics', readPages([0, 100, 2000, listed.length - 5]))
})
