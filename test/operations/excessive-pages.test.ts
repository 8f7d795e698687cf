import t from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { buildApp } from '../../src/app.js'
import { openMetrics } from '../../src/observability/metrics.js'
import { atomFeed } from '../../src/operations/feed/atom-feed.js'
import { feedAtomUrl } from '../../src/operations/feed/feed-atom-url.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedsPage } from '../../src/operations/feed/feeds-page.js'
import { search } from '../../src/operations/papers/search.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { sharedFeed } from '../../src/operations/sharing/shared-feed.js'
import { findTitledItem, findTitledPapers } from '../../src/papers/titled-items.js'
import { recordAnswers } from '../support/answers.js'
import { projectWith, testService, type TestService } from '../support/service.js'

const paperCount = 80
const authorCount = 300

/** A feed with records of about 190,000 characters each, all starred. */
async function feedOfLargeRecords (service: TestService) {
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Collaborations', sources: [] })
  await sql`
    with authors as materialized (
      select jsonb_agg(jsonb_build_object('name', 'Author ' || place)) as list from generate_series(1, ${authorCount}::integer) place
    ), added as (
      insert into paper (account_id, slug, title, abstract, authors, source_name, metadata, title_key)
      select ${account.id}, 'large', 'Paper ' || n, repeat('word ', 400), authors.list,
        'json-lines', jsonb_build_object('note', repeat('x', 180000)), n::text
      from generate_series(1, ${paperCount}::integer) n, authors returning id, title_key::integer as place
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at)
    select ${project_id}, id, 1 - place / 1e6, 'related', timestamptz '2026-01-01' - place * interval '1 hour', 'star', now()
    from added`.execute(db)
  // Indexes the feed.
  await feedSearch.run(user.context, { project_id, q: 'paper' })
  return { user, project_id }
}

const service = await testService(t)
const { user, project_id } = await feedOfLargeRecords(service)
const { context } = user
const inContext = (recorded: Db) => ({ ...context, db: recorded, sharedDb: recorded })

/** Characters that statements return to work on a recorded database. */
async function charactersRead <T> (work: (recorded: Db) => Promise<T>): Promise<{ characters: number, result: T }> {
  const { answers, result } = await recordAnswers(context.db, work)
  return { characters: answers.reduce((sum, { characters }) => sum + characters, 0), result }
}

t.test('a page that no response can hold is read only until that shows, over MCP and REST', async t => {
  let recorded = context.db
  const app = await buildApp({
    context: { ...service.context, dbFor: () => recorded, metrics: openMetrics() },
    settings: service.settings,
    logStream: { write () {} }
  })
  t.teardown(async () => { await app.close() })
  const headers = { 'x-api-key': user.key }
  const callTool = async (name: string, args: object) => {
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    return (await app.inject({ method: 'POST', url: '/api/mcp', headers, payload })).json().result.content[0].text as string
  }
  const get = async (url: string) => {
    const { statusCode, json } = await app.inject({ url, headers })
    t.equal(statusCode, 400, url)
    return `${json().code}: ${json().detail}`
  }
  const feed = `/api/projects/${project_id}/feed`
  const [mcp, rest] = [6_500_000, 11_000_000]
  const requests: Record<string, [number, () => Promise<string>]> = {
    feed_get: [mcp, () => callTool('feed_get', { project_id, limit: 100 })],
    feed_search: [mcp, () => callTool('feed_search', { project_id, q: 'paper', limit: 100 })],
    feed_brief: [mcp, () => callTool('feed_brief', { limit: 100, detail: 'full' })],
    'a feed over REST': [rest, () => get(`${feed}?limit=100`)],
    'a search over REST': [rest, () => get(`${feed}/search?q=paper&limit=100`)],
    'feedback over REST': [rest, () => get(`/api/projects/${project_id}/feedback?limit=100`)],
    'all feeds over REST': [rest, () => get('/api/feed?limit=100')]
  }
  for (const [name, [most, request]] of Object.entries(requests)) {
    const { characters, result } = await charactersRead(async database => {
      recorded = database
      return await request()
    })
    t.match(result, /^result_too_large: .*Reduce limit/, name)
    t.ok(characters < most, `${name}: ${characters} characters`)
  }
  recorded = context.db
  const fitting = await app.inject({ url: `${feed}?limit=40`, headers })
  t.equal(fitting.statusCode, 200)
  t.equal(fitting.json().items.length, 40)
  t.ok(fitting.payload.length > 7_000_000, `${fitting.payload.length} characters fit`)
})

t.test('lists that show little of large records read little of them', async t => {
  const atom = new URL((await feedAtomUrl.run(context, { project_id })).url)
  const shared = new URL((await shareLinkCreate.run(context, { project_id })).url)
  const readers: Record<string, (recorded: Db) => Promise<unknown[]>> = {
    'brief items': async db => (await feedGet.run(inContext(db), { project_id, limit: 100, detail: 'brief' })).items,
    'brief matches': async db => (await feedSearch.run(inContext(db), { project_id, q: 'paper', limit: 100, detail: 'brief' })).items,
    'a brief': async db => (await feedBrief.run(inContext(db), { limit: 100 })).items,
    'all feeds': async db => (await feedsPage.run(inContext(db), { limit: 40 })).items,
    'an Atom feed': async db => (await atomFeed.run(inContext(db), { project_id, token: atom.searchParams.get('token')! })).items,
    'a share link': async db => (await sharedFeed.run(inContext(db), { token: shared.searchParams.get('token')! })).items,
    'a search of all projects': async db => (await search.run(inContext(db), { query: 'paper' })).results,
    'the completion of a title': async db => await findTitledPapers(inContext(db), 'pap')
  }
  for (const [name, read] of Object.entries(readers)) {
    const { characters, result } = await charactersRead(read)
    t.ok(result.length >= 20, name)
    t.ok(characters < 1_000_000, `${name}: ${characters} characters`)
  }
  const { characters, result } = await charactersRead(async db => await findTitledItem(inContext(db), project_id, 'Paper 7'))
  t.match(result, { title: 'Paper 7', authors: { length: authorCount } })
  t.ok(characters < 1_000_000, `a titled paper: ${characters} characters`)
  const [brief] = (await feedGet.run(context, { project_id, limit: 1, detail: 'brief' })).items
  t.match(brief!.paper.authors, [{ name: 'Author 1' }, { name: 'Author 2' }, { name: 'Author 3' }, { name: 'et al.' }])
  const [row] = (await feedsPage.run(context, { limit: 1 })).items
  t.match(row, { paper_title: 'Paper 1', author_count: authorCount, project_id, project_name: 'Collaborations' })
  const [paper] = (await sharedFeed.run(context, { token: shared.searchParams.get('token')! })).items
  t.match(paper, { author_count: authorCount, authors: { length: 100 } })
})
