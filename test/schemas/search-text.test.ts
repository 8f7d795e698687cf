import t from 'tap'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { search } from '../../src/operations/papers/search.js'

const project_id = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'

t.test('a search text is trimmed, and an empty optional one is absent', async t => {
  t.strictSame(feedSearch.check({ project_id, q: ' sleep \n' }), { project_id, q: 'sleep' })
  for (const q of ['', '  ', null, undefined]) t.strictSame(feedsGet.check({ q }), {}, JSON.stringify(q))
  t.throws(() => feedSearch.check({ project_id, q: '  ' }), { message: 'q has 0 characters after trimming; allowed: 3 to 200.' })
})

t.test('a search text has 3 to 200 characters, on pages two of a script with short words, and a word', async t => {
  for (const q of ['abc', ' '.repeat(300) + 'x'.repeat(200), '\u{20000}'.repeat(200), '№№№']) {
    t.strictSame(feedSearch.check({ project_id, q }), { project_id, q: q.trim() })
  }
  t.throws(() => feedSearch.check({ project_id, q: 'x'.repeat(100_000) }), {
    message: 'q has 100000 characters after trimming; allowed: 3 to 200.',
    userMessage: 'A search needs 3 to 200 characters.'
  })
  t.throws(() => feedSearch.check({ project_id, q: '記憶' }), {
    message: 'q has 2 characters after trimming; allowed: 3 to 200. Add a second word, or send a longer one.'
  })
  t.strictSame(feedsGet.check({ q: '記憶' }), { q: '記憶' })
  t.throws(() => feedsGet.check({ q: '記' }), { message: 'q has 1 character after trimming; allowed: 2 to 200.' })
  t.throws(() => feedSearch.check({ project_id, q: '\u0301\u0316\u20dd' }), { message: /^q has no words/ })
  t.throws(() => feedsGet.check({ q: '!!!' }), { message: 'q has no words. Send at least one letter or digit.' })
})

t.test('the question of search may be longer, with a word in the part that is searched for', async t => {
  t.ok(search.check({ query: 'sleep '.repeat(300) }))
  t.throws(() => search.check({ query: `${'!'.repeat(200)} sleep` }), { message: /^query has no words/ })
})
