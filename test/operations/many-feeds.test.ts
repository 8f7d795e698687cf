import t from 'tap'
import { sql } from 'kysely'
import { setTimeZone } from '../../db/queries/accounts.js'
import { feedsExport } from '../../src/operations/feed/feeds-export.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { mergeFeeds } from '../../src/papers/all-feeds/merge.js'
import { feedSorts } from '../../schemas/feed-page.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

/* Pages of many large feeds read some items of each, in statements of some thousand rows. */

const [feedCount, itemsPerFeed] = [40, 1000]
const itemCount = feedCount * itemsPerFeed
/** Rows of one statement: those of a page, and of an index. */
const maxRows = 5000

t.test('pages of many large feeds', { timeout: 300_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const projectIds: string[] = []
  for (let at = 0; at < feedCount; at++) projectIds.push(await projectWith(user, [], { name: `Project ${at}`, sources: [] }))
  // Many ties in each order. One feed has the newest items, another the best, and a third those that were published last.
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key, published_date)
      select ${account.id}, 'large', 'Paper ' || n, '[]', 'json-lines', '{}', n::text, case
        when n <= ${itemsPerFeed}::integer then '2026-06-01'::date - n % 3 when n % 5 > 0 then '2026-01-01'::date - (n * 7919 % 400) end
      from generate_series(1, ${itemCount}::integer) n returning id, title_key::integer as n
    ), numbered as (select id, n, (n - 1) / ${itemsPerFeed}::integer as feed from papers)
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, seen_at)
    select (${projectIds}::uuid[])[feed + 1], id, case when feed = 1 then 0.9 + (n % 3) * 0.01 else (n * 7919 % 80) / 100.0 end, 'related',
      case when feed = 2 then timestamptz '2026-01-02' + n % 500 * interval '1 minute'
        else timestamptz '2026-01-01' - (n * 7907 % 4000) * interval '13 minutes' end,
      case when n % 4 = 0 then timestamptz '2026-02-01' end
    from numbered`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const orders = {
    day: (timeZone: string) => sql`(ready_at at time zone ${timeZone})::date desc, relevance_score desc, id`,
    best: () => sql`relevance_score desc, ready_at desc, id`,
    newest: () => sql`ready_at desc, id`,
    published: () => sql`published_date desc nulls last, id`
  }
  const sortedIds = async (sort: keyof typeof orders, { timeZone = 'UTC', condition = sql`true` } = {}) => {
    const { rows } = await sql<{ id: string }>`
      select id from project_paper where ${condition} order by ${orders[sort](timeZone)} limit 10500`.execute(db)
    return rows.map(({ id }) => id)
  }
  const getPage = async (input: object) => (await feedsGet.run(context, { limit: 50, ...input })).items.map(({ id }) => id)

  const filters = [
    [{ seen: false }, sql`seen_at is null`],
    [{ as_of: '2025-12-25T00:00:00Z' }, sql`ready_at <= '2025-12-25T00:00:00Z'`],
    [{ year_from: 2026 }, sql`published_date >= '2026-01-01'`]
  ] as const

  await t.test('have the items of their place in each order, also with a filter', async t => {
    for (const sort of feedSorts) {
      const all = await sortedIds(sort)
      for (const offset of [0, 900, 10_000]) {
        t.strictSame(await getPage({ sort, offset }), all.slice(offset, offset + 50), `${sort} from ${offset}`)
      }
      const merged = await mergeFeeds(context, { projectIds }, { sort, limit: 10_000, offset: 0 })
      t.strictSame(merged.map(({ id }) => id), all.slice(0, 10_000), `10,000 by ${sort}`)
      for (const [filter, condition] of filters) {
        const ids = await sortedIds(sort, { condition })
        const offset = Math.min(950, ids.length - 5)
        t.strictSame(await getPage({ sort, offset, ...filter }), ids.slice(offset, offset + 50), `${sort} with ${JSON.stringify(filter)}`)
      }
    }
  })

  const readsFew = async (name: string, work: (recorded: typeof context) => Promise<unknown>, maxSum: number) => {
    const statements = await explainSelects(db, recorded => work({ ...context, db: recorded }))
    const lists = statements.filter(({ sql }) => sql.includes('json_build_array')).map(({ rows }) => rows)
    t.ok(lists.length > 0 && Math.max(...lists) <= maxRows, `${name}: ${lists.join(', ')} rows`)
    const sum = lists.reduce((sum, rows) => sum + rows, 0)
    t.ok(sum <= maxSum, `${name}: ${sum} rows in all`)
  }

  await t.test('are read in statements of some thousand rows', async () => {
    for (const sort of feedSorts) await readsFew(sort, recorded => feedsGet.run(recorded, { sort, offset: 900 }), 8000)
    await readsFew('the export', recorded => feedsExport.run(recorded, { format: 'ris' }), 30_000)
  })

  await t.test('have the days of a time zone', async t => {
    const timeZone = 'America/Noronha'
    await setTimeZone(db, account.id, timeZone)
    const all = await sortedIds('day', { timeZone })
    for (const offset of [0, 900, 5000]) {
      t.strictSame(await getPage({ offset }), all.slice(offset, offset + 50), `from ${offset}`)
    }
    await readsFew('day', recorded => feedsGet.run(recorded, { offset: 900 }), 16_000)
  })
})
