import t from 'tap'
import { type ConverterResult, NotConvertible } from '../../src/fulltext/converter-result.js'
import { arxiv } from '../../src/fulltext/origins/arxiv.js'
import { europepmc } from '../../src/fulltext/origins/europepmc.js'
import { mayHaveFulltext } from '../../src/fulltext/origins/index.js'
import { type FulltextLocators, type Origin, OriginUnavailable } from '../../src/fulltext/origins/origin.js'
import { pdf } from '../../src/fulltext/origins/pdf.js'
import { pmc } from '../../src/fulltext/origins/pmc.js'
import { preprint } from '../../src/fulltext/origins/preprint.js'
import type { HttpResponse } from '../../src/http/client.js'

const nowhere: FulltextLocators = { doi: null, pdf_url: null, arxiv_id: null, pmcid: null, metadata: {} }
const paper: FulltextLocators = {
  ...nowhere,
  pmcid: 'PMC7',
  arxiv_id: '2611.00001',
  pdf_url: 'https://host.example/a.pdf',
  metadata: { jatsxml: 'https://host.example/a.xml' }
}
const urls = { europepmc: 'https://epmc.example', pmc: 'https://pmc.example', arxiv: 'https://arxiv.example' }

/** Gets the paper from an origin whose servers give these answers, by address. Everything else does not exist. */
async function get (origin: Origin, answers: Record<string, string | number>, refusal?: { format: string, error: Error }) {
  const requested: string[] = []
  const respond = async (url: string): Promise<HttpResponse> => {
    requested.push(url)
    const answer = answers[url] ?? 404
    const [status, body] = typeof answer === 'number' ? [answer, ''] : [200, answer]
    return { status, url, headers: new Headers(), bytes: Buffer.from(body) }
  }
  const convert = async (format: string, bytes: Uint8Array): Promise<ConverterResult> => {
    if (refusal?.format === format) throw refusal.error
    return { markdown: `${format}: ${Buffer.from(bytes).toString()}`, converter: 'test', pages: null, warnings: [] }
  }
  const result = await origin.get({ urls, convert, fetchConfigured: async (_group, url) => respond(url), fetchGuarded: respond }, paper)
  return { markdown: result?.markdown ?? null, requested }
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
