import t from 'tap'
import { sql } from 'kysely'
import { countAllItems, listAllItems } from '../../db/queries/all-feeds.js'
import { countFeed } from '../../db/queries/feed-count.js'
import { type FeedFilter, filterCondition } from '../../db/queries/feed-filter.js'
import { listFeed } from '../../db/queries/feed.js'
import { countRows, listRows } from '../../db/queries/feed-page.js'
import { feedSorts } from '../../schemas/feed-page.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

/* Pages of filters that no index of the order answers, or that leave out most items. */

const [largeCount, smallCount] = [6500, 300]
/** Rows of the table, and entries of an index, that a statement may read, with the last of a slice. */
const [maxRows, maxEntries] = [2001, 5001]

t.test('filtered pages of a large feed', { timeout: 600_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const projectIds: string[] = []
  for (const [name, count] of [['Large', largeCount], ['Small', smallCount]] as const) {
    const projectId = await projectWith(user, [], { name, sources: [] })
    projectIds.push(projectId)
    // Many ties in each order, more than a slice has rows.
    await sql`
      with papers as (
        insert into paper (account_id, slug, title, authors, source_name, metadata, title_key, published_date)
        select ${account.id}, 'large', 'Paper ' || n, '[]', 'json-lines', '{}', ${name} || n,
          case when n % 5 > 0 then date '2026-06-01' - (n * 7919 % 900) end
        from generate_series(1, ${count}::integer) n returning id, substring(title from 7)::integer as n
      )
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at, seen_at, saved, links,
        tags, tag_keys)
      select ${projectId}, id, case when n % 2 = 0 then 0 else (n * 7907 % 100) / 100.0 end,
        case when n % 10 = 0 then 'must_read' else 'related' end,
        timestamptz '2026-01-01' - case when n < 4500 then 0 else n end * interval '1 minute',
        case when n % 3 = 0 then 'upvote' when n % 1000 = 1 then 'star' end,
        case when n % 3 = 0 or n % 1000 = 1 then timestamptz '2026-02-01' + (n % 7) * interval '1 day' end,
        case when n % 4 = 0 then timestamptz '2026-02-01' end, n % 20 > 0, case when n % 50 = 0 then 1 else 0 end,
        case when n % 400 = 0 then '{Common,Rare}' else '{Common}' end::text[],
        case when n % 400 = 0 then '{common,rare}' else '{common}' end::text[]
      from papers`.execute(db)
  }
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const projectId = projectIds[0]!

  const orders = {
    day: sql`(ready_at at time zone 'UTC')::date desc, relevance_score desc, id`,
    best: sql`relevance_score desc, ready_at desc, id`,
    newest: sql`ready_at desc, id`,
    published: sql`published_date desc nulls last, id`
  }
  const since = new Date('2025-12-25')
  const filters: Array<Omit<FeedFilter, 'projectId'>> = [
    { must_read: false },
    { must_read: true, saved: true },
    { saved: true },
    { saved: false, seen: false },
    { tagKey: 'common' },
    { tagKey: 'rare', seen: true },
    { tagKey: 'absent' },
    { link: 'followed' },
    { feedback: 'unrated', asOf: new Date('2026-02-03') },
    { feedback: 'liked', tagKey: 'common' },
    { feedback: 'starred' },
    { rated: true, seen: false },
    { seen: true, saved: true, since },
    { until: since, asOf: new Date('2026-02-03') },
    { papers: { yearFrom: 2024, yearTo: 2025 } },
    { papers: { yearTo: 2023, minScore: 0.5 }, saved: true },
    { papers: { minScore: 0.3, maxScore: 0.6 }, must_read: true }
  ]
  type Item = { id: string, projectId: string }
  /** All items in each order. */
  const ordered = new Map<keyof typeof orders, Item[]>()
  for (const sort of feedSorts) {
    const { rows } = await sql<Item>`
      select id, project_id as "projectId" from project_paper order by ${orders[sort]}`.execute(db)
    ordered.set(sort, rows)
  }
  /** The items of a filter in each order: of one project, and of all. */
  const itemsOf = async (filter: Omit<FeedFilter, 'projectId'>) => {
    const { rows } = await sql<{ id: string }>`select id from project_paper where ${filterCondition(filter)}`.execute(db)
    const ids = new Set(rows.map(({ id }) => id))
    return (sort: keyof typeof orders) => {
      const items = ordered.get(sort)!.filter(({ id }) => ids.has(id))
      return [items.filter(item => item.projectId === projectId), items].map(list => list.map(({ id }) => id)) as [string[], string[]]
    }
  }

  await t.test('have the items of their place in each order, with their number', async t => {
    for (const [at, filter] of filters.entries()) {
      const name = JSON.stringify(filter)
      const idsBy = await itemsOf(filter)
      for (const [sortAt, sort] of feedSorts.entries()) {
        const [ofOne, ofAll] = idsBy(sort)
        for (const [all, list] of [
          [ofOne, async (page: Page) => await listRows(db, account.id, { ...filter, projectId }, { ...page, sort })],
          [ofOne, async (page: Page) => await listAllItems(db, account.id, { ...filter, projectIds: [projectId] }, { ...page, sort })],
          [ofAll, async (page: Page) => await listAllItems(db, account.id, { ...filter, projectIds }, { ...page, sort })]
        ] as const) {
          const offsets = [0, 1 + (at * 577) % Math.max(all.length, 1), Math.max(all.length - 3, 0)]
          // A page past the end reads as far as most: one order of each filter.
          if (at % feedSorts.length === sortAt) offsets.push(Number.MAX_SAFE_INTEGER)
          for (const offset of offsets) {
            const listed = await list({ limit: 7, offset })
            t.strictSame(listed.map(({ id }) => id), all.slice(offset, offset + 7), `${sort} ${name} from ${offset}`)
          }
        }
        if (sort === 'best' || sort === 'newest') {
          const order = sort === 'best' ? 'relevance' : 'newest'
          const items = await listFeed(db, account.id, { ...filter, projectId }, { limit: 7, offset: 2, order })
          t.strictSame(items.map(({ item_id }) => item_id), ofOne.slice(2, 9), `feed by ${order} ${name}`)
        }
      }
      const [ofOne, ofAll] = idsBy('newest')
      t.equal(await countRows(db, account.id, { ...filter, projectId }, 10_001), Math.min(ofOne.length, 10_001), name)
      t.equal((await countFeed(db, account.id, { ...filter, projectId }))!.total, ofOne.length, name)
      t.equal(await countAllItems(db, account.id, { ...filter, projectIds }, 10_000), Math.min(ofAll.length, 10_000), name)
      t.equal(await countAllItems(db, account.id, { ...filter, projectIds }, 3), Math.min(ofAll.length, 3), name)
    }
    t.equal(await countAllItems(db, account.id, { projectIds }, 20_000), largeCount + smallCount)
  })

  await t.test('are read in statements of some thousand rows, fewer if these are of the table', async t => {
    for (const filter of filters) {
      for (const sort of feedSorts) {
        // The deeper a page, the more statements read as far as it.
        const page = { limit: 20, offset: sort === 'best' ? 0 : 5000, sort }
        const statements = await explainSelects(db, async recorded => {
          await listRows(recorded, account.id, { ...filter, projectId }, page)
          await listAllItems(recorded, account.id, { ...filter, projectIds }, page)
          if (sort !== 'best') return
          await countRows(recorded, account.id, { ...filter, projectId }, 10_001)
          await countAllItems(recorded, account.id, { ...filter, projectIds }, 10_000)
          await countFeed(recorded, account.id, { ...filter, projectId })
        })
        const name = `${sort} ${JSON.stringify(filter)}`
        // The index of tags makes a bitmap of all items with a tag, of which few are read.
        const read = statements.filter(({ sql }) => !(sql.includes('tag_keys @>') && sql.includes('limit 1001')))
        const most = read.reduce((a, b) => b.rowsFetched > a.rowsFetched ? b : a)
        t.ok(most.rowsFetched <= maxRows, `${name}: ${most.rowsFetched} rows in ${most.sql.slice(0, 300)}`)
        t.ok(read.every(({ rows }) => rows <= maxEntries), `${name}: entries`)
      }
    }
  })
})

interface Page { limit: number, offset: number }
