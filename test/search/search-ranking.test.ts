import t from 'tap'
import fc from 'fast-check'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { wordsOf } from '../../src/papers/identified-items.js'
import { pastedIdentifier } from '../../src/papers/pasted-identifier.js'
import { planQuery } from '../../src/search/query-plan.js'
import { findMatches, selectItems } from '../../src/search/ranking.js'
import { projectWith, testService } from '../support/service.js'
import { segmentsOf, uuid } from './exhaustive-scorer.js'

const service = await testService(t)

t.test('the order of search results', async t => {
  const user = await service.user()
  const { context } = user
  const filler = Array.from({ length: 30 }, (_each, at) => ({
    title: `Unrelated report ${at}`,
    abstract: 'The methods of the study are of the usual kind, and so is the design.'
  }))
  const project_id = await projectWith(user, [
    ...filler,
    {
      title: 'A survey of the field',
      abstract: 'Dopamine is mentioned here once among many other things that this survey of the field goes through in turn.'
    },
    { title: 'Dopamine and reward', abstract: 'How dopamine signals reward.' },
    { title: 'Dopaminergic neurons of the midbrain', abstract: 'Cells of the midbrain.' },
    { title: 'Studying mice', abstract: 'A study of a mouse.' },
    { title: 'The role of sleep in memory', abstract: 'Consolidation in humans is shown.' },
    { title: 'TGF‐β1 and IL-6 in fibrosis', abstract: 'With 1,3-butadiene and 2-(4-isobutylphenyl)propanoic acid.' },
    { title: 'Alpha-synuclein fibrils', abstract: 'Proteins.' },
    { title: 'Βιβλιοθήκη και ένα ερώτημα', abstract: 'Άνθρωπος.' },
    { title: 'Приёмы исследования', abstract: 'Ёлка.' },
    { title: '深層学習による画像認識', abstract: '機械学習の研究' },
    { title: 'One', doi: '10.1000/1' },
    { title: 'Eleven', doi: '10.1000/11' },
    { title: 'Numbers 10 1000 1', abstract: '10 1000 1 10 1000 1 10 1000 1' },
    { title: 'By record number', external_ids: { pmid: '31452104', arxiv: '2401.01234', pmcid: 'PMC7654321' } },
    { title: 'By another number', external_ids: { pmid: '314521045' } }
  ])
  const titles = async (q: string) => (await feedSearch.run(context, { project_id, q })).items.map(({ paper_title }) => paper_title)
  const first = async (q: string) => (await titles(q))[0]

  t.test('ranks by relevance to the words', async t => {
    t.strictSame(await titles('dopamine reward'), ['Dopamine and reward', 'A survey of the field', 'Dopaminergic neurons of the midbrain'])
    t.strictSame(await titles('dopaminergic'), ['Dopaminergic neurons of the midbrain'])
  })

  t.test('weights rare words above common ones', async t => {
    t.equal(await first('design of the methods study reward'), 'Dopamine and reward')
  })

  t.test('finds other forms of a word after the word itself', async t => {
    t.ok((await titles('studies')).includes('Studying mice'))
    t.equal((await titles('consolidated'))[0], 'The role of sleep in memory')
  })

  t.test('lists full matches, then matches without stop words, then partial ones', async t => {
    const ripples = await projectWith(user, [
      ...filler,
      { title: 'Ripples, replay and memory in the hippocampus', abstract: 'Ripples, replay, memory.' },
      {
        title: 'A survey',
        abstract:
          'Replay and ripples are mentioned, as is the memory of the hippocampus, among many other things that a long survey goes ' +
          'through in its turn.'
      },
      { title: 'Replay and memory in the hippocampus', abstract: 'Replay of memory; memory of replay; hippocampus.' }
    ])
    const { items } = await feedSearch.run(context, { project_id: ripples, q: 'hippocampus ripples replay memory of' })
    t.strictSame(
      items.slice(0, 3).map(({ paper_title }) => paper_title),
      ['A survey', 'Ripples, replay and memory in the hippocampus', 'Replay and memory in the hippocampus']
    )
  })

  t.test('ignores missing stop words in long questions', async t => {
    const { items, query } = await feedSearch.run(context, { project_id, q: 'the role of sleep on memory consolidation in humans' })
    t.equal(items[0]!.paper_title, 'The role of sleep in memory')
    t.match(query, / OR /, 'it says that something is lacking')
  })

  t.test('finds names in any script, with signs and digits', async t => {
    for (const [q, title] of [
      ['il6', 'TGF‐β1 and IL-6 in fibrosis'],
      ['IL-6', 'TGF‐β1 and IL-6 in fibrosis'],
      ['TGF-beta1', 'TGF‐β1 and IL-6 in fibrosis'],
      ['tgfβ1', 'TGF‐β1 and IL-6 in fibrosis'],
      ['TGF-β1', 'TGF‐β1 and IL-6 in fibrosis'],
      ['1,3-butadiene', 'TGF‐β1 and IL-6 in fibrosis'],
      ['2-(4-isobutylphenyl)propanoic', 'TGF‐β1 and IL-6 in fibrosis'],
      ['α-synuclein', 'Alpha-synuclein fibrils'],
      ['βιβλιοθηκη', 'Βιβλιοθήκη και ένα ερώτημα'],
      ['ΑΝΘΡΩΠΟΣ', 'Βιβλιοθήκη και ένα ερώτημα'],
      ['елка', 'Приёмы исследования'],
      ['画像認識', '深層学習による画像認識'],
      ['機械学習', '深層学習による画像認識']
    ] as const) { t.equal(await first(q), title, q) }
  })

  t.test('lists the paper of an identifier first', async t => {
    for (const [q, title] of [
      ['10.1000/1', 'One'],
      ['10.1000/11', 'Eleven'],
      ['https://doi.org/10.1000/1', 'One'],
      ['31452104', 'By record number'],
      ['PMID: 314521045', 'By another number'],
      ['2401.01234', 'By record number'],
      ['arXiv:2401.01234v2', 'By record number'],
      ['PMC7654321', 'By record number']
    ] as const) { t.equal(await first(q), title, q) }
  })

  t.test('finds papers by the distinctive parts of their identifiers; a whole identifier matches only if all its parts do', async t => {
    const project = await projectWith(user, [
      ...filler,
      { title: 'IL-10 after infarction', doi: '10.1136/heartjnl-2020-317' },
      { title: 'IL-6 after infarction, and IL-6 in sepsis', doi: '10.1016/j.cell.2020.10.001' },
      { title: 'IL-17 after infarction', abstract: 'Data are at https://doi.org/10.5061/dryad.x1y2.', doi: '10.1038/s41586-020-2649-2' }
    ])
    const search = async (q: string) =>
      (await feedSearch.run(context, { project_id: project, q })).items.map(({ paper_title }) => paper_title.slice(0, 5))
    t.strictSame((await search('IL-10 infarction'))[0], 'IL-10')
    for (const q of ['heart', 'cell', '1136', 'heartjnl']) t.strictSame(await search(q), [], q)
    for (const q of ['317', '10.1136/heartjnl-2020', '10.1136/heartjnl']) t.strictSame(await search(q), ['IL-10'], q)
    for (const q of ['s41586', '2649', 's41586-020', '10.5061/dryad.x1y2']) t.strictSame(await search(q), ['IL-17'], q)
    t.strictSame(await search('10.1016/j.neuron.2020.10.001'), [], 'an identifier that no paper has')
  })

  t.test('finds names within longer hyphenated words, and without their hyphens', async t => {
    const project = await projectWith(user, [
      { title: 'An anti-PD-1 antibody' }, { title: 'Fatigue in post-COVID-19 patients' }, { title: 'Spread of SARS-CoV-2' },
      { title: 'Therapy of HER2 tumors' }, { title: 'Her 2 sisters', abstract: 'Of BRCA1 carriers.' }
    ])
    const search = async (q: string) =>
      (await feedSearch.run(context, { project_id: project, q })).items.map(({ paper_title }) => paper_title)
    for (const [q, title] of [
      ['PD1', 'An anti-PD-1 antibody'], ['COVID19', 'Fatigue in post-COVID-19 patients'], ['SARS-CoV2', 'Spread of SARS-CoV-2'],
      ['anti-PD1', 'An anti-PD-1 antibody'], ['BRCA-1', 'Her 2 sisters']
    ] as const) t.equal((await search(q))[0], title, q)
    t.strictSame((await search('HER-2')).slice(0, 2).sort(), ['Her 2 sisters', 'Therapy of HER2 tumors'])
    const { query } = await feedSearch.run(context, { project_id: project, q: 'HER-2 therapy', limit: 1 })
    t.equal(query, 'her 2 therapy', 'a name without its hyphen has all terms')
  })

  t.test('finds names with a Greek letter in every spelling', async t => {
    const spellings = [
      ['TNF-α', 'TNFα', 'TNF-alpha', 'TNFalpha'], ['NF-κB', 'NFκB', 'NF-kappaB', 'NFkappaB'], ['IFN-γ', 'IFNγ', 'IFN‑gamma', 'IFNgamma']
    ]
    const project = await projectWith(user, [
      ...filler, { title: 'Alpha waves in sepsis' }, { title: 'The TNF receptor' }, { title: 'An NF of kappa light chains' },
      ...spellings.flat().map(name => ({ title: `${name} in sepsis` }))
    ])
    for (const names of spellings) {
      for (const q of names) {
        const { items, query } = await feedSearch.run(context, { project_id: project, q, limit: 4 })
        t.strictSame(items.map(({ paper_title }) => paper_title).sort(), names.map(name => `${name} in sepsis`).sort(), q)
        t.notMatch(query, / OR /, q)
      }
    }
  })

  t.test('takes no Greek letter out of an ordinary word', async t => {
    const project = await projectWith(user, [...filler, { title: 'The Tibetan Plateau' }, { title: 'Time and β radiation' }])
    for (const q of ['Tibetan', 'TIBETAN', 'tibetan']) {
      const { items } = await feedSearch.run(context, { project_id: project, q, limit: 4 })
      t.strictSame(items.map(({ paper_title }) => paper_title), ['The Tibetan Plateau'], q)
    }
  })

  t.test('finds authors by their joined initials', async t => {
    const names = ['John A. Smith', 'Jean-Pierre Dupont', 'Ludwig M van Beethoven', 'Robert Q. Stone Jr.', 'Élodie Éva Martin']
    const project = await projectWith(user, [
      { title: 'By others', authors: [{ name: 'Mary Smith' }, { name: 'Anne Dupont' }] },
      ...names.map(name => ({ title: name, authors: [{ name }] }))
    ])
    for (const [q, name] of [
      ['Smith JA', names[0]], ['Dupont JP', names[1]], ['van Beethoven LM', names[2]], ['Stone RQ', names[3]], ['Martin EE', names[4]]
    ] as const) {
      const { items, query } = await feedSearch.run(context, { project_id: project, q, limit: 1 })
      t.equal(items[0]!.paper_title, name, q)
      t.notMatch(query, / OR /, q)
    }
  })

  t.test('finds authors by their family name and first initial', async t => {
    const project = await projectWith(user, [
      { title: 'Trees in C++ and R and K', abstract: 'With L.', authors: [{ name: 'John Wang' }] },
      { title: 'By others', authors: [{ name: 'Rita He' }, { name: 'Karl Wang' }, { name: 'Rosa Lopez' }, { name: 'Lea Garcia' }] },
      { title: 'Vitamin D in winter', authors: [{ name: 'Anna Berg' }] },
      { title: 'Vitamin K in winter', authors: [{ name: 'Dora Berg' }, { name: 'David Vitale' }] },
      ...['Rui Wang', 'Kaiming He', 'Łukasz Świątek', 'Martin A. García-López', 'Юрий Иванов', 'Christopher H. van Dyck']
        .map(name => ({ title: name, authors: [{ name }] }))
    ])
    for (const [q, title] of [
      ['Wang R', 'Rui Wang'], ['R. Wang', 'Rui Wang'], ['He K', 'Kaiming He'], ['Świątek L', 'Łukasz Świątek'],
      ['Swiatek L', 'Łukasz Świątek'],
      ['García M', 'Martin A. García-López'], ['Lopez M', 'Martin A. García-López'], ['Иванов Ю', 'Юрий Иванов'],
      ['van Dyck C', 'Christopher H. van Dyck'], ['vitamin D', 'Vitamin D in winter']
    ] as const) {
      const { items, query } = await feedSearch.run(context, { project_id: project, q })
      t.equal(items[0]!.paper_title, title, q)
      const full = await feedSearch.run(context, { project_id: project, q, limit: 1 })
      t.notMatch(full.query, / OR /, q)
      t.equal(query.includes(' OR '), items.length > 1, `${q}: no other paper has both`)
    }
  })

  t.test('takes numbers and letters for beginnings of words only where no paper has them', async t => {
    const project = await projectWith(user, [{ title: 'HIV-1 infection' }, { title: 'HIV in 1000 patients' }, { title: 'Grade 23' }])
    const search = async (q: string) =>
      (await feedSearch.run(context, { project_id: project, q })).items.map(({ paper_title }) => paper_title)
    t.strictSame(await search('HIV-1'), ['HIV-1 infection', 'HIV in 1000 patients'])
    t.strictSame(await search('1 infection'), ['HIV-1 infection'])
    t.strictSame(await search('grade 2'), ['Grade 23'])
  })

  t.test('applies relevance feedback equally with filters and on every page', async t => {
    const project = await projectWith(user, [
      ...filler,
      ...Array.from({ length: 9 }, (_each, at) => ({
        title: `Gastric cancer screening programme ${at}`,
        abstract: 'Screening of the stomach by endoscopy finds gastric cancer with helicobacter early.'
      })),
      { title: 'Screening of drug libraries', abstract: 'Compounds against kinases are found by robots in plates, one after the other.' },
      {
        title: 'Screening for a second time',
        abstract: 'Endoscopy of the stomach and helicobacter eradication are done one after the other.'
      },
      { title: 'Screening of visitors', abstract: 'Visitors of an airport are seen by cameras that are mounted one after the other.' }
    ])
    const search = async (more: object) =>
      (await feedSearch.run(context, { project_id: project, q: 'gastric cancer screening', limit: 100, ...more })).items
    const titlesOf = async (more: object) => (await search(more)).map(({ paper_title }) => paper_title)
    const all = await titlesOf({})
    t.equal(all.length, 12)
    t.equal(all[9], 'Screening for a second time')
    t.strictSame(
      [...(await titlesOf({ limit: 5 })), ...(await titlesOf({ limit: 5, offset: 5 })), ...(await titlesOf({ limit: 5, offset: 10 }))],
      all
    )
    const last = (await search({})).at(-1)!
    await feedbackSet.run(context, { paper_id: last.id, vote: 'star' })
    t.strictSame(await titlesOf({ feedback_filter: 'unrated' }), all.slice(0, -1))
    t.strictSame(await titlesOf({ feedback_filter: 'starred' }), all.slice(-1))
    t.strictSame(await titlesOf({ since: '2020-01-01' }), all)
  })

  t.test('breaks ties by newest, then id', async t => {
    const same = await projectWith(
      user,
      Array.from({ length: 25 }, (_each, at) => ({ title: 'The same title', doi: `10.5555/same.${at}` }))
    )
    const { items } = await feedSearch.run(context, { project_id: same, q: 'same title', limit: 25 })
    const order = items.map(({ ready_at, id }) => ({ ready_at, id }))
    t.strictSame(order, [...order].sort((a, b) => b.ready_at.localeCompare(a.ready_at) || (a.id < b.id ? -1 : 1)))
  })
})

t.test('no query of 5,000 hostile ones causes an error', { timeout: 600_000 }, async t => {
  const user = await service.user()
  const paper = { title: 'A paper about sleep', abstract: 'It\'s "quoted" \\ and (nested) 😀 نوم 睡眠.' }
  const project_id = await projectWith(user, [paper])
  const segments = segmentsOf([{ ...paper, number: 1, id: uuid(1), readyAt: 0, authors: '', summary: '', identifier: '' }], 1)
  const piece = fc.oneof(
    fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      '"',
      "'",
      '\\',
      '(',
      ')',
      ':*',
      '&',
      '|',
      '!',
      '<->',
      '*',
      '-',
      '--',
      ';',
      '%',
      '_',
      '$1',
      '$$',
      '{',
      '}',
      '/*',
      '*/',
      '\u0000',
      '\u0007',
      '\r\n',
      '\t',
      '\u200f',
      '\u202e',
      '\ufeff',
      '\ud800',
      '😀',
      '👩‍👩‍👧',
      'نوم',
      'שינה',
      '睡眠',
      'β',
      '١٢٣',
      'sleep',
      'ﬁ',
      'İ',
      'e\u0301'.repeat(5)
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'), minLength: 20, maxLength: 200 })
  )
  const queries = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 14 }).map(pieces => pieces.join('').slice(0, 200)),
    { seed: 2026, numRuns: 5000 }
  )
  let [searched, ranked, found] = [0, 0, 0]
  for (const [at, q] of queries.entries()) {
    try {
      // A statement sees of a query only its terms, unless it is an identifier, so the ranking of the others shows what a search does.
      const { terms } = wordsOf(q)
      const matches = findMatches({ plan: planQuery(terms), segments, tombstones: [] })
      const direct = selectItems(matches, [], { limit: 20, offset: 0 }).length
      ranked += direct
      if (at % 10 !== 0 && pastedIdentifier(q, { digitsArePmid: true }) === undefined) continue
      const { length } = (await feedSearch.run(user.context, { project_id, q })).items
      t.equal(length, direct, JSON.stringify(q))
      searched++
      found += length
    } catch (error) {
      if ((error as { code?: string }).code !== 'invalid_arguments') t.fail(`${JSON.stringify(q)}: ${error}`)
    }
  }
  t.ok(searched > 300, `${searched} searches`)
  t.ok(ranked > 100 && found > 10, `and some find something: ${ranked}, ${found}`)
})
