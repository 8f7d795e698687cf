import t from 'tap'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readZip } from '../../src/files/zip.js'
import { accountExport } from '../../src/operations/accounts/account-export.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotDelete } from '../../src/operations/snapshots/snapshot-delete.js'
import { snapshotDownload } from '../../src/operations/snapshots/snapshot-download.js'
import { snapshotFreeze } from '../../src/operations/snapshots/snapshot-freeze.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { snapshotPublish } from '../../src/operations/snapshots/snapshot-publish.js'
import { snapshotUnpublish } from '../../src/operations/snapshots/snapshot-unpublish.js'
import { snapshotsList } from '../../src/operations/snapshots/snapshots-list.js'
import { publishedSnapshotDownload } from '../../src/operations/snapshots/published-snapshot-download.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { formSession } from '../support/forms.js'
import { logIn, projectWith, testService, type TestUser } from '../support/service.js'
import { readBytes } from '../support/snapshots.js'

t.test('published snapshots', async t => {
  const service = await testService(t, { BASE_URL: 'https://litfeed.example.org' })
  const { app, context: { db } } = service
  const [user, stranger] = [await service.user(), await service.user()]
  const { context } = user
  const reviewOf = async (owner: TestUser) => {
    const { context } = owner
    const project_id = await projectWith(owner, [
      { title: 'Editing the retina', abstract: 'A private abstract.', authors: [{ name: 'Ada Lovelace' }], doi: '10.5555/retina' },
      { title: 'Editing the liver' }
    ], {
      name: 'Retina <editing>',
      interest_description: 'Base editing',
      sources: [{ name: 'feed', query: 'https://j.example.org/rss?token=s3cret' }]
    })
    const { items: [item] } = await feedGet.run(context, { project_id })
    await itemUpdate.run(context, { ref: item!.id, tags: ['A private tag'], note: 'A private note' })
    await feedbackSet.run(context, { paper_id: item!.id, vote: 'upvote' })
    return project_id
  }
  const project_id = await reviewOf(user)
  const freeze = async ({ context }: TestUser = user, of = project_id) => {
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: of })
    await snapshotFreeze.run(context, { project_id: of })
    return { ...await snapshotGet.run(context, { project_id: of, snapshot_id }), reference: { project_id: of, snapshot_id } }
  }
  const get = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => await app.inject({ url: path, headers })
  /** The answer at an address, without the hash that it names. */
  const answer = async (path: string) => {
    const { statusCode, body, headers } = await get(path)
    const { date, 'x-request-id': _id, ...rest } = headers
    return { statusCode, body: body.replace(/[0-9a-f]{64}/g, ''), headers: Object.keys(rest).sort() }
  }

  await t.test('are read and downloaded by anyone at the address of their hash', async t => {
    const { sha256, citation, url, public_url, published_at, summary, reference } = await freeze()
    t.strictSame([published_at, public_url], [null, null])
    t.ok(citation!.endsWith(`, ${url}`))
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 404)
    const before = await readBytes((await snapshotDownload.run(context, reference)).parts)

    const published = await snapshotPublish.run(context, reference)
    t.equal(published.public_url, `https://litfeed.example.org/snapshots/${sha256}`)
    t.ok(published.citation!.endsWith(`sha256:${sha256}, ${published.public_url}`))
    t.match(await snapshotGet.run(context, reference), published)
    t.match((await snapshotsList.run(context, { project_id })).items[0], published)
    t.strictSame(await snapshotPublish.run(context, reference), published, 'publishing it again changes nothing')

    const page = await get(`/snapshots/${sha256}`)
    t.equal(page.statusCode, 200)
    t.equal(page.headers['x-robots-tag'], 'noindex')
    t.match(page.headers['cache-control'], /no-store/)
    t.match(page.body, '<meta name="robots" content="noindex"/>')
    t.match(page.body, '<h1 dir="auto">Retina &lt;editing></h1>')
    t.match(page.body, `sha256:${sha256}, ${published.public_url}"`)
    t.match(page.body, `href="/snapshots/${sha256}/archive"`)
    for (const shown of ['PRISMA flow', 'Records screened', 'j.example.org', 'nothing learned yet']) t.match(page.body, shown)
    for (const hidden of ['A private', 's3cret', user.email, project_id]) t.notMatch(page.body, hidden)
    t.equal((await get(`/snapshots/${sha256!.toUpperCase()}`)).statusCode, 200)
    t.equal((await (await formSession(app, stranger)).get(`/snapshots/${sha256}`)).statusCode, 200, 'a signed-in reader')

    const archive = await get(`/snapshots/${sha256}/archive`, {})
    t.equal(archive.headers['content-type'], 'application/zip')
    t.equal(archive.headers['x-robots-tag'], 'noindex')
    t.match(archive.headers['content-disposition'], /filename="retina-editing-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.zip"/)
    const verified = verifySnapshot(archive.rawPayload, `sha256:${sha256}`)
    t.equal(verified.valid, true, JSON.stringify(verified.checks))
    t.strictSame(verified.flow, summary!.flow)
    t.ok(archive.rawPayload.equals(before), 'the archive of a snapshot is the same before it is published')
    const files = readZip(archive.rawPayload, 1e7)
    t.match(String(files.get('README.txt')), published.citation!)
    for (const text of files.values()) for (const hidden of ['A private', 's3cret', user.email]) t.notMatch(String(text), hidden)
  })

  await t.test('are like ones that never existed until they are published, and once they are not any more', async t => {
    const { sha256, reference } = await freeze()
    const unknown = createHash('sha256').update('unknown').digest('hex')
    const [none, noArchive] = [await answer(`/snapshots/${unknown}`), await answer(`/snapshots/${unknown}/archive`)]
    t.equal(none.statusCode, 404)
    t.match(none.body, 'No snapshot is published at this address.')
    const isMissing = async (hash = sha256) => {
      t.strictSame(await answer(`/snapshots/${hash}`), none)
      t.strictSame(await answer(`/snapshots/${hash}/archive`), noArchive)
    }
    await isMissing()
    for (const malformed of ['malformed', 'g'.repeat(64), sha256!.slice(1), `${sha256}0`]) {
      t.strictSame((await get(`/snapshots/${malformed}`)).body, none.body)
    }
    await snapshotPublish.run(context, reference)
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200)
    await db.updateTable('account').set({ disabled_at: new Date() }).where('id', '=', context.account.id).execute()
    await isMissing()
    await db.updateTable('account').set({ disabled_at: null, administrator: false }).where('id', '=', context.account.id).execute()
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200, 'the account was enabled again, without its rights')
    t.strictSame(await snapshotUnpublish.run(context, reference), {})
    await isMissing()
    t.strictSame(await snapshotUnpublish.run(context, reference), {}, 'unpublishing it again changes nothing')
    t.match(await snapshotGet.run(context, reference), { published_at: null, public_url: null, citation: /\/projects\// })
    await snapshotPublish.run(context, reference)
    await snapshotDelete.run(context, reference)
    await isMissing()
    await t.rejects(snapshotPublish.run(context, reference), { code: 'not_found' })
    await t.rejects(snapshotUnpublish.run(context, reference), { code: 'not_found' })
  })

  await t.test('are published by their owner, and only once they are frozen', async t => {
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id })
    await t.rejects(snapshotPublish.run(context, { project_id, snapshot_id }), { code: 'invalid_arguments', message: /not frozen yet/ })
    await t.rejects(sql`update snapshot set published_at = now() where id = ${snapshot_id}`.execute(db))
    await snapshotFreeze.run(context, { project_id })
    for (const call of [snapshotPublish, snapshotUnpublish]) {
      await t.rejects(call.run(stranger.context, { project_id, snapshot_id }), { code: 'not_found' })
    }
    const authorization = `Bearer ${(await logIn(service, user)).access_token}`
    const url = `/api/projects/${project_id}/snapshots/${snapshot_id}/publication`
    const put = await app.inject({ method: 'PUT', url, headers: { authorization } })
    t.equal(put.statusCode, 200)
    t.match(put.json(), { id: snapshot_id, public_url: /\/snapshots\/[0-9a-f]{64}$/ })
    const chunks: string[] = []
    for await (const part of (await accountExport.run(context, {})).parts) chunks.push(part)
    const exported = JSON.parse(chunks.join('')) as { snapshot: Array<{ id: string, published_at: string | null }> }
    t.equal(new Date(exported.snapshot.find(({ id }) => id === snapshot_id)!.published_at!).toISOString(), put.json().published_at)
    t.equal((await app.inject({ method: 'DELETE', url, headers: { authorization } })).statusCode, 204)
    t.equal((await get(new URL(put.json().public_url).pathname)).statusCode, 404)
  })

  await t.test('change in nothing else', async t => {
    const { id } = await freeze()
    await sql`update snapshot set published_at = now() where id = ${id}`.execute(db)
    for (const change of [
      sql`update snapshot set published_at = null, sha256 = 'x' where id = ${id}`,
      sql`update snapshot set project_name = 'x' where id = ${id}`,
      sql`update snapshot set attempt = gen_random_uuid() where id = ${id}`,
      sql`update snapshot set frozen_at = null, published_at = null where id = ${id}`
    ]) await t.rejects(change.execute(db), { cause: { message: /does not change/ } })
    await sql`update snapshot set published_at = null where id = ${id}`.execute(db)
  })

  await t.test('are frozen first, and the page says until then what happens', async t => {
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id })
    const { get } = await formSession(app, user)
    const page = async () => (await get(`/projects/${project_id}/snapshots/${snapshot_id}`)).body
    t.match(await page(), /is being frozen/)
    t.notMatch(await page(), /Publish|Download archive/)
    await sql`update snapshot set error = 'It would exceed the limit.' where id = ${snapshot_id}`.execute(db)
    t.match(await page(), /It would exceed the limit\./)
    t.notMatch(await page(), /Publish|Download archive/)
    await snapshotDelete.run(context, { project_id, snapshot_id })
  })

  await t.test('with equal hashes are found if one is published', async t => {
    const { id, sha256, reference } = await freeze()
    const copy = async () => {
      const { rows: [{ id: snapshot_id } = { id: '' }] } = await sql<{ id: string }>`
        insert into snapshot (project_id, project_name, until, requested_at, frozen_at, sha256, bytes, summary)
        select project_id, project_name, until, requested_at, frozen_at, sha256, bytes, summary from snapshot where id = ${id}
        returning id`.execute(db)
      await sql`insert into snapshot_part select ${snapshot_id}, ordinal, content from snapshot_part where snapshot_id = ${id}`
        .execute(db).catch(() => {})
      return { project_id, snapshot_id }
    }
    const [first, second] = [await copy(), await copy()]
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 404)
    await snapshotPublish.run(context, reference)
    await snapshotPublish.run(context, second)
    t.equal((await get(`/snapshots/${sha256}/archive`)).statusCode, 200)
    await snapshotUnpublish.run(context, second)
    t.equal(verifySnapshot((await get(`/snapshots/${sha256}/archive`)).rawPayload, sha256!).valid, true)
    await snapshotUnpublish.run(context, reference)
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 404)
    await snapshotPublish.run(context, first)
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200)
    for (const each of [first, second]) await snapshotDelete.run(context, each)
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 404)
  })

  await t.test('break downloads off, rather than end them early', async t => {
    const open = async () =>
      (await publishedSnapshotDownload.run({ ...service.context, address: '192.0.2.1' }, { sha256: sha256! })).parts[Symbol.asyncIterator]()
    const { sha256, reference } = await freeze()
    await snapshotPublish.run(context, reference)
    const reader = await open()
    await reader.next()
    await snapshotUnpublish.run(context, reference)
    const readAll = async (parts: AsyncIterator<Buffer>) => { while ((await parts.next()).done !== true); }
    await t.rejects(readAll(reader), { code: 'deleted_meanwhile' })
  })

  await t.test('have a bounded number of downloads, and of requests by network address', async t => {
    const { sha256, reference } = await freeze()
    await snapshotPublish.run(context, reference)
    let networks = 0
    const open = async () => {
      const caller = { ...service.context, address: `192.0.2.${networks++}` }
      return (await publishedSnapshotDownload.run(caller, { sha256: sha256! })).parts[Symbol.asyncIterator]()
    }
    const downloads = [await open(), await open(), await open(), await open()]
    await t.rejects(open(), { code: 'rate_limited', retryAfter: 10 })
    t.equal((await get(`/snapshots/${sha256}/archive`)).statusCode, 429)
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200)
    for (const each of downloads) await each.return!()
    t.equal((await get(`/snapshots/${sha256}/archive`)).statusCode, 200)
    const limited = await service.sibling(t, { RATE_LIMIT: '3' })
    const statuses = []
    for (const path of ['', '/archive', '', '/archive']) {
      statuses.push((await limited.app.inject({ url: `/snapshots/${sha256}${path}`, headers: { accept: 'text/html' } })).statusCode)
    }
    t.strictSame(statuses, [200, 200, 200, 429])
  })

  await t.test('leave downloads to others when a few networks read all archives of an account slowly', async t => {
    const publish = async (owner: TestUser) => {
      const { sha256, reference } = await freeze(owner, owner === user ? project_id : await reviewOf(owner))
      await snapshotPublish.run(owner.context, reference)
      return sha256!
    }
    const own = [await publish(user), await publish(user), await publish(user)]
    const of = await publish(await service.user())
    const open = async (sha256: string, address: string) =>
      (await publishedSnapshotDownload.run({ ...service.context, address }, { sha256 })).parts[Symbol.asyncIterator]()
    const slow: Array<AsyncIterator<Buffer>> = []
    const openAll = async (address: string) => {
      for (const sha256 of [...own, ...own]) slow.push(await open(sha256, address))
    }
    await t.rejects(openAll('192.0.2.1'), { code: 'rate_limited', message: /Your network already has 2 downloads/ })
    await t.rejects(openAll('192.0.2.2'), { code: 'rate_limited' })
    t.equal(slow.length, 4)
    t.equal((await get(`/snapshots/${of}/archive`)).statusCode, 200)
    t.equal((await get(`/snapshots/${own[2]}/archive`)).statusCode, 200)
    for (let i = 3; i < 7; i++) await t.rejects(openAll(`192.0.2.${i}`), { code: 'rate_limited' })
    t.equal(slow.length, 6, 'readers of one account’s archives')
    t.equal((await get(`/snapshots/${own[2]}/archive`)).statusCode, 429)
    t.equal((await get(`/snapshots/${of}/archive`)).statusCode, 200)
    for (const each of slow) await each.return!()
    t.equal((await get(`/snapshots/${own[2]}/archive`)).statusCode, 200)
  })

  await t.test('are published and unpublished on their page, which says what becomes public', async t => {
    const { id, sha256 } = await freeze()
    const session = await formSession(app, user)
    const path = `/projects/${project_id}/snapshots/${id}`
    const offered = (await session.get(path)).body
    for (const stated of ['Papers that you imported', 'Abstracts, notes, tags', 'Only you can open the address']) t.match(offered, stated)
    t.notMatch(offered, `/snapshots/${sha256}`)
    const sent = await session.post(path, { action: 'publish' })
    t.strictSame([sent.statusCode, sent.headers.location], [303, path])
    const shown = (await session.get(path)).body
    t.match(shown, `value="https://litfeed.example.org/snapshots/${sha256}"`)
    t.notMatch(shown, 'Only you can open the address')
    t.match((await session.get(`/projects/${project_id}/snapshots`)).body, '<span class="badge">published</span>')
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200)
    t.equal((await session.post(path, { action: 'unpublish' })).statusCode, 303)
    t.match((await session.get(path)).body, 'Papers that you imported')
    t.equal((await get(`/snapshots/${sha256}`)).statusCode, 404)
    await snapshotDelete.run(context, { project_id, snapshot_id: id })
    t.equal((await session.post(path, { action: 'publish' })).statusCode, 404)
  })

  await t.test('end with their project and account', async t => {
    const review = await reviewOf(stranger)
    const headers = { authorization: `Bearer ${(await logIn(service, stranger)).access_token}` }
    const publish = async (of: string) => {
      const { sha256, reference } = await freeze(stranger, of)
      await snapshotPublish.run(stranger.context, reference)
      t.equal((await get(`/snapshots/${sha256}`)).statusCode, 200)
      return `/snapshots/${sha256}`
    }
    const [first, second] = [await publish(review), await publish(await reviewOf(stranger))]
    t.equal((await app.inject({ method: 'DELETE', url: `/api/projects/${review}`, headers })).statusCode, 204)
    t.equal((await get(first)).statusCode, 404)
    t.equal((await get(second)).statusCode, 200)
    const payload = { password: stranger.password }
    t.equal((await app.inject({ method: 'DELETE', url: '/api/account', headers, payload })).statusCode, 204)
    t.equal((await get(second)).statusCode, 404)
  })
})
