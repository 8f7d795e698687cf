import t, { type Test } from 'tap'
import { guardedClient } from '../../src/http/guarded-client.js'
import { openZotero } from '../../src/zotero/client.js'
import { staysResponsive } from '../support/event-loop.js'
import { standIn } from '../support/stand-ins/server.js'

const library = 'users/1'
const keyOf = (at: number) => `AAA${String(at).padStart(5, '0')}`

/** A client of a stand-in that answers with an object as JSON, whose bytes are made before. */
async function zoteroWith (t: Test, answer: unknown, signal?: AbortSignal) {
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
  const headers = { 'content-type': 'application/json', 'total-results': '100', 'last-modified-version': '7' }
  const { url } = await standIn(t, () => ({ headers, body }))
  const http = guardedClient({ userAgent: 'test', trustedOrigins: [url] })
  t.teardown(async () => { await http.close() })
  return { zotero: openZotero({ url, http, wait: async () => {}, apiKey: 'secretsecretsecretsecret', signal }), bytes: body.length }
}

/** Milliseconds; parsing at once takes two or three times as long. */
const maxMs = 40

/** Items with thousands of tags each. */
const tagged = Array.from({ length: 100 }, (_each, at) => ({
  key: keyOf(at),
  version: 3,
  data: { itemType: 'journalArticle', title: `Sleep ${at}`, collections: ['C0LLECT1'], tags: Array(9500).fill({}) }
}))

t.test('large answers of Zotero hold up nobody else', { timeout: 300_000 }, async t => {
  await t.test('a page of items with thousands of tags', async t => {
    const { zotero, bytes } = await zoteroWith(t, tagged)
    t.ok(bytes > 1_500_000)
    const read = async () => await zotero.items(library, 'C0LLECT1', { since: 0, start: 0 })
    // Compiles the code, and starts the thread.
    await read()
    const { items, ...page } = (await staysResponsive(t, 'items', read, { maxMs }))!
    t.ok(JSON.stringify(items) === JSON.stringify(tagged), 'as they are')
    t.strictSame(page, { total: 100, version: 7 })
  })

  await t.test('hundreds of thousands of deleted items', async t => {
    const keys = Array.from({ length: 99_999 }, (_each, at) => keyOf(at))
    const { zotero } = await zoteroWith(t, { items: ['no key', 1, ...keys, ...keys], collections: [], searches: [], tags: [] })
    const read = async () => await zotero.deletedItems(library, 3)
    await read()
    const { keys: deleted, version } = await staysResponsive(t, 'deleted items', read, { maxMs })
    t.equal(version, 7)
    t.equal(deleted.length, 199_998)
    t.strictSame(new Set(deleted), new Set(keys))
  })

  await t.test('groups and collections with long names', async t => {
    const groups = Array.from({ length: 100 }, (_each, at) => ({ id: at, data: { name: `Sleep ${at} ${'\u0000α'.repeat(3500)}` } }))
    const { zotero } = await zoteroWith(t, groups)
    const read = async () => await zotero.groups('1')
    await read()
    const named = await staysResponsive(t, 'groups', read, { maxMs })
    t.strictSame(named.map(({ id }) => id), groups.map(({ id }) => String(id)))
    t.ok(named.every(({ name }) => name.startsWith('Sleep ') && name.length <= 200))
  })

  await t.test('more objects than any page has', async t => {
    const { zotero } = await zoteroWith(t, Array(1_000_000).fill({}))
    t.strictSame(await staysResponsive(t, 'objects', async () => await zotero.collections(library), { maxMs }), [])
  })
})

t.test('of a large answer', async t => {
  await t.test('what a write did is read, without the items that it repeats', async t => {
    const answer = { success: { 0: keyOf(0) }, unchanged: { 1: keyOf(1) }, failed: { 2: { code: 412 } }, successful: tagged }
    const { zotero } = await zoteroWith(t, answer)
    t.strictSame(await zotero.write(library, [{}, {}, {}]), { written: [0, 1], failed: [{ at: 2, code: 412 }] })
  })

  await t.test('an item that is too long keeps what a sync needs', async t => {
    const texts = Object.fromEntries(Array.from({ length: 60 }, (_each, at) => [`text${at}`, 'x'.repeat(40_000)]))
    const { zotero } = await zoteroWith(t, [{ key: keyOf(1), version: 2, data: { ...texts, collections: ['C0LLECT1'] } }])
    t.strictSame(await zotero.itemsByKey(library, [keyOf(1)]), [{ key: keyOf(1), version: 2, data: { collections: ['C0LLECT1'] } }])
  })

  await t.test('another form is unexpected, and the log has its start without the key', async t => {
    for (const answer of [`secretsecretsecretsecret${'x'.repeat(100_000)}`, { items: 'x'.repeat(100_000) }, 'x'.repeat(10)]) {
      const { zotero } = await zoteroWith(t, answer)
      const read = zotero.items(library, 'C0LLECT1', { since: 0, start: 0 })
      const { fault, message, detail } = await read.then(() => t.fail(), error => error)
      t.match({ fault, message }, { fault: 'unexpected', message: 'Zotero sent an unexpected response.' })
      t.ok(detail.length <= 300)
      t.notMatch(detail, /secretsecret/)
    }
  })

  await t.test('nothing is parsed after an abort', async t => {
    const stop = new AbortController()
    const { zotero } = await zoteroWith(t, tagged, stop.signal)
    const read = zotero.items(library, 'C0LLECT1', { since: 0, start: 0 })
    stop.abort(new Error('cancelled'))
    await t.rejects(read, { message: /cancelled/ })
  })
})

t.test('a large answer about a key is refused', async t => {
  const { zotero } = await zoteroWith(t, { userID: 1, access: { user: { library: true, text: 'x'.repeat(300_000) } } })
  await t.rejects(zotero.key(), { message: /./, fault: 'too_large' })
})
