import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { DiskFull, openTemporaryFiles, TemporaryFile } from '../../src/files/temporary-files.js'
import { fulltextAccess } from '../../src/fulltext/access.js'
import { type ConverterResult, type Document, NotConvertible } from '../../src/fulltext/converter-result.js'
import { arxiv } from '../../src/fulltext/origins/arxiv.js'
import { europepmc } from '../../src/fulltext/origins/europepmc.js'
import { mayHaveFulltext } from '../../src/fulltext/origins/index.js'
import { type FulltextLocators, type Origin, OriginUnavailable } from '../../src/fulltext/origins/origin.js'
import { pdf } from '../../src/fulltext/origins/pdf.js'
import { pmc } from '../../src/fulltext/origins/pmc.js'
import { preprint } from '../../src/fulltext/origins/preprint.js'
import type { HttpClient } from '../../src/http/client.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { staysResponsive } from '../support/event-loop.js'

const nowhere: FulltextLocators = { doi: null, pdf_url: null, arxiv_id: null, pmcid: null, metadata: {} }
const paper: FulltextLocators = {
  ...nowhere,
  pmcid: 'PMC7',
  arxiv_id: '2611.00001',
  pdf_url: 'https://host.example/a.pdf',
  metadata: { jatsxml: 'https://host.example/a.xml' }
}
const urls = { europepmc: 'https://epmc.example', pmc: 'https://pmc.example', arxiv: 'https://arxiv.example' }

const directory = t.testdir()
const files = openTemporaryFiles(directory)

/** Access with a client, and a converter that calls a function. */
const accessWith = (client: HttpClient, convert: (format: string, document: Document) => Promise<ConverterResult>) =>
  fulltextAccess({
    builtIn: { convert, close: async () => {} },
    external: undefined,
    onExternalFailure: () => {},
    configured: client,
    guarded: client,
    urls,
    slot: () => work => work(),
    guardedSlot: () => work => work()
  })

/** Gets the paper from an origin whose servers give these answers, by address. Everything else does not exist. */
async function get (origin: Origin, answers: Record<string, string | number>, refusal?: { format: string, error: Error }) {
  const requested: string[] = []
  const client: HttpClient = {
    async fetch (address, { readBody } = {}) {
      const url = String(address)
      requested.push(url)
      const answer = answers[url] ?? 404
      const [status, body] = typeof answer === 'number' ? [answer, ''] : [200, answer]
      if (status === 200) await readBody?.(Readable.from([Buffer.from(body)]))
      return { status, url, headers: new Headers(), bytes: Buffer.from(readBody === undefined ? body : '') }
    }
  }
  const access = accessWith(client, async (format, document) => {
    if (refusal?.format === format) throw refusal.error
    const content = await readFile((document as TemporaryFile).path, 'utf8')
    return { markdown: `${format}: ${content}`, converter: 'test', pages: null, warnings: [] }
  })
  try {
    const result = await origin.get(access.originContext(files), paper)
    return { markdown: result?.markdown ?? null, requested }
  } finally {
    t.strictSame(readdirSync(directory), [], 'no file remains')
  }
}

t.test('an origin is selected by identifier or address', async t => {
  t.notOk(mayHaveFulltext(nowhere))
  for (const [origin, field] of [
    [europepmc, 'pmcid'],
    [pmc, 'pmcid'],
    [preprint, 'metadata'],
    [arxiv, 'arxiv_id'],
    [pdf, 'pdf_url']
  ] as const) {
    t.notOk(origin.mayHave(nowhere), field)
    const findable = { ...nowhere, [field]: paper[field] }
    t.ok(origin.mayHave(findable) && mayHaveFulltext(findable), field)
  }
})

t.test('an origin that does not have the paper has no text', async t => {
  for (const origin of [europepmc, pmc, preprint, arxiv, pdf]) t.equal((await get(origin, {})).markdown, null, origin.title)
})

t.test('a busy or broken server is retried later', async t => {
  const addresses = [
    'https://epmc.example/PMC7/fullTextXML',
    'https://host.example/a.pdf',
    'https://host.example/a.xml',
    'https://arxiv.example/html/2611.00001',
    'https://pmc.example/?list-type=2&delimiter=/&prefix=PMC7.'
  ]
  for (const status of [408, 425, 429, 500, 503]) {
    const answers = Object.fromEntries(addresses.map(address => [address, status]))
    for (const origin of [europepmc, pmc, preprint, arxiv, pdf]) {
      t.type(await get(origin, answers).catch((error: unknown) => error), OriginUnavailable, `${status} of ${origin.title}`)
    }
  }
})

t.test('Europe PMC and preprint servers have JATS, and the source links to a PDF', async t => {
  t.equal((await get(europepmc, { 'https://epmc.example/PMC7/fullTextXML': 'A' })).markdown, 'jats: A')
  t.equal((await get(preprint, { 'https://host.example/a.xml': 'B' })).markdown, 'jats: B')
  t.equal((await get(pdf, { 'https://host.example/a.pdf': 'C' })).markdown, 'pdf: C')
})

t.test('PubMed Central has the newest version, by number', async t => {
  const listing =
    '<ListBucketResult><CommonPrefixes><Prefix>PMC7.2/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>PMC7.10/</Prefix>' +
    '</CommonPrefixes><CommonPrefixes><Prefix>PMC7.old/</Prefix></CommonPrefixes></ListBucketResult>'
  const listed = 'https://pmc.example/?list-type=2&delimiter=/&prefix=PMC7.'
  t.equal(
    (
      await get(pmc, {
        [listed]: listing,
        'https://pmc.example/PMC7.10/PMC7.10.xml': 'new',
        'https://pmc.example/PMC7.2/PMC7.2.xml': 'old'
      })
    ).markdown,
    'jats: new'
  )
  t.equal((await get(pmc, { [listed]: listing })).markdown, null, 'the version is missing')
  t.strictSame((await get(pmc, { [listed]: '<ListBucketResult/>' })).requested, [listed], 'no version is listed')
})

t.test('arXiv has HTML, or a PDF without usable HTML', async t => {
  const html = 'https://arxiv.example/html/2611.00001'
  const file = 'https://arxiv.example/pdf/2611.00001'
  t.strictSame(await get(arxiv, { [html]: 'page', [file]: 'file' }), { markdown: 'arxiv-html: page', requested: [html] })
  t.strictSame(await get(arxiv, { [file]: 'file' }), { markdown: 'pdf: file', requested: [html, file] })
  const noArticle = { format: 'arxiv-html', error: new NotConvertible('not_this_format', 'No article.') }
  t.equal((await get(arxiv, { [html]: 'page', [file]: 'file' }, noArticle)).markdown, 'pdf: file')
  t.equal((await get(arxiv, { [html]: 'page' }, noArticle)).markdown, null)
  await t.rejects(
    get(arxiv, { [html]: 'page', [file]: 'file' }, { format: 'arxiv-html', error: new Error('The converter failed.') }),
    { message: 'The converter failed.' },
    'another fault is not hidden'
  )
})

t.test('a large document is downloaded to a file, not to memory', { timeout: 120_000 }, async t => {
  const size = 60 * 2 ** 20
  const chunk = Buffer.alloc(2 ** 16, 'x')
  const server = createServer((_request, response) => {
    Readable.from(function * () { for (let sent = 0; sent < size; sent += chunk.length) yield chunk }()).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const client = guardedClient({ userAgent: 'litfeed-test', trustedOrigins: [origin] })
  t.teardown(() => client.close())
  // Loads the HTTP library.
  await client.fetch(origin, { maxBytes: 1000 }).catch(() => {})
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  /** Bytes in use. What was sent and received waits for collections, whose time depends on the rest of the process. */
  const bytesInUse = async () => {
    for (let count = 0; count < 2; count++) {
      await setImmediate()
      collectGarbage()
    }
    return process.memoryUsage().arrayBuffers
  }
  const before = await bytesInUse()
  let most = 0
  await staysResponsive(t, 'a download', async () => {
    const access = accessWith(client, async (_format, document) => {
      t.type(document, TemporaryFile)
      t.equal((document as TemporaryFile).size, size)
      most = await bytesInUse() - before
      return { markdown: 'text', converter: 'test', pages: null, warnings: [] }
    })
    t.match(await pdf.get(access.originContext(files), { ...paper, pdf_url: `${origin}/a.pdf` }), { markdown: 'text' })
  })
  t.ok(most < 4 * 2 ** 20, `${most} bytes`)
  t.strictSame(readdirSync(directory), [])
})

t.test('a full disk is not reported as the server\'s fault', async t => {
  const { append } = TemporaryFile.prototype
  t.teardown(() => { TemporaryFile.prototype.append = append })
  TemporaryFile.prototype.append = async () => { throw new DiskFull(directory) }
  await t.rejects(get(pdf, { 'https://host.example/a.pdf': 'C' }), { message: /nearly full/ })
})
