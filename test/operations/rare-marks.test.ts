import t from 'tap'
import { sql } from 'kysely'
import { listFeed } from '../../db/queries/feed.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { feedSorts } from '../../schemas/feed-page.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 6000
/** Rows that a step of a plan may pass on. */
const maxRows = 300

t.test('lists of rare marks among many', { timeout: 300_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Marked', sources: [] })
  const other = await projectWith(user, [], { name: 'Other', sources: [] })
  // The rare ones are the last in every order.
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key, published_date)
      select ${account.id}, 'marked', 'Paper ' || n, '[]', 'json-lines', '{}', n::text, date '2020-01-01' - n
      from generate_series(1, ${paperCount}::integer) n returning id, title_key::integer as n
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, saved, links, tags, tag_keys)
    select ${project_id}, id, 1 - n::float8 / 100000, 'related', timestamptz '2026-01-01' - n * interval '1 minute',
      n < 5000, case when n > 5990 then 3 else 1 end,
      case when n > 5990 then array['Common', 'Rare'] else '{Common}' end, case when n > 5990 then array['common', 'rare'] else '{common}' end
    from papers`.execute(db)
  await sql`
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, tags, tag_keys)
    select ${other}, id, 0.5, 'related', timestamptz '2025-01-01', '{Rare}', '{rare}' from paper where title = 'Paper 1'`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)
  await t.test('have them in each order, with their number', async t => {
    for (const sort of feedSorts) {
      for (const filter of [{ tag: 'rare' }, { link: 'cites-starred' }] as const) {
        const { items, total } = await feedPage.run(context, { project_id, sort, limit: 20, ...filter })
        t.strictSame(items.map(({ paper_title }) => paper_title), Array.from({ length: 10 }, (_, at) => `Paper ${5991 + at}`), sort)
        t.equal(total, 10)
        const all = await feedsGet.run(context, { sort, limit: 20, ...filter })
        t.equal(all.total, 'tag' in filter ? 11 : 10)
        t.equal(all.items.length, all.total)
      }
      const { items, total, has_all_counted } = await feedPage.run(context, { project_id, sort, limit: 20, tag: 'common' })
      t.strictSame([items[0]!.paper_title, total, has_all_counted], ['Paper 1', 6000, true])
    }
  })

  await t.test('are found by an index, not by reading all with other marks', async t => {
    for (const sort of feedSorts) {
      for (const filter of [{ tag: 'rare' }, { tag: 'rare', saved: false }, { link: 'cites-starred' }] as const) {
        const input = { project_id, sort, limit: 20, ...filter }
        for (const { rows, sql } of await explainSelects(db, async recorded => {
          await feedPage.run({ ...context, db: recorded }, input)
          await feedsGet.run({ ...context, db: recorded }, input)
          const order = sort === 'best' ? 'relevance' : 'newest'
          await listFeed(recorded, account.id, { projectId: project_id, tagKey: 'rare' }, { limit: 20, offset: 0, order })
        })) t.ok(rows <= maxRows, `${sort} ${JSON.stringify(filter)}: ${rows} rows in ${sql.slice(0, 300)}`)
      }
    }
  })
})
