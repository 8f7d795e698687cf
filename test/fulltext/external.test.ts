import t, { type Test } from 'tap'
import { fulltextAccess } from '../../src/fulltext/access.js'
import type { Converted } from '../../src/fulltext/converted.js'
import { externalConverter } from '../../src/fulltext/external/external.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { notConvertible } from '../support/not-convertible.js'
import { type Asked, json, standIn, xml } from '../support/stand-ins/server.js'

const pdf = Buffer.from('%PDF-1.7 a paper')

async function converter (t: Test, kind: 'docling' | 'grobid', answer: Parameters<typeof standIn>[1]) {
  const service = await standIn(t, answer)
  const client = guardedClient({ userAgent: 'litfeed-test', trustedOrigins: [service.url] })
  t.teardown(() => client.close())
  return { service, client, external: externalConverter({ url: service.url, kind, client }) }
}

/** The form that was sent: every field with its value. */
const formOf = async ({ body, headers }: Asked): Promise<Record<string, string>> => {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } }).formData()
  return Object.fromEntries(await Promise.all([...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as const)))
}

t.test('docling-serve is sent the bytes, and asked for Markdown without pictures', async t => {
  const { service, external } = await converter(t, 'docling', () => json({ status: 'success', document: { filename: 'paper.pdf', md_content: '# Steps\n\n<!-- image -->\n\nText\u0000.' }, errors: [], processing_time: 1 }))
  t.strictSame(await external.convert(pdf), { markdown: '# Steps\n\nText.\n', converter: 'docling-serve', pages: null, warnings: [] })
  t.match(service.asked[0], { method: 'POST', url: { pathname: '/v1/convert/file' } })
  t.match(await formOf(service.asked[0]!), { files: pdf.toString(), to_formats: 'md', do_ocr: 'false', image_export_mode: 'placeholder' })
})

t.test('docling-serve\'s troubles are told', async t => {
  const { service, external } = await converter(t, 'docling', () => json({ status: 'partial_success', document: { md_content: 'Some.' }, errors: [{ error_message: 'page 3 failed' }] }))
  t.match(await external.convert(pdf), { warnings: [/whole document/, 'page 3 failed'] })
  service.next.push(json({ status: 'failure', document: { md_content: null } }), json({ detail: 'no' }, 422), { body: '<html>' }, json({ status: 'success' }))
  await t.rejects(external.convert(pdf), notConvertible('no_text'))
  await t.rejects(external.convert(pdf), /status 422/)
  await t.rejects(external.convert(pdf), /not JSON/)
  await t.rejects(external.convert(pdf), /another form/)
})

t.test('GROBID is sent the bytes, and its TEI is read', async t => {
  const { service, external } = await converter(t, 'grobid', () => xml('<TEI><teiHeader/><text><body><div><head>Why</head><p>Because.</p></div></body></text></TEI>'))
  t.match(await external.convert(pdf), { markdown: '## Why\n\nBecause.\n', converter: 'grobid' })
  t.match(service.asked[0], { method: 'POST', url: { pathname: '/api/processFulltextDocument' } })
  t.match(await formOf(service.asked[0]!), { input: pdf.toString(), includeRawCitations: '1' })
})

t.test('GROBID is asked again while it is busy', async t => {
  const { service, external } = await converter(t, 'grobid', () => xml('<TEI><text><body><p>Because.</p></body></text></TEI>'))
  service.next.push({ status: 503, body: '' })
  t.match(await external.convert(pdf), { markdown: 'Because.\n' })
  t.equal(service.asked.length, 2)
  service.next.push({ status: 204, body: '' }, { status: 500, body: 'broken' })
  await t.rejects(external.convert(pdf), notConvertible('no_text'))
  await t.rejects(external.convert(pdf), /status 500: broken/)
})

t.test('where the external converter fails the built-in one takes over, and the failure is told', async t => {
  const { service, client, external } = await converter(t, 'docling', () => json({}, 500))
  const builtIn: Converted = { markdown: 'built in', converter: 'litfeed-pdf', pages: 1, warnings: [] }
  const failures: unknown[] = []
  const access = fulltextAccess({
    builtIn: { convert: async () => builtIn, close: async () => {} },
    external,
    onExternalFailure: cause => { failures.push(cause) },
    configured: client,
    guarded: client,
    urls: { europepmc: '', pmc: '', arxiv: '' },
    turn: () => work => work(),
    guardedTurn: () => work => work()
  })
  t.equal(await access.convertPdf(pdf), builtIn)
  t.match(failures, [/status 500/])
  service.next.push('hang')
  await t.rejects(access.convertPdf(pdf, AbortSignal.timeout(200)), { name: 'TimeoutError' }, 'a conversion that is stopped is not begun anew')
})
