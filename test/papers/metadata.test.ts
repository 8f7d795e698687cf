import t from 'tap'
import { readMetadata } from '../../src/papers/metadata.js'

t.test('metadata', async t => {
  t.test('has a type per known field', async t => {
    t.strictSame(readMetadata({ volume: 3, issue: ['4'], keywords: 'sleep', isbn: ['978-1', '978-2'], version: 2, preprint: true }),
      { volume: '3', issue: '4', keywords: ['sleep'], isbn: ['978-1', '978-2'], version: 2, preprint: true })
  })
  t.test('keeps everything from a file', async t => {
    const stated = {
      volume: ['3', '4'],
      pages: { first: 1 },
      keywords: ['sleep', { term: 'memory' }],
      version: 'v2',
      preprint: 'yes',
      isbn: [],
      shelf: { row: 3 },
      other: 'more',
      ...JSON.parse('{"__proto__": [1]}')
    }
    const read = readMetadata(stated)
    t.strictSame(read, {
      volume: '3',
      keywords: ['sleep'],
      isbn: [],
      shelf: { row: 3 },
      ...JSON.parse('{"__proto__": [1]}'),
      other: {
        volume: ['3', '4'],
        pages: { first: 1 },
        keywords: ['sleep', { term: 'memory' }],
        version: 'v2',
        preprint: 'yes',
        other: 'more'
      }
    })
    t.strictSame(readMetadata(read), read, 'and is the same when it is read again')
  })
  t.test('omits null values', async t => { t.strictSame(readMetadata({ volume: null, mine: null }), { mine: null }) })
})
