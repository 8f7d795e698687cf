import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { zoteroConnect } from '../../src/operations/zotero/zotero-connect.js'
import { zoteroGet } from '../../src/operations/zotero/zotero-get.js'
import { zoteroProjectClear } from '../../src/operations/zotero/zotero-project-clear.js'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroProjectSet } from '../../src/operations/zotero/zotero-project-set.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import { readZoteroItem } from '../../src/sources/formats/zotero-item.js'
import { openZotero, type Zotero } from '../../src/zotero/client.js'
import { listCollections } from '../../src/zotero/collections.js'
import { ZoteroError } from '../../src/zotero/errors.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import type { Context } from '../../src/operations/context.js'
import { addPapers, logIn, projectWith, testService, type TestService } from '../support/service.js'
import { json } from '../support/stand-ins/server.js'
import { zoteroStandIn, zoteroUser, type ZoteroStandIn } from '../support/stand-ins/zotero.js'

const library = `users/${zoteroUser}`
const apiKey = 'goodkey123456789'
const article = (n: number, collections: string[], more: object = {}) => ({
  title: `Sleep spindles and memory, part ${n}`,
  creators: [{ creatorType: 'author', firstName: 'Ada', lastName: 'Byron' }],
  date: '2026-03',
  DOI: `10.5555/zotero.${n}`,
  publicationTitle: 'Journal of Sleep',
  collections,
  ...more
})

let clock = new Date('2026-11-23T10:00:00Z')

/** A connected account with a project. Pauses of the client are recorded and not waited for. */
async function connected (t: Test, service: TestService, zotero: ZoteroStandIn) {
  const user = await service.user()
  const waits: number[] = []
  const http = guardedClient({ userAgent: 'test', trustedOrigins: [new URL(zotero.url).origin] })
  t.teardown(async () => { await http.close() })
  const context: Context = {
    ...user.context,
    zotero: {
      ...user.context.zotero,
      open: (apiKey, signal) => openZotero({ url: zotero.url, http, wait: async ms => { waits.push(ms) }, apiKey, signal })
    }
  }
  await zoteroConnect.run(context, { api_key: apiKey })
  const project_id = await projectWith(user, [])
  const set = async (values: object) => await zoteroProjectSet.run(context, { project_id, library, ...values })
  const sync = async () => await zoteroSync.run(context, { project_id })
  const state = async () => (await zoteroProjectGet.run(context, { project_id })).sync!
  const feed = async () => (await feedGet.run(context, { project_id, limit: 50 }))
  const star = async (title: string) => {
    const { items } = await feed()
    await feedbackSet.run(context, { paper_id: items.find(({ paper_title }) => paper_title === title)!.id, vote: 'star' })
  }
  return { user, context, project_id, set, sync, state, feed, star, waits }
}

t.test('Zotero', async t => {
  const zotero = await zoteroStandIn(t)
  const service = await testService(t, { ZOTERO_URL: zotero.url }, () => clock)
  t.beforeEach(() => { zotero.requests.length = 0 })

  await t.test('items of a collection enter the feed once, and later ones follow', async t => {
    const { set, sync, state, feed, project_id, context } = await connected(t, service, zotero)
    const collection = zotero.addCollection('Reading')
    zotero.addItem(article(1, [collection], { extra: 'PMID: 990000001', abstractNote: 'What it says.' }))
    const archived = { archiveID: 'arXiv:2613.00001', repository: 'arXiv' }
    zotero.addItem({ itemType: 'preprint', title: 'A preprint of dreams', ...archived, collections: [collection] })
    zotero.addItem({ itemType: 'attachment', title: 'A scan', collections: [collection] })
    zotero.addItem(article(99, []))
    await set({ collections: [collection], learn: true })
    t.match(await sync(), { added: 2, sent: 0, more: false, paused_until: null })
    const { items } = await feed()
    t.strictSame(items.map(({ paper_title }) => paper_title).sort(), ['A preprint of dreams', 'Sleep spindles and memory, part 1'])
    const first = items.find(({ paper }) => paper.doi === '10.5555/zotero.1')!
    t.match(first, {
      feedback: { vote: 'upvote' },
      paper: {
        external_ids: { pmid: '990000001' },
        abstract: 'What it says.',
        authors: [{ name: 'Ada Byron' }],
        published_date: '2026-03-01',
        venue_name: 'Journal of Sleep',
        source: { name: 'zotero' }
      }
    })
    t.match(items.find(({ paper_title }) => paper_title.startsWith('A preprint'))!.paper.external_ids, { arxiv: '2613.00001' })

    zotero.requests.length = 0
    t.match(await sync(), { added: 0 })
    t.strictSame(zotero.requests.map(({ headers }) => headers['if-modified-since-version']).length, 1, 'one conditional request')
    t.ok(zotero.requests[0]!.headers['if-modified-since-version'])

    zotero.addItem(article(2, [collection]))
    t.match(await sync(), { added: 1 })
    t.ok(zotero.requests.some(({ url }) => Number(url.searchParams.get('since')) > 0))
    t.match(await state(), { imported: 3, sent: 0, last_error: null, last_synced_at: clock.toISOString() })
    const stored = await context.db.selectFrom('project_paper').select('own_library').where('project_id', '=', project_id).execute()
    t.strictSame(stored.map(({ own_library }) => own_library), [true, true, true], 'alerts do not announce them')
    t.equal((await feed()).total, 3)
    const project = await context.db.selectFrom('project').select('scoring_due_at').where('id', '=', project_id).executeTakeFirstOrThrow()
    t.not(project.scoring_due_at, null, 'the project learns from them')
  })

  await t.test('both directions make no doubles, however often they run', async t => {
    const { user, project_id, set, sync, state, feed, star } = await connected(t, service, zotero)
    const [reading, starred] = [zotero.addCollection('In'), zotero.addCollection('Out')]
    await addPapers(user.context, project_id, [
      { title: 'Known to both', doi: '10.5555/both', authors: [{ name: 'Bo Li' }], published_date: '2026-01-01' },
      {
        title: 'Starred here alone',
        authors: [{ name: 'Ana van der Berg' }],
        published_date: '2026-02-03',
        venue_name: 'J. Sleep',
        metadata: { volume: '7', pages: '1-9' },
        external_ids: { pmid: '990000077' }
      },
      { title: 'There without identifiers', authors: [{ name: 'Eva Maria Lund' }], published_date: '2025-05-01' },
      { title: 'Not starred' }
    ])
    const both = zotero.addItem({ title: 'Known to both, as Zotero has it', DOI: 'https://doi.org/10.5555/BOTH', collections: [reading] })
    const there = zotero.addItem({
      title: 'There without identifiers',
      date: '2025',
      creators: [{ creatorType: 'author', firstName: 'Eva Maria', lastName: 'Lund' }],
      collections: [starred]
    })
    for (const title of ['Known to both', 'Starred here alone', 'There without identifiers']) await star(title)
    await set({ collections: [reading], target: starred })
    const before = zotero.items().length
    t.match(await sync(), { added: 0, sent: 2 })
    t.match(await sync(), { added: 0, sent: 0 })
    t.match(await sync(), { added: 0, sent: 0 })
    t.equal(zotero.items().length, before + 1, 'only one was created')
    const inTarget = zotero.items().filter(({ data }) => (data.collections as string[]).includes(starred))
    t.equal(inTarget.length, 3)
    t.strictSame(new Set(zotero.items().find(({ key }) => key === both)!.data.collections as string[]), new Set([reading, starred]))
    t.ok(inTarget.some(({ key }) => key === there))
    const created = inTarget.find(({ data }) => data.title === 'Starred here alone')!
    t.match(created.data, {
      itemType: 'journalArticle',
      creators: [{ creatorType: 'author', firstName: 'Ana', lastName: 'van der Berg' }],
      date: '2026-02-03',
      publicationTitle: 'J. Sleep',
      volume: '7',
      pages: '1-9',
      extra: 'PMID: 990000077'
    })
    t.equal((await feed()).total, 4)
    t.match(await state(), { imported: 1, sent: 1 })
    const [write] = zotero.requests.filter(({ method }) => method === 'POST')
    t.match(String(write!.headers['zotero-write-token']), /^[0-9a-f]{32}$/)

    await t.test('what was deleted in Zotero is not sent again', async t => {
      zotero.deleteItem(created.key)
      t.match(await sync(), { sent: 0 })
      t.match(await sync(), { sent: 0 })
      t.notOk(zotero.items().some(({ data }) => data.title === 'Starred here alone'))
      t.equal((await feed()).total, 4, 'and stays in the feed')
    })

    await t.test('a created item that enters a collection of the project is no new paper', async t => {
      zotero.addItem({ title: 'One more', DOI: '10.5555/more', collections: [starred] })
      await set({ collections: [reading, starred], target: starred })
      t.match(await sync(), { added: 1, sent: 0 })
      t.equal((await feed()).total, 5)
    })

    await t.test('an item that changes before it is written is read again', async t => {
      const other = zotero.addCollection('Third')
      let changed = 0
      zotero.intercept = ({ method, url }) => {
        if (method === 'POST' && url.pathname.endsWith('/items') && changed++ === 0) zotero.changeItem(both, { volume: '8' })
        return undefined
      }
      await set({ collections: [reading], target: other })
      t.match(await sync(), { sent: 2 }, 'without the deleted one')
      zotero.intercept = undefined
      t.match(zotero.items().find(({ key }) => key === both)!.data, { volume: '8' })
      t.ok((zotero.items().find(({ key }) => key === both)!.data.collections as string[]).includes(other))
      t.equal(changed, 2, 'a second write')
    })

    await t.test('an item that was deleted meanwhile does not count as sent', async t => {
      zotero.deleteItem(both)
      await set({ collections: [reading], target: zotero.addCollection('Fourth') })
      t.match(await sync(), { sent: 1 })
    })
  })

  await t.test('a sync that stopped continues without doubles', async t => {
    const { user, project_id, set, sync, state, feed } = await connected(t, service, zotero)
    const [reading, starred] = [zotero.addCollection('Many'), zotero.addCollection('Sent')]
    for (let n = 0; n < 300; n++) zotero.addItem(article(1000 + n, [reading]))
    await addPapers(user.context, project_id, Array.from({ length: 60 }, (_, n) => ({ title: `Mine ${n}`, doi: `10.5555/mine.${n}` })))
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    await set({ collections: [reading], target: starred })

    // The second page fails for good.
    zotero.intercept = ({ url }) => url.searchParams.get('start') === '100' ? { status: 400, body: 'crash' } : undefined
    await t.rejects(sync(), { message: 'Zotero refused the request (status 400).' })
    t.match(await state(), { last_error: 'Zotero refused the request (status 400).', imported: 100 })
    // The answer to the first write is lost.
    zotero.intercept = undefined
    let writes = 0
    zotero.afterwards = ({ method }) => method === 'POST' && writes++ === 0 ? 'break' : undefined
    zotero.requests.length = 0
    t.match(await sync(), { added: 200, sent: 60 })
    zotero.afterwards = undefined
    t.strictSame(
      zotero.requests.filter(({ url }) => url.pathname.includes(reading)).map(({ url }) => url.searchParams.get('start')),
      ['100', '200'],
      'the listing continues where it stopped'
    )
    t.match(await sync(), { added: 0, sent: 0 })
    t.equal((await feed()).total, 360)
    const sent = zotero.items().filter(({ data }) => (data.collections as string[]).includes(starred))
    t.equal(sent.length, 60)
    t.equal(new Set(sent.map(({ data }) => data.title)).size, 60)
    t.match(await state(), { imported: 300, sent: 60, refused: 0, last_error: null })

    await t.test('items that were being created when the process ended are created once', async t => {
      await addPapers(user.context, project_id, [{ title: 'Begun', doi: '10.5555/begun' }])
      await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id} and vote is null and paper_id in
        (select id from paper where title = 'Begun')`.execute(user.context.db)
      zotero.afterwards = ({ method }) => method === 'POST' ? 'break' : undefined
      await t.rejects(sync(), { message: /status 500/ })
      zotero.afterwards = undefined
      t.match(await sync(), { sent: 1 })
      t.equal(zotero.items().filter(({ data }) => data.title === 'Begun').length, 1)
    })
  })

  await t.test('a library that changes while it is read is read again from its start', async t => {
    const { set, sync, feed } = await connected(t, service, zotero)
    const reading = zotero.addCollection('Busy')
    const keys = Array.from({ length: 150 }, (_, n) => zotero.addItem(article(5000 + n, [reading])))
    let deleted = false
    zotero.intercept = ({ url }) => {
      if (url.searchParams.get('start') === '100' && !deleted) {
        deleted = true
        zotero.deleteItem(keys[0]!)
      }
      return undefined
    }
    await set({ collections: [reading] })
    t.match(await sync(), { added: 150 })
    zotero.intercept = undefined
    t.equal((await feed()).total, 150)
  })

  await t.test('a request to wait is obeyed', async t => {
    const { set, sync, state, waits, context, project_id } = await connected(t, service, zotero)
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
    const until = new Date(clock.getTime() + 120_000).toISOString()
    t.match(await sync(), { added: 0, paused_until: until })
    zotero.intercept = undefined
    t.match(await zoteroGet.run(context, {}), { connected: true, paused_until: until })
    t.match((await state()).last_error, /^Zotero asked Litfeed to slow down until 2026-11-23 10:02 UTC\./)
    await t.rejects(zoteroSyncQueue.run(context, { project_id }), { code: 'rate_limited', retryAfter: 120 })
    clock = new Date(clock.getTime() + 121_000)
    await queueDue.run(service.context, {})
    t.equal((await state()).syncing, true, 'the schedule continues it')
    await sql`delete from job where task = 'sync-zotero'`.execute(context.db)
    zotero.next.push({ status: 200, headers: { backoff: '5', 'last-modified-version': '1', 'total-results': '0' }, body: '[]' })
    waits.length = 0
    await sync()
    t.strictSame(waits, [5000], 'and so is Backoff')
    zotero.intercept = () => ({ status: 503, body: '' })
    waits.length = 0
    await t.rejects(sync(), { message: 'Zotero is temporarily unavailable (status 503).' })
    t.strictSame(waits, [2000, 4000, 8000])
    zotero.intercept = undefined
  })

  await t.test('a revoked key ends the sync until the account connects again', async t => {
    const { set, sync, state, context, project_id } = await connected(t, service, zotero)
    const reading = zotero.addCollection('Closed')
    await set({ collections: [reading] })
    zotero.keys.clear()
    const message = 'Zotero does not accept the key. It may have been revoked. Connect again with a new key.'
    await t.rejects(sync(), { message })
    t.match(await state(), { last_error: 'Zotero does not accept the key. It may have been revoked.' })
    t.match(await zoteroGet.run(context, {}), { connected: true, key_rejected_at: clock.toISOString() })
    await t.rejects(zoteroSyncQueue.run(context, { project_id }), { code: 'forbidden', message })
    clock = new Date(clock.getTime() + 2 * 60 * 60_000)
    await queueDue.run(service.context, {})
    t.equal((await state()).syncing, false)
    await t.rejects(zoteroConnect.run(context, { api_key: apiKey }), { code: 'invalid_arguments' })
    zotero.keys.set(apiKey, { library: true, write: true })
    t.match(await zoteroConnect.run(context, { api_key: apiKey }), { key_rejected_at: null })
    t.match(await sync(), { added: 0 })
    t.match(await state(), { last_error: null })
  })

  await t.test('a deleted collection is named, and the others go on', async t => {
    const { user, project_id, set, sync, state, star } = await connected(t, service, zotero)
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
    const { context, project_id, set, state, star } = await connected(t, service, zotero)
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

  await t.test('a paper that Zotero refuses does not hold up others', async t => {
    const { user, project_id, set, sync, state } = await connected(t, service, zotero)
    const target = zotero.addCollection('Some')
    await addPapers(user.context, project_id, [{ title: 'Refused for its length' }, { title: 'Fine' }])
    await sql`update project_paper set vote = 'star', voted_at = now() where project_id = ${project_id}`.execute(user.context.db)
    await set({ target })
    t.match(await sync(), { sent: 1 })
    t.match(await sync(), { sent: 0 })
    t.match(await state(), { sent: 1, refused: 1 })
  })

  await t.test('a paper that Zotero answers with 404 is not sent again and again', async t => {
    const { user, project_id, context, set, state } = await connected(t, service, zotero)
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
    const { user, project_id, context, set, sync, state, feed } = await connected(t, service, zotero)
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

  await t.test('notes of blank lines are read at once', async t => {
    const extra = '\n'.repeat(4900)
    const begun = process.cpuUsage()
    for (let n = 0; n < 20; n++) readZoteroItem({ title: 'Blank', extra })
    const { user } = process.cpuUsage(begun)
    t.ok(user < 200_000, `${user / 1000} ms`)
    const noted = readZoteroItem({ title: 'Noted', extra: 'A line\r\n\n  pmid :  12345\nPMID: 9\nDOI:\n: 1\nCitation Key: byron' })
    t.match(noted, { record: { doi: null, external_ids: { pmid: '12345' }, metadata: { citation_key: 'byron' } } })
  })

  await t.test('the log quotes what Zotero answers, but not the key', async t => {
    const { set, sync } = await connected(t, service, zotero)
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

  await t.test('over REST, the key is never shown, and disconnecting deletes it', async t => {
    const { user, context, project_id, set } = await connected(t, service, zotero)
    const { access_token } = await logIn(service, user)
    const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) => await service.app.inject({
      method, url, headers: { authorization: `Bearer ${access_token}` }, ...(payload === undefined ? {} : { payload })
    })
    const collection = zotero.addCollection('By REST')
    const shared = zotero.addCollection('Of the group', { library: 'groups/77' })
    t.match((await call('GET', '/api/zotero/libraries')).json(), {
      items: [{ library, name: 'My Library', writable: true }, { library: 'groups/77', name: 'Sleep lab', writable: true }]
    })
    t.match((await call('GET', '/api/zotero/collections?library=groups/77')).json(), { items: [{ key: shared, name: 'Of the group' }] })
    t.equal((await call('PUT', `/api/projects/${project_id}/zotero`, { library: 'groups/12', target: shared })).statusCode, 400)
    t.equal((await call('PUT', `/api/projects/${project_id}/zotero`, { library, target: shared })).statusCode, 400)
    t.equal((await call('PUT', `/api/projects/${project_id}/zotero`, { library })).statusCode, 400)
    zotero.keys.set(apiKey, { library: true, write: false })
    const refused = await call('PUT', `/api/projects/${project_id}/zotero`, { library, target: collection })
    t.match(refused.json(), { code: 'invalid_arguments', detail: /may write/ })
    zotero.keys.set(apiKey, { library: true, write: true })
    const put = await call('PUT', `/api/projects/${project_id}/zotero`, { library: 'groups/77', collections: [shared], target: shared })
    t.match(put.json(), { sync: { library_name: 'Sleep lab', collections: [{ key: shared }], target: { key: shared } } })
    t.match((await call('POST', `/api/projects/${project_id}/zotero/sync`)).json(), { created: true })
    t.match((await call('GET', `/api/projects/${project_id}/zotero`)).json(), { sync: { syncing: true } })
    t.equal((await call('DELETE', `/api/projects/${project_id}/zotero`)).statusCode, 204)
    t.strictSame((await call('GET', `/api/projects/${project_id}/zotero`)).json(), { sync: null })
    await set({ target: collection })

    const exported = (await call('GET', '/api/account/export')).body
    t.match(exported, /"zotero_account":\[\n\{/)
    t.notMatch(exported, /goodkey|api_key/)
    const stored = await sql<{ row: string }>`select to_jsonb(zotero_account.*)::text as row from zotero_account`.execute(context.db)
    t.notMatch(stored.rows.map(({ row }) => row).join(''), /goodkey|676f6f646b6579/)
    t.equal((await call('DELETE', '/api/zotero')).statusCode, 204)
    t.match((await call('GET', '/api/zotero')).json(), { connected: false, username: null })
    t.equal((await call('GET', '/api/zotero/libraries')).statusCode, 404)
    const left = await sql`select from zotero_account where account_id = ${user.context.account.id}`.execute(context.db)
    t.equal(left.rows.length, 0)
    await t.rejects(zoteroSync.run(context, { project_id }), { message: 'The project no longer syncs with Zotero.' })
    t.notMatch(service.logged.join('\n'), /goodkey/)
  })

  await t.test('a key that was sealed with another secret is not used', async t => {
    const { set, sync, context } = await connected(t, service, zotero)
    await set({ collections: [zotero.addCollection('Sealed')] })
    await sql`update zotero_account set api_key = '\\x00' where account_id = ${context.account.id}`.execute(context.db)
    await t.rejects(sync(), { message: 'The stored Zotero key can no longer be read. Connect again.' })
    await sql`update zotero_account set api_key = decode(repeat('00', 40), 'hex') where account_id = ${context.account.id}`.execute(context.db)
    await t.rejects(sync(), { message: 'The stored Zotero key can no longer be read. Connect again.' })
  })
})

t.test('a path of collections that is cut within a character can be stored', async t => {
  const name = `${'x'.repeat(499)}🧪`
  const zotero = { collections: async () => [{ key: 'AB', name, parent: undefined }] } as unknown as Zotero
  const [collection] = await listCollections(zotero, 'users/1')
  t.ok(collection!.name.isWellFormed())
})
