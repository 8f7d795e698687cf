import { type KyselyPlugin, sql } from 'kysely'
import t from 'tap'
import type { Db } from '../../db/connection.js'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import { explainSelects } from '../support/plans.js'
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
})
