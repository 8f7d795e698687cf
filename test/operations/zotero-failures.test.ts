import { sql } from 'kysely'
import t from 'tap'
import { markZoteroItemsDeleted } from '../../db/queries/zotero-items.js'
import { maxZoteroItems } from '../../schemas/zotero.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { zoteroConnect } from '../../src/operations/zotero/zotero-connect.js'
import { zoteroGet } from '../../src/operations/zotero/zotero-get.js'
import { zoteroProjectClear } from '../../src/operations/zotero/zotero-project-clear.js'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import type { Zotero } from '../../src/zotero/client.js'
import { ZoteroError } from '../../src/zotero/errors.js'
import type { Context } from '../../src/operations/context.js'
import { addPapers } from '../support/service.js'
import { json } from '../support/stand-ins/server.js'
import { apiKey, article, zoteroService } from '../support/zotero.js'

t.test('syncs with Zotero that fail, wait or end', async t => {
  const { zotero, service, clock, connected } = await zoteroService(t)

  await t.test('a request to wait is obeyed', async t => {
    const { set, sync, state, waits, context, project_id } = await connected(t)
    const reading = zotero.addCollection('Slow')
    zotero.addItem(article(7000, [reading]))
    await set({ collections: [reading] })
    waits.length = 0
    let asked = 0
    zotero.intercept = () => asked++ === 0 ? { status: 429, headers: { 'retry-after': '7' }, body: '' } : undefined
    t.match(await sync(), { added: 1 })
    t.strictSame(waits, [7000])

    zotero.addItem(article(7001, [reading]))
    zotero.intercept = () => ({ status: 429, headers: { 'retry-after': '120' }, body: '' })
    const until = new Date(clock.now.getTime() + 120_000).toISOString()
    t.match(await sync(), { added: 0, paused_until: until })
    zotero.intercept = undefined
    t.match(await zoteroGet.run(context, {}), { connected: true, paused_until: until })
    t.match((await state()).last_error, /^Zotero asked Litfeed to slow down until 2026-11-23 10:02 UTC\./)
    await t.rejects(zoteroSyncQueue.run(context, { project_id }), { code: 'rate_limited', retryAfter: 120 })
    clock.now = new Date(clock.now.getTime() + 121_000)
    await queueDue.run(service.context, {})
    t.equal((await state()).syncing, true, 'the schedule continues it')
    await sql`delete from job where task = 'sync-zotero'`.execute(context.db)
    zotero.next.push({ status: 200, headers: { backoff: '5', 'last-modified-version': '1', 'total-results': '0' }, body: '[]' })
    waits.length = 0
    await sync()
    t.strictSame(waits, [5000], 'and so is Backoff')
    zotero.intercept = () => ({ status: 200, headers: { backoff: '9', 'last-modified-version': '1', 'total-results': '0' }, body: '[]' })
    t.match(await sync(), { paused_until: new Date(clock.now.getTime() + 9000).toISOString() }, 'after a sync, too')
    clock.now = new Date(clock.now.getTime() + 10_000)
    zotero.intercept = () => ({ status: 503, body: '' })
    waits.length = 0
    await t.rejects(sync(), { message: 'Zotero is temporarily unavailable (status 503).' })
    t.strictSame(waits, [2000, 4000, 8000])
    zotero.intercept = undefined
  })

  await t.test('a revoked key ends the sync until the account connects again', async t => {
    const { set, sync, state, context, project_id } = await connected(t)
    const reading = zotero.addCollection('Closed')
    await set({ collections: [reading] })
    zotero.keys.clear()
    const message = 'Zotero does not accept the key. It may have been revoked. Connect again with a new key.'
    await t.rejects(sync(), { message })
    t.match(await state(), { last_error: 'Zotero does not accept the key. It may have been revoked.' })
    t.match(await zoteroGet.run(context, {}), { connected: true, key_rejected_at: clock.now.toISOString() })
    await t.rejects(zoteroSyncQueue.run(context, { project_id }), { code: 'forbidden', message })
    clock.now = new Date(clock.now.getTime() + 2 * 60 * 60_000)
    await queueDue.run(service.context, {})
    t.equal((await state()).syncing, false)
    await t.rejects(zoteroConnect.run(context, { api_key: apiKey }), { code: 'invalid_arguments' })
    zotero.keys.set(apiKey, { library: true, write: true })
    t.match(await zoteroConnect.run(context, { api_key: apiKey }), { key_rejected_at: null })
    t.match(await sync(), { added: 0 })
    t.match(await state(), { last_error: null })
  })

  await t.test('a key that is rejected after it was replaced does not stop the new one', async t => {
    const { set, sync, context, project_id } = await connected(t)
    await set({ collections: [zotero.addCollection('Replaced')] })
    zotero.keys.set('anotherkey12345', { library: true, write: true })
    let isReplaced = false
    zotero.intercept = ({ headers }) => headers['zotero-api-key'] === apiKey ? { status: 403, body: 'Forbidden' } : undefined
    const open: Context['zotero']['open'] = (...options) => {
      const opened = context.zotero.open(...options)
      const replaceFirst = async (...input: Parameters<typeof opened.items>) => {
        if (!isReplaced) await zoteroConnect.run(context, { api_key: 'anotherkey12345' })
        isReplaced = true
        return await opened.items(...input)
      }
      return { ...opened, items: replaceFirst }
    }
    const during = { ...context, zotero: { ...context.zotero, open }, signal: AbortSignal.timeout(60_000) }
    t.match(await zoteroSync.run(during as Context, { project_id }), { added: 0 })
    t.ok(isReplaced)
    t.match(await zoteroGet.run(context, {}), { key_rejected_at: null })
    zotero.intercept = undefined
    t.match(await sync(), { added: 0 })
  })

  await t.test('a deleted collection is named, and the others go on', async t => {
    const { user, project_id, set, sync, state, star } = await connected(t)
    const parent = zotero.addCollection('Parent')
    const gone = zotero.addCollection('Go\ufe01\ufe02ne')
    const [kept, target] = [zotero.addCollection('Kept', { parent }), zotero.addCollection('Stars')]
    t.match(await set({ collections: [gone, kept], target }), { sync: { collections: [{ name: 'Gone' }, { name: 'Parent / Kept' }] } })
    zotero.addItem(article(8000, [kept]))
    zotero.deleteCollection(gone)
    t.match(await sync(), { added: 1 })
    t.equal((await state()).last_error, 'The collection “Gone” no longer exists in Zotero. Choose another one.')
    await addPapers(user.context, project_id, [{ title: 'To be starred' }])
    await star('To be starred')
    zotero.intercept = ({ method }) => {
      if (method === 'POST') zotero.deleteCollection(target)
      return undefined
    }
    await sync()
    zotero.intercept = undefined
    t.match((await state()).last_error, /“Stars” no longer exists/)
    const again = zotero.addCollection('Stars again')
    await set({ collections: [kept], target: again })
    t.match(await sync(), { sent: 1 })
    t.match(await state(), { last_error: null, sent: 1 })
  })

  await t.test('items wait while the account has no room for further papers, and starred papers are sent', async t => {
    const { context, project_id, set, state, star } = await connected(t)
    const [one, other, target] = [zotero.addCollection('One'), zotero.addCollection('Other'), zotero.addCollection('Stars')]
    await addPapers(context, project_id, [{ title: 'To be starred' }])
    await star('To be starred')
    await set({ collections: [one, other], target })
    zotero.addItem(article(8100, [one]))
    zotero.addItem(article(8101, [other]))
    const sync = async (maxPapers: number) => await zoteroSync.run({ ...context, maxPapers }, { project_id })
    t.match(await sync(1), { added: 0, sent: 1 })
    t.match((await state()).last_error, /^Your account can store at most 1 paper [^.]*\.[^.]*\.$/, 'stated once')
    t.match(await sync(3), { added: 2 })
    t.match(await state(), { last_error: null })
  })

  await t.test('a sync that ends after it stored votes has them learned', async t => {
    const { context, project_id, set, feed } = await connected(t)
    const reading = zotero.addCollection('Learned')
    zotero.addItem(article(8150, [reading]))
    await set({ collections: [reading], learn: true })
    let isLost = false
    const db = context.db.withPlugin({
      transformQuery ({ node }) {
        isLost ||= JSON.stringify(node).includes('insert into zotero_item')
        if (isLost) throw new Error('lost')
        return node
      },
      transformResult: async ({ result }) => result
    })
    await t.rejects(zoteroSync.run({ ...context, db }, { project_id }), { message: 'lost' })
    t.match((await feed()).items, [{ feedback: { vote: 'upvote' } }])
    t.match((await projectsGet.run(context, { project_id })).learning, { pending: true })
  })

  await t.test('items wait while the project knows too many, and deleted ones without a paper do not count', async t => {
    const { context, context: { db }, project_id, set, sync, state } = await connected(t)
    const [many, target] = [zotero.addCollection('Many'), zotero.addCollection('Target')]
    const { library } = (await set({ collections: [many], target })).sync!
    await sync()
    await sql`insert into zotero_item (project_id, library, item_key, state)
      select ${project_id}, ${library}, 'known ' || n, 'known' from generate_series(1, ${maxZoteroItems - 1}::integer) n`.execute(db)
    zotero.addItem(article(8200, [many]))
    zotero.addItem(article(8201, [target]))
    t.match(await sync(), { added: 1 })
    t.match((await state()).last_error, /^This project can sync at most 200000 items of Zotero/)
    await markZoteroItemsDeleted(db, context.account.id, { projectId: project_id, library }, ['known 1', 'known 2'])
    t.match(await sync(), { added: 0 })
    t.match(await state(), { last_error: null })
    const keys = await db.selectFrom('zotero_item').select('item_key').where('project_id', '=', project_id)
      .where('item_key', 'not like', 'known %').execute()
    t.equal(keys.length, 2)
  })

  await t.test('a paper that Zotero refuses does not hold up others', async t => {
    const { user, project_id, set, sync, state } = await connected(t)
    const target = zotero.addCollection('Some')
    await addPapers(user.context, project_id, [{ title: 'Refused for its length' }, { title: 'Fine' }])
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    await set({ target })
    t.match(await sync(), { sent: 1 })
    t.match(await sync(), { sent: 0 })
    t.match(await state(), { sent: 1, refused: 1 })
  })

  await t.test('papers of thousands of authors, whose answers are too large together, hold up nothing', async t => {
    const { user, project_id, set, sync, state } = await connected(t)
    const [reading, target] = [zotero.addCollection('Consortia'), zotero.addCollection('Starred consortia')]
    const creators = (count: number) => Array.from({ length: count }, (_each, at) =>
      ({ creatorType: 'author', firstName: 'Ada Augusta', lastName: `Byron ${at}` }))
    for (let at = 0; at < 4; at++) zotero.addItem(article(7700 + at, [reading], { creators: creators(15_000) }))
    await set({ collections: [reading], target })
    t.match(await sync(), { added: 4 })
    const authors = creators(1000).map(({ firstName, lastName }) => ({ name: `${firstName} ${lastName} of the International Consortium` }))
    await addPapers(user.context, project_id, Array.from({ length: 49 }, (_each, at) => ({ title: `Cohort ${at}`, authors })))
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    t.match(await sync(), { sent: 53 })
    t.match(await state(), { sent: 49, refused: 0, last_error: null })
    t.equal(zotero.items().filter(({ data }) => (data.collections as string[]).includes(target)).length, 53)
    zotero.requests.length = 0
    t.match(await sync(), { sent: 0 })
    t.notOk(zotero.requests.some(({ method }) => method === 'POST'), 'nothing is sent again')
  })

  await t.test('a paper that Zotero answers with 404 is not sent again and again', async t => {
    const { user, project_id, context, set, state } = await connected(t)
    await addPapers(user.context, project_id, [{ title: 'Nowhere' }])
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    await set({ target: zotero.addCollection('Lost') })
    zotero.intercept = ({ method }) => method === 'POST' ? json({ success: {}, unchanged: {}, failed: { 0: { code: 404 } } }) : undefined
    t.teardown(() => { zotero.intercept = undefined })
    t.match(await zoteroSync.run({ ...context, signal: AbortSignal.timeout(60_000) } as Context, { project_id }), { sent: 0, more: false })
    t.equal(zotero.requests.filter(({ method }) => method === 'POST').length, 1)
    t.match(await state(), { sent: 0, refused: 1, last_error: null })
  })

  await t.test('a sync that is stopped or changed while it runs ends', async t => {
    const { user, project_id, context, set, sync, state, feed } = await connected(t)
    const [reading, target] = [zotero.addCollection('Long'), zotero.addCollection('Left')]
    const shared = zotero.addCollection('Shared', { library: 'groups/77' })
    await addPapers(user.context, project_id, [{ title: 'Starred in time' }])
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    /** A sync during which the account does something, once, after a method of the client. */
    const syncDuring = async (method: 'items' | 'write', act: () => Promise<unknown>) => {
      let acted = false
      const open: Context['zotero']['open'] = (...options) => {
        const opened = context.zotero.open(...options)
        const first = async <T>(answer: T): Promise<T> => {
          if (!acted) {
            acted = true
            await act()
          }
          return answer
        }
        return {
          ...opened,
          [method]: async (...input: never[]) => await first(await (opened[method] as (...input: never[]) => Promise<unknown>)(...input))
        } as Zotero
      }
      const during = { ...context, zotero: { ...context.zotero, open }, signal: AbortSignal.timeout(60_000) }
      const result = await zoteroSync.run(during as Context, { project_id })
      t.ok(acted)
      return result
    }
    const writes = () => zotero.requests.filter(({ method }) => method === 'POST').length

    await set({ target })
    t.match(await syncDuring('write', async () => await zoteroProjectClear.run(context, { project_id })), { more: false })
    t.equal(writes(), 1, 'stopped')
    t.equal((await zoteroProjectGet.run(context, { project_id })).sync, null)

    await set({ target: zotero.addCollection('Left again') })
    t.match(await syncDuring('write', async () => await set({ library: 'groups/77', target: shared })), { more: false })
    t.equal(writes(), 2, 'another library')
    t.match(await state(), { library: 'groups/77', last_synced_at: null, last_error: null })
    t.match(await sync(), { sent: 1 }, 'the new settings apply')
    t.equal(zotero.items('groups/77').length, 1)

    for (let n = 0; n < 150; n++) zotero.addItem(article(11_000 + n, [reading]))
    await set({ collections: [reading] })
    const other = zotero.addCollection('Short')
    t.match(await syncDuring('items', async () => await set({ collections: [other] })), { added: 0, more: false })
    t.equal((await feed()).total, 1, 'nothing of a collection that was removed')
    const answered = syncDuring('items', async () => {
      await zoteroProjectClear.run(context, { project_id })
      await set({ collections: [other] })
      throw new ZoteroError('unexpected', 'Zotero refused the request (status 400).')
    })
    t.match(await answered, { added: 0 })
    t.match(await state(), { last_error: null }, 'the error of an earlier sync is not that of the new one')
  })

  await t.test('the log quotes what Zotero answers, but not the key', async t => {
    const { set, sync } = await connected(t)
    await set({ collections: [zotero.addCollection('Quoted')] })
    t.teardown(() => { zotero.intercept = undefined })
    const since = service.logged.length
    zotero.intercept = () => ({ status: 400, body: `Bad request with ${apiKey}` })
    await t.rejects(sync(), { message: /status 400/ })
    t.match(service.logged.slice(since).join('\n'), /Bad request with \[secret\]/)
    for (const status of [200, 400]) {
      zotero.intercept = ({ url }) =>
        url.pathname === '/keys/current' ? { status, body: JSON.stringify([{ part: apiKey.slice(0, 10) }]) } : { status: 403, body: 'no' }
      await t.rejects(sync(), { message: status === 200 ? /unexpected response/ : /status 400/ })
    }
    t.notMatch(service.logged.slice(since).join('\n'), /goodkey/)
  })

  await t.test('a key that was sealed with another secret is not used', async t => {
    const { set, sync, context } = await connected(t)
    await set({ collections: [zotero.addCollection('Sealed')] })
    await sql`update zotero_account set api_key = '\\x00' where account_id = ${context.account.id}`.execute(context.db)
    await t.rejects(sync(), { message: 'The stored Zotero key can no longer be read. Connect again.' })
    await sql`update zotero_account set api_key = decode(repeat('00', 40), 'hex') where account_id = ${context.account.id}`.execute(context.db)
    await t.rejects(sync(), { message: 'The stored Zotero key can no longer be read. Connect again.' })
  })
})
