import t from 'tap'
import { sql } from 'kysely'
import { searchStorage } from '../../db/queries/search-storage.js'
import { minuteMs } from '../../schemas/durations.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { projectWith, testService } from '../support/service.js'
import { readFilters } from '../../src/search/filters.js'
import { searchFeed, searchWholeFeed } from '../../src/search/search.js'
import type { SearchStorage } from '../../src/search/storage.js'

const feed = { accountId: 'account', projectId: 'project' }
/** A feed in which this many items are in every group. */
const storageOf = (count: number) => ({
  listNumbers: async (_feed: unknown, _group: unknown, limit: number) =>
    count > limit ? undefined : Uint32Array.from({ length: count }, (_each, at) => at)
}) as unknown as SearchStorage

t.test('lists a small group, and filters results by a large one', async t => {
  const asOf = new Date()
  for (const seen of [true, false]) {
    const filter = { seen, must_read: true, feedback: 'unrated', asOf } as const
    const { filters, unlisted } = await readFilters(storageOf(2000), feed, filter, 2000)
    t.match(filters, [{ keep: false }, { keep: seen }, { keep: true }])
    t.strictSame(unlisted, [])
    const large = await readFilters(storageOf(2001), feed, filter, 2000)
    t.strictSame(large, {
      filters: [],
      unlisted: [
        { group: 'rated', keep: false, asOf },
        { group: 'seen', keep: seen, asOf: seen ? undefined : asOf },
        { group: 'must_read', keep: true }
      ]
    })
  }
})

t.test('the lists of all groups are arrays of bytes, which neither the event loop nor a message to a thread takes apart', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, Array.from({ length: 300 }, (_each, at) => ({ title: `Sleep ${at}` })))
  const scope = { accountId: owner.context.account.id, projectId }
  await db.updateTable('project_paper')
    .set({ vote: 'upvote', voted_at: new Date(), saved: true, tags: ['sleep'], tag_keys: ['sleep'], links: 1, seen_at: new Date() })
    .execute()
  await feedSearch.run(owner.context, { project_id: projectId, q: 'sleep' })
  const expected = (await db.selectFrom('search_document').select('number').orderBy('number').execute()).map(({ number }) => number)
  t.equal(expected.length, 300)
  const filters = [
    { feedback: 'liked' },
    { feedback: 'unrated' },
    { saved: true },
    { tagKey: 'sleep' },
    { link: 'followed' },
    { seen: true }
  ] as const
  for (const filter of filters) {
    const { filters: [list] } = await readFilters(searchStorage(db), scope, filter, 300)
    t.type(list!.numbers, Uint32Array, JSON.stringify(filter))
    t.strictSame([...list!.numbers].sort((a, b) => a - b), expected)
  }
  const stranger = (await user()).context.account.id
  const { filters: [none] } = await readFilters(searchStorage(db), { ...scope, accountId: stranger }, { saved: true }, 300)
  t.equal(none!.numbers.length, 0)
  t.equal((await readFilters(searchStorage(db), scope, { feedback: 'starred' }, 300)).filters[0]!.numbers.length, 0)
  t.equal((await readFilters(searchStorage(db), scope, { must_read: true }, 300)).filters[0]!.numbers.length, 0)
})

t.test('a search of a whole feed makes ids when they are read, and filters thousands of items per statement', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const { context } = owner
  const projectId = await projectWith(owner, [], { sources: [] })
  const [full, partial] = [2100, 2050]
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${context.account.id}, 'paper', case when n <= ${full}::integer then 'Sleep memory ' else 'Sleep ' end || n,
        '[]', 'json-lines', '{}', n::text
      from generate_series(1, ${full + partial}::integer) n returning id, title_key
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${projectId}, id, 0.5, 'related', timestamptz '2026-01-01' + title_key::integer * interval '1 minute' from papers`.execute(db)
  const scope = { accountId: context.account.id, projectId }
  const filtered: number[] = []
  const storage = searchStorage(db)
  const counted: SearchStorage = {
    ...storage,
    async filterItems (feed, ids, filter) {
      filtered.push(ids.length)
      return await storage.filterItems(feed, ids, filter)
    }
  }
  const search = async (query: object) => await searchWholeFeed(counted, scope, { terms: ['sleep', 'memory'], ...query })
  const all = (await search({}))!
  t.equal(all.length, full)
  const paged = async (query: object, limit: number) =>
    (await searchFeed(storage, scope, { terms: ['sleep', 'memory'], ...query }, { limit, offset: 0 }))!.items.map(({ id }) => id)
  t.strictSame([...all.slice(0, 3), ...all.slice(3)], await paged({}, full))
  t.strictSame(all.slice(full - 1, full + 10), (await paged({}, full)).slice(-1), 'none with some of the terms')
  t.strictSame(filtered, [], 'the index alone answers')

  const since = { since: new Date('2026-01-01') }
  t.strictSame((await search(since))!.slice(), await paged(since, full))
  t.strictSame(filtered, [2000, 100])
  const late = { since: new Date(Date.parse('2026-01-01') + full * minuteMs + 1) }
  const rest = (await search(late))!
  t.equal(rest.length, partial)
  t.strictSame(rest.slice(), await paged(late, partial), 'those with some of the terms if none has all')
  t.strictSame(filtered.slice(2), [2000, 100, 2000, 50])
  t.equal((await search({ since: new Date('2030-01-01') }))!.length, 0)
  t.equal((await searchWholeFeed(storage, scope, { terms: ['kangaroo'] }))!.length, 0)
  t.equal((await searchWholeFeed(storage, scope, { terms: ['kangaroo', 'memory'] }))!.length, full, 'none has all')
  t.equal(await searchWholeFeed(storage, { ...scope, projectId: scope.accountId }, { terms: ['sleep'] }), undefined)
})

t.test('a search in a large group finds all of its items, also where few of the best matches are in it', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, [], { sources: [] })
  // The worst 2,010 matches are in the groups.
  await sql`
    with papers as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${owner.context.account.id}, 'paper', case when n <= 6000 then 'Sleep' else repeat('Other ', 9) || 'sleep' end || ' ' || n,
        '[]', 'json-lines', '{}', n::text
      from generate_series(1, 8010) n returning id, title_key
    )
    insert into project_paper
      (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at, seen_at, saved, tags, tag_keys, links)
    select ${projectId}, id, 0.5, 'related', timestamptz '2026-01-01' + title_key::integer * interval '1 minute',
      case when title_key::integer > 6000 then 'upvote' end, case when title_key::integer > 6000 then now() end,
      case when title_key::integer > 6000 then now() end, title_key::integer > 6000,
      case when title_key::integer > 6000 then '{sleep}'::text[] else '{}' end,
      case when title_key::integer > 6000 then '{sleep}'::text[] else '{}' end, case when title_key::integer > 6000 then 1 else 0 end
    from papers`.execute(db)
  const scope = { accountId: owner.context.account.id, projectId }
  const lists: number[] = []
  const storage: SearchStorage = {
    ...searchStorage(db),
    async listNumbers (feed, group, limit) {
      const numbers = await searchStorage(db).listNumbers(feed, group, limit)
      lists.push(numbers?.length ?? NaN)
      return numbers
    }
  }
  const search = async (query: object) =>
    await searchFeed(storage, scope, { terms: ['sleep'], ...query }, { limit: 2000, offset: 0 })
  const isInGroup = async ({ items }: { items: Array<{ id: string }> }) => {
    const rows = await db.selectFrom('project_paper').select('vote').where('id', 'in', items.map(({ id }) => id)).execute()
    return rows.every(({ vote }) => vote !== null)
  }
  for (const filter of [{ feedback: 'liked' }, { seen: true }, { saved: true }, { tagKey: 'sleep' }, { link: 'followed' }]) {
    const found = (await search(filter))!
    t.strictSame([found.items.length, found.hasMore, await isInGroup(found)], [2000, true, true], JSON.stringify(filter))
    t.strictSame(lists.splice(0), [NaN, 2010], 'listed only after the best matches did not fill the page')
  }
  const unrated = (await search({ feedback: 'unrated' }))!
  t.strictSame([unrated.items.length, await isInGroup(unrated)], [2000, false])
  t.strictSame(lists, [NaN])
})

t.test('results are filtered by whether they were seen, also by an earlier time', async t => {
  const { context: { db }, user } = await testService(t)
  const owner = await user()
  const projectId = await projectWith(owner, ['Early', 'Late', 'Never'].map(title => ({ title })))
  const { items } = await feedGet.run(owner.context, { project_id: projectId })
  const idOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.id
  for (const [title, seen_at] of [['Early', new Date('2026-11-01')], ['Late', new Date('2026-11-03')]] as const) {
    await db.updateTable('project_paper').set({ seen_at }).where('id', '=', idOf(title)).execute()
  }
  const passing = async (filter: object) => {
    const ids = await searchStorage(db).filterItems({ accountId: owner.context.account.id, projectId }, items.map(({ id }) => id), filter)
    return items.filter(({ id }) => ids.includes(id)).map(({ paper_title }) => paper_title).sort()
  }
  const seen = (keep: boolean, asOf?: Date) => ({ groups: [{ group: 'seen', keep, asOf }] })
  t.strictSame(await passing(seen(true)), ['Early', 'Late'])
  t.strictSame(await passing(seen(false)), ['Never'])
  t.strictSame(await passing(seen(false, new Date('2026-11-02'))), ['Late', 'Never'])
})
