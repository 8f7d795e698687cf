import t from 'tap'
import { limitRecord } from '../../src/papers/record-limits.js'
import { record } from '../support/service.js'
import { takesLess } from '../support/event-loop.js'

t.test('a record within the limits stays as it is', async t => {
  const whole = record({
    title: 'Base editing',
    abstract: 'We edit. '.repeat(500),
    authors: Array.from({ length: 5200 }, (_each, at) => ({ name: `A. Author ${at}` })),
    metadata: { keywords: ['editing'], volume: '3', ...JSON.parse('{"__proto__": [1]}') }
  })
  t.strictSame(limitRecord(whole), whole)
})

t.test('truncates oversized values and lists them in the record', async t => {
  const metadata = {
    keywords: Array.from({ length: 9000 }, () => 'k'.repeat(9000)),
    comment: 'c'.repeat(1_000_000),
    shelf: 'kept',
    deep: { of: 'd'.repeat(200_000) }
  }
  const long = record({
    title: 'word '.repeat(50_000),
    abstract: 'x'.repeat(3_000_000),
    authors: Array.from({ length: 100_000 }, () => ({ name: 'A B' })),
    venue_name: 'y '.repeat(100_000),
    url: `https://example.org/${'z'.repeat(5000)}`,
    metadata
  })
  const limited = limitRecord(long)
  t.ok(JSON.stringify(limited).length < 400_000)
  t.match(limited, { title: /^word word.* …$/, url: null, metadata: { shelf: 'kept', comment: /…$/ } })
  t.equal(limited.authors.length, 6000)
  t.strictSame(limited.metadata.truncated?.sort(), ['abstract', 'authors', 'comment', 'deep', 'keywords', 'title', 'url', 'venue_name'])
  t.strictSame(limitRecord(limited), limited, 'limiting again changes nothing')
})

t.test('truncated text ends at a word, without lone surrogates', async t => {
  t.match(limitRecord(record({ title: `${'a'.repeat(980)} ${'b'.repeat(100)}` })).title, /^a{980} …$|^a{980} b{17} …$/)
  t.ok(limitRecord(record({ title: '😀'.repeat(2000) })).title.isWellFormed())
})

t.test('truncates long runs of spaces in linear time', async t => {
  const abstract = `a${' '.repeat(19_900)}${'x'.repeat(200)}`
  await takesLess(t, 100, () => limitRecord(record({ title: 'Spaces', abstract })))
})
