import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { readAccountRows, exportedTableNames } from '../../db/queries/account-export.js'
import { setTimeZone } from '../../db/queries/accounts.js'
import { listAllItems } from '../../db/queries/all-feeds.js'
import { listRows } from '../../db/queries/feed-page.js'
import { replaceScores, walkScoredItems } from '../../db/queries/relevance.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedNeighbors } from '../../src/operations/feed/feed-neighbors.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { scanFeeds } from '../../src/papers/all-feeds/scan.js'
import { feedbackList } from '../../src/operations/feed/feedback-list.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectStatistics } from '../../src/operations/projects/project-statistics.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotDownload } from '../../src/operations/snapshots/snapshot-download.js'
import { snapshotFreeze } from '../../src/operations/snapshots/snapshot-freeze.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { feedSorts } from '../../schemas/feed-page.js'
import { feedbackFilters } from '../../schemas/feedback.js'
import { dayAt } from '../../src/papers/time-zones.js'
import { explainSelects, explainUpdates } from '../support/plans.js'
import { addPapers, projectWith, testService } from '../support/service.js'

/* The work of a call does not grow with the feed: the database reads what it answers with, and no more, however many papers there are. */

const paperCount = 6000
/** Rows that a step of a plan may pass on for a page of 20 items: the page, keys of an index, a tally. */
const maxRows = 300

t.test('a feed of thousands of papers', { timeout: 240_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [{ title: 'The first' }], { name: 'Large', sources: [] })
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, abstract, authors, source_name, metadata, title_key, published_date)
      select ${account.id}, 'large', 'Paper ' || n, repeat('Words of an abstract. ', 20), '[]', 'json-lines', '{}', n::text,
        case when n % 10 > 0 then date '2026-01-01' - (n * 7919 % 900) end
      from generate_series(2, ${paperCount}::integer) n returning id, title
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at)
    select ${project_id}, id, random(), case when random() < 0.2 then 'must_read' else 'related' end,
      timestamptz '2026-01-01' - random() * interval '1 year', case when random() < 0.02 then 'upvote' end, null from papers`.execute(db)
  await sql`update project_paper set voted_at = ready_at where vote is not null`.execute(db)
  const { rows: [opened, ...others] } = await sql<{ id: string }>`
    update project_paper set saved = true, tags = '{far}', tag_keys = '{far}', links = 1, seen_at = ready_at,
      vote = 'star', voted_at = ready_at
    where id in (select id from project_paper where project_id = ${project_id} order by id limit 5) returning id`.execute(db)
  await sql`delete from search_pending`.execute(db)
  const readNeighbors = async (t: Test) => {
    const filters = [{ saved: true }, { tag: 'far' }, { link: 'followed' }, { seen: true }, { feedback_filter: 'starred' }] as const
    for (const sort of feedSorts) {
      for (const filter of filters) {
        const input = { item_id: opened!.id, sort, ...filter }
        const { previous, next } = await feedNeighbors.run(context, input)
        t.strictSame([...previous, ...next].sort(), others.map(({ id }) => id).sort())
        const statements = await explainSelects(db, recorded => feedNeighbors.run({ ...context, db: recorded }, input))
        const read = statements.map(({ rows }) => rows)
        t.ok(Math.max(...read) <= maxRows, `${sort} ${JSON.stringify(filter)}: ${read.join(', ')} rows`)
      }
    }
  }
  // Before the database has statistics, as after a first import.
  await t.test('names the neighbors of a paper among few that match', readNeighbors)
  const middle = await db.selectFrom('project_paper').select(['id', 'ready_at']).where('project_id', '=', project_id)
    .orderBy('ready_at', 'desc').orderBy('id').offset(paperCount / 2).executeTakeFirstOrThrow()
  for (const part of [{}, { after: middle }, { through: middle }]) {
    const walks = await explainSelects(db, async recorded => {
      let items = 0
      for await (const batch of walkScoredItems(recorded, account.id, project_id, 500, part)) {
        items += batch.length
        if (items >= 1000) break
      }
    })
    t.strictSame(walks.map(({ rows }) => rows <= 501), [true, true], `rescoring reads each item once: ${JSON.stringify(walks)}`)
  }
  const { items: newest } = await feedGet.run(context, { project_id, limit: 100 })
  // Scores say anew whether a paper is linked, so the linked ones keep theirs.
  const rescored = newest.filter(({ id }) => ![opened, ...others].some(linked => linked?.id === id))
  const scores = rescored.map(({ id, relevance_score, relevance_class, matching_details, personalized_note }) =>
    ({ id, relevance_score, relevance_class, matching_details, personalized_note }))
  const writes = await explainUpdates(db, recorded => replaceScores(recorded, account.id, project_id, scores as never))
  t.equal(writes.length, 2, 'scores are written in two steps, between which others use the embedded database')
  await sql`vacuum analyze`.execute(db)

  const reads = async (t: Test, name: string, work: (recorded: typeof context) => Promise<unknown>, bound = maxRows) => {
    for (const { rows, sql } of await explainSelects(db, async recorded => await work({ ...context, db: recorded }))) {
      t.ok(rows <= bound, `${name}: ${rows} rows in ${sql.slice(0, 200)}`)
    }
  }

  await t.test('names them with statistics, too, and reads only keys where it walks the feed', async t => {
    await readNeighbors(t)
    for (const sort of feedSorts) {
      const input = { item_id: opened!.id, sort, since: '2025-12-31' }
      const statements = await explainSelects(db, recorded => feedNeighbors.run({ ...context, db: recorded }, input))
      t.ok(statements.every(({ rowsFetched }) => rowsFetched <= maxRows), `${sort}: ${JSON.stringify(statements)}`)
      const { items: [first] } = await feedPage.run(context, { project_id, sort, limit: 1 })
      const nothing = { item_id: first!.id, sort, since: '2030-01-01' }
      const walks = await explainSelects(db, recorded => feedNeighbors.run({ ...context, db: recorded }, nothing))
      t.ok(walks.every(({ rows }) => rows <= 5000), `${sort}: ${walks.map(({ rows }) => rows).join(', ')} rows`)
    }
  })

  await t.test('reads the first page with any order and filter, with its total', async t => {
    for (const sort of ['newest', 'relevance'] as const) {
      await reads(t, sort, recorded => feedGet.run(recorded, { project_id, sort, limit: 20 }))
      // The planner may look for a rare vote in the index of the order.
      for (const feedback_filter of feedbackFilters) {
        const list = (recorded: typeof context) => feedGet.run(recorded, { project_id, sort, feedback_filter, limit: 20 })
        await reads(t, `${sort} ${feedback_filter}`, list, 2000)
      }
    }
    for (const sort of feedSorts) {
      await reads(t, `page by ${sort}`, recorded => feedPage.run(recorded, { project_id, sort, limit: 20 }), paperCount)
    }
    await reads(t, 'rated', recorded => feedbackList.run(recorded, { project_id, limit: 20 }))
  })

  await t.test('reads only keys for skipped pages', async t => {
    for (const sort of ['newest', 'relevance'] as const) {
      const input = { project_id, sort, limit: 20, offset: 5000 }
      const statements = await explainSelects(db, async recorded => await feedGet.run({ ...context, db: recorded }, input))
      t.ok(statements.every(({ rowsFetched }) => rowsFetched <= maxRows), JSON.stringify(statements))
    }
  })

  await t.test('lists every item once in each order', async t => {
    const keys = {
      best: sql`relevance_score desc, ready_at desc, project_paper.id`,
      published: sql`paper.published_date desc nulls last, project_paper.id`
    }
    for (const [sort, order] of Object.entries(keys)) {
      const { rows } = await sql<{ id: string }>`
        select project_paper.id from project_paper join paper on paper.id = paper_id
        where project_id = ${project_id} order by ${order}`.execute(db)
      for (const offset of [0, 3000, 5390, paperCount - 10]) {
        const { items } = await feedPage.run(context, { project_id, sort: sort as 'best', limit: 20, offset })
        t.strictSame(items.map(({ id }) => id), rows.slice(offset, offset + 20).map(({ id }) => id), `${sort} from ${offset}`)
      }
    }
  })

  await t.test('follows a publication date that changes', async t => {
    const first = async () => (await feedPage.run(context, { project_id, sort: 'published', limit: 1 })).items[0]!
    const { rows: [paper] } = await sql<{ id: string }>`
      update paper set published_date = '2027-01-01' where title = 'Paper 100' returning id`.execute(db)
    t.equal((await first()).paper_title, 'Paper 100')
    await sql`update paper set published_date = null where id = ${paper!.id}`.execute(db)
    t.not((await first()).paper_title, 'Paper 100')
    await addPapers(context, project_id, [{ title: 'The newest', published_date: '2028-01-01' }])
    t.equal((await first()).paper_title, 'The newest')
  })

  await t.test('counts match lists for each filter', async t => {
    for (const feedback_filter of feedbackFilters) {
      for (const more of [{}, { must_read: true }, { since: '2025-06-01' }]) {
        const { total } = await feedGet.run(context, { project_id, feedback_filter, limit: 1, ...more })
        const last = { project_id, feedback_filter, limit: 1, offset: Math.max(total - 1, 0), ...more }
        const { has_more, items } = await feedGet.run(context, last)
        t.strictSame([has_more, items.length], [false, Math.min(total, 1)], `${feedback_filter} ${JSON.stringify(more)}: ${total}`)
      }
    }
  })

  await t.test('returns the next brief after any acknowledgements', async t => {
    // The statistics say that there are none.
    await sql`vacuum analyze brief_item`.execute(db)
    await reads(t, 'first brief', recorded => feedBrief.run(recorded, { consumer: 'one', limit: 20 }), 2 * maxRows)
    let acknowledge: string | undefined
    const seen = new Set<string>()
    for (let at = 0; at < 10; at++) {
      const brief = await feedBrief.run(context, { consumer: 'two', limit: 100, acknowledge })
      for (const { id } of brief.items) seen.add(id)
      t.equal(brief.remaining, paperCount + 1 - seen.size)
      acknowledge = brief.brief_id
    }
    t.equal(seen.size, 1000)
    const acknowledged = await explainSelects(db, async recorded => {
      await feedBrief.run({ ...context, db: recorded }, { consumer: 'two', limit: 20, acknowledge })
      // It is acknowledged again, and its plan read.
      await sql`update brief_item set reader = null where brief_id = ${acknowledge}`.execute(db)
    })
    const acknowledging = acknowledged.filter(({ sql }) => sql.includes('set acknowledged_at'))
    t.strictSame(acknowledging.map(({ rows }) => rows <= 2 * maxRows), [true], JSON.stringify(acknowledging))
    await reads(t, 'after 900 acknowledged', recorded => feedBrief.run(recorded, { consumer: 'two', limit: 20 }))
    await reads(t, 'another consumer', recorded => feedBrief.run(recorded, { consumer: 'three', limit: 20 }))
  })

  await t.test('reads statistics from the tally', async t => {
    await reads(t, 'project', recorded => projectsGet.run(recorded, { project_id }))
    await reads(t, 'statistics', recorded => projectStatistics.run(recorded, { project_id }))
  })

  await t.test('reads only keys to estimate recall, and nothing before the next vote', async t => {
    await sql`update project_paper set voted_at = ready_at + interval '1 month' where project_id = ${project_id} and vote is not null`.execute(db)
    await sql`vacuum analyze project_paper`.execute(db)
    const statements = await explainSelects(db, async recorded => await projectStatistics.run({ ...context, db: recorded }, { project_id }))
    const counts = statements.filter(({ sql }) => sql.includes('width_bucket'))
    t.strictSame(counts.map(({ rowsFetched }) => rowsFetched <= maxRows), [true], JSON.stringify(statements))
    t.ok(statements.every(({ rows }) => rows <= 5001), 'and no more than those of the newest papers')
    await sql`update project set updated_at = now() where id = ${project_id}`.execute(db)
    t.ok((await projectsGet.run(context, { project_id })).recall.min_recall > 0)
    await reads(t, 'the same project', recorded => projectsGet.run(recorded, { project_id }))
  })

  await t.test('is exported in statements of a thousand rows at most', async t => {
    for (const table of exportedTableNames) {
      const read = async (recorded: typeof context) => {
        for await (const rows of readAccountRows(recorded.db, account.id, table)) t.ok(rows.length <= 200)
      }
      // For 200 rows of so few, the planner may read the whole table.
      await reads(t, table, read, ['paper', 'project_paper', 'brief_item'].includes(table) ? paperCount + 1 : 1100)
    }
  })

  await t.test('is exported with many small jobs in one statement, and large ones alone', async t => {
    await sql`
      insert into job (task, state, account_id, once_key, run_at, result)
      select 'fetch-project', 'done', ${account.id}, n::text, now(), jsonb_build_object('text', case when n % 100 > 0 then '' else (
        select string_agg(md5((n * i)::text), '') from generate_series(1, 4000) i) end)
      from generate_series(1, 1000) n`.execute(db)
    const batches = []
    for await (const rows of readAccountRows(db, account.id, 'job')) batches.push(rows)
    t.equal(batches.flat().length, 1000)
    t.ok(batches.length < 40, `${batches.length} statements`)
    t.ok(batches.every(rows => rows.filter(row => row.length > 100_000).length <= 1))
  })

  await t.test('reads only keys of seen items, also for an earlier as_of', async t => {
    const asOf = new Date('2026-01-02')
    await sql`update project_paper set seen_at = ${asOf} where project_id = ${project_id} and ready_at > '2025-02-01'`.execute(db)
    await sql`vacuum analyze project_paper`.execute(db)
    const filter = { projectId: project_id, seen: false, asOf }
    for (const sort of feedSorts) {
      const list = async (recorded: typeof db) => await listRows(recorded, account.id, filter, { limit: 20, offset: 200, sort })
      const statements = await explainSelects(db, list)
      t.ok(statements.every(({ rowsFetched }) => rowsFetched <= maxRows), `${sort}: ${JSON.stringify(statements)}`)
    }
  })

  await t.test('is scanned in statements of some hundred rows by filters that no index answers', async t => {
    await sql`update paper set authors = jsonb_build_array(jsonb_build_object('name', 'Author ' || title_key)),
      venue_name = 'Venue ' || title_key where account_id = ${account.id}`.execute(db)
    await sql`delete from search_pending`.execute(db)
    for (const filter of [{ has_full_text: true }, { has_full_text: false, year_from: 2024 }]) {
      await reads(t, JSON.stringify(filter), recorded => feedsGet.run(recorded, { ...filter, limit: 20 }), 1100)
    }
    for (const sort of feedSorts) {
      for (const papers of [{ venue: 'Venue 5' }, { author: 'author 5' }]) {
        const filter = { projectIds: [project_id], papers }
        const all = await listAllItems(db, account.id, filter, { limit: 2000, offset: 0, sort })
        const { ids, total } = await scanFeeds(context, filter, { sort, limit: 50, offset: 300 })
        t.strictSame([total, ids], [all.length, all.slice(300, 350).map(({ id }) => id)], sort)
      }
    }
  })

  await t.test('is frozen in statements of a page of rows', async t => {
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id })
    await reads(t, 'snapshot', recorded => snapshotFreeze.run(recorded, { project_id }), 1000)
    const { summary } = await snapshotGet.run(context, { project_id, snapshot_id })
    t.equal(summary!.records, paperCount + 1)
    await reads(t, 'archive', async recorded => {
      let bytes = 0
      for await (const part of (await snapshotDownload.run(recorded, { project_id, snapshot_id })).parts) bytes += part.length
      t.ok(bytes > 100_000)
    })
  })

  await t.test('lists a day of a time zone in parts, each in the order of an index', async t => {
    const timeZone = 'America/Noronha'
    await setTimeZone(db, account.id, timeZone)
    // Four of five on the newest day there, which has two days of UTC.
    await sql`update project_paper set ready_at = timestamptz '2026-03-01 20:00Z' + random() * interval '30 hours',
      relevance_score = round(random()::numeric, 2)`.execute(db)
    await sql`delete from search_pending`.execute(db)
    await sql`vacuum analyze project_paper`.execute(db)
    const stored = await db.selectFrom('project_paper').select(['id', 'ready_at', 'relevance_score'])
      .where('project_id', '=', project_id).execute()
    const ids = stored
      .map(({ id, ready_at, relevance_score }) => ({ id, relevance_score, day: dayAt(ready_at, timeZone) }))
      .sort((a, b) => b.day.localeCompare(a.day) || b.relevance_score - a.relevance_score || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    for (const offset of [0, 950, 3000, 5900]) {
      for (const { items } of [
        await feedPage.run(context, { project_id, limit: 50, offset }), await feedsGet.run(context, { limit: 50, offset })
      ]) t.strictSame(items.map(({ id }) => id), ids.slice(offset, offset + 50), `from ${offset}`)
      const at = offset + 10
      for (const all_projects of [false, true]) {
        const { previous, next } = await feedNeighbors.run(context, { item_id: ids[at]!, all_projects })
        t.strictSame([previous, next], [ids.slice(Math.max(0, at - 20), at).reverse(), ids.slice(at + 1, at + 21)])
      }
    }
    for (const operation of [feedsGet, feedPage]) {
      const statements = await explainSelects(db, recorded => operation.run({ ...context, db: recorded }, { project_id, limit: 20 }))
      const [ofDays, ...more] = statements.filter(({ sql }) => sql.includes('utcDay'))
      t.ok(ofDays!.rowsFetched <= maxRows && more.length === 0, `${ofDays!.rowsFetched} rows`)
    }
  })
})
