import { type KyselyPlugin, sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Db } from '../../db/connection.js'
import { countZoteroItems } from '../../db/queries/zotero-items.js'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { addPapers } from '../support/service.js'
import { json } from '../support/stand-ins/server.js'
import { zoteroService } from '../support/zotero.js'

/** A database that notes the length of each array that it sends. */
function notingArrays (db: Db): { noted: Db, lengths: number[] } {
  const lengths: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery ({ node, queryId }) {
      lengths.push(...db.getExecutor().compileQuery(node, queryId).parameters.flatMap(each => Array.isArray(each) ? each.length : []))
      return node
    },
    transformResult: async ({ result }) => result
  }
  return { noted: db.withPlugin(plugin), lengths }
}

t.test('large libraries of Zotero', async t => {
  const { zotero, connected } = await zoteroService(t)

  await t.test('items are counted in one scan, and only to show the counts', async t => {
    const { context, context: { db }, project_id, set } = await connected(t)
    const { library } = (await set({ collections: [zotero.addCollection('Counted')] })).sync!
    await sql`insert into zotero_item (project_id, library, item_key, state)
      select ${project_id}, ${library}, 'item ' || n, (array['imported', 'imported', 'sent', 'refused', 'known'])[1 + n % 5]
      from generate_series(1, 1000) n`.execute(db)
    const shown = await explainSelects(db, async recorded => {
      const { sync } = await zoteroProjectGet.run({ ...context, db: recorded }, { project_id })
      t.match(sync, { imported: 400, sent: 200, refused: 200 })
    })
    t.strictSame(shown.flatMap(({ tables }) => tables).filter(table => table === 'zotero_item'), ['zotero_item'])
    const queued = await explainSelects(db, async recorded => {
      await zoteroSyncQueue.run({ ...context, db: recorded }, { project_id })
    })
    t.strictSame(queued.flatMap(({ tables }) => tables).filter(table => table === 'zotero_item'), [])
    const synced = await explainSelects(db, async recorded => { await zoteroSync.run({ ...context, db: recorded }, { project_id }) })
    const settings = synced.filter(({ tables }) => tables.includes('zotero_sync'))
    t.ok(settings.length > 0)
    t.notOk(settings.some(({ tables }) => tables.includes('zotero_item')))
  })

  await t.test('thousands of items are counted in slices', async t => {
    const { context: { account, db }, context, project_id, set } = await connected(t)
    const { library } = (await set({ collections: [zotero.addCollection('Sliced')] })).sync!
    // Many were added at the same time. The project synced another library before, with items of the same keys.
    await sql`insert into zotero_item (project_id, library, item_key, state, created_at)
      select ${project_id}::uuid, ${library}, 'item ' || n, (array['imported', 'imported', 'sent', 'refused', 'known'])[1 + n % 5],
        timestamptz '2026-01-01' + least(n % 100, 50) * interval '1 second'
      from generate_series(1, 16000) n
      union all
      select ${project_id}::uuid, 'users/1', 'item ' || n, 'imported', timestamptz '2026-01-01' + interval '50 seconds'
      from generate_series(1, 1000) n`.execute(db)
    const countSlices = async (t: Test) => {
      const statements = await explainSelects(db, async recorded => {
        const { sync } = await zoteroProjectGet.run({ ...context, db: recorded }, { project_id })
        t.match(sync, { imported: 7400, sent: 3200, refused: 3200 })
        t.equal(await countZoteroItems(recorded, account.id, { projectId: project_id, library }), 16_000)
      })
      const rows = statements.filter(({ tables }) => tables.includes('zotero_item')).map(statement => statement.rows)
      // To number the rows, the server may read one more.
      t.ok(rows.length === 8 && Math.max(...rows) <= 5001, `${rows.join(', ')} rows`)
    }
    await t.test('before the database has statistics', countSlices)
    await sql`vacuum analyze zotero_item`.execute(db)
    await t.test('with statistics', countSlices)
  })

  await t.test('deleted items are noted a thousand at a time', async t => {
    const { context, context: { db }, project_id, set, sync } = await connected(t)
    const collection = zotero.addCollection('Deleted')
    const { library } = (await set({ collections: [collection] })).sync!
    await sync()
    const keys = Array.from({ length: 5000 }, (_each, at) => `AAAA${1000 + at}`)
    await sql`insert into zotero_item (project_id, library, item_key, state)
      select ${project_id}, ${library}, unnest(${[...keys, 'BBBB1000']}::text[]), 'known'`.execute(db)
    zotero.addItem({ title: 'Another version', collections: [] })
    zotero.intercept = ({ url }) => url.pathname.endsWith('/deleted')
      ? { ...json({ items: keys }), headers: { 'last-modified-version': String(zotero.items().length) } }
      : undefined
    t.teardown(() => { zotero.intercept = undefined })
    const { noted, lengths } = notingArrays(db)
    await zoteroSync.run({ ...context, db: noted }, { project_id })
    t.equal(Math.max(...lengths), 1000)
    const left = await db.selectFrom('zotero_item').select('item_key').where('project_id', '=', project_id).execute()
    t.strictSame(left, [{ item_key: 'BBBB1000' }])
  })

  await t.test('starred papers are looked through 500 at a time', async t => {
    const { context, context: { db, account }, project_id, set, star } = await connected(t)
    const target = zotero.addCollection('Starred')
    await addPapers(context, project_id, [{ title: 'Starred first' }, { title: 'Starred last' }])
    for (const title of ['Starred first', 'Starred last']) await star(title)
    const { library } = (await set({ target })).sync!
    // Between the two, papers that the collection contains.
    await sql`
      with papers as (${numberedPapers(account.id, 2200)}), items as (
        insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at)
        select ${project_id}, id, 0, 'related', now(), 'star', timestamptz '2026-01-01' + n * interval '1 minute' from papers returning paper_id
      )
      insert into zotero_item (project_id, library, item_key, paper_id, state, target)
      select ${project_id}, ${library}, 'item ' || paper_id, paper_id, 'sent', ${target} from items`.execute(db)
    await sql`update project_paper set voted_at = '2025-01-01' from paper
      where paper.id = paper_id and title = 'Starred first' and project_id = ${project_id}`.execute(db)
    // As upkeep does.
    await sql`analyze project_paper, zotero_item, paper`.execute(db)
    const statements = await explainSelects(db, async recorded => { await zoteroSync.run({ ...context, db: recorded }, { project_id }) })
    const read = statements.filter(({ tables }) => tables.includes('project_paper')).map(({ rows }) => rows)
    t.ok(read.length >= 10 && Math.max(...read) <= 501, `${read.join(', ')} rows`)
    t.strictSame(
      zotero.items().filter(({ data }) => (data.collections as string[]).includes(target)).map(({ data }) => data.title),
      ['Starred last', 'Starred first']
    )
  })
})
