import t from 'tap'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { indexDocument } from '../../src/search/document.js'
import { isInline } from '../../src/search/indexer.js'
import { buildParts, mergeRange, planMerge } from '../../src/search/index-tasks.js'
import { mergeBlocks, mergeDocuments } from '../../src/search/segment-merge.js'
import {
  type Block,
  directoryPart,
  documentsPart,
  findBlocks,
  decodeBlock,
  decodeDirectory,
  decodeDocuments,
  decodeTombstones,
  forEachPosting,
  encodeBlock,
  encodeDirectory,
  encodeDocuments,
  encodeTombstones,
  idAt,
  tombstonesPart
} from '../../src/search/segment.js'
import { buildSegment, type NumberedDocument } from '../../src/search/segment-writer.js'

const noTexts = { title: '', authors: [], summary: null, abstract: null, identifiers: [] }
const documentOf = (number: number, abstract: string): NumberedDocument => ({
  number,
  id: randomUUID(),
  readyAt: new Date(number),
  ...indexDocument({ ...noTexts, abstract })
})

/** Postings of blocks, as entry, place and counts. */
function postingsOf (blocks: readonly Block[]): Map<string, Array<[number, number]>> {
  const all = new Map<string, Array<[number, number]>>()
  for (const block of blocks) {
    for (const [at, entry] of block.entries.entries()) {
      const list: Array<[number, number]> = []
      forEachPosting(block, at, (place, counts) => list.push([place, counts]))
      all.set(entry, list)
    }
  }
  return all
}

t.test('a document', async t => {
  t.test('has word frequencies per field, up to a maximum', async t => {
    const { entries, length } = indexDocument({
      title: 'Sleep, sleep',
      authors: [{ name: 'Ana Böhm' }],
      summary: 'Short.',
      abstract: 'Long sleep.',
      identifiers: ['10.5555/x', null]
    })
    t.equal(entries.get('sleep'), 2 + (1 << 5))
    t.equal(entries.get('bohm'), 1 << 2)
    t.equal(entries.get('short'), 1 << 3)
    t.equal(entries.get(' 10 5555 x'), 1, 'an identifier as a whole')
    t.equal(length, 6)
    t.equal(indexDocument({ ...noTexts, abstract: 'again '.repeat(500) }).entries.get('again'), 7 << 5)
  })

  t.test('has names with digits with and without hyphens', async t => {
    t.ok(indexDocument({ ...noTexts, title: 'IL-6 and TGF‐β1 in slow-wave sleep' }).entries.has('il6'))
    t.notOk(indexDocument({ ...noTexts, title: 'slow-wave' }).entries.has('slowwave'))
  })

  t.test('handles one very long word in linear time', async t => {
    const { entries } = indexDocument({ ...noTexts, title: `il-6 ${'a'.repeat(2_000_000)}` })
    t.strictSame([...entries.keys()], ['il', '6', 'a'.repeat(64), 'il6'])
  })

  t.test('has 20,000 entries at most', async t => {
    t.equal(
      indexDocument({ ...noTexts, abstract: Array.from({ length: 30_000 }, (_each, at) => `word${at}`).join(' ') }).entries.size,
      20_000
    )
  })
})

t.test('documents are indexed on the event loop only if that takes some milliseconds', async t => {
  const authors = Array.from({ length: 10 }, () => ({ name: 'Ana Böhm' }))
  const row = { ...noTexts, title: 'A title', abstract: 'Plain words. '.repeat(120), authors }
  t.equal(isInline(Array.from({ length: 10 }, () => row)), true, 'a page of ordinary papers')
  for (const [name, rows] of Object.entries({
    'many documents': Array.from({ length: 11 }, () => noTexts),
    formulas: [{ ...row, abstract: '$\\alpha_{x}^2$ '.repeat(400) }],
    'long texts': Array.from({ length: 10 }, () => ({ ...row, abstract: 'Plain words. '.repeat(1500) })),
    'a collaboration': [{ ...row, authors: Array.from({ length: 6000 }, () => ({ name: 'Ana Böhm' })) }],
    'names with formulas': [{ ...row, authors: Array.from({ length: 1000 }, () => ({ name: 'B{\\"o}hm' })) }]
  })) t.equal(isInline(rows), false, name)
})

t.test('a segment', async t => {
  const texts = fc.array(
    fc.array(fc.constantFrom('a', 'b', 'bc', 'bcd', '記憶', 'ω', '😀x', 'z9'), { maxLength: 12 }).map(words => words.join(' ')),
    { minLength: 1, maxLength: 60 }
  )

  t.test('is unchanged after writing and reading', async t => {
    fc.assert(fc.property(texts, all => {
      const { documents, blocks } = buildSegment(all.map((text, at) => documentOf(at * 3 + 1, text)))
      const read = decodeDocuments(encodeDocuments(documents))
      t.strictSame([...read.numbers], [...documents.numbers])
      t.strictSame([...read.readyAt], [...documents.readyAt])
      t.equal(idAt(read, 0), idAt(documents, 0))
      t.strictSame(postingsOf(blocks.map(block => decodeBlock(encodeBlock(block)))), postingsOf(blocks))
      const directory = blocks.map(({ entries }) => entries[0]!)
      t.strictSame(decodeDirectory(encodeDirectory(directory)), directory)
    }), { numRuns: 30, seed: 5 })
  })

  t.test('of many words is split into blocks listed in a directory', async t => {
    const { blocks } = buildSegment(
      Array.from({ length: 300 }, (_each, at) =>
        documentOf(at, Array.from({ length: 90 }, (_each, word) => `w${(at * 37 + word * 11) % 9000} common`).join(' '))
      )
    )
    const directory = blocks.map(({ entries }) => entries[0]!)
    t.ok(blocks.length > 3)
    for (const prefix of ['common', 'w1', 'w12', 'w8999', 'w', 'a', 'zzz']) {
      const { from, to } = findBlocks(directory, prefix)
      const found = blocks.slice(from, to).flatMap(({ entries }) => entries).filter(entry => entry.startsWith(prefix))
      t.strictSame(found, blocks.flatMap(({ entries }) => entries).filter(entry => entry.startsWith(prefix)), prefix)
    }
  })

  t.test('merged from others equals one built from all their documents, without deleted ones', async t => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(60)), async (all, pieces, goneList) => {
        const everything = all.map((text, at) => documentOf(at, text))
        const gone = new Set(goneList)
        const parts = Array.from({ length: pieces }, (_each, piece) =>
          everything.slice(Math.floor((piece * everything.length) / pieces), Math.floor(((piece + 1) * everything.length) / pieces))
        )
          .filter(part => part.length > 0)
          .map(buildSegment)
        const { documents, newOrdinals, words } = mergeDocuments(
          parts.map(({ documents }) => documents),
          gone
        )
        const blocks = mergeBlocks(parts.map(({ blocks }, at) => ({ newOrdinals: newOrdinals[at]!, blocks })))
        const expected = buildSegment(everything.filter(({ number }) => !gone.has(number)))
        t.strictSame(postingsOf(blocks), postingsOf(expected.blocks))
        t.strictSame([...documents.numbers], [...expected.documents.numbers])
        t.equal(documents.ids.toString('hex'), expected.documents.ids.toString('hex'))
        t.equal(words, expected.words)
      }),
      { numRuns: 40, seed: 6 }
    )
  })

  t.test('merged range by range are equal', async t => {
    const documents = Array.from({ length: 3000 }, (_each, at) => ({
      itemId: randomUUID(),
      number: at,
      readyAt: new Date(at),
      title: `title ${at}`,
      abstract: Array.from({ length: 60 }, (_each, word) => `w${(at * 37 + word * 1117) % 90_000} common`).join(' '),
      summary: null,
      authors: [],
      venue: null,
      identifiers: []
    }))
    const parts = [documents.slice(0, 1200), documents.slice(1200, 2900), documents.slice(2900)]
      .map(rows => buildParts(rows))
      .map(({ parts }) => new Map(parts.map(({ part, bytes }) => [part, bytes])))
    const tombstones = [3, 5, 1300, 2999]
    const input = {
      documents: parts.map(each => each.get(documentsPart)!),
      directories: parts.map(each => each.get(directoryPart)!),
      tombstones: [[2999, 5], [70_000, 3, 1300]].map(encodeTombstones)
    }
    const plan = planMerge({ ...input, isWhole: false })
    t.ok(plan.ranges.length > 1)
    t.strictSame(plan.tombstones.map(({ part, bytes }) => [part, decodeTombstones(bytes)]), [[tombstonesPart, Uint32Array.of(70_000)]])
    const merge = planMerge({ ...input, isWhole: true })
    t.match(merge, { tombstones: { length: 0 }, totals: { tombstones: 0 } }, 'of documents that are nowhere')
    const blocks = plan.ranges
      .flatMap(
        ({ blocks, ...range }) =>
          mergeRange({
            ...range,
            newOrdinals: plan.newOrdinals,
            blocks: blocks.map(({ from, to }, at) => Array.from({ length: to - from }, (_each, index) => parts[at]!.get(from + index)!))
          }).blocks
      )
      .map(decodeBlock)
    const expected = buildSegment(
      documents
        .filter(({ number }) => !tombstones.includes(number))
        .map(row => ({ number: row.number, id: row.itemId, readyAt: row.readyAt, ...indexDocument(row) }))
    )
    t.strictSame(postingsOf(blocks), postingsOf(expected.blocks))
    t.strictSame(plan.totals, { documents: 2996, words: expected.words, tombstones: 1 })
  })
})
