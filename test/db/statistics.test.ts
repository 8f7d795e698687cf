import t from 'tap'
import { sql } from 'kysely'
import { numberedPapers } from '../support/numbered-papers.js'
import { testService } from '../support/service.js'

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
