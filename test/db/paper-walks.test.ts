import t from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { scanAllItems } from '../../db/queries/all-feeds.js'
import { walkCandidates } from '../../db/queries/candidates.js'
import { forgetImportedSources, keepImportedSources } from '../../db/queries/found-papers.js'
import { listProjectsToTally } from '../../db/queries/found-tally.js'
import { sampleUnrated, walkTexts } from '../../db/queries/relevance.js'
import { walkDecisions } from '../../db/queries/snapshot-decisions.js'
import { dayMs } from '../../schemas/durations.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 3000

t.test('a project with thousands of papers', { timeout: 120_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const large = await projectWith(user, [], { sources: [] })
  // Stored by id, and with the statistics of a time with one project, any index that starts with the paper looks good.
  await sql`
    with papers as (${numberedPapers(account.id, paperCount)}), found as (
      insert into found_paper (project_id, paper_id, sources, fetched_sources, found_at)
      select ${large}, id, array['openalex'], array['openalex'], now() from papers order by id
    ), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, origin)
      select ${large}, id, 0.5, 'related', now(), 'fetch' from papers order by id
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${large}, id, 0.1, now() - n * interval '1 minute' from papers order by id`.execute(db)
  await sql`analyze found_paper, candidate, project_paper`.execute(db)
  await sql`insert into project (account_id, name) select ${account.id}, 'Project ' || n from generate_series(1, 30) n`.execute(db)
  const { id: small } = await db.selectFrom('project').select('id').where('name', '=', 'Project 1').executeTakeFirstOrThrow()

  const walk = async (batches: AsyncIterable<unknown>) => { for await (const batch of batches) t.ok(batch) }
  const importId = '00000000-0000-0000-0000-000000000001'
  const reads: Record<string, (recorded: Db, projectId: string) => Promise<unknown>> = {
    walkCandidates: (recorded, id) => walk(walkCandidates(recorded, account.id, id, new Date(0), 100)),
    walkDecisions: (recorded, projectId) => walk(walkDecisions(recorded, account.id, { projectId, since: null, until: new Date() })),
    walkTexts: (recorded, id) => walk(walkTexts(recorded, account.id, id, 100)),
    sampleUnrated: (recorded, id) => sampleUnrated(recorded, account.id, id, 100),
    scanAllItems: (recorded, id) =>
      walk(scanAllItems(recorded, account.id, { projectIds: [id] }, { sort: 'newest', limitMs: 60_000 })),
    keepImportedSources: (recorded, projectId) =>
      keepImportedSources(recorded, account.id, { projectId, importIds: [importId], batchSize: 500 }),
    forgetImportedSources: (recorded, projectId) =>
      forgetImportedSources(recorded, account.id, { projectId, importId, batchSize: 500 })
  }
  for (const [name, read] of Object.entries(reads)) {
    await t.test(`is not read by ${name} of another project`, async t => {
      const rows = (await explainSelects(db, recorded => read(recorded, small))).map(({ rows }) => rows)
      t.ok(rows.length > 0 && Math.max(...rows) <= 20, `${rows.join(', ')} rows`)
    })
    await t.test(`is read by ${name} in slices`, async t => {
      const rows = (await explainSelects(db, recorded => read(recorded, large))).map(({ rows }) => rows)
      // A page of decisions is joined with itself.
      t.ok(rows.length > 0 && Math.max(...rows) <= (name === 'walkDecisions' ? 200 * 200 : 2000), `${rows.join(', ')} rows`)
    })
  }

  await t.test('is counted once for all projects', async t => {
    const statements = await explainSelects(db, async recorded => {
      t.strictSame(await listProjectsToTally(recorded, { maxUnlisted: 10_000, maxCandidates: 0 }), [])
    })
    const rows = statements.map(({ rows }) => rows)
    t.ok(Math.max(...rows) <= paperCount + 100, `${rows.join(', ')} rows`)
  })

  await t.test('has recent candidates, which are found among older ones a slice at a time', async t => {
    const since = new Date(Date.now() - dayMs)
    const expected = await db.selectFrom('candidate').select('paper_id').where('found_at', '>=', since).orderBy('paper_id').execute()
    const found: string[] = []
    const statements = await explainSelects(db, async recorded => {
      for await (const candidates of walkCandidates(recorded, account.id, large, since, 100)) {
        t.ok(candidates.length <= 100)
        found.push(...candidates.map(({ paper_id }) => paper_id))
      }
    })
    t.strictSame(found, expected.map(({ paper_id }) => paper_id))
    const none = await explainSelects(db, recorded => walk(walkCandidates(recorded, account.id, large, new Date(Date.now() + dayMs), 100)))
    const rows = [...statements, ...none].map(({ rows }) => rows)
    t.ok(Math.max(...rows) <= 1000, `${rows.join(', ')} rows`)
  })
})
