import t from 'tap'
import { sql } from 'kysely'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackList } from '../../src/operations/feed/feedback-list.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 32_000
/** Rows of two slices; those of ties can be as many as those after them. */
const maxRows = 20_002

t.test('pages and totals of a large feed are read in slices', { timeout: 300_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Large', sources: [] })
  // More ties than a slice has rows, in each order.
  await sql`
    with papers as (${numberedPapers(account.id, paperCount)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at, seen_at, tags, tag_keys)
    select ${project_id}, id, case when n % 2 = 0 then 0 else n::float8 / 70000 end, case when n % 5 = 0 then 'must_read' else 'related' end,
      timestamptz '2026-01-01' - case when n < 15000 then 0 else n end * interval '1 minute',
      case when n % 3 > 0 then 'upvote' end, case when n % 3 > 0 then timestamptz '2026-02-01' + (n % 7) * interval '1 day' end,
      case when n % 4 = 0 then timestamptz '2026-02-01' end,
      case when n % 2 = 0 then array['even'] else '{}' end, case when n % 2 = 0 then array['even'] else '{}' end
    from papers`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const orders = {
    newest: sql`ready_at desc, id`,
    relevance: sql`relevance_score desc, ready_at desc, id`,
    voted: sql`voted_at desc, id`
  }
  const idsOf = async (order: keyof typeof orders, condition = sql`true`) => {
    const { rows } = await sql<{ id: string }>`
      select id from project_paper where project_id = ${project_id} and ${condition} order by ${orders[order]}`.execute(db)
    return rows.map(({ id }) => id)
  }

  await t.test('a page at any offset has the items of its place', async t => {
    for (const sort of ['newest', 'relevance'] as const) {
      const all = await idsOf(sort)
      for (const offset of [9_995, 10_005, 19_998, 31_995]) {
        const { items, total } = await feedGet.run(context, { project_id, sort, limit: 20, offset })
        t.strictSame(items.map(({ id }) => id), all.slice(offset, offset + 20), `${sort} from ${offset}`)
        t.equal(total, paperCount)
      }
    }
    const voted = await idsOf('voted', sql`vote is not null`)
    const { items, has_more } = await feedbackList.run(context, { project_id, limit: 20, offset: 15_000 })
    t.strictSame(items.map(({ id }) => id), voted.slice(15_000, 15_020))
    t.equal(has_more, true)
  })

  await t.test('an offset beyond the end gets an empty page', async t => {
    for (const offset of [paperCount, Number.MAX_SAFE_INTEGER - 100, Number.MAX_SAFE_INTEGER]) {
      const { items, total, has_more } = await feedGet.run(context, { project_id, offset })
      t.strictSame([items, total, has_more], [[], paperCount, false])
      t.strictSame((await feedbackList.run(context, { project_id, offset })).items, [])
    }
  })

  const filters = [
    [{ since: '2025-12-10' }, sql`ready_at >= '2025-12-10'`],
    [{ until: '2025-12-31' }, sql`ready_at < '2025-12-31'`],
    [{ seen: false }, sql`seen_at is null`],
    [{ seen: true }, sql`seen_at is not null`],
    [{ must_read: true, feedback_filter: 'liked' }, sql`relevance_class = 'must_read' and vote = 'upvote'`],
    [{ must_read: false, feedback_filter: 'unrated' }, sql`relevance_class <> 'must_read' and vote is null`],
    [{ tag: 'even', seen: true }, sql`tags <> '{}' and seen_at is not null`],
    [{ saved: false }, sql`not saved`]
  ] as const

  await t.test('a filter has the same items on deep pages, and in its total', async t => {
    for (const [filter, condition] of filters) {
      for (const sort of ['newest', 'relevance'] as const) {
        const all = await idsOf(sort, condition)
        const offset = Math.max(all.length - 5, 0)
        const { items, total, has_more } = await feedGet.run(context, { project_id, sort, limit: 20, offset, ...filter })
        t.strictSame([items.map(({ id }) => id), total, has_more], [all.slice(offset), all.length, false], JSON.stringify(filter))
      }
    }
  })

  await t.test('no statement reads more than a few slices', async t => {
    const reads = async (name: string, work: (recorded: typeof context) => Promise<unknown>) => {
      for (const { rows, sql } of await explainSelects(db, recorded => work({ ...context, db: recorded }))) {
        // Explained with the settings of another transaction, which runs at the same time.
        if (/"project_paper"."id" = any\(/.test(sql)) continue
        t.ok(rows <= maxRows, `${name}: ${rows} rows in ${sql.slice(0, 200)}`)
      }
    }
    for (const offset of [31_000, Number.MAX_SAFE_INTEGER]) {
      for (const sort of ['newest', 'relevance'] as const) {
        await reads(sort, recorded => feedGet.run(recorded, { project_id, sort, offset }))
      }
      await reads('rated', recorded => feedbackList.run(recorded, { project_id, offset }))
    }
    for (const [filter] of filters) {
      await reads(JSON.stringify(filter), recorded => feedGet.run(recorded, { project_id, limit: 1, ...filter }))
    }
  })
})
