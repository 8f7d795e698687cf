import t from 'tap'
import { randomUUID } from 'node:crypto'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { search as searchAll } from '../../src/operations/papers/search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { addPapers, projectWith, testService } from '../support/service.js'

t.test('feed_search', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [
    { title: 'Neuronal replay during slow-wave sleep', abstract: 'Hippocampal cells repeat.', authors: [{ name: 'Ana Böhm' }] },
    {
      title: 'Naïve café visitors',
      abstract: 'They drink β-carotene and 1,3-butadiene.',
      authors: [{ name: 'José García' }],
      doi: '10.5555/abc.12-x',
      external_ids: { pmid: '990000123', arxiv: '2613.00001' }
    },
    { title: 'Sleep', abstract: 'Replay.', authors: [] },
    { title: '睡眠と記憶の研究', abstract: null },
    { title: 'Gene BRCA1 and IL-6', abstract: 'Łódź cohort, straße.' }
  ])
  const search = async (q: string, more: object = {}) => await feedSearch.run(context, { project_id, q, ...more })
  const titles = async (q: string, more: object = {}) => (await search(q, more)).items.map(({ paper_title }) => paper_title)

  t.test('returns exactly items, limit, offset, has_more and query', async t => {
    const result = await search('sleep')
    t.strictSame(Object.keys(result), ['items', 'limit', 'offset', 'has_more', 'query'])
    t.match(result, { limit: 10, offset: 0, has_more: false, query: 'sleep' })
  })

  t.test('terms match word prefixes', async t => {
    t.strictSame(await titles('neuro'), ['Neuronal replay during slow-wave sleep'])
    t.strictSame(await titles('uronal'), [])
  })

  t.test('searches title, author, abstract and summary', async t => {
    t.strictSame(await titles('hippocampal'), ['Neuronal replay during slow-wave sleep'])
    t.strictSame(await titles('García'), ['Naïve café visitors'])
  })

  t.test('ignores case and accents', async t => {
    for (const q of ['BOHM', 'böhm', 'Bo\u0308hm']) t.equal((await titles(q)).length, 1, q)
    for (const q of ['naive cafe', 'NAÏVE CAFÉ', 'lodz', 'Łódź', 'strasse', 'straße']) t.equal((await titles(q)).length, 1, q)
  })

  t.test('ignores hidden characters', async t => {
    for (const q of ['hippo\u00adcampal', 'Neuro\u200bnal', '\ufeffBöhm']) {
      t.strictSame(await titles(q), ['Neuronal replay during slow-wave sleep'], q)
    }
    for (const q of ['10.5555/\u200babc.12-x', '\u200e990000123', 'PMID:\u2060 990000123']) {
      t.strictSame(await titles(q), ['Naïve café visitors'], q)
    }
    t.strictSame(await titles('\u3164\u3164\u3164'), [], 'letters that nobody sees')
  })

  t.test('finds identifiers, chemical names, gene names and CJK words', async t => {
    for (const q of [
      '10.5555/abc.12-x',
      'https://doi.org/10.5555/ABC.12-X',
      'doi:10.5555/abc.12-x',
      '990000123',
      'PMID: 990000123',
      'https://pubmed.ncbi.nlm.nih.gov/990000123/',
      '2613.00001',
      'arXiv:2613.00001v3',
      'https://arxiv.org/pdf/2613.00001v2.pdf',
      'β-carotene',
      '1,3-butadiene'
    ]) { t.equal((await titles(q))[0], 'Naïve café visitors', q) }
    t.equal((await search('https://doi.org/10.5555/ABC.12-X')).query, '10 5555 abc 12 x', 'an address in front is no term')
    for (const q of ['brca', 'il-6']) t.strictSame(await titles(q), ['Gene BRCA1 and IL-6'], q)
    for (const q of ['睡眠と', '記憶の', 'の研究']) t.strictSame(await titles(q), ['睡眠と記憶の研究'], q)
  })

  t.test('finds a work by its OpenAlex id or address alone', async t => {
    const project = await projectWith(user, [
      { title: 'The work', external_ids: { openalex: 'W2741809807' } }, { title: 'By W2741809807 and https' }, { title: 'By W2741809808' }
    ])
    const found = async (q: string) =>
      (await feedSearch.run(context, { project_id: project, q })).items.map(({ paper_title }) => paper_title)
    for (const q of ['W2741809807', 'w2741809807', 'https://openalex.org/W2741809807', 'https://api.openalex.org/works/W2741809807']) {
      t.strictSame(await found(q), ['The work'], q)
    }
    for (const q of ['W2741809808', 'https://openalex.org/W2741809808']) t.strictSame(await found(q), ['By W2741809808'], 'else a word')
  })

  t.test('an identifier that the feed lacks finds nothing, and digits are words', async t => {
    const lacked = [
      '10.5555/abc.13', 'https://doi.org/10.5556/SLEEP', 'doi: 10.5556/replay', 'arXiv:2613.99999', '2613.99999', 'PMC7654321',
      'PMID: 990000124', 'https://pubmed.ncbi.nlm.nih.gov/990000124/'
    ]
    const numbers = await projectWith(user, [{ title: 'A cohort of 10 and 5555 and 2613 from 2024', abstract: 'PMID and PMC and arXiv.' }])
    for (const q of lacked) {
      t.match(await feedSearch.run(context, { project_id: numbers, q }), { items: { length: 0 }, has_more: false, query: /^[^|]+$/ }, q)
      for (const page of [
        await feedPage.run(context, { project_id: numbers, q }),
        await feedsGet.run(context, { q }),
        await searchAll.run(context, { query: q })
      ]) t.strictSame('items' in page ? page.items : page.results, [], q)
    }
    t.equal((await feedSearch.run(context, { project_id: numbers, q: '2024' })).items.length, 1)
    t.match(await search('10.5555/abc'), { items: { length: 1 }, query: '10 5555 abc' }, 'an identifier that goes on')
    const named = await projectWith(user, [{ title: 'Correction', abstract: 'This corrects the article DOI: 10.5557/journal.0042.' }])
    t.match(await feedSearch.run(context, { project_id: named, q: 'doi:10.5557/journal.0042' }), { items: { length: 1 } }, 'in an abstract')
    t.equal((await feedSearch.run(context, { project_id: numbers, q: '10.5555/abc.12-x' })).items.length, 0, 'that of another feed')
    t.match(await feedsGet.run(context, { q: '10.5555/abc.12-x' }), { items: { length: 1 } })
    t.match(await feedPage.run(context, { project_id, q: 'arXiv:2613.00001' }), { items: { length: 1 }, has_more: false })
    t.match(await feedPage.run(context, { project_id, q: 'arXiv:2613.00001', saved: true }), { items: { length: 0 } })
    t.match(await search('arXiv:2613.00001', { offset: 1 }), { items: { length: 0 } })
    await t.rejects(feedSearch.run(context, { project_id: randomUUID(), q: '10.5555/abc.12-x' }), { code: 'project_not_found' })
  })

  t.test('lists full matches, then partial ones with OR in the query', async t => {
    const result = await search('neuronal sleep')
    t.strictSame(result.items.map(({ paper_title }) => paper_title), ['Neuronal replay during slow-wave sleep', 'Sleep'])
    t.equal(result.query, 'neuronal OR sleep')
  })

  t.test('a page of full matches returns the terms as used', async t => {
    const result = await search('Neuronal sleep', { limit: 1 })
    t.equal(result.query, 'neuronal sleep')
    t.equal(result.has_more, true)
  })

  t.test('no match is an empty page', async t => {
    t.strictSame(await search('xylophone'), { items: [], limit: 10, offset: 0, has_more: false, query: 'xylophone' })
  })

  t.test('a title match outranks an abstract match, a whole word the longer word', async t => {
    t.strictSame((await titles('replay'))[0], 'Neuronal replay during slow-wave sleep')
    const other = await projectWith(user, [
      { title: 'Sleepers awake and asleep in sleepless sleeping cars' },
      { title: 'On sleep in cars of the night train' }
    ])
    const { items } = await feedSearch.run(context, { project_id: other, q: 'sleep' })
    t.equal(items[0]!.paper_title, 'On sleep in cars of the night train')
  })

  t.test('no query syntax causes an error', async t => {
    const hostile = [
      'a & b',
      '!sleep',
      '(((',
      ')))',
      "sleep'; drop table paper; --",
      '"sleep" -replay',
      'sleep:*',
      '<->',
      'sleep\u0000x',
      '\\\\\\',
      '😀 sleep',
      '‮sleep',
      'a'.repeat(200),
      '%_%',
      '$1',
      'NOT AND OR',
      '*** sleep ***'
    ]
    for (const q of hostile) {
      try {
        await search(q)
        t.pass(q)
      } catch (error) {
        t.match(error, { code: 'invalid_arguments' }, JSON.stringify(q))
      }
    }
  })

  t.test('q has 3 to 200 characters after trimming, and a word', async t => {
    for (const q of ['', '  a ', 'ab', 'x'.repeat(201), ' '.repeat(300), '!!!', '...---...', '😀😀😀', 'x'.repeat(10_000)]) {
      await t.rejects(search(q), { code: 'invalid_arguments', message: /^q / }, q.slice(0, 10))
    }
    t.resolves(search(`   ${'x'.repeat(200)}   `))
    t.resolves(search(' 記憶の '))
    await t.rejects(search('記憶'), {
      message: 'q has 2 characters after trimming; allowed: 3 to 200. Add a second word, or send a longer one.'
    })
    t.strictSame(await titles('睡眠 記憶'), ['睡眠と記憶の研究'], 'two words of two characters are long enough')
  })

  t.test('pages are stable and complete', async t => {
    const many = await projectWith(
      user,
      Array.from({ length: 45 }, (_each, at) => ({ title: `Spindle study ${at}`, abstract: 'The same words in each.' }))
    )
    const seen: string[] = []
    let more = true
    for (let offset = 0; more; offset += 10) {
      const page = await feedSearch.run(context, { project_id: many, q: 'spindle study', limit: 10, offset })
      seen.push(...page.items.map(({ id }) => id))
      more = page.has_more
    }
    t.equal(seen.length, 45)
    t.equal(new Set(seen).size, 45)
  })

  t.test('filters apply to searches', async t => {
    const { items } = await feedGet.run(context, { project_id })
    const [first, second, third] = items
    await feedbackSet.run(context, { paper_id: first!.id, vote: 'star' })
    await feedbackSet.run(context, { paper_id: second!.id, vote: 'downvote', downvote_reason: 'low_quality' })
    await feedbackSet.run(context, { paper_id: third!.id, vote: 'upvote' })
    const count = async (feedback_filter: string) => (await search('sleep cafe gene 研究', { feedback_filter })).items.length
    t.equal(await count('all'), 5)
    t.equal(await count('unrated'), 2)
    t.equal(await count('starred'), 1)
    t.equal(await count('liked'), 1)
    t.equal(await count('disliked'), 1)
    t.equal(await count('low-quality'), 1)
    t.equal(await count('not-relevant'), 0)
    t.equal((await search('sleep', { must_read: true })).items.length, 0)
    t.equal((await search('sleep', { must_read: false })).items.length, 2)
  })

  t.test('finds an item after its commit, and by new words after a change', async t => {
    const fresh = await projectWith(user, [{ title: 'First words', doi: '10.5555/fresh' }])
    await addPapers(context, fresh, [{ title: 'Second words', doi: '10.5555/fresh' }])
    t.equal((await feedSearch.run(context, { project_id: fresh, q: 'second' })).items.length, 1)
    t.equal((await feedSearch.run(context, { project_id: fresh, q: 'first' })).items.length, 0)
  })

  t.test("another account's project equals a missing one", async t => {
    const stranger = await service.user()
    const missing = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    const messages = await Promise.all(
      [project_id, missing].map(
        async id =>
          await feedSearch.run(stranger.context, { project_id: id, q: 'sleep' }).catch((error: Error) => error.message.replace(id, 'ID'))
      )
    )
    t.equal(messages[0], messages[1])
  })
})
