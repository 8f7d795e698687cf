import t from 'tap'
import { sql } from 'kysely'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { projectThresholds } from '../../src/operations/projects/project-thresholds.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const [itemCount, candidateCount] = [30_000, 12_000]
/** Rows that one statement counts. */
const maxRows = 20_000

t.test('scores of many papers are counted in parts, and once while nothing changes', { timeout: 300_000 }, async t => {
  const clock = { now: new Date('2026-01-20T12:00:00Z') }
  const service = await testService(t, {}, () => clock.now)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Large', sources: [], weekly_limit: 100, feed_threshold: 0.1 })
  await sql`update project set created_at = '2025-01-01' where id = ${project_id}`.execute(db)
  // Every tenth item is from a file, and every fifth was found before the last four weeks. Each time has 30 papers.
  await sql`
    with papers as (${numberedPapers(account.id, itemCount + candidateCount)}), found as (
      select id, n, (n * 7919 % 101) / 100.0 as score, case when n % 5 = 0 then timestamptz '2025-11-01' else timestamptz '2026-01-01' end
        + (n % 1400) * interval '10 minutes' as time from papers
    ), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, origin)
      select ${project_id}, id, score, 'related', time, case when n % 10 = 1 then 'import' else 'fetch' end from found where n <= ${itemCount}
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, score, time from found where n > ${itemCount}`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const expected = Array.from({ length: 100 }, () => 0)
  for (let n = 1; n <= itemCount + candidateCount; n++) {
    const hundredths = n * 7919 % 101
    const isCounted = n <= itemCount ? n % 10 !== 1 : hundredths > 0
    if (isCounted && n % 5 > 0) expected[Math.min(hundredths, 99)]! += 1
  }
  const read = () => projectThresholds.run(context, { project_id })
  const readCounting = async (operation: typeof projectThresholds | typeof projectStatistics, pattern: RegExp) =>
    (await explainSelects(db, recorded => operation.run({ ...context, db: recorded }, { project_id })))
      .filter(({ sql }) => pattern.test(sql)).map(({ rows }) => rows)
  const scores = () => readCounting(projectThresholds, /relevance_score \* 100/)
  const excluded = () => readCounting(projectStatistics, /sum\("candidate"."relevance_score"\)/)

  await t.test('counts all of them', async t => {
    const { papers, weeks, since } = await read()
    t.strictSame([papers, weeks, since], [expected, 4, '2025-12-23T12:00:00.000Z'])
  })

  await t.test('counts in statements of some thousand rows', async t => {
    clock.now = new Date('2026-01-20T12:06:00Z')
    const rows = await scores()
    t.ok(rows.length > 2 && Math.max(...rows) <= maxRows, `${rows.join(', ')} rows`)
  })

  await t.test('counts once, until the project changes', async t => {
    t.strictSame(await scores(), [])
    t.equal((await excluded()).length, 1)
    t.strictSame(await excluded(), [])
    const before = await projectStatistics.run(context, { project_id })
    t.ok(before.recall.excluded > 0)
    clock.now = new Date('2026-01-20T12:07:00Z')
    await projectUpdate.run(context, { project_id, feed_threshold: 0.5 })
    t.ok((await scores()).length > 2)
    t.equal((await excluded()).length, 1)
    t.ok((await projectStatistics.run(context, { project_id })).recall.excluded < before.recall.excluded)
  })
})
