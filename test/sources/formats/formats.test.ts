import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { formats, recordFormatOf } from '../../../src/sources/formats/index.js'
import { findFormat } from '../../../src/sources/formats/index.js'
import { readRecords as readFile } from '../../../src/sources/formats/read-records.js'
import { beginReading, continueReading, readPiece } from '../../../src/sources/formats/reading-task.js'
import { staysResponsive, takesLess } from '../../support/event-loop.js'
import { readAll, readRecords, sample } from '../../support/readings.js'

const samples: Array<[file: string, format: string, records: number]> = [
  ['pubmed.xml', 'pubmed-xml', 14], ['pubmed.nbib', 'nbib', 10], ['arxiv.xml', 'arxiv-atom', 12],
  ['references.ris', 'ris', 9], ['references.bib', 'bibtex', 8], ['references.json', 'csl-json', 7]
]

t.test('a small BibTeX file is read off the event loop, and nested braces take no time', async t => {
  const format = findFormat('bibtex')!
  const nested = (depth: number) => `@article{n, title = {${'\\emph{'.repeat(depth)}x${'}'.repeat(depth)}}}`
  const path = join(t.testdir({ 'small.bib': nested(2000) + nested(40) }), 'small.bib')
  const records = await staysResponsive(t, 'reading', async () => {
    const records = []
    for await (const piece of readFile({ path, size: 16_000, format, name: 'small.bib', owner: 'me' })) records.push(...piece.records)
    return records
  }, { maxMs: 50 })
  t.match(records, [{ reason: 'n: the entry has braces nested more than 50 levels deep' }, { record: { title: 'x' } }])
  await readRecords('bibtex', nested(1))
  await takesLess(t, 300, async () => await readAll('bibtex', nested(2000).repeat(20)))
})

t.test('a file is read piece by piece, off the event loop', async t => {
  const folder = t.testdir()
  const entry = (at: number) => `@article{k${at},\n title = {{\\'E}tude ${at} of $x_{${at}}$},\n author = {Doe, J{\\"o}rg and Roe, R.}\n}\n`
  const entries = Array.from({ length: 450 }, (_, at) => entry(at))
  entries[100] = '@article{broken, title = }\n'
  // Takes long to parse.
  entries[200] = `@article{hostile, title = {Hostile}, note = {${"{\\'e}\\emph{a $x^2$ b} ".repeat(200)}}}\n`
  const path = join(folder, 'library.bib')
  const content = entries.join('')
  writeFileSync(path, content)
  const format = findFormat('bibtex')!
  const file = { path, size: content.length, format, name: 'library.bib', owner: 'me' }
  const read = async (options: object = {}) => {
    const pieces = []
    for await (const piece of readFile({ ...file, ...options })) pieces.push(piece)
    return { records: pieces.flatMap(({ records }) => records), last: pieces.at(-1)!, pieces: pieces.length }
  }
  const { records, last, pieces } = await staysResponsive(t, 'reading', read, { maxMs: 50 })
  t.strictSame([records.length, last.position, last.bytes, last.isEnd], [450, 450, content.length, true])
  t.ok(pieces >= 5)
  t.match(records[100], { place: 101, reason: /syntax error/ })
  t.strictSame(records, (await read({ format: { ...format, maxInlineBytes: content.length } })).records, 'as in this thread')
  t.strictSame((await read({ from: 333 })).records, records.slice(333), 'and from any record on')
  t.match(await read({ from: 1000 }), { records: { length: 0 }, last: { position: 450 } })
  t.match(await read({ path: join(folder, 'missing') }).catch(error => error), { message: /ENOENT/ })

  t.match(await read({ maxMs: 0 }).catch(error => error), { message: /^library\.bib cannot be read beyond record \d+: its records take longer/ })

  const readFrom = async (from: number) => {
    for (;;) {
      const piece = await readPiece({ readingId: 'one', path, format: 'bibtex', from })
      if (piece.position > from) return piece.records
    }
  }
  t.strictSame((await readFrom(300))[0], records[300])
  t.strictSame((await readFrom(449)), records.slice(449), 'a reading continues')
  t.strictSame((await readFrom(310))[0], records[310], 'one that has ended begins again')
  const reading = beginReading(path, format)
  await continueReading(reading, 0)
  await reading.records.return?.()
  t.match(await continueReading(reading, 100), { records: { length: 0 }, isEnd: true })
})

t.test('records are within the limits of stored ones before another thread gets them, and count with their metadata', async t => {
  const line = (metadata: object) => JSON.stringify({ title: 'Sleep', authors: [], metadata }) + '\n'
  const path = join(t.testdir({
    'large.jsonl': line({ numbers: Array.from({ length: 200_000 }, () => 1) }) + line({ note: 'x'.repeat(5000) }).repeat(200)
  }), 'large.jsonl')
  const { records } = await continueReading(beginReading(path, findFormat('json-lines')!), 0)
  t.match(records[0], { record: { metadata: { numbers: { length: 500 }, truncated: ['numbers'] } } })
  t.equal(records.length, 100)
  const more = line(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`note ${at}`, 'x'.repeat(5000)]))).repeat(50)
  const other = join(t.testdir({ 'more.jsonl': more }), 'more.jsonl')
  t.equal((await continueReading(beginReading(other, findFormat('json-lines')!), 0)).records.length, 10)
})

t.test('every sample', async t => {
  for (const [file, format, records] of samples) {
    t.test(file, async t => {
      const content = sample(file)
      t.equal(recordFormatOf(content.toString('utf8').slice(0, 65_536))?.name, format, 'is detected from its content')
      const whole = await readRecords(format, content)
      t.equal(whole.length, records, 'is read whole')
      for (const record of whole) {
        t.match(record, {
          title: /\S/,
          abstract: /Sample record: invented for demonstration\.$/,
          published_date: /^202[56]-\d\d-\d\d$/,
          authors: [{ name: /\S \S/ }]
        })
        t.ok(record.doi?.startsWith('10.5555/litfeed.2026.') ?? record.external_ids.arxiv?.startsWith('2613.'), 'is marked as a sample')
      }
      t.strictSame(await readAll(format, content, 7), await readAll(format, content), 'reads the same in pieces of 7 bytes')
    })
  }
})

t.test('parses all whole records of a file truncated anywhere', async t => {
  for (const [file, format, records] of samples) {
    const content = sample(file)
    let most = 0
    for (let length = 0; length < content.length; length += 397) {
      const readings = await readAll(format, content.subarray(0, length))
      const read = readings.filter(reading => 'record' in reading).length
      t.ok(read >= most - 1 && read <= records, `${file} at ${length}`)
      most = Math.max(most, read)
    }
    t.ok(most >= records - 1, file)
  }
})

t.test('never throws on random bytes', async t => {
  let state = 12345
  const random = (below: number) => { state = (state * 1103515245 + 12345) % 2147483648; return state % below }
  for (const [file, format] of samples) {
    for (let round = 0; round < 25; round++) {
      const content = Buffer.from(sample(file))
      for (let change = 0; change < 20; change++) content[random(content.length)] = random(256)
      t.ok(Array.isArray(await readAll(format, content)), file)
    }
  }
})

t.test('no format detects prose, HTML or images', async t => {
  for (const text of [
    'Dear all, please find attached …', '<!doctype html><html><body>Rate exceeded.</body></html>', 'Rate exceeded.', '\u0089PNG\r\n', '{}',
    '', 'a,b,c\n1,2,3'
  ]) { t.equal(recordFormatOf(text), undefined, text) }
})

t.test('files in UTF-8, UTF-16, Windows-1252 and the encoding of an XML declaration read alike', async t => {
  const title = 'Über naïve Größen'
  const ris = `TY  - JOUR\r\nTI  - ${title}\r\nER  - \r\n`
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(ris, 'utf16le')])
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(ris)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${ris}`)],
    ['UTF-16', utf16],
    ['Windows-1252', Buffer.from(ris, 'latin1')]
  ] as const) {
    for (const size of [1, 3, 1000]) t.match(await readAll('ris', bytes, size), [{ record: { title } }], `${name} in pieces of ${size}`)
  }
  const xml =
    '<?xml version="1.0" encoding="ISO-8859-1"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>' +
    '<ArticleTitle>Größe</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>'
  t.match(await readAll('pubmed-xml', Buffer.from(xml, 'latin1')), [{ record: { title: 'Größe' } }], 'as an XML declaration says')
})

t.test('rejects an oversized record and parses the next', async t => {
  const long = 'x '.repeat(4.5 * 1024 * 1024)
  t.match(await readAll('ris', `TY  - JOUR\nTI  - Long\nAB  - ${long}\nER  - \nTY  - JOUR\nTI  - Short\nER  - \n`), [
    { place: 1, reason: /longer than 8 MB/ },
    { place: 2, record: { title: 'Short' } }
  ])
  t.match(
    await readAll(
      'pubmed-xml',
      `<PubmedArticleSet><PubmedArticle><a>${long}</a></PubmedArticle><PubmedArticle><MedlineCitation><Article><ArticleTitle>Short</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`
    ),
    [{ reason: /longer than 8 MB/ }, { record: { title: 'Short' } }]
  )
})

t.test('memory stays constant for a long file', async t => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => { collect(); return process.memoryUsage().heapUsed / 1024 / 1024 }
  const record = `TY  - JOUR\nTI  - Again and again\nAB  - ${'word '.repeat(400)}\nER  - \n`
  let records = 0
  const heights: number[] = []
  async function * text () { for (let time = 0; time < 20_000; time++) yield record }
  const before = held()
  for await (const reading of formats.find(({ name }) => name === 'ris')!.read(text())) {
    if ('record' in reading && ++records % 5000 === 0) heights.push(held() - before)
  }
  t.equal(records, 20_000)
  t.ok(Math.max(...heights) < 20, `${heights.map(Math.round).join(', ')} MB held, over a file of 40 MB`)
})
