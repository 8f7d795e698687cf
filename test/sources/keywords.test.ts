import t, { type Test } from 'tap'
import { arxiv } from '../../src/sources/arxiv.js'
import { biorxiv } from '../../src/sources/biorxiv.js'
import { crossref } from '../../src/sources/crossref.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { openalex } from '../../src/sources/openalex.js'
import { pubmed } from '../../src/sources/pubmed.js'
import { splitQuery } from '../../src/sources/requests/query-parts.js'
import { topicMatcher, topicsIn } from '../../src/sources/requests/topics.js'
import type { Source } from '../../src/sources/source.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { parametersOf } from '../support/stand-ins/server.js'
import { runSearch, sourceContext } from '../support/source-search.js'

const quickCrossref = async (t: Test, papers: readonly Publication[]) => await crossrefStandIn(t, papers, { limit: '1000' })
const standIns = [
  [arxiv, arxivStandIn],
  [biorxiv, biorxivStandIn],
  [crossref, quickCrossref],
  [europepmc, europepmcStandIn],
  [openalex, openalexStandIn],
  [pubmed, pubmedStandIn]
] as const

/** A word that no other number has. */
const wordOf = (at: number) => `subject${String.fromCharCode(97 + at / 26, 97 + at % 26)}`
const paperOn = (subject: string, at: number): Publication => ({
  title: `Notes on ${subject}`,
  abstract: null,
  date: '2026-11-10',
  doi: `10.1000/notes.${at}`,
  arxiv: `2611.${String(at).padStart(5, '0')}`,
  pmid: String(42_000_000 + at),
  openalex: `W${5_000_000 + at}`
})
const queryFor = (source: Source, positive_keywords: string[]) =>
  source.buildQuery({ positive_keywords, interest_description: 'Not searched for.' })

t.test('every source is searched for all keywords of a project, however many and long', async t => {
  const short = Array.from({ length: 100 }, (_, at) => wordOf(at))
  const long = short.map((word, at) => `${word} ${'ü'.repeat(190)}`.slice(0, 199) + at % 10)
  for (const [source, standIn] of standIns) {
    for (const keywords of [short, long]) {
      const papers = keywords.map((keyword, at) => ({ ...paperOn(keyword, at), preprint: source === biorxiv }))
      const { url, requests } = await standIn(t, papers)
      const { records, shortfall, error } = await runSearch(source, sourceContext(source, url), { query: queryFor(source, keywords) })
      t.equal(error, undefined, source.name)
      t.equal(shortfall, undefined, source.name)
      t.equal(new Set(records.map(({ title }) => title)).size, 100, source.name)
      const longest = requests.reduce((length, { url }) => Math.max(length, url.pathname.length + url.search.length), 0)
      t.ok(longest < 4000, `${source.name}: an address of ${longest} characters`)
      t.ok(requests.length <= 260, `${source.name}: ${requests.length} requests`)
    }
  }
})

t.test('a keyword is searched for as a whole', async t => {
  const keyword = 'long words '.repeat(18).trim()
  for (const source of [arxiv, europepmc, openalex, pubmed]) t.match(queryFor(source, [keyword]), `"${keyword}"`, source.name)
})

t.test('a keyword is searched for in British and American spelling', async t => {
  t.equal(queryFor(pubmed, ['Tumour growth', 'sleep']), '"Tumour growth"[tiab] OR "tumor growth"[tiab] OR sleep[tiab]')
  for (const source of [arxiv, europepmc, openalex]) {
    t.match(queryFor(source, ['randomized trial']), /"randomized trial".* OR .*"randomised trial"/, source.name)
  }
})

t.test('a truncated keyword is searched for by the beginning of its word', async t => {
  t.equal(queryFor(pubmed, ['schizophren*', 'cognitive impair*']), 'schizophren*[tiab] OR (cognitive[tiab] AND impair*[tiab])')
  t.equal(queryFor(europepmc, ['Tumour*']), 'TITLE_ABS:Tumour* OR TITLE_ABS:tumor*')
  t.equal(queryFor(europepmc, ['randomis*']), 'TITLE_ABS:randomis* OR TITLE_ABS:randomiz*')
  t.equal(queryFor(arxiv, ['(quantum comput*)']), '(all:quantum AND all:comput*)')
  t.equal(queryFor(pubmed, ['meta-analy*', 'e-cigarette*']), '(meta[tiab] AND analy*[tiab]) OR cigarette*[tiab]')
  t.equal(queryFor(openalex, ['cognitive impair*']), '(cognitive AND impair)')
  for (const source of [crossref, biorxiv]) t.strictSame(topicsIn(queryFor(source, ['schizophren*'])), ['schizophren'])
  t.equal(queryFor(pubmed, ['abc*', '*sleep', 'wom*n', 'sleep **', 'AND comput*', 'risk of impair*']),
    'abc[tiab] OR sleep[tiab] OR "wom n"[tiab] OR comput*[tiab] OR (risk[tiab] AND impair*[tiab])')
})

t.test('truncated words of an interest are searched for, too', async t => {
  const interest_description = '(schizophren*[tiab] OR "bipolar disorder*") AND (cognit* OR memor*) AND treat*'
  t.equal(pubmed.buildQuery({ positive_keywords: [], interest_description }),
    'schizophren*[tiab] OR (bipolar[tiab] AND disorder*[tiab]) OR cognit*[tiab] OR memor*[tiab]')
  const emphasized = 'Insomnia in adults, **especially** adolescents *without* depression'
  for (const marked of [emphasized, emphasized.replaceAll('*', '')]) {
    t.equal(pubmed.buildQuery({ positive_keywords: [], interest_description: marked }), 'insomnia[tiab] OR adolescents[tiab]')
  }
})

t.test('keywords have no operators of query languages', async t => {
  t.strictSame(topicsIn(queryFor(crossref, ['1,3-butadiene', 'sleep'])), ['1 3-butadiene', 'sleep'])
  t.strictSame(topicsIn(queryFor(biorxiv, ['this OR that'])), ['this or that'])
  t.equal(queryFor(europepmc, ['OR', '++', 'CD4/CD8']), 'TITLE_ABS:"OR" OR TITLE_ABS:"CD4/CD8"')
  t.equal(queryFor(pubmed, ['R&D', "'sleep'"]), '"R&D"[tiab] OR sleep[tiab]')
  t.equal(queryFor(arxiv, ['Parkinson’s disease']), 'all:"Parkinson\'s disease"')
})

t.test('a topic matches names in other spellings', async t => {
  for (const [topic, text] of [
    ['TNF-α', 'TNFα'], ['TNF-α', 'TNF-alpha in blood'], ['TNFalpha', 'TNF-α'], ['IL-6', 'IL6 levels'], ['IL6', 'IL-6 levels'],
    ['5HT', '5-HT receptors'], ['μ-opioid', '\u00b5-opioid receptors'],
    ['tumour', 'Tumor growth'], ['hemoglobin', 'Haemoglobin'],
    ['ψυχολογία', 'ΨΥΧΟΛΟΓΙΑ'], ["Parkinson's disease", 'Parkinson disease'], ['editing', 'gene-editing']
  ] as const) t.ok(topicMatcher([topic])(text), `${topic}: ${text}`)
  for (const [topic, text] of [['IL-6', 'IL17 levels'], ['C++', 'cancer cells'], ['TNF-α', 'TNF-β']] as const) {
    t.notOk(topicMatcher([topic])(text), `${topic}: ${text}`)
  }
})

t.test('a query is split only where its parts find the same papers', async t => {
  const terms = Array.from({ length: 100 }, (_, at) => `all:"${wordOf(at)} OR others ${'x'.repeat(50)}"`)
  const parts = splitQuery(terms.join(' OR '))
  t.equal(parts.join(' OR '), terms.join(' OR '))
  t.ok(parts.length > 1 && parts.every(part => encodeURIComponent(part).length <= 3600), `${parts.length} parts`)
  const groups = terms.map(term => `(${term} AND all:"x) OR y")`)
  t.ok(splitQuery(groups.join(' OR ')).length > parts.length)
  t.equal(splitQuery(groups.join(' OR ')).join(' OR '), groups.join(' OR '))
  for (const query of [
    terms.slice(0, 10).join(' OR '),
    `(${terms.join(' OR ')}) AND cat:cs.CL`,
    `${terms.join(' OR ')} ANDNOT all:other`,
    `${terms.join(' OR ')} OR two words`,
    terms.join(' ')
  ]) t.strictSame(splitQuery(query), [query])
})

t.test('a listing in parts continues at its cursor', async t => {
  const keywords = Array.from({ length: 100 }, (_, at) => `${wordOf(at)} ${'x'.repeat(80)}`)
  const papers = Array.from({ length: 600 }, (_, at) => paperOn(keywords[at % 100]!, at))
  for (const [source, standIn, apiKey] of [
    [arxiv, arxivStandIn], [europepmc, europepmcStandIn], [openalex, openalexStandIn], [openalex, openalexStandIn, 'a-key']
  ] as const) {
    const { url, requests } = await standIn(t, papers.map(paper => ({ ...paper, abstract: 'x'.repeat(80) })))
    const context = sourceContext(source, url, apiKey === undefined ? {} : { apiKey })
    const query = queryFor(source, keywords)
    const whole = await runSearch(source, context, { query })
    t.ok(whole.cursors.some(cursor => /^part 2 ./.test(cursor ?? '')), source.name)
    t.equal(new Set(whole.records.map(({ source_paper_id }) => source_paper_id)).size, 600, source.name)
    for (const at of [0, Math.floor(whole.cursors.length / 2), whole.cursors.length - 2]) {
      const rest = await runSearch(source, context, { query, cursor: whole.cursors[at]! })
      t.strictSame(rest.cursors, whole.cursors.slice(at + 1), `${source.name} from ${whole.cursors[at]}`)
    }
    for (const cursor of ['200', 'part 99', 'part 99 200']) {
      t.strictSame((await runSearch(source, context, { query, cursor })).cursors, whole.cursors, `${source.name}: ${cursor} of another split`)
    }
    const before = requests.length
    await runSearch(source, context, { query: queryFor(source, keywords.slice(0, 1)), cursor: 'part 2 200' })
    t.notMatch(parametersOf(requests[before]!).toString(), /start=200|cursor=200|cursorMark=200|page=200/, 'nor of a query with parts')
  }
})

t.test('a custom query with more topics than are searched for says so', async t => {
  const topics = Array.from({ length: 250 }, (_, at) => wordOf(at)).join(',')
  const { url, requests } = await quickCrossref(t, [])
  const context = sourceContext(crossref, url)
  const { shortfall } = await runSearch(crossref, context, { query: topics })
  t.equal(shortfall, 'Crossref was searched for the first 200 of 250 topics. Remove some.')
  t.equal(requests.length, 200)
  const server = await biorxivStandIn(t, [])
  t.match((await runSearch(biorxiv, sourceContext(biorxiv, server.url), { query: topics })).shortfall, /^bioRxiv was .* 200 of 250 topics/)
})

t.test('more topics at Crossref take fewer pages each', async t => {
  const { url, requests } = await quickCrossref(t, Array.from({ length: 1000 }, (_, at) => paperOn(wordOf(0), at)))
  const others = Array.from({ length: 199 }, (_, at) => wordOf(at + 1))
  const query = [wordOf(0), ...others].join(', ')
  const { shortfall, error } = await runSearch(crossref, sourceContext(crossref, url), { query })
  t.equal(error, undefined)
  t.match(shortfall, /more than 400 works for the topic "subjectaa"/)
  t.equal(requests.length, 4 + 199)
})
