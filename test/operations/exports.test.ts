import t from 'tap'
import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import { accountExport } from '../../src/operations/accounts/account-export.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { sharedFeed } from '../../src/operations/sharing/shared-feed.js'
import { sharedExport } from '../../src/operations/sharing/shared-export.js'
import { FairQueue } from '../../src/threads/fair-queue.js'
import { projectWith, testService, type TestService } from '../support/service.js'

const lengthOf = async (parts: AsyncIterable<string>): Promise<number> => {
  let length = 0
  for await (const part of parts) length += part.length
  return length
}

/** A database whose queries of feed items wait. */
function slowDatabase (db: TestService['context']['db']) {
  let isWaiting = () => {}
  const waiting = new Promise<void>(resolve => { isWaiting = resolve })
  let proceed = () => {}
  const gate = new Promise<void>(resolve => { proceed = resolve })
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult ({ result }) {
      if (result.rows.some(row => 'item_id' in row)) {
        isWaiting()
        await gate
      }
      return result
    }
  })
  return { db: slow, waiting, proceed }
}

t.test('owners take turns, however much each has to do', async t => {
  const queue = new FairQueue()
  const order: string[] = []
  const step = (name: string) => async () => { order.push(name) }
  const steps = [1, 2, 3, 4].map(async at => await queue.run('one', step(`one ${at}`)))
  steps.push(queue.run('two', step('two 1')), queue.run('two', step('two 2')))
  await Promise.all(steps)
  t.strictSame(order, ['one 1', 'one 2', 'two 1', 'one 3', 'two 2', 'one 4'])
  await t.rejects(queue.run('one', async () => { throw new Error('failed') }), /failed/)
  t.equal(await queue.run('two', async () => 'next'), 'next', 'a failed step holds up none')
})

t.test('HEAD of an export makes none', async t => {
  const service = await testService(t)
  const user = await service.user()
  await projectWith(user, [{ title: 'Exported paper' }])
  const { exports } = service.context.sharedWork
  const original = exports.run.bind(exports)
  let steps = 0
  exports.run = async (...step) => { steps++; return await original(...step) }
  t.teardown(() => { exports.run = original })
  const call = async (method: 'HEAD' | 'GET') =>
    await service.app.inject({ method, url: '/api/feed/export?format=csv', headers: { 'x-api-key': user.key } })
  const { statusCode, headers, body } = await call('HEAD')
  t.match([statusCode, headers['content-type'], body], [200, /^text\/csv/, ''])
  await setTimeout(100)
  t.equal(steps, 0)
  t.match((await call('GET')).body, /Exported paper/)
  t.ok(steps > 0)
})

t.test('a share link of a tag over all projects', async t => {
  const service = await testService(t)
  const [user, other] = [await service.user(), await service.user()]
  const tagged = async (of: typeof user, titles: string[]) => {
    const project_id = await projectWith(of, titles.map(title => ({ title, doi: `10.5555/${title}` })))
    for (const { id, paper_title } of (await feedGet.run(of.context, { project_id })).items) {
      if (!paper_title.startsWith('un')) await itemUpdate.run(of.context, { ref: id, tags: ['Group'] })
    }
    return project_id
  }
  const project_id = await tagged(user, ['first', 'both', 'untagged'])
  await tagged(user, ['second', 'both'])
  await tagged(other, ['foreign'])
  const open = async (input: object) => {
    const link = await shareLinkCreate.run(user.context, { project_id, ...input })
    const token = new URL(link.url).searchParams.get('token')!
    const { items } = await sharedFeed.run(service.context, { token })
    let references = ''
    const reader = { ...service.context, address: '192.0.2.1' }
    for await (const part of (await sharedExport.run(reader, { token, format: 'ris' })).parts) references += part
    return { link, titles: items.map(({ title }) => title).sort(), exported: [...references.matchAll(/^TI {2}- (.*?)\s*$/gm)].map(([, title]) => title).sort() }
  }
  const all = await open({ tag: 'group', all_projects: true })
  t.match(all.link, { tag: 'group', all_projects: true })
  t.strictSame(all.titles, ['both', 'first', 'second'], 'each paper once')
  t.strictSame(all.exported, all.titles)
  const one = await open({ tag: 'group' })
  t.match(one.link, { all_projects: false })
  t.strictSame(one.titles, ['both', 'first'], 'a link of one project stays so')
  await t.rejects(open({ all_projects: true }), { code: 'invalid_arguments', userMessage: /Choose a tag/ })

  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${user.context.account.id}, n, n, '[]', 'x', '{}', n from generate_series(1, 2100) n returning id
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, tags, tag_keys)
    select ${project_id}, papers.id, 0, 'related', now(), '{group}', '{group}' from papers`.execute(service.context.db)
  const token = new URL(all.link.url).searchParams.get('token')!
  const page = async (offset: number) => await sharedFeed.run(service.context, { token, offset })
  t.match(await page(1900), { items: { length: 50 }, has_more: true })
  t.match(await page(1950), { items: { length: 50 }, has_more: false }, 'the newest 2,000 papers')
  t.match(await page(10_000), { items: { length: 0 }, has_more: false })

  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${user.context.account.id}, 'm' || n, n, '[]', 'x', '{}', 'm' || n from generate_series(1, 8100) n returning id
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${project_id}, papers.id, 0, 'related', now() from papers`.execute(service.context.db)
  const { url } = await shareLinkCreate.run(user.context, { project_id })
  const ofProject = new URL(url).searchParams.get('token')!
  t.match(await sharedFeed.run(service.context, { token: ofProject, offset: 9950 }), { has_more: true })
  t.match(await sharedFeed.run(service.context, { token: ofProject, offset: 10_000 }), { items: { length: 50 }, has_more: false },
    'no link leads beyond the last page that can be asked for')
})

t.test('exports through a share link', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Shared paper' }])
  const share = async () => {
    const { url } = await shareLinkCreate.run(user.context, { project_id })
    return new URL(url).searchParams.get('token')!
  }
  const token = await share()

  await t.test('do not delay those of owners', async t => {
    const { db, waiting, proceed } = slowDatabase(service.context.db)
    const reader = { ...service.context, db, address: '192.0.2.1' }
    const shared = sharedExport.run(reader, { token }).then(async ({ parts }) => await lengthOf(parts))
    await waiting
    t.ok(await lengthOf((await feedExport.run(user.context, { project_id })).parts) > 0)
    t.ok(await lengthOf((await accountExport.run(user.context, {})).parts) > 0)
    proceed()
    t.ok(await shared > 0)
  })

  await t.test('are limited in number for each link, until they are read or left', async t => {
    const other = await share()
    let networks = 0
    const open = async (of: string, address = `192.0.2.${networks++}`) =>
      (await sharedExport.run({ ...service.context, address }, { token: of })).parts[Symbol.asyncIterator]()
    const exports = [await open(token), await open(token), await open(token), await open(token)]
    await t.rejects(open(token), { code: 'rate_limited', retryAfter: 10 })
    const others = await open(other)
    await others.return!()
    await exports[0]!.return!()
    exports.push(await open(token))
    await t.rejects(open(token), { code: 'rate_limited' })
    for (const each of exports) while ((await each.next()).done !== true);
    await (await open(token)).return!()
    async function * pieces () { for (;;) yield 'piece' }
    const { sharedLists } = service.context.sharedWork
    const download = () => ({ listId: 'slow', accountId: 'owner', network: `192.0.2.${networks++}` })
    const slow = Array.from({ length: 4 }, () => sharedLists(download(), pieces(), 20))
    t.throws(() => sharedLists(download(), pieces()), { code: 'rate_limited' })
    t.match(await slow[0]!.next(), { value: 'piece' })
    await setTimeout(40)
    await t.rejects(slow[0]!.next(), /took longer than 0.02 s/, 'or their time is over')
    await sharedLists(download(), pieces()).return!()
    const answer = await service.app.inject({ url: `/shared/export?token=${token}`, headers: { accept: 'text/html' } })
    t.equal(answer.statusCode, 200)
  })
  await t.test('are limited in number for each network and for the lists of each account', async t => {
    async function * pieces () { for (;;) yield 'piece' }
    const { sharedLists } = service.context.sharedWork
    let lists = 0
    const open = (accountId: string, network: string) => sharedLists({ listId: `${lists++}`, accountId, network }, pieces())
    const opened = ['a', 'b', 'c', 'd'].map(owner => open(owner, '192.0.2.1'))
    t.throws(() => open('e', '192.0.2.1'), { code: 'rate_limited', message: /Your network already has 4 downloads/ })
    for (let i = 2; i < 11; i++) opened.push(open('a', `192.0.2.${i}`))
    t.throws(() => open('a', '192.0.2.11'), { code: 'rate_limited' })
    opened.push(open('e', '192.0.2.11'))
    for (const each of opened) await each.return!()
    await open('a', '192.0.2.1').return!()
  })
})
