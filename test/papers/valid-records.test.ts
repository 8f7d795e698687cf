import t from 'tap'
import { DatabaseUnreachable, DataRefused, ForeignKeyViolation } from '../../db/errors.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { DeletedMeanwhile } from '../../src/errors/operation-errors.js'
import { BatchTooLarge } from '../../src/papers/batch-limit.js'
import { ingestValid } from '../../src/papers/valid-records.js'
import { record } from '../support/service.js'

const numbered = (...titles: string[]) => titles.map((title, at) => ({ place: at + 1, record: record({ title }) }))
/** Stores records in one transaction: one that the database refuses fails it. */
const storing = (stored: string[], refuse: (title: string) => Error | undefined) => async (records: readonly PaperRecord[]) => {
  for (const { title } of records) {
    const error = refuse(title)
    if (error !== undefined) throw error
  }
  stored.push(...records.map(({ title }) => title))
  return { created: records.length, updated: 0, unchanged: 0 }
}

t.test('rejects only the invalid record', async t => {
  const stored: string[] = []
  const result = await ingestValid(numbered('a', 'b', '', 'd'), storing(stored, title => title === 'b' ? new DataRefused() : undefined))
  t.match(result, { created: 2, rejected: [{ record: 2, reason: 'Its content cannot be stored.' }, { record: 3, reason: /title/ }] })
  t.strictSame(stored, ['a', 'd'])
})

t.test('a deleted project ends the ingest', async t => {
  const error = await ingestValid(numbered('a', 'b'), storing([], () => new ForeignKeyViolation())).catch((error: unknown) => error)
  t.type(error, DeletedMeanwhile)
})

t.test('an unresponsive database ends the ingest', async t => {
  const error = await ingestValid(numbered('a', 'b'), storing([], () => new DatabaseUnreachable())).catch((error: unknown) => error)
  t.type(error, DatabaseUnreachable)
})

t.test('stores nothing without valid records', async t => {
  const result = await ingestValid(numbered(''), async () => t.fail('was called') as never)
  t.match(result, { created: 0, rejected: [{ record: 1 }] })
})

t.test('stores records of long texts, by their bytes, in transactions of about equal size', async t => {
  const sizesOf = async (abstract: string, metadata: PaperRecord['metadata'] = {}) => {
    const sizes: number[] = []
    const records = Array.from({ length: 250 }, (_, at) => ({ place: at + 1, record: record({ title: `Title ${at}`, abstract, metadata }) }))
    const result = await ingestValid(records, async batch => {
      sizes.push(batch.length)
      return { created: batch.length, updated: 0, unchanged: 0 }
    })
    t.match(result, { created: 250, rejected: { length: 0 } })
    return sizes
  }
  t.strictSame(await sizesOf('word '.repeat(240)), [250], 'ordinary ones')
  t.strictSame(await sizesOf('\u5b78'.repeat(1500)), [84, 84, 82], 'in Chinese')
  t.strictSame(await sizesOf('$x_{1}$ '.repeat(550)), [84, 84, 82], 'with LaTeX')
  const ordinary = { keywords: ['sleep', 'memory'], journal_abbreviation: 'x'.repeat(500) }
  t.strictSame(await sizesOf('word '.repeat(240), ordinary), [250], 'with ordinary metadata')
  t.strictSame(await sizesOf('word', { journal_abbreviation: 'x'.repeat(5000) }), [84, 84, 82], 'with much metadata')
})

t.test('a page of any number of records is stored in transactions of 250', async t => {
  const sizes: number[] = []
  await ingestValid(numbered(...Array.from({ length: 1100 }, (_, at) => String(at))), async records => {
    sizes.push(records.length)
    return { created: records.length, updated: 0, unchanged: 0 }
  })
  t.strictSame(sizes, [250, 250, 250, 250, 100])
})

t.test('records that do too much together are stored in several transactions, in their order', async t => {
  const batches: string[][] = []
  const result = await ingestValid(numbered('a', 'b', 'c', 'd', 'e'), async records => {
    if (records.length > 2) throw new BatchTooLarge(2)
    batches.push(records.map(({ title }) => title))
    return { created: records.length, updated: 0, unchanged: 0 }
  })
  t.strictSame(batches, [['a', 'b'], ['c'], ['d', 'e']])
  t.match(result, { created: 5, rejected: { length: 0 } })
})
