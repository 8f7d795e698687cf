import t from 'tap'
import { setTimeZone } from '../../db/queries/accounts.js'
import { dayAt } from '../../src/papers/time-zones.js'
import { feedNeighbors } from '../../src/operations/feed/feed-neighbors.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackClear } from '../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedSeen } from '../../src/operations/feed/feed-seen.js'
import { addPapers, projectWith, testService } from '../support/service.js'

t.test('a page of a feed', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(
    user,
    Array.from({ length: 25 }, (_, at) => ({
      title: `Paper ${at}`,
      authors: Array.from({ length: 5 }, (_, of) => ({ name: `Author ${of}` })),
      venue_name: 'A journal',
      published_date: '2026-01-02'
    }))
  )
  const all = async (input: object) => {
    const seen: string[] = []
    const first = await feedPage.run(context, { project_id, limit: 7, ...input })
    for (
      let page = first;
      ;
      page = await feedPage.run(context, { project_id, limit: 7, ...input, as_of: first.as_of, offset: page.offset + 7 })
    ) {
      seen.push(...page.items.map(({ id }) => id))
      if (!page.has_more) return { seen, first }
    }
  }

  await t.test('returns list items and the total', async t => {
    const { items: [item], total, has_more, project } = await feedPage.run(context, { project_id, limit: 1 })
    t.match(item, {
      paper_title: /^Paper/,
      authors: ['Author 0', 'Author 1', 'Author 2'],
      author_count: 5,
      venue_name: 'A journal',
      source_name: 'json-lines',
      published_date: '2026-01-02',
      must_read: false,
      feedback: null
    })
    t.strictSame([total, has_more, project.name], [25, true, 'A project'])
  })

  await t.test('pages through the whole feed, every item once', async t => {
    const { seen } = await all({})
    t.equal(seen.length, 25)
    t.equal(new Set(seen).size, 25)
  })

  await t.test('keeps pages stable while items are rated', async t => {
    const first = await feedPage.run(context, { project_id, feedback_filter: 'unrated', limit: 10 })
    t.equal(first.total, 25)
    for (const { id } of first.items.slice(0, 6)) await feedbackSet.run(context, { paper_id: id, vote: 'upvote' })
    const again = await feedPage.run(context, { project_id, feedback_filter: 'unrated', limit: 10, as_of: first.as_of })
    t.strictSame(again.items.map(({ id }) => id), first.items.map(({ id }) => id), 'the page that is being rated keeps its rows')
    t.equal(again.items[0]!.feedback?.vote, 'upvote')
    const { seen } = await all({ feedback_filter: 'unrated', as_of: first.as_of })
    t.equal(new Set(seen).size, 25, 'the next pages miss none')
    const anew = await feedPage.run(context, { project_id, feedback_filter: 'unrated', limit: 10 })
    t.equal(anew.total, 19, 'a new look has only what is unrated')
    for (const { id } of first.items.slice(0, 6)) await feedbackClear.run(context, { paper_id: id })
  })

  await t.test('keeps pages stable while items are added', async t => {
    const first = await feedPage.run(context, { project_id, limit: 10 })
    await addPapers(context, project_id, [{ title: 'A late paper' }])
    const second = await feedPage.run(context, { project_id, limit: 10, offset: 10, as_of: first.as_of })
    t.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, 20)
    t.equal(second.total, 25)
    t.equal((await feedPage.run(context, { project_id, sort: 'newest' })).items[0]!.paper_title, 'A late paper')
  })

  await t.test('keeps pages of a search stable while items are added', async t => {
    const searched = await projectWith(user, Array.from({ length: 25 }, (_, at) => ({ title: `Replay of sleep ${at}` })))
    for (const q of ['sleep', 'replay of sleep']) {
      const first = await feedPage.run(context, { project_id: searched, q, limit: 10 })
      await addPapers(context, searched, Array.from({ length: 3 }, (_, at) => ({ title: `Replay of sleep, ${q} ${at}` })))
      const ids = first.items.map(({ id }) => id)
      for (const offset of [10, 20]) {
        const { items } = await feedPage.run(context, { project_id: searched, q, limit: 10, offset, as_of: first.as_of })
        ids.push(...items.map(({ id }) => id))
      }
      t.equal(new Set(ids).size, ids.length, q)
      t.ok(first.items.every(({ id }) => ids.includes(id)))
      t.equal(ids.length, q === 'sleep' ? 25 : 28, 'none of the later items')
    }
    t.equal((await feedPage.run(context, { project_id: searched, q: 'sleep', limit: 100 })).items.length, 31)
  })

  await t.test('has no neighbors of other papers in a search for an identifier', async t => {
    const listed = await projectWith(user, [
      { title: 'Identified', external_ids: { pmid: '990000777' } }, { title: 'A cohort of 990000777 cells' }
    ])
    const q = '990000777'
    const { items } = await feedPage.run(context, { project_id: listed, q })
    t.strictSame(items.map(({ paper_title }) => paper_title), ['Identified'])
    for (const more of [{}, { all_projects: true }]) {
      t.strictSame(await feedNeighbors.run(context, { item_id: items[0]!.id, q, ...more }), { previous: [], next: [] })
    }
  })

  await t.test('filters like feed_search', async t => {
    const { items } = await feedPage.run(context, { project_id, limit: 4 })
    const votes = [
      { vote: 'upvote' },
      { vote: 'star' },
      { vote: 'downvote', downvote_reason: 'not_relevant' },
      { vote: 'downvote', downvote_reason: 'low_quality' }
    ] as const
    for (const [at, vote] of votes.entries()) await feedbackSet.run(context, { paper_id: items[at]!.id, ...vote })
    for (const feedback_filter of ['all', 'unrated', 'liked', 'disliked', 'starred', 'not-relevant', 'low-quality'] as const) {
      const listed = await feedPage.run(context, { project_id, feedback_filter, limit: 100 })
      const found = await feedSearch.run(context, { project_id, feedback_filter, q: 'paper', limit: 100 })
      t.strictSame(listed.items.map(({ id }) => id).sort(), found.items.map(({ id }) => id).sort(), feedback_filter)
      t.equal(listed.total, listed.items.length)
      const searched = await feedPage.run(context, { project_id, feedback_filter, q: 'paper', limit: 100 })
      t.strictSame(searched.items.map(({ id }) => id), found.items.map(({ id }) => id), `${feedback_filter}, searched`)
      t.strictSame([searched.total, searched.query], [null, 'paper'])
    }
    t.equal((await feedPage.run(context, { project_id, must_read: true })).total, 0)
  })

  await t.test('names the neighbors of each item, in every order and filter', async t => {
    const listed = await projectWith(user, Array.from({ length: 24 }, (_, at) => ({
      title: `Neighbor ${at}`,
      authors: [{ name: at % 4 === 0 ? 'Ada Lovelace' : 'Bo Li' }],
      published_date: at % 5 === 0 ? null : `2026-01-${String(10 + at % 7)}`
    })))
    const { items } = await feedPage.run(context, { project_id: listed, limit: 100 })
    for (const [at, { id }] of items.entries()) {
      await context.db.updateTable('project_paper').where('id', '=', id).set({
        relevance_score: (at % 6) / 7,
        ready_at: new Date(Date.UTC(2026, 1, 1 + at % 3, at % 4, 0, 0, at % 2))
      }).execute()
      if (at % 3 === 0) await feedbackSet.run(context, { paper_id: id, vote: 'upvote' })
    }
    const check = async (name: string, ids: readonly string[], input: object) => {
      t.ok(ids.length > 3, name)
      for (const [at, item_id] of ids.entries()) {
        const { previous, next } = await feedNeighbors.run(context, { item_id, ...input })
        t.strictSame(next, ids.slice(at + 1, at + 21), `after ${at}, ${name}`)
        t.strictSame(previous, ids.slice(Math.max(0, at - 20), at).reverse(), `before ${at}, ${name}`)
      }
    }
    const idsOf = ({ items }: { items: ReadonlyArray<{ id: string }> }) => items.map(({ id }) => id)
    for (const sort of ['day', 'best', 'newest', 'published'] as const) {
      const inProject = async (filter: object) => idsOf(await feedPage.run(context, { project_id: listed, limit: 100, sort, ...filter }))
      for (const filter of [{}, { feedback_filter: 'unrated' }, { feedback_filter: 'liked' }, { min_score: 0.2, since: '2026-02-02' }]) {
        await check(`${sort} ${JSON.stringify(filter)}`, await inProject(filter), { sort, ...filter })
      }
      for (const filter of [{}, { author: 'lovelace' }, { year_from: 2026 }]) {
        const ids = idsOf(await feedsGet.run(context, { limit: 100, sort, ...filter }))
        await check(`all projects, ${sort} ${JSON.stringify(filter)}`, ids, { all_projects: true, sort, ...filter })
      }
    }
    // Hours 0 and 1 of UTC belong to the day before.
    await setTimeZone(context.db, context.account.id, 'America/Noronha')
    const stored = await context.db.selectFrom('project_paper').select(['id', 'ready_at', 'relevance_score', 'seen_at'])
      .where('project_id', '=', listed).execute()
    const byDay = stored
      .map(({ id, ready_at, relevance_score }) => ({ id, relevance_score, day: dayAt(ready_at, 'America/Noronha') }))
      .sort((a, b) => b.day.localeCompare(a.day) || b.relevance_score - a.relevance_score || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    t.not(byDay.join(), idsOf(await feedPage.run(context, { project_id: listed, limit: 100, sort: 'newest' })).join())
    for (const limit of [4, 7, 100]) {
      const pages: string[] = []
      for (let offset = 0; offset < 35; offset += limit) {
        pages.push(...idsOf(await feedPage.run(context, { project_id: listed, limit, offset })))
      }
      t.strictSame(pages, byDay, `by the days of the account, ${limit} a page`)
    }
    const filters = [{}, { feedback_filter: 'unrated' }, { feedback_filter: 'liked' }, { min_score: 0.2, since: '2026-02-02' }] as const
    for (const filter of filters) {
      const ids = idsOf(await feedPage.run(context, { project_id: listed, limit: 100, ...filter }))
      await check(`days of the account ${JSON.stringify(filter)}`, ids, filter)
    }
    for (const filter of [{}, { author: 'lovelace' }]) {
      const ids = idsOf(await feedsGet.run(context, { limit: 100, ...filter }))
      await check(`days of the account, all projects ${JSON.stringify(filter)}`, ids, { all_projects: true, ...filter })
      const pages: string[] = []
      for (const offset of [0, 6]) pages.push(...idsOf(await feedsGet.run(context, { limit: 6, offset, ...filter })))
      t.strictSame(pages, ids.slice(0, 12))
    }
    const { changed } = await feedSeen.run(context, { project_id: listed, day: '2026-02-01' })
    const isOfDay = ({ ready_at }: { ready_at: Date }) => dayAt(ready_at, 'America/Noronha') === '2026-02-01'
    t.ok(stored.some(item => isOfDay(item) && item.ready_at.getUTCDate() === 2))
    t.equal(changed, stored.filter(item => isOfDay(item) && item.seen_at === null).length)
    await setTimeZone(context.db, context.account.id, 'UTC')
    await check('search', idsOf(await feedPage.run(context, { project_id: listed, q: 'neighbor', limit: 100 })), { q: 'neighbor' })
    await check('search of all', idsOf(await feedsGet.run(context, { q: 'neighbor', limit: 100 })), { q: 'neighbor', all_projects: true })
    const none = { previous: [], next: [] }
    t.strictSame(await feedNeighbors.run((await service.user()).context, { item_id: items[1]!.id }), none, 'not for another account')
  })

  await t.test('rejects the same arguments as feed_search and hides other accounts', async t => {
    await t.rejects(feedPage.run(context, { project_id, q: 'ab' }), { code: 'invalid_arguments' })
    await t.rejects(feedPage.run((await service.user()).context, { project_id }), { code: 'project_not_found' })
  })

  await t.test('rejects an invalid as_of that matches the schema', async t => {
    const refused = { code: 'invalid_arguments', message: /^as_of is .*RFC 3339/ }
    for (const as_of of ['2026-11-20T08:00:00+05', '2026-11-20T08:00:00+0500', '2026-11-20\u00a008:00:00Z']) {
      for (const q of [{}, { q: 'paper' }]) await t.rejects(feedPage.run(context, { project_id, as_of, ...q }), refused, as_of)
    }
    for (const as_of of [
      '0000-01-01T00:00:00+23:59',
      '2026-11-20t08:00:00z',
      '2026-11-20 08:00:00.123456789+05:30',
      '9999-12-31T23:59:59-23:59'
    ]) {
      for (const q of [{}, { q: 'paper' }]) t.equal((await feedPage.run(context, { project_id, as_of, limit: 1, ...q })).as_of, as_of)
    }
  })
})
