import { sql } from 'kysely'
import t from 'tap'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import { explainSelects } from '../support/plans.js'
import { zoteroService } from '../support/zotero.js'

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
})
