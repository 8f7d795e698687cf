import t, { type Test } from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { readAccountRows } from '../../db/queries/account-export.js'
import { listItems } from '../../db/queries/feed.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { listPapersForSnapshot } from '../../db/queries/snapshot-decisions.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { scanFeeds } from '../../src/papers/all-feeds/scan.js'
import { recordAnswers } from '../support/answers.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const paperCount = 30

const titlesOf = ({ items }: { items: ReadonlyArray<{ paper_title: string }> }) => items.map(({ paper_title }) => paper_title)

/** A feed whose papers have this many authors, and abstracts and metadata of this length. @returns what reads it, best or newest first */
async function feedOf (t: Test, { authors, characters }: { authors: number, characters: number }) {
  const user = await (await testService(t)).user()
  const { context, context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Collaborations', sources: [] })
  const { rows } = await sql<{ id: string, paper_id: string }>`
    with added as (
      insert into paper (account_id, slug, title, abstract, authors, source_name, metadata, title_key)
      select ${account.id}, 'large', 'Paper ' || n, repeat('word ', ${characters / 5}::integer),
        (select jsonb_agg(jsonb_build_object('name', 'Author ' || place)) from generate_series(1, ${authors}::integer) place),
        'json-lines', jsonb_build_object('note', repeat('x', ${characters}::integer)), n::text
      from generate_series(1, ${paperCount}::integer) n returning id, title_key::integer as place
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${project_id}, id, 1 - place / 1e6, 'related', timestamptz '2026-01-01' - place * interval '1 hour' from added
    returning id, paper_id`.execute(db)
  await sql`delete from search_pending`.execute(db)
  const itemIds = rows.map(({ id }) => id)
  const paperIds = rows.map(({ paper_id }) => paper_id)
  const inContext = (recorded: Db) => ({ ...context, db: recorded, sharedDb: recorded })
  return {
    titled: Array.from({ length: paperCount }, (_each, at) => `Paper ${at + 1}`),
    readers: {
      'a page': async (recorded: Db) => titlesOf(await feedGet.run(inContext(recorded), { project_id, limit: 100 })),
      'a brief': async (recorded: Db) => titlesOf(await feedBrief.run(inContext(recorded), { limit: 100 })),
      'known items': async (recorded: Db) => (await listItems(recorded, account.id, itemIds)).map(({ title }) => title),
      'a snapshot': async (recorded: Db) => (await listPapersForSnapshot(recorded, account.id, paperIds)).map(({ title }) => title)
    },
    scan: async (recorded: Db, author: string) => {
      const filter = { projectIds: [project_id], papers: { author } }
      const { ids, total } = await scanFeeds({ ...context, sharedDb: recorded }, filter, { sort: 'best', limit: 100, offset: 0 })
      t.equal(total, ids.length)
      return ids
    },
    filter: async (recorded: Db, author: string) =>
      await searchStorage(recorded).filterItems({ accountId: account.id, projectId: project_id }, itemIds, { papers: { author } }),
    itemIds,
    exportPapers: async (recorded: Db) => {
      const papers: string[] = []
      for await (const rows of readAccountRows(recorded, account.id, 'paper')) papers.push(...rows)
      return papers.map(row => JSON.parse(row).title as string)
    },
    db
  }
}

t.test('a page of records of large collaborations is read about a megabyte at a time', async t => {
  const { db, readers, titled } = await feedOf(t, { authors: 6000, characters: 20_000 })
  for (const [name, read] of Object.entries(readers)) {
    const { answers, result } = await recordAnswers(db, read)
    t.strictSame(result, titled, name)
    const most = Math.max(...answers.map(({ characters }) => characters))
    t.ok(most <= 2_000_000, `${name}: ${most} characters`)
  }
})

t.test('a page of ordinary records is read by one statement', async t => {
  const { db, readers, titled } = await feedOf(t, { authors: 20, characters: 2000 })
  for (const [name, read] of Object.entries(readers)) {
    const { answers, result } = await recordAnswers(db, read)
    t.strictSame(result, titled, name)
    t.equal(answers.filter(({ rows: [first] }) => first !== undefined && 'further' in first).length, 1, name)
  }
})

t.test('a filter by author reads about two megabytes of records at a time', async t => {
  for (const [authors, characters, expected] of [[6000, 5, 3], [20, 2000, 1]] as const) {
    const { db, scan, filter, itemIds } = await feedOf(t, { authors, characters })
    // As records that were ingested.
    await sql`update paper set bytes = ${authors * 30 + 2 * characters}`.execute(db)
    for (const [author, ids] of [['author 20', itemIds], ['nobody', []]] as const) {
      const scanned = await recordAnswers(db, recorded => scan(recorded, author))
      t.strictSame(scanned.result.sort(), [...ids].sort(), `scan: ${author}`)
      t.equal(scanned.answers.filter(({ rows: [first] }) => first !== undefined && 'isLast' in first).length, expected, `scan: ${author}`)
      const filtered = await recordAnswers(db, recorded => filter(recorded, author))
      t.strictSame(filtered.result.sort(), [...ids].sort(), `search: ${author}`)
      t.equal(filtered.answers.length, 1 + expected, `search: ${author}, after the sizes`)
    }
  }
})

for (const [version, recorded] of [['this version', 220_000], ['earlier versions', 4000]] as const) {
  t.test(`an export of large records of ${version} reads few of them at a time`, async t => {
    const { db, exportPapers, titled } = await feedOf(t, { authors: 6000, characters: 20_000 })
    await sql`update paper set bytes = ${recorded}`.execute(db)
    const { answers, result } = await recordAnswers(db, exportPapers)
    t.strictSame(result.sort(), [...titled].sort())
    const most = Math.max(...answers.map(({ characters }) => characters))
    t.ok(most <= 3_000_000, `${most} characters`)
  })
}

t.test('records that match papers of large collaborations are stored about a megabyte of these at a time', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const papers = Array.from({ length: 12 }, (_each, at) => ({ title: `Collaboration ${at}`, doi: `10.1000/${at}` }))
  const authors = Array.from({ length: 6000 }, (_each, at) => ({ name: `Author ${at}` }))
  const project_id = await projectWith(user, papers.map(paper => ({ ...paper, authors })), { sources: [] })
  const { answers, result } = await recordAnswers(context.db, async db =>
    await addPapers({ ...context, db }, project_id, papers.map(paper => ({ ...paper, metadata: { keywords: ['physics'] } }))))
  t.match(result, { created: 0, updated: papers.length, unchanged: 0, rejected: { length: 0 } })
  const most = Math.max(...answers.map(({ characters }) => characters))
  t.ok(most > 300_000 && most <= 1_200_000, `${most} characters`)
})
