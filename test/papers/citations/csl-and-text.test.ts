import t from 'tap'
import { csl } from '../../../src/papers/citations/csl.js'
import { text } from '../../../src/papers/citations/text.js'
import { paperOf } from '../../support/service.js'
import { readRecords } from '../../support/readings.js'

const article = paperOf({
  title: 'Sleep spindles & "memory"',
  abstract: 'Spindles < ripples.',
  authors: ['Ana Núñez', 'Martin King Jr', 'The ATLAS Collaboration'].map(name => ({ name })),
  published_date: '2021-04-05',
  url: 'https://example.org/a',
  doi: '10.1000/a_b(c)',
  venue_name: 'Journal of Sleep',
  external_ids: { pmid: '123', pmcid: 'PMC9', arxiv: '2401.01234' },
  metadata: {
    published: '2021-04-05',
    volume: '12',
    issue: '3',
    pages: '12-34',
    issn: '1234-5678',
    publisher: 'A & Sons',
    language: 'en',
    keywords: ['mice', 'sleep']
  }
})

t.test('CSL-JSON has the fields of citation processors', async t => {
  t.match(JSON.parse(csl.write(article, new Map())), {
    title: 'Sleep spindles & "memory"',
    author: [{ family: 'Núñez', given: 'Ana' }, { family: 'King', given: 'Martin', suffix: 'Jr' }, { literal: 'The ATLAS Collaboration' }],
    issued: { 'date-parts': [[2021, 4, 5]] },
    'container-title': 'Journal of Sleep',
    volume: '12',
    issue: '3',
    page: '12-34',
    DOI: '10.1000/a_b(c)',
    PMID: '123',
    number: 'arXiv:2401.01234',
    keyword: 'mice, sleep',
    abstract: 'Spindles < ripples.'
  })
})

t.test('CSL-JSON survives a round trip through import', async t => {
  const [back] = await readRecords('csl-json', `[${csl.write(article, new Map())}]`)
  t.match(back, {
    title: article.title,
    doi: article.doi,
    venue_name: 'Journal of Sleep',
    published_date: '2021-04-05',
    authors: [{ name: 'Ana Núñez' }, { name: /King/ }, { name: 'The ATLAS Collaboration' }]
  })
})

t.test('keywords with commas survive a round trip through CSL-JSON', async t => {
  for (const keywords of [['Mice, Inbred C57BL', 'sleep'], ['Mice, Inbred C57BL'], ['mice', 'sleep'], ['sleep']]) {
    const written = csl.write(paperOf({ title: 'T', metadata: { keywords } }), new Map())
    t.match(await readRecords('csl-json', `[${written}]`), [{ metadata: { keywords } }])
  }
})

t.test('a title alone is a CSL-JSON item without empty fields', async t => {
  const item = JSON.parse(csl.write(paperOf({ title: 'A title' }), new Map()))
  for (const field of ['author', 'issued', 'page', 'number', 'keyword']) t.notOk(field in item, field)
})

t.test('accepts a page without an end', async t => {
  t.equal(JSON.parse(csl.write(paperOf({ title: 'T', metadata: { pages: 'e7' } }), new Map())).page, 'e7')
})

t.test('a reference as text is one line in the style of the US National Library of Medicine', async t => {
  t.equal(
    text.write(article, new Map()),
    'Núñez A, King M Jr, The ATLAS Collaboration. Sleep spindles & "memory". Journal of Sleep. 2021-04-05;12(3):12-34. ' +
    'https://doi.org/10.1000/a_b(c) PMID 123. arXiv:2401.01234.\n'
  )
  t.equal(text.write(paperOf({ title: 'Why sleep?' }), new Map()), 'Why sleep?\n')
  t.equal(
    text.write(paperOf({ title: 'T', url: 'https://example.org/t', metadata: { volume: '7', pages: '3' } }), new Map()),
    'T. 7:3. https://example.org/t\n'
  )
})

t.test('a reference as text names six authors', async t => {
  const authors = Array.from({ length: 8 }, (_each, at) => ({ name: `Ana Smith${'abcdefgh'[at]!}` }))
  t.match(text.write(paperOf({ title: 'T', authors }), new Map()), /Smithf A, et al\. T\.\n$/)
})
