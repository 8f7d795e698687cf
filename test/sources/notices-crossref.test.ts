import t from 'tap'
import { crossrefNotices } from '../../src/sources/notices/crossref.js'
import { noticeKindOf } from '../../src/sources/notices/update-types.js'
import type { SourceContext } from '../../src/sources/source.js'
import { takesLess } from '../support/event-loop.js'
import { watchedPaper } from '../support/watched-paper.js'

interface Work { DOI: string, [field: string]: unknown }

/** Checks papers at a Crossref that has these works. */
const check = (
  papers: ReadonlyArray<{ id: string, doi: string | null, arxiv?: string }>,
  works: readonly Work[],
  log?: SourceContext['log']
) =>
  crossrefNotices.check({
    fetch: async url => {
      const asked = url.searchParams.get('filter')!.split(',').map(each => /^([\w.]+):(.*)$/.exec(each)!)
      const isAsked = (filter: string, value: string) => asked.some(([, name, doi]) => name === filter && doi === value.toLowerCase())
      const items = works.filter(({ DOI, preprintId, 'update-to': updated }) =>
        isAsked('doi', DOI) || (typeof preprintId === 'string' && isAsked('relation.object', preprintId)) ||
        (Array.isArray(updated) && updated.some(each => isAsked('updates', each.DOI))))
      return { status: 200, headers: new Headers(), url: '', bytes: Buffer.from(JSON.stringify({ message: { items } })) }
    },
    baseUrl: 'https://example.org',
    contact: undefined,
    apiKey: undefined,
    log
  }, papers.map(watchedPaper))

/** Checks one paper at a Crossref that has these works. */
async function noticesFrom (doi: string, works: readonly Work[]) {
  const [checked] = await check([{ id: '1', doi }], works)
  return checked!.notices.map(({ source, kind, doi }) => `${source} ${kind} ${doi}`)
}

/** Checks one paper of which Crossref states these relations. */
async function noticesOf (doi: string, relations: Record<string, string[]>) {
  const relation = Object.fromEntries(Object.entries(relations).map(([name, dois]) => [name, dois.map(id => ({ 'id-type': 'doi', id }))]))
  return await noticesFrom(doi, [{ DOI: doi.toUpperCase(), type: 'journal-article', relation }])
}

const on = (year: number) => ({ 'date-parts': [[year, 2, 3]] })

t.test('Crossref states new versions by relations', async t => {
  t.strictSame(await noticesOf('10.1000/old', { 'is-replaced-by': ['10.1000/NEW'] }), ['crossref new_version 10.1000/new'])
  t.strictSame(await noticesOf('10.1000/old', { 'has-version': ['10.1000/new'] }), ['crossref new_version 10.1000/new'])
  t.strictSame(
    await noticesOf('10.21203/rs.3.rs-1/v2', { 'has-version': ['10.21203/rs.3.rs-1/v1', '10.21203/rs.3.rs-1/v3'] }),
    ['crossref new_version 10.21203/rs.3.rs-1/v3'],
    'an earlier version is no news'
  )
})

t.test('older forms and the published form are no new version', async t => {
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/old'], replaces: ['10.1000/old'] }), [])
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/old'], 'is-version-of': ['10.1000/old'] }), [])
  t.strictSame(await noticesOf('10.1000/new', { 'has-version': ['10.1000/new', '10.1000/draft'], 'has-preprint': ['10.1000/draft'] }), [])
  t.strictSame(
    await noticesOf('10.1000/draft', { 'has-version': ['10.1000/article'], 'is-preprint-of': ['10.1000/article'] }),
    ['crossref published 10.1000/article']
  )
})

t.test('types of updates are read as publishers write them, from the label if need be', async t => {
  const updates = [
    { type: 'err', label: 'Erratum', DOI: '10.1000/1' },
    { type: 'Corrected-Article', DOI: '10.1000/2' },
    { type: 'retracion', DOI: '10.1000/3' },
    { type: 'other', label: 'Expression of Concern', DOI: '10.1000/4' },
    { type: 'comment', label: 'Comment', DOI: '10.1000/5' }
  ]
  t.strictSame(await noticesFrom('10.1000/a', [{ DOI: '10.1000/a', 'updated-by': updates }]), [
    'crossref correction 10.1000/1',
    'crossref correction 10.1000/2',
    'crossref retraction 10.1000/3',
    'crossref expression_of_concern 10.1000/4'
  ])
})

t.test('types of updates are read by their words', t => {
  const kinds: Record<string, string | undefined> = {
    editorial_expression_of_concern: 'expression_of_concern',
    concern: 'expression_of_concern',
    'Interim Expression of Concern': 'expression_of_concern',
    retraction_and_replacement: 'retraction',
    retract_and_replace: 'retraction',
    retration: 'retraction',
    retracted: 'retraction',
    'partial retraction': 'partial_retraction',
    partially_retracted: 'partial_retraction',
    'retraction (partial)': 'partial_retraction',
    withdrawl: 'withdrawal',
    Amendment: 'correction',
    Corr: 'correction',
    temporary_removal: 'withdrawal',
    withdrawal_notice: 'withdrawal',
    removed: 'withdrawal',
    correction_notice: 'correction',
    "Publisher's correction": 'correction',
    corrected_and_republished: 'correction',
    erratum_to_retraction: 'correction',
    correction_of_retraction_notice: 'correction',
    addendum: 'correction',
    new_edition: 'new_version',
    reinstatement: 'reinstatement',
    removal_of_expression_of_concern: undefined,
    expression_of_concern_withdrawn: undefined,
    retraction_of_erratum: undefined,
    not_retracted: undefined,
    comment: undefined
  }
  for (const [type, kind] of Object.entries(kinds)) t.equal(noticeKindOf({ type }), kind, type)
  t.end()
})

t.test('an unknown type of update is logged', async t => {
  const logged: object[] = []
  await check([{ id: '1', doi: '10.1000/a' }], [{
    DOI: '10.1000/a',
    'updated-by': [{ type: 'Novel-Kind', label: '', DOI: '10.1000/1' }, { type: 'comment', DOI: '10.1000/2' }]
  }], { info: data => logged.push(data) })
  t.strictSame(logged, [{ source: 'crossref', type: 'novel kind' }])
})

t.test('the title of an article states its retraction or withdrawal where no update does', async t => {
  const titled = (title: string, more: object = {}) => noticesFrom('10.1000/a', [{ DOI: '10.1000/a', title: [title], ...more }])
  const [retraction, withdrawal] = [['crossref retraction null'], ['crossref withdrawal null']]
  t.strictSame(await titled('RETRACTED: Cells'), retraction)
  t.strictSame(await titled('<b>RETRACTED ARTICLE</b>: Cells'), retraction)
  t.strictSame(await titled('Retracted article: Cells'), retraction)
  t.strictSame(await titled('WITHDRAWN: Cells'), withdrawal)
  t.strictSame(await titled('TEMPORARY REMOVAL: Cells'), withdrawal)
  for (const title of ['RETRACTED—Cells', 'RETRACTED - Cells', '[RETRACTED] Cells', 'Cells [RETRACTED]', 'Cells (Retracted article)']) {
    t.strictSame(await titled(title), retraction, title)
  }
  for (const title of ['ARTICLE WITHDRAWN: Cells', 'WITHDRAWN ARTICLE: Cells', 'WITHDRAWN—Duplicate of Cells']) {
    t.strictSame(await titled(title), withdrawal, title)
  }
  t.strictSame(await titled('Notice of Retraction: Cells', { type: 'proceedings-article' }), retraction, 'the text of the talk is replaced')
  for (const title of [
    'Retraction: Cells', 'RETRACTION: Cells', 'Retraction of “Cells”', 'Retraction notice to “Cells”', 'Retracted: Cells',
    '[Retracted] Cells', 'Withdrawal: Cells', 'Notice of retraction: Cells', 'WITHDRAWN: Retraction notice to Cells',
    'Retracted articles are cited', 'Withdrawn patients', 'Removed teeth: a study'
  ]) t.strictSame(await titled(title), [], title)
  t.strictSame(
    await titled('RETRACTED: Cells', { 'updated-by': [{ type: 'retraction', DOI: '10.1000/r' }] }),
    ['crossref retraction 10.1000/r'],
    'once'
  )
  t.strictSame(await titled('RETRACTED: Cells', { 'updated-by': [{ type: 'reinstatement', DOI: '10.1000/i' }] }), [
    'crossref reinstatement 10.1000/i'
  ])
  t.strictSame(await titled('RETRACTED: Cells', { 'update-to': [{ type: 'retraction', DOI: '10.1000/other' }] }), [], 'it is the notice')
  t.strictSame(
    await titled('RETRACTED: Cells', { 'update-to': [{ type: 'retraction', DOI: '10.1000/a' }] }),
    ['crossref retraction 10.1000/a'],
    'the publisher replaced the text'
  )
})

t.test('a reinstatement ends the retraction that its source stated before', async t => {
  const retraction = { type: 'retraction', DOI: '10.1000/r', source: 'retraction-watch', updated: on(2020) }
  const reinstated = (updated: object | undefined, source = 'retraction-watch') =>
    noticesFrom('10.1000/a', [
      { DOI: '10.1000/a', 'updated-by': [retraction, { type: 'reinstatement', DOI: '10.1000/i', source, updated }] }
    ])
  const notice = 'retraction-watch reinstatement 10.1000/i'
  t.strictSame(await reinstated(on(2022)), [notice], 'others may still state the retraction')
  t.strictSame(await reinstated(undefined), [notice])
  t.strictSame(await reinstated(on(2019)), ['retraction-watch retraction 10.1000/r'], 'it was retracted again')
  t.strictSame(await reinstated(on(2019), 'publisher'), ['retraction-watch retraction 10.1000/r'])
})

t.test('a reinstatement that states its month or year alone ends retractions until the end of that', async t => {
  const dated = (...parts: number[]) => ({ 'date-parts': [parts] })
  const stated = (retracted: object, reinstated: object) => noticesFrom('10.1000/a', [{
    DOI: '10.1000/a',
    'updated-by': [
      { type: 'retraction', DOI: '10.1000/r', updated: retracted }, { type: 'reinstatement', DOI: '10.1000/i', updated: reinstated }
    ]
  }])
  const [retraction, reinstatement] = [['crossref retraction 10.1000/r'], ['crossref reinstatement 10.1000/i']]
  for (const period of [dated(2020, 6), dated(2020), dated(2020, 0), dated(2020, 6, 0)]) {
    t.strictSame(await stated(dated(2020, 6, 15), period), reinstatement, JSON.stringify(period))
    t.strictSame(await stated(period, dated(2020, 6, 15)), reinstatement)
    t.strictSame(await stated(period, period), reinstatement)
    t.strictSame(await stated(dated(2021, 6, 15), period), retraction, 'it was retracted again')
  }
  t.strictSame(await stated(dated(2020, 7, 1), dated(2020, 6)), retraction)
})

t.test('a reinstatement ends every warning that its source stated before', async t => {
  const types = ['withdrawal', 'partial_retraction', 'expression_of_concern', 'correction']
  const updates = types.map((type, at) => ({ type, DOI: `10.1000/${at}`, updated: on(2020) }))
  t.strictSame(
    await noticesFrom('10.1000/a', [
      { DOI: '10.1000/a', 'updated-by': [...updates, { type: 'reinstatement', DOI: '10.1000/i', updated: on(2021) }] }
    ]),
    ['crossref correction 10.1000/3', 'crossref reinstatement 10.1000/i']
  )
})

t.test('a reinstatement is a notice beside the earlier warning of another source', async t => {
  const update = (type: string, source: string, year: number) => ({ type, source, DOI: `10.1000/${type}`, updated: on(year) })
  const noticesAfter = (...updates: object[]) => noticesFrom('10.1000/a', [{ DOI: '10.1000/a', 'updated-by': updates }])
  t.strictSame(
    await noticesAfter(update('retraction', 'retraction-watch', 2020), update('reinstatement', 'publisher', 2022)),
    ['retraction-watch retraction 10.1000/retraction', 'crossref reinstatement 10.1000/reinstatement']
  )
  t.strictSame(
    await noticesAfter(update('correction', 'retraction-watch', 2020), update('reinstatement', 'publisher', 2022)),
    ['retraction-watch correction 10.1000/correction', 'crossref reinstatement 10.1000/reinstatement'],
    'the warning may be another index’s'
  )
  t.strictSame(
    await noticesAfter(update('reinstatement', 'publisher', 2020), update('retraction', 'retraction-watch', 2022)),
    ['retraction-watch retraction 10.1000/retraction'],
    'a later warning supersedes it, of either source'
  )
  const first = { ...update('reinstatement', 'publisher', 2019), DOI: '10.1000/first' }
  t.strictSame(
    await noticesAfter(first, update('retraction', 'publisher', 2020), update('reinstatement', 'publisher', 2022)),
    ['crossref reinstatement 10.1000/reinstatement'],
    'the last one counts'
  )
})

t.test('a reinstatement ends a retraction in whichever listing they are', async t => {
  const [retraction, reinstated] = [{ type: 'retraction', updated: on(2020) }, { type: 'reinstatement', updated: on(2022) }]
  const by = (update: object, DOI: string) => ({ ...update, DOI })
  const to = (update: object) => [{ ...update, DOI: '10.1000/a' }]
  const listed = { DOI: '10.1000/a', 'updated-by': [by(retraction, '10.1000/r'), by(reinstated, '10.1000/i')] }
  const works = [{ DOI: '10.1000/r', 'update-to': to(retraction) }, { DOI: '10.1000/i', 'update-to': to(reinstated) }]
  const notice = ['crossref reinstatement 10.1000/i']
  t.strictSame(await noticesFrom('10.1000/a', [listed, works[0]!]), notice, 'the notice is a work')
  t.strictSame(await noticesFrom('10.1000/a', [listed, ...works]), notice)
  t.strictSame(await noticesFrom('10.1000/a', [{ DOI: '10.1000/a' }, ...works]), notice, 'the article lists none')
  t.strictSame(await noticesFrom('10.1000/a', [{ ...listed, 'updated-by': [by(retraction, '10.1000/r')] }, works[1]!]), notice)
  t.strictSame(await noticesFrom('10.1000/a', [{ DOI: '10.1000/a' }, works[0]!]), ['crossref retraction 10.1000/r'])
})

t.test('a reinstatement ends a retraction of another version of the work', async t => {
  const [first, second] = ['10.12688/f1000research.7.1', '10.12688/f1000research.7.2']
  const update = (type: string, DOI: string, year: number, source = 'publisher') =>
    ({ DOI: `10.1000/${type}`, 'update-to': [{ type, DOI, source, updated: on(year) }] })
  const checked = async (...updates: Work[]) =>
    await Promise.all([first, second].map(async doi => await noticesFrom(doi, [{ DOI: doi }, ...updates])))
  const retraction = 'crossref retraction 10.1000/retraction'
  const reinstatement = 'crossref reinstatement 10.1000/reinstatement'
  t.strictSame(await checked(update('retraction', first, 2019), update('reinstatement', second, 2020)), [[reinstatement], [reinstatement]])
  t.strictSame(await checked(update('reinstatement', first, 2020), update('retraction', second, 2022)), [[retraction], [retraction]],
    'unless it was retracted since')
  const other = update('reinstatement', second, 2020, 'retraction-watch')
  t.strictSame((await checked(update('retraction', first, 2019), other))[1]!.sort(), [
    retraction, 'retraction-watch reinstatement 10.1000/reinstatement'
  ], 'which its own source did not end')
})

t.test('a warning is kept, however many other notices a paper has', async t => {
  const versions = Array.from({ length: 60 }, (_, at) => ({ 'id-type': 'doi', id: `10.1000/v${at}` }))
  const updates = (...types: string[]) => types.map(type => ({ type, DOI: `10.1000/${type}` }))
  const notices = await noticesFrom('10.1000/a', [
    { DOI: '10.1000/a', relation: { 'has-version': versions }, 'updated-by': updates('expression_of_concern', 'correction', 'retraction') }
  ])
  t.equal(notices.length, 50)
  t.strictSame(notices.filter(notice => !notice.includes('new_version')), [
    'crossref expression_of_concern 10.1000/expression_of_concern', 'crossref retraction 10.1000/retraction'
  ])
  const concerns = Array.from({ length: 60 }, (_, at) => ({ type: 'expression_of_concern', DOI: `10.1000/c${at}` }))
  const many = await noticesFrom('10.1000/a', [{ DOI: '10.1000/a', 'updated-by': [...concerns, ...updates('retraction', 'retraction')] }])
  t.strictSame([many.length, many.at(-1)], [50, 'crossref retraction 10.1000/retraction'])
})

t.test('a retraction is none if its notice has been retracted', async t => {
  const paper = { DOI: '10.1000/a', 'updated-by': [{ type: 'retraction', DOI: '10.1000/R' }, { type: 'correction', DOI: '10.1000/c' }] }
  const notice = { DOI: '10.1000/R', 'updated-by': [{ type: 'retraction', DOI: '10.1000/rr' }] }
  t.strictSame(await noticesFrom('10.1000/a', [paper, notice]), ['crossref correction 10.1000/c'])
  t.strictSame(await noticesFrom('10.1000/a', [paper, { DOI: '10.1000/R' }]), [
    'crossref retraction 10.1000/r', 'crossref correction 10.1000/c'
  ])
})

t.test('a retraction is none if only the work that retracts its notice says so', async t => {
  const paper = { DOI: '10.1000/a', 'updated-by': [{ type: 'retraction', DOI: '10.1000/R' }] }
  const [notice, other] = [{ DOI: '10.1000/R', title: ['Retraction: Cells'] }, { DOI: '10.1000/b' }]
  const by = (DOI: string, type = 'retraction', year = 2025) => ({ DOI, 'update-to': [{ type, DOI: '10.1000/R', updated: on(year) }] })
  const retraction = ['crossref retraction 10.1000/r']
  t.strictSame(await noticesFrom('10.1000/a', [paper, notice, by('10.1000/rr')]), [])
  t.strictSame(await noticesFrom('10.1000/a', [paper, notice, by('10.1000/c', 'correction')]), retraction)
  t.strictSame(await noticesFrom('10.1000/a', [paper, notice, by('10.1000/rr'), by('10.1000/i', 'reinstatement', 2026)]), retraction)
  t.strictSame(await noticesFrom('10.1000/a', [paper, { ...notice, ...by('10.1000/R') }]), retraction, 'the notice itself')
  t.strictSame(await noticesFrom('10.1000/a', [{ ...paper, ...by('10.1000/a') }, notice]), retraction, 'the paper')
  const both = [{ id: 'a', doi: '10.1000/a' }, { id: 'r', doi: '10.1000/r' }, { id: 'b', doi: '10.1000/b' }]
  const checked = await check(both, [paper, notice, other, by('10.1000/rr')])
  t.strictSame(checked.find(({ id }) => id === 'a')!.notices, [], 'also where the notice is checked too')
})

t.test('a warning is none if its notice has been withdrawn or removed, as another work or the title of the notice says', async t => {
  for (const type of ['retraction', 'withdrawal', 'expression_of_concern']) {
    const paper = { DOI: '10.1000/a', 'updated-by': [{ type, DOI: '10.1000/r' }] }
    for (const end of ['retraction', 'withdrawal', 'removal']) {
      t.strictSame(await noticesFrom('10.1000/a', [paper, { DOI: '10.1000/r', 'updated-by': [{ type: end, DOI: '10.1000/rr' }] }]), [])
    }
    for (const mark of ['WITHDRAWN', 'RETRACTED', 'REMOVED']) {
      t.strictSame(await noticesFrom('10.1000/a', [paper, { DOI: '10.1000/r', title: [`${mark}: Retraction notice to “Cells”`] }]), [])
    }
    for (const notice of [{ title: ['RETRACTED: Cells'] }, { 'updated-by': [{ type: 'correction', DOI: '10.1000/rr' }] }]) {
      t.strictSame(await noticesFrom('10.1000/a', [paper, { DOI: '10.1000/r', ...notice }]), [`crossref ${type} 10.1000/r`])
    }
  }
})

t.test('a retraction without a notice that has a DOI is one', async t => {
  const update = { type: 'retraction', source: 'retraction-watch', updated: on(2025) }
  for (const stated of [update, { ...update, DOI: 'unavailable' }]) {
    t.strictSame(await noticesFrom('10.1000/a', [{ DOI: '10.1000/a', 'updated-by': [stated] }]), ['retraction-watch retraction null'])
  }
  const correction = { type: 'correction', DOI: 'unavailable' }
  t.strictSame(await noticesFrom('10.1000/a', [{ DOI: '10.1000/a', 'updated-by': [correction] }]), [])
})

t.test('a paper has the same notices when its notice is checked with it', async t => {
  const [paper, notice] = [
    { DOI: '10.1000/a', 'updated-by': [{ type: 'retraction', DOI: '10.1000/R' }, { type: 'correction', DOI: '10.1000/c' }] },
    { DOI: '10.1000/R', 'updated-by': [{ type: 'retraction', DOI: '10.1000/rr' }] }
  ]
  const kindsOf = async (papers: ReadonlyArray<{ id: string, doi: string }>, works: readonly Work[]) =>
    (await check(papers, works)).map(({ id, notices }) => [id, ...notices.map(({ kind, doi }) => `${kind} ${doi}`)])
  const both = [{ id: 'paper', doi: '10.1000/a' }, { id: 'notice', doi: '10.1000/r' }]
  t.strictSame(await kindsOf(both.slice(0, 1), [paper, notice]), [['paper', 'correction 10.1000/c']])
  t.strictSame(await kindsOf(both, [paper, notice]), [['paper', 'correction 10.1000/c'], ['notice', 'retraction 10.1000/rr']])
  t.strictSame(await kindsOf(both, [paper, { DOI: '10.1000/R' }]), [
    ['paper', 'retraction 10.1000/r', 'correction 10.1000/c'], ['notice']
  ])
  const replaced = { DOI: '10.1000/a', 'updated-by': [{ type: 'retraction', DOI: '10.1000/A' }] }
  t.strictSame(await kindsOf(both, [replaced, notice]), [['paper', 'retraction 10.1000/a'], ['notice', 'retraction 10.1000/rr']],
    'a notice at the paper\'s own DOI')
})

t.test('a retraction of another version holds, a correction or that version itself does not', async t => {
  const update = (type: string, at: number) => ({ DOI: `10.1000/n${at}`, 'update-to': [{ type, DOI: '10.12688/f1000research.7.2' }] })
  const paper = { DOI: '10.12688/f1000research.7.1' }
  const others = [update('retraction', 1), update('correction', 2), update('new_version', 3)]
  t.strictSame(await noticesFrom('10.12688/f1000research.7.1', [paper, ...others]), ['crossref retraction 10.1000/n1'])
})

t.test('the published form of a preprint says nothing about a paper with the same arXiv id and a DOI of its own', async t => {
  const relation = { 'has-preprint': [{ 'id-type': 'doi', id: '10.48550/arxiv.2503.00001' }] }
  const checked = await check([{ id: 'preprint', doi: null, arxiv: '2503.00001' }, { id: 'data', doi: '10.5281/1', arxiv: '2503.00001' }], [
    { DOI: '10.1000/journal', preprintId: '10.48550/arxiv.2503.00001', relation }
  ])
  t.match(checked, [{ id: 'preprint', notices: [{ kind: 'published', doi: '10.1000/journal' }] }])
  t.equal(checked.length, 1, 'Crossref does not know the other one, so it withdraws nothing')
})

t.test('a notice that is deposited as retracted by the paper, or by itself, still retracts', async t => {
  const retraction = (DOI: string) => ({ DOI, type: 'retraction', updated: on(2025) })
  for (const by of ['10.1000/paper', '10.1000/notice']) {
    t.strictSame(
      await noticesFrom('10.1000/paper', [
        { DOI: '10.1000/paper', 'updated-by': [retraction('10.1000/notice')] },
        { DOI: '10.1000/notice', 'updated-by': [retraction(by)] }
      ]),
      ['crossref retraction 10.1000/notice'],
      by
    )
  }
  t.strictSame(
    await noticesFrom('10.1000/paper', [
      { DOI: '10.1000/paper', 'updated-by': [retraction('10.1000/notice')] },
      { DOI: '10.1000/notice', 'updated-by': [retraction('10.1000/third')] }
    ]),
    [],
    'but not one that a third work retracts'
  )
})

t.test('an answer with any number of updates is read up to a limit', async t => {
  const kinds = [{ type: 'retraction', source: 'publisher' }, { type: 'reinstatement', source: 'retraction-watch' }]
  const updates = Array.from({ length: 20_000 }, (_, at): Work => ({
    DOI: `10.1000/n${at}`,
    'update-to': [{ DOI: '10.1000/a', ...kinds[at % 2], updated: on(2020) }]
  }))
  await takesLess(t, 1500, async () => {
    const [checked] = await check([{ id: '1', doi: '10.1000/a' }], [{ DOI: '10.1000/a', type: 'journal-article' }, ...updates])
    t.ok(checked!.notices.length <= 100)
  })
})
