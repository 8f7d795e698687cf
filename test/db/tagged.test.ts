import t from 'tap'
import { sql } from 'kysely'
import { listTagged } from '../../db/queries/share-links.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

t.test('the papers with a tag in all projects', async t => {
  const { user: newUser, context: { db } } = await testService(t)
  const user = await newUser()
  const { id: accountId } = user.context.account
  const projects = [await projectWith(user, []), await projectWith(user, []), await projectWith(user, [])]
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${accountId}, n, n, '[]', 'x', '{}', n from generate_series(1, 1500) n returning id, title::integer as n
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, tags, tag_keys)
    select project.id, papers.id, 0, 'related', timestamptz '2026-01-01' + (papers.n * 7919 * project.ordinality % 1009) * interval '1 s',
      case when papers.n % 10 > 0 then '{Group,x}'::text[] else '{}' end, case when papers.n % 10 > 0 then '{group,x}'::text[] else '{}' end
    from papers cross join unnest(${projects}::uuid[]) with ordinality as project (id, ordinality)
    where papers.n % 4 <> project.ordinality`.execute(db)
  await sql`vacuum analyze project_paper`.execute(db)

  await t.test('are listed once each, by their newest item, on every page', async t => {
    const { rows } = await sql<{ id: string }>`
      select id from (select distinct on (paper_id) id, ready_at from project_paper where tag_keys @> '{group}'
        order by paper_id, ready_at desc, id) item order by ready_at desc, id`.execute(db)
    t.equal(rows.length, 1350)
    const listed: string[] = []
    for (let offset = 0; offset < 1400; offset += 100) listed.push(...await listTagged(db, accountId, 'group', { limit: 100, offset }))
    t.strictSame(listed, rows.map(({ id }) => id))
    t.strictSame(await listTagged(db, (await newUser()).context.account.id, 'group', { limit: 10, offset: 0 }), [])
  })

  await t.test('of many projects are read as far as the page needs, also deep ones', async t => {
    const other = await newUser()
    const count = 20
    for (let at = 0; at < count; at++) await projectWith(other, [])
    await sql`
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, tags, tag_keys)
      select project.id, paper.id, 0, 'related', timestamptz '2026-01-01' + paper.title::integer * interval '1 s', '{Many}', '{many}'
      from (select id, row_number() over () as number from project where account_id = ${other.context.account.id}) as project
      join paper on paper.title::integer % ${sql.lit(count)} = project.number - 1
      where paper.account_id = ${accountId}`.execute(db)
    await sql`vacuum analyze project_paper`.execute(db)
    const statements = await explainSelects(db, async recorded =>
      t.equal((await listTagged(recorded, other.context.account.id, 'many', { limit: 50, offset: 500 })).length, 50))
    const read = statements.reduce((sum, { rows }) => sum + rows, 0)
    t.ok(read <= 60 * count, `${read} rows`)
  })

  await t.test('are read as far as the page needs', async t => {
    const statements = await explainSelects(db, async recorded => await listTagged(recorded, accountId, 'group', { limit: 20, offset: 20 }))
    t.ok(statements.every(({ rows }) => rows <= 3 * 40), JSON.stringify(statements.map(({ rows }) => rows)))
  })

  await t.test('are listed in order when one project has them all', async t => {
    await sql`update project_paper set tags = '{solo}', tag_keys = '{solo}' where project_id = ${projects[0]}`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select id from project_paper where project_id = ${projects[0]} order by ready_at desc, id`.execute(db)
    for (const offset of [0, 900, 1120, 1200]) {
      t.strictSame(await listTagged(db, accountId, 'solo', { limit: 50, offset }), rows.slice(offset, offset + 50).map(({ id }) => id))
    }
  })
})
