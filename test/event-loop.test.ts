import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { feedbackPreview } from '../src/operations/feed/feedback-preview.js'
import { feedGet } from '../src/operations/feed/feed-get.js'
import { feedExport } from '../src/operations/feed/feed-export.js'
import { feedSearch } from '../src/operations/feed/feed-search.js'
import { papersImport } from '../src/operations/papers/papers-import.js'
import { projectCreate } from '../src/operations/projects/project-create.js'
import { projectScore } from '../src/operations/projects/project-score.js'
import { importUndici } from '../src/http/guarded-client.js'
import { renderInWorker } from '../src/adapters/web/markdown/renderer.js'
import { newProjectPreview } from '../src/operations/projects/new-project-preview.js'
import { staysResponsive } from './support/event-loop.js'
import { openalex } from '../src/sources/openalex.js'
import { pubmed } from '../src/sources/pubmed.js'
import { projectFetch } from '../src/operations/projects/project-fetch.js'
import { testService } from './support/service.js'
import { runSearch } from './support/source-search.js'
import { work } from './support/stand-ins/openalex.js'
import type { Publication } from './support/stand-ins/papers.js'
import { article } from './support/stand-ins/pubmed.js'
import { json, standIn, xml } from './support/stand-ins/server.js'

/*
 * No request makes the main thread do long CPU work. Most of the work here takes at most 20 ms between two ticks; a batch of papers with
 * thousands of authors, as an export reads it, takes up to 40 ms.
 */

const feedOf = (items: number, item: (at: number) => string) =>
  `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>${Array.from({ length: items }, (_each, at) => `<item>${item(at)}</item>`).join('')}</channel></rss>`

t.test('previewing ten 1.8 MB journal feeds does not block the event loop', { timeout: 300_000 }, async t => {
  // As a service does before it listens.
  await importUndici()
  const feeds = {
    'entries with one title': feedOf(
      500,
      at =>
        `<title>The same title of all these papers</title><dc:creator>A B</dc:creator><description>${'word '.repeat(700)}${at}</description>`
    ),
    'entries with many names': feedOf(730, at => `<title>A ${at}</title><dc:creator>${'A B, '.repeat(490)}</dc:creator>`),
    'entries with long titles': feedOf(18, at => `<title>${'A b c '.repeat(16_000)}${at}</title>`)
  }
  for (const [name, feed] of Object.entries(feeds)) {
    const { url } = await standIn(t, () => xml(feed))
    const { context } = await (await testService(t, { PRIVATE_ORIGINS: new URL(url).origin })).user()
    const sources = Array.from({ length: 10 }, (_each, at) => ({ name: 'feed', query: `${url}/${at}` }))
    const preview = await staysResponsive(t, name, () =>
      newProjectPreview.run({ ...context, sourceTimeoutMs: 240_000 }, { interest_description: 'Base editing', sources }))
    t.ok(preview.counts.found > 0)
  }
})

t.test('fetching pages of papers with thousands of authors does not block the event loop', { timeout: 300_000 }, async t => {
  await importUndici()
  const authors = Array.from({ length: 2900 }, (_each, at): NonNullable<Publication['authors']>[number] =>
    ['Ada', `Example${at}`, { orcid: '0000-0002-1825-0097' }])
  const count = 50
  const papers = Array.from({ length: count }, (_each, at): Publication => ({
    title: `Search for decays of particle ${at}`,
    abstract: 'A search for decays is reported. '.repeat(40),
    date: '2026-11-12',
    doi: `10.5555/collaboration.${at}`,
    pmid: String(41_000_000 + at),
    openalex: `W${4_000_000 + at}`,
    authors
  }))
  const ids = { esearchresult: { count: String(papers.length), idlist: papers.map(({ pmid }) => pmid) } }
  for (const { source, page } of [
    { source: pubmed, page: `<PubmedArticleSet>${papers.map(article).join('')}</PubmedArticleSet>` },
    { source: openalex, page: JSON.stringify({ meta: { count }, results: papers.map(work) }) }
  ]) {
    const { name } = source
    const sources = [{ name, query: 'decays' }]
    const body = Buffer.from(page)
    t.ok(body.length > 20_000_000, `${body.length} bytes`)
    const { url } = await standIn(t, ({ url: { pathname } }) => pathname === '/esearch.fcgi' ? json(ids) : { body })
    const { context } = await (await testService(t, { [`${name.toUpperCase()}_URL`]: url })).user()
    const search = await staysResponsive(t, `a page of ${name}`, () => runSearch(source, context.sources.contextFor(source)))
    t.equal(search.error, undefined)
    t.equal(search.records.length, count)
    const preview = await staysResponsive(t, `a preview of ${name}`, () =>
      newProjectPreview.run({ ...context, sourceTimeoutMs: 120_000 }, { interest_description: 'Decays', sources }))
    t.equal(preview.counts.found, count)
    const fetched = await staysResponsive(t, `a fetch from ${name}`, async () => {
      const { id: project_id } = await projectCreate.run(context, { name: 'Decays', sources })
      return await projectFetch.run({ ...context, ignoreSchedule: true }, { project_id })
    })
    t.match(fetched.sources, [{ found: count }])
  }
})

t.test('learning from hundreds of votes on long texts does not block the event loop', { timeout: 600_000 }, async t => {
  const { context } = await (await testService(t)).user()
  const { id: project_id } = await projectCreate.run(context, { name: 'Votes', interest_description: 'Sleep and memory', sources: [] })
  const file = join(t.testdir(), 'papers.jsonl')
  const words = (from: number) => Array.from({ length: 4000 }, (_each, at) => `w${((from + at) * 7919 % 20_000).toString(36)}`).join(' ')
  const papers = Array.from({ length: 280 }, (_each, at) => ({
    title: `Paper ${at}`, abstract: words(at * 37).slice(0, 20_000), doi: `10.5555/long.${at}`
  }))
  writeFileSync(file, papers.map(paper => JSON.stringify(paper)).join('\n'))
  await papersImport.run(context, { project_id, files: [file] })
  await sql`update project_paper set voted_at = now(), vote = case when paper_id::text < '5' then 'upvote' else 'downvote' end
    where project_id = ${project_id} and paper_id::text < 'b'`.execute(context.db)
  const { votes } = await staysResponsive(t, 'learning', () => projectScore.run(context, { project_id }))
  t.ok(votes > 150, `${votes} votes`)
  const { items: [item] } = await feedGet.run(context, { project_id, limit: 1 })
  const preview = await staysResponsive(t, 'the preview of a vote', () =>
    feedbackPreview.run(context, { paper_id: item!.id, vote: 'star' }))
  t.ok(preview.compared > 0)
})

t.test('imports, searches, learning, exports and long pages do not block the event loop', { timeout: 300_000 }, async t => {
  const service = await testService(t)
  const { context } = await service.user()
  const { id: project_id } = await projectCreate.run(context, { name: 'Large', interest_description: 'Sleep and memory', sources: [] })
  const file = join(t.testdir(), 'papers.jsonl')
  const word = (at: number) => `${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${(at * 7919 % 5000).toString(36)}`
  const words = (from: number, count: number) => Array.from({ length: count }, (_each, at) => word(from + at * 31)).join(' ')
  const ordinary = Array.from({ length: 1500 }, (_each, at) => ({
    title: words(at, 12),
    abstract: words(at * 3, 160),
    authors: [{ name: 'Ada Example' }],
    doi: `10.5555/loop.${at}`
  }))
  const hostile = Array.from({ length: 12 }, (_each, at) => ({
    title: `${words(at, 100_000)} ${at}`,
    abstract: words(at, 200_000),
    authors: Array.from({ length: 30_000 }, (_each, author) => ({ name: `A${author} B` })),
    doi: `10.5555/hostile.${at}`,
    metadata: { keywords: Array.from({ length: 20_000 }, (_each, keyword) => `keyword ${keyword}`) }
  }))
  writeFileSync(file, [...ordinary, ...hostile].map(record => JSON.stringify(record)).join('\n'))
  const imported = await staysResponsive(t, 'import', () => papersImport.run(context, { project_id, files: [file] }))
  t.match(imported, { created: 1512, rejected: { length: 0 } })
  await staysResponsive(t, 'searches', async () => {
    for (const q of [
      'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9',
      'a aa ab ac ad ae af ag ah ai aj ak al am an',
      'memory of sleep'
    ]) {
      await feedSearch.run(context, { project_id, q, limit: 100 })
    }
  })
  await staysResponsive(t, 'scoring', () => projectScore.run(context, { project_id }))
  for (const format of ['bibtex', 'ris']) {
    await staysResponsive(t, `export as ${format}`, async () => {
      let length = 0
      for await (const part of (await feedExport.run(context, { project_id, format })).parts) length += part.length
      t.ok(length > 1500 * 1000)
    })
  }
  await staysResponsive(t, 'a full text of 2 MB', () =>
    renderInWorker(`# A title\n\n${'Some *words* of a $x^2$ paragraph.\n\n'.repeat(57_000)}`, 'A title', { timeoutMs: 20_000 }),
  { again: 'never' })
  // A service generates it before it listens.
  await service.app.ready()
  const openapi = async () => await service.app.inject('/api/openapi.json')
  t.equal((await staysResponsive(t, 'OpenAPI', openapi, { again: 'never' })).statusCode, 200)
})
