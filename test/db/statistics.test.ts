import t from 'tap'
import { sql } from 'kysely'
import { refreshStatistics } from '../../db/queries/maintenance.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { projectWith, testService } from '../support/service.js'

t.test('papers and feeds are analyzed after many papers, if they grew much', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { sources: [] })
  await sql`alter table paper set (autovacuum_enabled = false)`.execute(db)
  await sql`alter table project_paper set (autovacuum_enabled = false)`.execute(db)
  const add = (count: number) => sql`
    with papers as (${numberedPapers(account.id, count)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, origin)
    select ${project_id}, id, 0.5, 'related', now(), 'fetch' from papers`.execute(db)
  const analyses = async () => (await sql<{ name: string, count: number }>`
    select relname as name, analyze_count::integer as count from pg_stat_user_tables
    where relname in ('paper', 'project_paper') order by 1`.execute(db)).rows.map(({ count }) => count)
  const [papers = 0, items = 0] = await analyses()
  const after = async (added: number, expected: number) => {
    await add(added)
    await refreshStatistics(db, 1000)
    t.strictSame(await analyses(), [papers + expected, items + expected], `after ${added} papers`)
  }
  await add(2000)
  await refreshStatistics(db, 999)
  t.strictSame(await analyses(), [papers, items], 'few papers')
  await after(0, 1)
  await after(0, 1)
  await after(100, 1)
  await after(1000, 2)
})

t.test('references are not analyzed', async t => {
  const { context: { db, account } } = await (await testService(t)).user()
  await sql`
    with papers as (${numberedPapers(account.id, 100)})
    insert into paper_citation (paper_id, cited) select id, array['10.1000/a', '10.1000/' || n] from papers`.execute(db)
  await sql`analyze paper_citation`.execute(db)
  const { rows } = await sql<{ attname: string }>`select attname from pg_stats where tablename = 'paper_citation' order by 1`.execute(db)
  t.ok(rows.some(({ attname }) => attname === 'paper_id'))
  t.notOk(rows.some(({ attname }) => attname === 'cited'))
})
