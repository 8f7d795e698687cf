import { sql } from 'kysely'
import t from 'tap'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { readZoteroItem } from '../../src/sources/formats/zotero-item.js'
import type { Zotero } from '../../src/zotero/client.js'
import { listCollections } from '../../src/zotero/collections.js'
import { takesLess } from '../support/event-loop.js'
import { addPapers, logIn } from '../support/service.js'
import { apiKey, article, library, zoteroService } from '../support/zotero.js'

t.test('Zotero', async t => {
  const { zotero, service, clock, connected } = await zoteroService(t)

  await t.test('items of a collection enter the feed once, and later ones follow', async t => {
    const { set, sync, state, feed, project_id, context } = await connected(t)
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
    t.match(await state(), { imported: 3, sent: 0, last_error: null, last_synced_at: clock.now.toISOString() })
    const stored = await context.db.selectFrom('project_paper').select('own_library').where('project_id', '=', project_id).execute()
    t.strictSame(stored.map(({ own_library }) => own_library), [true, true, true], 'alerts do not announce them')
    t.equal((await feed()).total, 3)
    const project = await context.db.selectFrom('project').select('scoring_due_at').where('id', '=', project_id).executeTakeFirstOrThrow()
    t.not(project.scoring_due_at, null, 'the project learns from them')
  })

  await t.test('both directions make no doubles, however often they run', async t => {
    const { user, project_id, set, sync, state, feed, star } = await connected(t)
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

    await t.test('items that a target had enter the feed once it is a collection of the project', async t => {
      const later = zotero.addCollection('Later')
      zotero.addItem(article(50, [later]))
      await set({ collections: [reading], target: later })
      t.match(await sync(), { added: 0 })
      await set({ collections: [reading, later], target: later })
      t.match(await sync(), { added: 1 })
      zotero.requests.length = 0
      await set({ collections: [reading, later], target: starred })
      t.match(await sync(), { added: 0 })
      t.ok(
        zotero.requests.some(({ url, headers }) => url.pathname.includes(later) && headers['if-modified-since-version'] !== undefined),
        'it goes on where it was'
      )
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
    const { user, project_id, set, sync, state, feed } = await connected(t)
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

  await t.test('what was being created when the process ended is sent to the collection that the project has since', async t => {
    const { user, project_id, set, sync, state, star } = await connected(t)
    const titlesIn = (key: string) =>
      zotero.items().filter(({ data }) => (data.collections as string[]).includes(key)).map(({ data }) => data.title)
    for (const title of ['Not created yet', 'Created already']) {
      const [former, next] = [zotero.addCollection('Former'), zotero.addCollection('Next')]
      await set({ collections: [], target: former })
      await addPapers(user.context, project_id, [{ title }])
      await star(title)
      const isCreated = title === 'Created already'
      if (isCreated) zotero.afterwards = ({ method }) => method === 'POST' ? 'break' : undefined
      else zotero.intercept = ({ method }) => method === 'POST' ? { status: 400, body: 'crash' } : undefined
      await t.rejects(sync())
      zotero.afterwards = zotero.intercept = undefined
      if (!isCreated) zotero.deleteCollection(former)
      await set({ collections: [], target: next })
      await sync()
      t.match(await state(), { last_error: null })
      t.ok(titlesIn(next).includes(title))
      t.equal(zotero.items().filter(({ data }) => data.title === title).length, 1)
    }
  })

  await t.test('a library that changes while it is read is read again from its start', async t => {
    const { set, sync, feed } = await connected(t)
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

  await t.test('notes of blank lines are read at once', async t => {
    const extra = '\n'.repeat(4900)
    await takesLess(t, 200, () => { for (let n = 0; n < 20; n++) readZoteroItem({ title: 'Blank', extra }) })
    const noted = readZoteroItem({ title: 'Noted', extra: 'A line\r\n\n  pmid :  12345\nPMID: 9\nDOI:\n: 1\nCitation Key: byron' })
    t.match(noted, { record: { doi: null, external_ids: { pmid: '12345' }, metadata: { citation_key: 'byron' } } })
  })

  await t.test('over REST, the key is never shown, and disconnecting deletes it', async t => {
    const { user, context, project_id, set } = await connected(t)
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
})

t.test('a path of collections that is cut within a character can be stored', async t => {
  const name = `${'x'.repeat(499)}🧪`
  const zotero = { collections: async () => [{ key: 'AB', name, parent: undefined }] } as unknown as Zotero
  const [collection] = await listCollections(zotero, 'users/1')
  t.ok(collection!.name.isWellFormed())
})
