import t from 'tap'
import { importList, type ListContext } from '../../src/imports/import-list.js'
import type { ImportCounts } from '../../src/imports/import-counts.js'
import { parsePaperList } from '../../src/imports/paper-list.js'
import { takesLess } from '../support/event-loop.js'

const none: ImportCounts = { read: 0, created: 0, updated: 0, unchanged: 0, rejectedCount: 0, rejected: [] }
/** Lines that are rejected without looking anything up. */
const tooLong = (count: number) => `${'x'.repeat(601)}\n`.repeat(count)

/** Imports a list of lines that touch neither the database nor a source. */
async function importOf (text: string, before = none, from = before.read, maxRunMs?: number) {
  const noted: Array<{ counts: ImportCounts, share: number }> = []
  const { counts } = await importList({} as ListContext, {
    projectId: 'a project',
    text,
    name: 'list.txt',
    before,
    from,
    maxRejections: 1000,
    maxRunMs,
    onPaper: async (counts, share) => { noted.push({ counts, share }) }
  })
  return { counts, noted }
}

t.test('the lines beyond the limit of a list are rejected together', async t => {
  const { counts, noted } = await importOf(`# Papers\n${tooLong(200)}${'10.1000/x\n\n# no paper\n'.repeat(300_000)}`)
  t.equal(noted.length, 201, 'so many updates of the progress')
  t.match(counts, { read: 201, rejectedCount: 201, created: 0 })
  t.strictSame(counts.rejected[200], {
    file: 'list.txt',
    record: 201,
    reason: '300,000 more lines were not read: a list may have at most 200 papers. Import the rest as another list.'
  })
  t.match(noted.at(-1), { counts, share: 1 })
  t.ok(noted.every(({ share }, at) => share === (at + 1) / 201))

  const again = await importOf(`${tooLong(200)}another\n`, noted[199]!.counts)
  t.match(again.counts, { read: 201, rejectedCount: 201, rejected: { 200: { reason: /^1 more line was not read/ } } }, 'after an interruption')
  t.strictSame(await importOf(`${tooLong(200)}another\n`, counts), { counts, noted: [] }, 'not twice')
  t.match((await importOf(tooLong(200))).counts, { read: 200, rejectedCount: 200 })
})

t.test('a list that takes long goes on in another attempt, after one more paper at least', async t => {
  for (const from of [0, 1]) {
    const before = { ...none, read: from }
    await t.rejects(importOf(tooLong(3), before, from, -1), { message: 'The work continues in another attempt.' })
  }
  t.match((await importOf(tooLong(3), { ...none, read: 2 }, 2, -1)).counts, { read: 3, rejectedCount: 1 })
})

t.test('a list after another file is read from its start', async t => {
  const { counts } = await importOf(tooLong(3), { ...none, read: 300, created: 300 }, 0)
  t.match(counts, { read: 303, created: 300, rejectedCount: 3, rejected: [{ record: 1 }, { record: 2 }, { record: 3 }] })
})

t.test('a list is split into as many lines as are looked up', async t => {
  t.strictSame(parsePaperList('\uFEFFa \r\n\r\n  # b\n\u00a0c\rd\n\n e ', 2), { lines: ['a', 'c'], remaining: 2 })
  t.strictSame(parsePaperList('', 2), { lines: [], remaining: 0 })
  t.strictSame(parsePaperList(' \n#\n', 2), { lines: [], remaining: 0 })
  for (const text of ['a\n'.repeat(500_000), '\n'.repeat(1_000_000), '\u00a0'.repeat(1_000_000)]) {
    await takesLess(t, 150, () => parsePaperList(text, 200))
  }
})
