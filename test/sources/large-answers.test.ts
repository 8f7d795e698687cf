import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { arxiv } from '../../src/sources/arxiv.js'
import { biorxiv } from '../../src/sources/biorxiv.js'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { readItems } from '../../src/sources/requests/read-answer.js'
import type { Source } from '../../src/sources/source.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { runSearch, sourceContext } from '../support/source-search.js'
import { staysResponsive } from '../support/event-loop.js'

const papers = Array.from({ length: 20 }, (_each, at): Publication => ({
  title: `Editing paper ${at}`,
  abstract: 'On editing α & β cells. '.repeat(200),
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

/** What a hostile deposit may put into one paper, and the longest author lists of real ones. */
const oversized: Array<[string, Source, (paper: object) => object, object]> = [
  ['Crossref\'s abstract', crossref, works => ({ message: { items: [works] } }), {
    DOI: '10.1000/one', title: ['Editing'], abstract: '<jats:p>é&amp;'.repeat(500_000)
  }],
  ['Europe PMC\'s abstract', europepmc, result => ({ resultList: { result: [result] } }), {
    title: 'Editing', abstractText: '<h4>é</h4> a &lt; '.repeat(300_000)
  }],
  ['OpenAlex\'s authors', openalex, work => ({ results: [work], meta: {} }), {
    id: 'https://openalex.org/W1',
    display_name: 'Editing',
    authorships: Array.from({ length: 60_000 }, (_each, at) => ({
      author: { display_name: `Aé ${at}`, orcid: '0000-0002-1825-0097' }, institutions: [{ ror: 'https://ror.org/03vek6s52' }]
    }))
  }],
  ['bioRxiv\'s authors', biorxiv, paper => ({ messages: [{ status: 'ok', total: 1 }], collection: [paper] }), {
    title: 'Editing', doi: '10.1101/2026.11.10.000001', authors: 'Aé, B.; '.repeat(600_000)
  }]
]

t.test('a paper of megabytes is parsed off the event loop', { timeout: 300_000 }, async t => {
  for (const [name, source, answer, paper] of oversized) {
    const search = async (json: string) => {
      const context = { ...sourceContext(source, 'http://127.0.0.1'), fetch: async () => response(json) }
      return await runSearch(source, context, { from: '2026-11-10', to: '2026-11-10' })
    }
    // Compiles the code, and starts the thread.
    await search(JSON.stringify({ ...answer({ ...paper, abstract: '', abstractText: '', authors: '', authorships: [] }) }))
    const json = JSON.stringify(answer(paper))
    t.ok(json.length > 4_000_000, name)
    const { records: [record] } = await staysResponsive(t, name, () => search(json))
    t.match(record, { title: 'Editing', metadata: { truncated: [/abstract|authors/] } }, name)
  }
})

t.test('all authors of a large collaboration are kept', async t => {
  const authors = Array.from({ length: 5500 }, (_each, at) => `Example${at}, A.`).join('; ')
  const json = JSON.stringify({
    messages: [{ status: 'ok', total: 1 }],
    collection: [{ title: 'Editing', doi: '10.1101/2026.11.10.000001', authors }]
  })
  const context = { ...sourceContext(biorxiv, 'http://127.0.0.1'), fetch: async () => response(json) }
  const { records: [record] } = await runSearch(biorxiv, context, { from: '2026-11-10', to: '2026-11-10' })
  t.equal(record!.authors.length, 5500)
  t.equal(record!.metadata.truncated, undefined)
})

/** A response whose bytes may move to a thread. */
function response (text: string) {
  const { buffer } = new TextEncoder().encode(text)
  return { status: 200, headers: new Headers(), url: '', bytes: Buffer.from(buffer) }
}

t.test('a large answer', async t => {
  const read = (text: string, signal?: AbortSignal, fields?: string[]) =>
    readItems(response(text), 'Crossref', { list: ['message', 'items'], ...(fields && { fields }) }, { account: 'one', signal })
  const item = { title: 'x'.repeat(1000) }
  const list = (items: unknown[]) => JSON.stringify({ status: 'ok', message: { items, next: 'cursor' } })
  const answer = { status: 'ok', message: { items: [], next: 'cursor' } }

  await t.test('is returned without its items, and these as they are', async t => {
    const items = Array.from({ length: 1000 }, () => item)
    t.strictSame(await read(list([...items, null, 'a text', [1]])), { answer, items })
    const withoutList = { status: 'x'.repeat(100_000), message: { items: 'none' } }
    t.strictSame(await read(JSON.stringify(withoutList)), { answer: withoutList, items: [] })
    const one = { message: { items: { title: 'y'.repeat(40_000), other: 'x'.repeat(100_000) } } }
    t.strictSame(await read(JSON.stringify(one), undefined, ['title', 'DOI']), {
      answer: { message: { items: {} } }, items: [{ title: 'y'.repeat(40_000) }]
    })
  })

  await t.test('has cut texts and lists, and loses an item that is too long', async t => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_each, at) => [`text${at}`, 'x'.repeat(50_000)]))
    t.strictSame(await read(list([item, { title: 'x'.repeat(9_000_000), list: Array(20_000).fill(1) }, many, item])), {
      answer, items: [item, { title: 'x'.repeat(50_000), list: Array(10_000).fill(1) }, {}, item]
    })
  })

  await t.test('that has much beside its items is refused', async t => {
    const text = JSON.stringify({ message: { items: [] }, others: 'x'.repeat(1_000_000) })
    await t.rejects(read(text), { fault: 'wrong_answer', message: 'Crossref sent something other than its JSON.' })
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

t.test('of an answer with more papers than any page has, the first are read', async t => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ id: at }))
  const bytes = Buffer.from(JSON.stringify({ results: items }))
  const read = await readItems({ status: 200, headers: new Headers(), url: '', bytes }, 'A source', { list: ['results'] }, {})
  t.equal(read.items.length, 2000)
})
