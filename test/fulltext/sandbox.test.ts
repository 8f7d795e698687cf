import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ConverterStopped, NotConvertible, type NotConvertibleReason } from '../../src/fulltext/converter-result.js'
import { startSandbox, type SandboxOptions } from '../../src/fulltext/sandbox/sandbox.js'
import { atEnd } from '../support/end-of-file.js'
import { notConvertible } from '../support/not-convertible.js'
import { column, firstOwn, inflating, type PdfOptions, type PdfPage, writePdf } from '../support/pdf.js'

const page: PdfPage = {
  texts: column(['Vision came back in twelve of the fourteen mice that', 'were treated, and in none of those that were not.'])
}
const sentence = 'Vision came back in twelve of the fourteen mice that were treated, and in none of those that were not.\n'

/** Of the tests without options. */
const converter = startSandbox()
atEnd(t, () => converter.close())

const converterFor = (t: Test, options?: SandboxOptions) => {
  const converter = startSandbox(options)
  t.teardown(() => converter.close())
  return converter
}

t.test('the sandbox rejects a document without readable text', async t => {
  const refused = async (t: Test, bytes: Uint8Array, reason: NotConvertibleReason, message: RegExp) => {
    await t.rejects(converter.convert('pdf', bytes), { constructor: NotConvertible, reason, message })
    t.match(await converter.convert('pdf', writePdf([page])), { markdown: sentence }, 'the next document is converted')
  }
  const whole = writePdf([page, page])

  await t.test('encrypted with a password', t => {
    const trailer = `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`
    return refused(t, writePdf([page], { trailer }), 'encrypted', /encrypted and requires a password/)
  })
  await t.test('not a PDF', t => refused(t, Buffer.from('<!DOCTYPE html><p>Please log in</p>'), 'damaged', /not a PDF, or it is damaged/))
  await t.test('empty', t => refused(t, new Uint8Array(), 'damaged', /damaged/))
  await t.test('truncated', t => refused(t, whole.subarray(0, 300), 'damaged', /damaged/))
  await t.test('scanned without OCR', t => refused(t, writePdf([{}, {}, {}]), 'no_text', /is a scan: it contains page images/))
  await t.test('scanned behind a cover page', t => refused(t, writePdf([page, {}, {}, {}, {}]), 'no_text', /is a scan/))
  await t.test('scanned with a stamp on each page', async t => {
    const pages = Array.from({ length: 4 }, (_, at) => ({ texts: [{ x: 72, y: 770, text: `Downloaded from an archive, page ${at}` }] }))
    await refused(t, writePdf(pages), 'no_text', /is a scan/)
  })
  await t.test('with a cyclic page tree', t =>
    refused(t, writePdf([page], { pageTree: '<< /Type /Pages /Kids [{root} {root}] /Count 5 >>' }), 'damaged', /no page can be read/)
  )
  await t.test('decompression bomb', t =>
    refused(t, writePdf([{ content: inflating(4096) }]), 'out_of_memory', /needed too much memory/)
  )
  await t.test('too large', t => refused(t, new Uint8Array(65 * 2 ** 20), 'too_large', /65 MiB; the maximum is 64 MiB/))
})

t.test('a text with pages of images, and a page that cannot be read, say what they lack', async t => {
  const [first, second, third] = ['Vision came back in twelve mice', 'The others saw no stripes', 'None was treated again']
    .map(text => ({ texts: column(Array(4).fill(`${text}, whatever they had been shown.`), { y: 300 }) }))
  const some = await converter.convert('pdf', writePdf([first!, {}, second!, third!, {}, {}, {}]))
  t.match(some, { markdown: /Vision came[^]*The others[^]*None was/, pages: 7 })
  t.equal(some.warnings.length, 4)
  const lines = Array(60).fill('Vision came back in twelve of the fourteen mice that were treated.')
  const long = { texts: column(lines, { y: 90, leading: 11 }) }
  t.match(await converter.convert('pdf', writePdf([long, {}, {}, {}, {}, {}, {}, {}])), { pages: 8 }, 'a short paper with many plates')
  const pageTree = '<< /Type /Pages /Kids [{pages} 99 0 R] /Count 2 >>'
  const { markdown, warnings } = await converter.convert('pdf', writePdf([page], { pageTree }))
  t.match(markdown, /those that were not\.\n\n\*This text is incomplete\. Page 2 could not be read\.\*\n$/)
  t.strictSame(warnings, ['Page 2 could not be read.'])
})

t.test('a page tree that claims a million pages returns the existing ones', async t => {
  const pageTree = '<< /Type /Pages /Kids [{pages}] /Count 1000000 >>'
  t.match(await converter.convert('pdf', writePdf([page], { pageTree })), { markdown: sentence, pages: 1 })
})

t.test('the text contains no invisible characters', async t => {
  const jats = Buffer.from('<article><body><p>Vision\u{E0041}\u{E0042} came\u202E ba\u200Bck. می\u200Cخواهم</p></body></article>')
  t.equal((await converter.convert('jats', jats)).markdown, 'Vision came back. می\u200Cخواهم\n')
})

/** Forms that draw the next one a dozen times each, twelve deep: nobody will see the end of it. */
function endless (): Uint8Array {
  const depth = 12
  const objects: PdfOptions['objects'] = Array.from({ length: depth }, (_, at) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${firstOwn + at + 1} 0 R >> >>`,
    data: Buffer.from(at === depth - 1 ? '' : '/X Do '.repeat(12))
  }))
  return writePdf([{ content: { data: Buffer.from('/X Do') } }], { objects, resources: `/XObject << /X ${firstOwn} 0 R >>` })
}

t.test('an endless document', async t => {
  await t.test('is aborted at its deadline', async t => {
    const converter = converterFor(t, { timeout: 1500, memory: 2 ** 33 })
    await t.rejects(converter.convert('pdf', endless()), { constructor: NotConvertible, reason: 'timeout', message: /took too long/ })
  })
  await t.test('is aborted when its caller aborts', async t => {
    const converter = converterFor(t)
    const controller = new AbortController()
    const conversion = converter.convert('pdf', endless(), controller.signal)
    setTimeout(() => controller.abort(new Error('The job was cancelled.')), 300)
    await t.rejects(conversion, { message: 'The job was cancelled.' })
    t.match(await converter.convert('pdf', writePdf([page])), { markdown: sentence })
  })
  await t.test('fails when the sandbox is closed', async t => {
    const converter = converterFor(t)
    const conversion = converter.convert('pdf', endless())
    setTimeout(() => converter.close(), 300)
    await t.rejects(conversion, { constructor: ConverterStopped, message: /stopped \(SIGKILL\)/ }, 'another attempt may convert it')
    await t.rejects(converter.convert('pdf', writePdf([page])), { message: 'The sandbox is closed.' })
  })
})

/** The processes that this one started and that run a program. */
const childrenOf = (program: string): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(process.pid) && args.some(each => each.endsWith(program)))
    .map(([pid]) => Number(pid))

t.test('a signal to all processes stops no conversion, and a converter that the system kills says nothing about the document', async t => {
  const converter = converterFor(t)
  const others = childrenOf('child.js')
  await converter.convert('pdf', writePdf([page]))
  const started = () => childrenOf('child.js').filter(pid => !others.includes(pid))
  const [pid] = started()
  const outcome = t.rejects(converter.convert('pdf', endless()), { constructor: ConverterStopped, message: /stopped \(SIGKILL\)/ })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid!, signal)
  await wait(300)
  t.strictSame(started(), [pid])
  process.kill(pid!, 'SIGKILL')
  await outcome
  t.match(await converter.convert('pdf', writePdf([page])), { markdown: sentence }, 'the next document is converted')
})

t.test('a converter that cannot be started keeps no memory from others', async t => {
  const { execPath } = process
  t.teardown(() => { process.execPath = execPath })
  for (const missing of [`${execPath}/node`, '/nowhere/node']) {
    const converter = converterFor(t, { memory: 2 ** 40 })
    process.execPath = missing
    const failure = await converter.convert('pdf', writePdf([page])).then(() => null, (error: unknown) => error)
    process.execPath = execPath
    t.ok(failure instanceof Error && !(failure instanceof NotConvertible), missing)
    t.match(await converterFor(t).convert('pdf', writePdf([page])), { markdown: sentence })
  }
})

t.test('concurrent documents are queued', async t => {
  const converter = converterFor(t, { concurrency: 2 })
  const all = await Promise.all(Array.from({ length: 5 }, () => converter.convert('pdf', writePdf([page]))))
  t.strictSame(all.map(({ markdown }) => markdown), Array(5).fill(sentence))
})

t.test('XML and HTML articles are converted in the sandbox, too', async t => {
  const article = (body: string) => Buffer.from(`<article><front><article-meta/></front><body>${body}</body></article>`)
  t.match(await converter.convert('jats', article('<p>Vision came back.</p>')), { markdown: 'Vision came back.\n' })
  t.match(
    await converter.convert('arxiv-html', Buffer.from('<article class="ltx_document"><p class="ltx_p">Vision came back.</p></article>')),
    { markdown: 'Vision came back.\n' }
  )
  await t.rejects(converter.convert('jats', article('<p>'.repeat(300))), notConvertible('damaged'))
  await t.rejects(converter.convert('jats', article('<p>&lt;</p>'.repeat(1_000_000))), notConvertible(/too_large|out_of_memory/))
  t.match(
    await converter.convert('jats', article('<p>Vision came back.</p>')),
    { markdown: 'Vision came back.\n' },
    'the next document is converted'
  )
})

t.test('text items beyond the limit of a page are skipped', async t => {
  const texts = Array.from({ length: 22_000 }, (_, at) => ({
    x: 20 + 40 * (at % 14),
    y: 20 + 9 * (Math.floor(at / 14) % 80),
    text: `word${at}`
  }))
  const { markdown } = await converter.convert('pdf', writePdf([{ texts }]))
  t.match(markdown, 'word0')
  t.notMatch(markdown, 'word21999')
})
