import t, { type Test } from 'tap'
import { fulltextAccess, type PdfConverter } from '../../src/fulltext/access.js'
import type { ConverterResult } from '../../src/fulltext/converter-result.js'
import { externalConverter } from '../../src/fulltext/external/external.js'
import { startSandbox } from '../../src/fulltext/sandbox/sandbox.js'
import type { HttpClient } from '../../src/http/client.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { staysResponsive } from '../support/event-loop.js'
import { notConvertible } from '../support/not-convertible.js'
import { type ReceivedRequest, json, standIn, xml } from '../support/stand-ins/server.js'

const pdf = Buffer.from('%PDF-1.7 a paper')

async function converter (
  t: Test, kind: 'docling' | 'grobid', answer: Parameters<typeof standIn>[1], options: { timeoutMs?: number } = {}
) {
  const service = await standIn(t, answer)
  const client = guardedClient({ userAgent: 'litfeed-test', trustedOrigins: [service.url] })
  t.teardown(() => client.close())
  const troubles: string[] = []
  const sandbox = startSandbox()
  t.teardown(() => sandbox.close())
  return {
    service,
    client,
    troubles,
    external: externalConverter({
      ...options,
      url: service.url,
      kind,
      client,
      sandbox,
      onUnexpectedAnswer: detail => {
        troubles.push(detail)
      }
    })
  }
}

/** The form that was sent: every field with its value. */
const formOf = async ({ body, headers }: ReceivedRequest): Promise<Record<string, string>> => {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } }).formData()
  return Object.fromEntries(
    await Promise.all([...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as const))
  )
}

t.test('docling-serve receives the bytes and a request for Markdown without images', async t => {
  const { service, external } = await converter(t, 'docling', () =>
    json({
      status: 'success',
      document: { filename: 'paper.pdf', md_content: '# Steps\n\n<!-- image -->\n\nTe\u{E0041}xt\u0000.' },
      errors: [],
      processing_time: 1
    })
  )
  t.strictSame(await external.convert(pdf), { markdown: '# Steps\n\nText.\n', converter: 'docling-serve', pages: null, warnings: [] })
  t.match(service.requests[0], { method: 'POST', url: { pathname: '/v1/convert/file' } })
  t.match(await formOf(service.requests[0]!), {
    files: pdf.toString(),
    to_formats: 'md',
    do_ocr: 'false',
    image_export_mode: 'placeholder'
  })
})

t.test("docling-serve's message about an incomplete document is logged, and readers get a warning", async t => {
  const { service, external, troubles } = await converter(t, 'docling', () =>
    json({ status: 'partial_success', document: { md_content: 'Some.' }, errors: [{ error_message: 'page 3 failed' }] })
  )
  const { markdown, warnings } = await external.convert(pdf)
  t.equal(markdown, 'Some.\n\n*This text is incomplete. The converter did not finish the whole document.*\n')
  t.strictSame(warnings, ['The converter did not finish the whole document.'])
  t.strictSame(troubles, ['partial_success: page 3 failed'])
  service.next.push(
    json({ status: 'failure', document: { md_content: null } }),
    json({ detail: 'no' }, 422),
    { body: '<html>' },
    json({ status: 'success' })
  )
  await t.rejects(external.convert(pdf), { ...notConvertible('no_text'), cause: { message: 'failure' } })
  await t.rejects(external.convert(pdf), /status 422/)
  await t.rejects(external.convert(pdf), /invalid JSON/)
  await t.rejects(external.convert(pdf), /does not match its version 1/)
})

t.test('a large answer of docling-serve is read in the sandbox', { timeout: 300_000 }, async t => {
  const paragraph = 'Vision came back in mice\u200B that were treated, and in α cells.\n\n<!-- image -->\n\n'
  const body = Buffer.from(JSON.stringify({ status: 'success', document: { md_content: paragraph.repeat(330_000) } }))
  t.ok(body.length > 24 * 2 ** 20)
  const { external, service } = await converter(t, 'docling', () => json({ status: 'success', document: { md_content: 'Text.' } }))
  // Compiles the code, and starts the process.
  await external.convert(pdf)
  const answer = { body, headers: { 'content-type': 'application/json' } }
  service.next.push(answer)
  const { markdown, warnings } = await staysResponsive(t, 'a large answer', () => external.convert(pdf), {
    again: async () => { service.next.push(answer) }
  })
  t.ok(markdown.startsWith('Vision came back in mice that were treated, and in α cells.\n\nVision'))
  t.match(warnings, [/the rest was cut/])
})

t.test('GROBID receives the bytes, and its TEI is converted', async t => {
  const { service, external } = await converter(t, 'grobid', () =>
    xml('<TEI><teiHeader/><text><body><div><head>Why</head><p>Because.</p></div></body></text></TEI>')
  )
  t.match(await external.convert(pdf), { markdown: '## Why\n\nBecause.\n', converter: 'grobid' })
  t.match(service.requests[0], { method: 'POST', url: { pathname: '/api/processFulltextDocument' } })
  t.match(await formOf(service.requests[0]!), { input: pdf.toString(), includeRawCitations: '1' })
})

t.test('GROBID\'s TEI is parsed in the sandbox', async t => {
  const service = await standIn(t, () => xml('<TEI/>'))
  const client = guardedClient({ userAgent: 'litfeed-test', trustedOrigins: [service.url] })
  t.teardown(() => client.close())
  const parsed: string[] = []
  const result = { markdown: 'Because.\n', converter: 'grobid', pages: null, warnings: [] }
  const sandbox = {
    convert: async (format: string, bytes: Uint8Array) => {
      parsed.push(`${format} ${Buffer.from(bytes).toString()}`)
      return result
    }
  }
  t.equal(await externalConverter({ url: service.url, kind: 'grobid', client, sandbox }).convert(pdf), result)
  t.strictSame(parsed, ['tei <TEI/>'])
})

t.test('a busy GROBID is retried', async t => {
  const { service, external } = await converter(t, 'grobid', () => xml('<TEI><text><body><p>Because.</p></body></text></TEI>'))
  service.next.push({ status: 503, body: '' })
  t.match(await external.convert(pdf), { markdown: 'Because.\n' })
  t.equal(service.requests.length, 2)
  service.next.push({ status: 204, body: '' }, { status: 500, body: 'broken' })
  await t.rejects(external.convert(pdf), notConvertible('no_text'))
  await t.rejects(external.convert(pdf), /status 500: broken/)
})

const builtIn: ConverterResult = { markdown: 'built in', converter: 'litfeed-pdf', pages: 1, warnings: [] }

const accessWith = (external: PdfConverter, client: HttpClient, failures: unknown[]) => fulltextAccess({
  builtIn: { convert: async () => builtIn, close: async () => {} },
  external,
  onExternalFailure: cause => { failures.push(cause) },
  configured: client,
  guarded: client,
  urls: { europepmc: '', pmc: '', arxiv: '' },
  slot: () => work => work(),
  guardedSlot: () => work => work()
})

t.test('the built-in converter takes over from a failing external one, with a warning', async t => {
  const { service, client, external } = await converter(t, 'docling', () => json({}, 500))
  const failures: unknown[] = []
  const access = accessWith(external, client, failures)
  t.equal(await access.convertPdf(pdf), builtIn)
  t.match(failures, [/status 500/])
  service.next.push('hang')
  await t.rejects(
    access.convertPdf(pdf, AbortSignal.timeout(200)),
    { name: 'TimeoutError' },
    'a conversion that is stopped is not begun anew'
  )
})

t.test('the built-in converter takes over while the external one is too slow, also for documents that wait for others', async t => {
  const { service, client, external } = await converter(t, 'docling', () => json({}, 500), { timeoutMs: 1000 })
  service.next.push('hang', 'hang')
  const failures: unknown[] = []
  const access = accessWith(external, client, failures)
  const started = performance.now()
  const job = AbortSignal.timeout(30_000)
  t.strictSame(await Promise.all([1, 2, 3].map(async () => await access.convertPdf(pdf, job))), [builtIn, builtIn, builtIn])
  t.ok(performance.now() - started < 5000, 'long before the end of the job')
  t.equal(service.requests.length, 2, 'the third waited for its turn')
  t.match(failures, [{ name: 'TimeoutError' }, { name: 'TimeoutError' }, { name: 'TimeoutError' }])
  t.equal(await access.convertPdf(pdf, job), builtIn)
  t.match(failures[3], /status 500/, 'the next document is sent again')
})
