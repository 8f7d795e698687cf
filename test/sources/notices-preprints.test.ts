import t from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { noticesList } from '../../src/operations/papers/notices-list.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import { noticesIn } from '../../src/papers/notices.js'
import { formSession } from '../support/forms.js'
import { projectWith, testService } from '../support/service.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { resetRateLimits } from '../support/sources.js'
import { arxivStandIn } from '../support/stand-ins/arxiv.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { dayMs } from '../../schemas/durations.js'

/** A preprint on arXiv of which version 1 is stored, unless `stored` says otherwise. */
interface Preprint extends Publication { stored?: { doi?: string, metadata?: object, arxiv?: string } }
const about = (name: string, at: number, more: Partial<Preprint> = {}): Preprint =>
  ({ title: `Preprint ${name}`, date: '2025-03-04', arxiv: `2503.${String(at).padStart(5, '0')}`, ...more })
const withdrawal = (name: string, at: number, comment: string): Preprint => about(name, at, { version: 2, updated: '2026-05-06', comment })

const withdrawals = [
  'This paper has been withdrawn by the author due to a crucial sign error in equation 1, which the original proof did not show',
  'Withdrawn',
  'Withdrawn due to conceptual errors',
  'arXiv admin note: This submission has been withdrawn by arXiv administrators due to disputed authorship',
  'The manuscript is withdrawn pending more experiments',
  'The authors have withdrawn this manuscript because permission was missing',
  'v2: withdrawn, replaced by arXiv:2504.01234',
  '12 pages. The previous version had an error; this article was completely withdrawn.',
  'This paper has been withdrawn from arXiv by its authors',
  'This version has been removed by arXiv administrators due to incorrect authorship',
  'arXiv admin note: This submission has been removed by arXiv administrators because of inappropriate text overlap',
  'Removed by arXiv administrators: the submitter had no right to agree to the license',
  'Due to an error in the original proof, this paper has been withdrawn',
  'Because the first lemma is wrong this paper was withdrawn',
  'The previous version had an error, so this manuscript is withdrawn',
  'The first author has withdrawn this paper',
  'The original authors have retracted this preprint',
  'This paper has been retracted by the authors',
  'Retracted due to an error in Section 3',
  '12 pages, withdrawn',
  '12 pages, 3 figures. Withdrawn.',
  'It has been withdrawn because Lemma 2 is wrong',
  '14 pages. Withdrawn by the authors because of a gap in the proof of Theorem 2',
  '10 pages; withdrawn by the author due to an error in Section 2',
  'This paper contains a serious error and has been withdrawn by the authors',
  'The paper is now obsolete and has been withdrawn',
  'We are withdrawing this submission due to a bug',
  'An error was found in Lemma 2; paper retracted',
  'Withdrawing due to errors',
  'The authors wish to withdraw this paper'
].map((comment, at) => withdrawal(`withdrawal ${at}`, 100 + at, comment))
const abstracts = [
  'This paper has been retracted by the authors because a sample was contaminated.',
  'This article has been removed by arXiv administrators due to falsified authorship.'
].map((abstract, at) => ({ ...withdrawal(`withdrawal ${50 + at}`, 150 + at, ''), abstract }))
const others = [
  'This paper was withdrawn from ICLR 2026',
  'Submission withdrawn from the workshop. 12 pages',
  '12 pages. Withdrawn by the authors from ICML',
  'This paper was submitted to ICML and has been withdrawn',
  'This paper improves the bounds of the first paper and is withdrawn from the journal',
  'A previous version of this manuscript was withdrawn due to an error',
  'An earlier arXiv version of this paper has been removed by arXiv administrators',
  'A previously posted version was withdrawn',
  'Version 2. The first paper was withdrawn by its authors',
  'The other authors withdrew their paper on this subject',
  'v1 removed by arXiv administrators; this is a corrected version',
  'A figure was removed by arXiv administrators',
  'Section 4 of this paper has been removed',
  'The published paper was retracted by the journal',
  'Replaces the withdrawn manuscript arXiv:1911.03628',
  'Extends arXiv:2105.14712, which has been withdrawn',
  'Section 6 is withdrawn. Lemma 6.1 extended',
  'v2: the central claims of v1 are withdrawn',
  'It could be withdrawn if it is accepted',
  'Erratum included; corrects a retracted data set',
  'The companion paper has been withdrawn',
  'The data of this paper have been withdrawn'
].map((comment, at) => withdrawal(`other ${at}`, 200 + at, comment))

const planted = {
  same: about('same', 1),
  replaced: about('replaced', 2, { version: 3, updated: '2026-05-06' }),
  unversioned: about('unversioned', 3, { version: 2, updated: '2999-01-02', stored: { metadata: {} } }),
  old: about('old', 4, { version: 4, updated: '2019-01-02', stored: { metadata: {} } }),
  dated: about('dated', 5, { version: 2, updated: '2026-05-06', stored: { metadata: { updated: '2026-05-05T10:00:00Z' } } }),
  classed: about('classed', 6, { arxiv: 'math/0309136', version: 2, updated: '2026-05-06', stored: { arxiv: 'math.GT/0309136' } }),
  journal: about('journal', 7, { publishedDoi: '10.1000/journal.7' }),
  known: about('known', 8, { publishedDoi: '10.1000/journal.8', stored: { doi: '10.1000/journal.8' } }),
  crossref: about('crossref', 9),
  openalex: about('openalex', 10, {
    openalex: 'W4310',
    locations: [
      { address: 'https://arxiv.org/abs/2503.00010', type: 'repository', version: 'submittedVersion' },
      { address: 'https://doi.org/10.1000/journal.10', type: 'journal', version: 'publishedVersion' }
    ]
  }),
  copies: about('copies', 11, {
    openalex: 'W4311',
    locations: [
      { address: 'https://arxiv.org/abs/2503.00011', type: 'repository', version: 'submittedVersion' },
      { address: 'https://doi.org/10.5281/zenodo.11', type: 'repository', version: 'publishedVersion' },
      { address: 'https://doi.org/10.1000/manuscript.11', type: 'journal', version: 'submittedVersion' },
      { address: 'https://doi.org/10.1000/nowhere.11', type: null, version: 'publishedVersion' }
    ]
  }),
  article: about('article', 12, {
    openalex: 'W4312',
    stored: { doi: '10.1000/journal.12' },
    locations: [
      { address: 'https://doi.org/10.1000/journal.12', type: 'journal', version: 'publishedVersion' },
      { address: 'https://doi.org/10.1000/reprint.12', type: 'journal', version: 'publishedVersion' },
      { address: 'https://arxiv.org/abs/2503.00012', type: 'repository', version: 'submittedVersion' }
    ]
  }),
  cited: about('cited', 15, { journalRef: 'Phys. Rev. Tests D 76 (2026) 13' }),
  'cited before': about('cited before', 16, {
    journalRef: 'Phys. Rev. Tests D 76 (2026) 14', stored: { metadata: { version: 1, journal_ref: 'Phys. Rev. Tests D 76 (2026) 14' } }
  }),
  superseded: about('superseded', 18, {
    version: 2,
    updated: '2026-05-06',
    comment: 'Withdrawn, superseded by the journal version',
    stored: { doi: '10.1000/journal.18' }
  }),
  promised: about('promised', 17, { journalRef: 'Accepted by Phys. Rev. Tests, to appear' }),
  hostile: about('hostile', 14, {
    openalex: 'W4314',
    locations: [
      { address: 'https://arxiv.org/abs/2503.00014', type: 'repository', version: 'submittedVersion' },
      { address: 'https://doi.org/10.1000/a%00b', type: 'journal', version: 'publishedVersion' }
    ]
  }),
  conflicting: about('conflicting', 13, {
    publishedDoi: '10.1000/journal.13',
    openalex: 'W4313',
    locations: [
      { address: 'http://arxiv.org/abs/2503.00013v2', type: 'repository', version: 'submittedVersion' },
      { address: 'https://doi.org/10.1000/elsewhere.13', type: 'conference', version: 'publishedVersion' }
    ]
  })
}
const biorxiv = { title: 'Preprint biorxiv', date: '2025-03-04', doi: '10.1101/2025.03.04.123456', preprint: true }
const [own, wrong] = [
  {
    title: 'Article of crossref',
    date: '2026-01-02',
    doi: '10.1000/journal.9',
    preprints: [{ type: 'doi', id: '10.48550/arXiv.2503.00009' }]
  },
  // A relation of another kind, and one of a preprint that nobody asked about.
  { title: 'Comment on same', date: '2026-01-02', doi: '10.1000/comment', preprints: [{ type: 'uri', id: '10.48550/arXiv.2503.00001' }] }
]

t.test('preprints after they were read', async t => {
  const preprints = [...Object.values(planted), ...withdrawals, ...abstracts, ...others]
  const preprintOf = [{ type: 'doi', id: biorxiv.doi.toUpperCase() }]
  const article = { title: 'Article of biorxiv', date: '2026-01-02', doi: '10.1000/bio', preprints: preprintOf }
  const [arxiv, crossref, openalex] = [
    await arxivStandIn(t, preprints),
    await crossrefStandIn(t, [biorxiv, article, own, wrong]),
    await openalexStandIn(t, preprints)
  ]
  const [pubmed, server] = [await pubmedStandIn(t, []), await biorxivStandIn(t, [])]
  const clock = { now: new Date('2026-11-23T10:00:00Z') }
  const later = (days: number) => { clock.now = new Date(clock.now.getTime() + days * dayMs) }
  const service = await testService(
    t,
    { ARXIV_URL: arxiv.url, BIORXIV_URL: server.url, CROSSREF_URL: crossref.url, OPENALEX_URL: openalex.url, PUBMED_URL: pubmed.url },
    () => clock.now
  )
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [
    ...preprints.map(({ title, arxiv, openalex, stored = {} }) => ({
      title,
      ...(stored.doi === undefined ? {} : { doi: stored.doi }),
      metadata: stored.metadata ?? { version: 1 },
      external_ids: { arxiv: stored.arxiv ?? arxiv!, ...(openalex === undefined ? {} : { openalex }) }
    })),
    { title: biorxiv.title, doi: biorxiv.doi }
  ])
  const itemOf = async (name: string) =>
    (await feedGet.run(context, { project_id, limit: 100 })).items.find(({ paper_title }) => paper_title === `Preprint ${name}`)!
  const noticesOn = async (name: string) => noticesIn((await itemOf(name)).paper.metadata)
  const store = async (name: string, values: { doi?: string, metadata?: string }) =>
    await context.db.updateTable('paper').set(values).where('id', '=', (await itemOf(name)).paper.id).execute()
  const check = async () => {
    await resetRateLimits(user)
    return await noticesCheck.run(service.context, {})
  }
  const { items } = await feedGet.run(context, { project_id, limit: 100 })
  for (const { id } of items) await itemUpdate.run(context, { ref: id, saved: true })
  t.strictSame((await check()).failing, [])

  await t.test('arXiv is asked about all in one request', async t => {
    t.equal(arxiv.requests.length, 1)
    t.equal(arxiv.requests[0]!.url.searchParams.get('max_results'), String(preprints.length))
  })

  await t.test('a version that is newer than the stored one is new', async t => {
    t.match(await noticesOn('replaced'), [{
      kind: 'new_version',
      label: 'New version',
      date: '2026-05-06',
      doi: null,
      url: 'https://arxiv.org/abs/2503.00002v3',
      sources: ['arxiv'],
      confirmed: true
    }])
    t.match(await noticesOn('dated'), [{ kind: 'new_version', date: '2026-05-06' }])
    t.match(await noticesOn('unversioned'), [{ kind: 'new_version' }], 'after the paper was added')
    t.match(await noticesOn('classed'), [{ kind: 'new_version', url: 'https://arxiv.org/abs/math/0309136v2' }])
    for (const name of ['same', 'old', 'hostile']) t.strictSame(await noticesOn(name), [], name)
  })

  await t.test('a withdrawn version is a withdrawal, and nothing else is', async t => {
    for (const { title, comment, abstract } of [...withdrawals, ...abstracts]) {
      const expected = [{ kind: 'withdrawal', label: 'Withdrawn', date: '2026-05-06', sources: ['arxiv'] }]
      t.match(await noticesOn(title.slice(9)), expected, comment === '' ? abstract! : comment!)
    }
    t.strictSame(await noticesOn('superseded'), [], 'the article that was merged with the preprint is not withdrawn')
    for (const { title, comment } of others) t.match(await noticesOn(title.slice(9)), [{ kind: 'new_version' }], comment!)
    const all = (await noticesList.run(context, { limit: 100 })).items.flatMap(({ notices }) => notices)
    t.notOk(all.some(({ kind }) => kind === 'retraction'))
  })

  await t.test('each source alone states a published form', async t => {
    t.match(await noticesOn('journal'), [{ kind: 'published', doi: '10.1000/journal.7', sources: ['arxiv'] }])
    t.match(await noticesOn('crossref'), [{ kind: 'published', doi: '10.1000/journal.9', sources: ['crossref'] }])
    t.match(await noticesOn('biorxiv'), [{ kind: 'published', doi: '10.1000/bio', sources: ['crossref'] }])
    t.match(await noticesOn('openalex'), [
      { kind: 'published', doi: '10.1000/journal.10', url: 'https://doi.org/10.1000/journal.10', sources: ['openalex'], confirmed: true }
    ])
    t.match(await noticesOn('cited'), [
      { kind: 'published', label: 'Published', doi: null, url: 'https://arxiv.org/abs/2503.00015', sources: ['arxiv'], confirmed: true }
    ])
    for (const name of ['known', 'copies', 'article', 'cited before', 'promised']) t.strictSame(await noticesOn(name), [], name)
    const conflicting = await noticesOn('conflicting')
    t.match(conflicting, [
      { kind: 'published', doi: '10.1000/journal.13', sources: ['arxiv'] },
      { kind: 'published', doi: '10.1000/elsewhere.13', sources: ['openalex'] }
    ])
    t.equal(conflicting.length, 2, 'one in a journal and one of a conference')
  })

  await t.test('pages, references and tables state them', async t => {
    const browser = await formSession(service.app, user)
    const { body } = await browser.get(`/papers/${(await itemOf('replaced')).paper.id}`)
    t.match(body, /<strong>New version<\/strong> on 6 May 2026 \(arXiv\)/)
    t.match((await browser.get(`/papers/${(await itemOf('openalex')).paper.id}`)).body, /<strong>Published<\/strong> \(OpenAlex\)/)
    const { citation } = await paperCite.run(context, { paper_id: (await itemOf('withdrawal 0')).paper.id, format: 'ris' })
    t.match(citation, /N1 {2}- Withdrawn on 2026-05-06 \(arXiv\): https:\/\/arxiv\.org\/abs\/2503\.00100v2\./)
    const { parts } = await feedExport.run(context, { project_id, format: 'csv', q: 'replaced' })
    let csv = ''
    for await (const part of parts) csv += part
    t.match(csv, /New version on 2026-05-06 \(arXiv\)/)
  })

  await t.test('a notice stays when a later fetch stores what it states', async t => {
    await store('replaced', { metadata: '{"version": 3}' })
    await store('journal', { doi: '10.1000/journal.7' })
    await store('cited', { doi: '10.1000/journal.15' })
    later(8)
    await check()
    t.match(await noticesOn('replaced'), [{ kind: 'new_version', url: /v3$/ }])
    t.match(await noticesOn('journal'), [{ kind: 'published', doi: '10.1000/journal.7' }])
    t.match(await noticesOn('cited'), [{ kind: 'published', doi: null, url: 'https://arxiv.org/abs/2503.00015' }])
  })

  await t.test('the next version takes the place of the last, and a restored paper is no longer withdrawn', async t => {
    Object.assign(planted.replaced, { version: 4, updated: '2026-11-30' })
    Object.assign(withdrawals[1]!, { version: 3, updated: '2026-11-30', comment: '14 pages' })
    own.preprints = []
    planted.openalex.locations = []
    planted.journal.publishedDoi = '10.1000/journal.7b'
    planted.cited.publishedDoi = '10.1000/journal.15'
    later(8)
    await check()
    t.match(await noticesOn('replaced'), [{ kind: 'new_version', url: /v4$/, date: '2026-11-30' }])
    t.equal((await noticesOn('replaced')).length, 1)
    t.match(await noticesOn('withdrawal 1'), [{ kind: 'new_version', url: /v3$/ }])
    t.match(await noticesOn('journal'), [{ kind: 'published', doi: '10.1000/journal.7b' }])
    t.match(await noticesOn('cited'), [{ kind: 'published', doi: '10.1000/journal.15', sources: ['arxiv'] }])
    t.equal((await noticesOn('cited')).length, 1, 'a DOI that follows the citation is no second form')
    for (const name of ['crossref', 'openalex']) t.strictSame(await noticesOn(name), [], name)
  })

  await t.test('a truncated or partial answer changes nothing, and halves are asked for', async t => {
    const names = ['replaced', 'classed']
    const before = await Promise.all(names.map(noticesOn))
    const due = await Promise.all(names.map(async name => (await itemOf(name)).paper.id))
    const entry = '<entry><id>http://arxiv.org/abs/2503.00002v1</id><title>T</title></entry>'
    const feed = '<feed xmlns="http://www.w3.org/2005/Atom"><totalResults>2</totalResults>'
    for (const body of [`${feed}${entry}<entry><id>http://arx`, `${feed}${entry}</feed>`, '<html>Maintenance</html>']) {
      later(8)
      await context.db.updateTable('paper_check').set({ next_check_at: new Date(clock.now.getTime() + dayMs) })
        .where(({ eb, or }) => or([eb('paper_id', 'not in', due), eb('source', '<>', 'arxiv')])).execute()
      const { length } = arxiv.requests
      arxiv.next.push({ body })
      t.strictSame((await check()).failing, [], body)
      t.equal(arxiv.requests.length - length, 3)
      t.strictSame(await Promise.all(names.map(noticesOn)), before)
    }
  })

  await t.test('a source that only answers nonsense is asked a few times', async t => {
    later(8)
    const { length } = arxiv.requests
    arxiv.next.push(...Array.from({ length: 40 }, () => ({ body: '<html>Maintenance</html>' })))
    t.strictSame((await check()).failing, ['arxiv'])
    t.ok(arxiv.requests.length - length <= 10, `${arxiv.requests.length - length} requests`)
    arxiv.next.length = 0
  })

  await t.test('ids that arXiv does not know, and papers that were not asked about, change nothing', async t => {
    const before = await noticesOn('replaced')
    later(8)
    arxiv.next.push({ body: '<feed xmlns="http://www.w3.org/2005/Atom"><totalResults>0</totalResults></feed>' })
    t.strictSame((await check()).failing, [])
    t.strictSame(await noticesOn('replaced'), before)
  })
})
