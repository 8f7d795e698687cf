import t from 'tap'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { normalizedTitle } from '../../src/papers/identity.js'
import { indexDocument } from '../../src/search/document.js'
import { queryEntries, searchEntries } from '../../src/search/tokenizer.js'
import { projectWith, testService } from '../support/service.js'

const service = await testService(t)

t.test('names are found with Latin letters for Greek ones, and without their apostrophe', async t => {
  const { context, ...user } = await service.user()
  const titles = [
    'NF-κB in sepsis', 'NFκB in mice', 'NF-kB in rats', 'TNF-α and IL-1β',
    'Anti-TNF-α antibodies', 'TGF‐β1 in fibrosis', 'Plasma Aβ42', 'PPARγ'
  ]
  const project_id = await projectWith({ context, ...user }, [
    ...titles.map(title => ({ title })), { title: 'The iron era', abstract: 'Of type b, with a nf and a tnf.' },
    { title: 'By Irish authors', authors: [{ name: "M. O'Connor" }, { name: 'Conor O’Brien' }] },
    { title: 'By another', authors: [{ name: 'Mary OConnor' }] }, { title: 'ERα in bone' }
  ])
  const search = async (q: string) => {
    const { items } = await feedSearch.run(context, { project_id, q })
    const full = await feedSearch.run(context, { project_id, q, limit: 1 })
    t.notMatch(full.query, / OR /, q)
    return items.map(({ paper_title }) => paper_title)
  }
  for (const [q, ...found] of [
    ['NFkB', ...titles.slice(0, 3)], ['nfkb', ...titles.slice(0, 3)], ['TNFA', titles[3]!, titles[4]!], ['TNFa', titles[3]!, titles[4]!],
    ['IL1B', titles[3]!], ['TGFb', titles[5]!], ['TGFB1', titles[5]!], ['Abeta42', titles[6]!], ['PPARG', titles[7]!],
    ['era', 'The iron era'], ['OBrien', 'By Irish authors'], ['OConnor', 'By Irish authors', 'By another'],
    ["O'Connor", 'By Irish authors', 'By another'], ['OConnor M', 'By Irish authors', 'By another']
  ] as const) t.strictSame((await search(q)).slice(0, found.length).sort(), [...found].sort(), q)
  for (const q of ['NF-kB', 'nf-kb', 'NF-κB', 'NFκB']) t.strictSame((await search(q)).slice(0, 3).sort(), titles.slice(0, 3).sort(), q)
  for (const q of ['TGF-b1', 'TGF-β1', 'TGFβ1']) t.equal((await search(q))[0], titles[5], q)
})

t.test('a text has few further entries for its names', async t => {
  const entriesOf = (title: string) =>
    [...indexDocument({ title, authors: [], summary: '', abstract: null, identifiers: [] }).entries.keys()].sort()
  t.strictSame(entriesOf('β-carotene and α waves'), ['and', 'carotene', 'waves', 'α', 'β'])
  t.strictSame(entriesOf('Anti-TNF-α-induced'), ['anti', 'antitnfa', 'antitnfalpha', 'induced', 'tnf', 'tnfa', 'tnfalpha', 'α'])
  t.strictSame(entriesOf('Βήτα'), ['βητα'], 'Greek words have none')
  t.strictSame(entriesOf(`${'aβ-'.repeat(2000)}c`).length < 50, true)
  t.strictSame(entriesOf('Type-a d’une'), ['a', 'd', 'type', 'une'])
})

t.test('forms of Arabic and Persian letters are one in searches, and differ in stored titles', async t => {
  for (const [one, other] of [
    ['أحمد', 'احمد'], ['إيران', 'ايران'], ['مُحَمَّد', 'محمد'], ['کتاب', 'كتاب'], ['ایران', 'ايران'], ['دراسة', 'دراسه'],
    ['محـــمد', 'محمد'], ['على', 'علي']
  ] as const) t.strictSame(queryEntries(one), searchEntries(other), one)
  t.not(normalizedTitle('أحمد'), normalizedTitle('احمد'))
  const { context, ...user } = await service.user()
  const project_id = await projectWith({ context, ...user }, [
    { title: 'أثر التدريب في المنظمة', authors: [{ name: 'محمد أحمد' }] }, { title: 'Sleep' }
  ])
  for (const q of ['احمد', 'اثر التدريب', 'المنظمه', 'مُحمَّد']) {
    const { items } = await feedSearch.run(context, { project_id, q })
    t.strictSame(items.map(({ paper_title }) => paper_title), ['أثر التدريب في المنظمة'], q)
  }
})
