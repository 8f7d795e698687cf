import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { arxiv } from '../../src/sources/arxiv.js'
import { biorxiv } from '../../src/sources/biorxiv.js'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { readJson } from '../../src/sources/requests/read-answer.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { runSearch, sourceContext } from '../support/source-search.js'

const papers = Array.from({ length: 20 }, (_each, at): Publication => ({
  title: `Editing paper ${at}`,
  abstract: 'On editing α & β cells. '.repeat(800),
  date: '2026-11-10',
  doi: `10.1000/large.${at}`,
  arxiv: `2611.${String(at).padStart(5, '0')}`,
  pmid: String(42_000_000 + at),
  openalex: `W${5_000_000 + at}`,
  authors: Array.from({ length: 300 }, (_author, author) => ['Ada', `Example${author}`, { orcid: '0000-0002-1825-0097' }])
}))

/** Counts the messages to threads. */
function countMessages (t: Test): () => number {
  let count = 0
  const { postMessage } = Worker.prototype
  t.teardown(() => { Worker.prototype.postMessage = postMessage })
  Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<typeof postMessage>) {
    count++
    return postMessage.apply(this, message)
  }
  return () => count
}

t.test('a large answer has the same records as small ones, and is parsed in a thread', { timeout: 300_000 }, async t => {
  const messages = countMessages(t)
  for (const [source, standIn] of [
    [arxiv, arxivStandIn],
    [biorxiv, biorxivStandIn],
    [crossref, crossrefStandIn],
    [europepmc, europepmcStandIn],
    [openalex, openalexStandIn],
    [pubmed, pubmedStandIn]
  ] as const) {
    const isPreprint = source === biorxiv
    const search = async (published: readonly Publication[]) => {
      const { url } = await standIn(t, published.map(paper => ({ ...paper, preprint: isPreprint })))
      const { records, error } = await runSearch(source, sourceContext(source, url), { query: 'editing' })
      t.equal(error, undefined, source.name)
      return records
    }
    const before = messages()
    const alone = []
    for (const paper of papers) alone.push(...await search([paper]))
    t.equal(messages(), before, `${source.name}: small answers`)
    t.equal(alone.length, papers.length, source.name)
    t.same(await search(papers), alone, source.name)
    t.ok(messages() > before, `${source.name}: a large answer`)
  }
})

t.test('a large answer', async t => {
  const answer = (text: string) => ({ status: 200, headers: new Headers(), url: '', bytes: Buffer.from(text) })
  const read = (text: string, signal?: AbortSignal) => readJson(answer(text), 'Crossref', ['message', 'items'], { account: 'one', signal })
  const item = { title: 'x'.repeat(1000) }
  const list = (items: unknown[]) => JSON.stringify({ status: 'ok', message: { items, next: 'cursor' } })

  await t.test('is returned as it is', async t => {
    const items = [...Array.from({ length: 1000 }, () => item), null, 'a text', [1]]
    t.strictSame(await read(list(items)), { status: 'ok', message: { items, next: 'cursor' } })
    const withoutList = { status: 'x'.repeat(300_000), message: { items: 'none' } }
    t.strictSame(await read(JSON.stringify(withoutList)), withoutList)
  })

  await t.test('loses an item that is too long', async t => {
    t.strictSame(await read(list([item, { title: 'x'.repeat(9_000_000) }, item])), {
      status: 'ok', message: { items: [item, {}, item], next: 'cursor' }
    })
  })

  await t.test('that is no JSON object is quoted in the log only', async t => {
    for (const text of [`<p>Maintenance</p>${' '.repeat(300_000)}`, JSON.stringify('x'.repeat(300_000))]) {
      await t.rejects(read(text), { fault: 'wrong_answer', message: 'Crossref sent something other than its JSON.' })
    }
    const { detail } = await read(`<p>Maintenance</p>${' '.repeat(300_000)}`).catch(error => error)
    t.equal(detail, 'Maintenance', 'only in the log')
  })

  await t.test('is not parsed further after an abort', async t => {
    await t.rejects(read(list(Array(1000).fill(item)), AbortSignal.abort(new Error('cancelled'))), { message: 'cancelled' })
  })

  await t.test('is refused while too many others wait', async t => {
    const text = list(Array(300).fill(item))
    const outcomes = await Promise.allSettled(Array.from({ length: 205 }, () => read(text)))
    const refused = outcomes.flatMap(outcome => outcome.status === 'rejected' ? [outcome.reason as unknown] : [])
    t.match(refused, [{ fault: 'unavailable', message: /was not parsed, because too many others are waiting/ }])
    t.ok(refused.length < 10)
  })
})
