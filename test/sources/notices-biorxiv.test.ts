import t from 'tap'
import type { WatchedPaper } from '../../db/queries/notice-checks.js'
import { administrationSourceUpdate } from '../../src/operations/administration/administration-source-update.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { noticesIn } from '../../src/papers/notices.js'
import { biorxivNotices } from '../../src/sources/notices/biorxiv.js'
import type { SourceContext } from '../../src/sources/source.js'
import { projectWith, testService } from '../support/service.js'
import { biorxivStandIn } from '../support/stand-ins/biorxiv.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { resetRateLimits } from '../support/sources.js'
import { watchedPaper } from '../support/watched-paper.js'
import { dayMs } from '../../schemas/durations.js'

const empty = watchedPaper({ version: 1, created_at: new Date('2026-01-02') })
const about = (number: string, more: Partial<Publication> = {}): Publication & { doi: string } =>
  ({ title: `Preprint ${number}`, date: '2025-03-04', updated: '2026-05-06', preprint: true, doi: `10.1101/2025.03.04.${number}`, ...more })

t.test('a version is compared with the stored one', async t => {
  const number = '100001'
  const { doi } = about(number)
  const noticesOf = async (publication: Partial<Publication>, stored: Partial<WatchedPaper> = {}) => {
    const biorxiv = await biorxivStandIn(t, [about(number, publication)])
    const context: SourceContext = {
      fetch: async url => {
        const response = await fetch(url)
        return { status: response.status, headers: response.headers, url: '', bytes: Buffer.from(await response.arrayBuffer()) }
      },
      baseUrl: biorxiv.url,
      contact: undefined,
      apiKey: undefined
    }
    const checked = await biorxivNotices('biorxiv', 'bioRxiv').check(context, [{ ...empty, id: '1', doi, ...stored }])
    return checked.flatMap(({ notices }) => notices)
  }
  const kindsOf = async (...parameters: Parameters<typeof noticesOf>) => (await noticesOf(...parameters)).map(({ kind }) => kind)

  t.strictSame(await noticesOf({ version: 3 }), [{
    source: 'biorxiv',
    kind: 'new_version',
    reference: 'v3',
    date: '2026-05-06',
    doi: null,
    pmid: null,
    url: `https://www.biorxiv.org/content/${doi}v3`
  }])
  t.strictSame(await kindsOf({ version: 2 }, { version: 2 }), [])
  t.strictSame(await kindsOf({ version: 2 }, { version: 2, stated: ['v2'] }), ['new_version'], 'what was stated as new remains so')
  t.strictSame(await kindsOf({ version: 2 }, { version: null }), ['new_version'], 'after the paper was added')
  t.strictSame(await kindsOf({ version: 2, updated: '2019-01-02' }, { version: null }), [], 'before the paper was added')
  t.match(await noticesOf({ version: 2 }, { doi: `${doi}v1` }), [{ url: `https://www.biorxiv.org/content/${doi}v2` }])

  for (const statement of [
    { title: 'WITHDRAWN: Uncanny similarity' },
    { title: 'Withdrawn: uncanny similarity' },
    { abstract: 'The authors have withdrawn their manuscript because of an error.' },
    { abstract: 'Withdrawal Statement The author does not wish this work to be cited.' },
    { abstract: 'This manuscript has been withdrawn by bioRxiv.' },
    { title: '[Withdrawn] Uncanny similarity' },
    { title: 'WITHDRAWN – Uncanny similarity' },
    { abstract: 'Withdrawal StatementThe authors have withdrawn this manuscript owing to an error.' },
    { abstract: 'O_ST_ABSWithdrawal StatementC_ST_ABSThe work is not to be cited.' },
    { abstract: 'AbstractThe authors have withdrawn their manuscript because of an error.' },
    { abstract: 'This manuscript has been withdrawn from bioRxiv by the authors.' },
    { abstract: 'bioRxiv has withdrawn this article because it was submitted without the consent of all authors.' },
    { abstract: 'The author(s) have withdrawn this manuscript.' },
    { abstract: 'This preprint has been retracted.' },
    { abstract: 'The authors have retracted this preprint.' },
    { abstract: 'The full text of this preprint has been withdrawn by the authors.' },
    { title: 'RETRACTED: Uncanny similarity' }
  ]) t.match(await noticesOf({ version: 2, ...statement }), [{ kind: 'withdrawal', reference: 'v2', date: '2026-05-06' }])
  for (const statement of [
    { title: 'Withdrawn rats avoid light' },
    { title: 'Withdrawn-depressed symptoms in adolescents' },
    { abstract: 'This manuscript has been withdrawn from eLife by the authors.' },
    { abstract: 'This manuscript has been withdrawn from arXiv, and is here instead.' },
    { abstract: 'We study why papers are retracted. Ten were withdrawn.' },
    { abstract: 'The paper was retracted in 2010. We ask who still cites it.' },
    { title: 'Withdrawal: the neurobiology of a syndrome' }
  ]) t.strictSame(await kindsOf({ version: 2, ...statement }), ['new_version'])

  t.match(await noticesOf({ publishedDoi: '10.1000/journal.6' }), [{ kind: 'published', doi: '10.1000/journal.6' }])
  t.strictSame(await kindsOf({ publishedDoi: doi }), [])
  t.strictSame(await kindsOf({ version: 3, preprint: false }), [], 'a preprint that the server does not know')
})

t.test('watched preprints of bioRxiv and medRxiv', async t => {
  const [laboratory, clinical] = [about('100001', { version: 2 }), about('25100002', { version: 2, venue: 'medRxiv' })]
  const preprints = [laboratory, clinical]
  const biorxiv = await biorxivStandIn(t, preprints)
  const clock = { now: new Date('2026-11-23T10:00:00Z') }
  const service = await testService(t, {
    BIORXIV_URL: biorxiv.url,
    CROSSREF_URL: (await crossrefStandIn(t, [])).url,
    OPENALEX_URL: (await openalexStandIn(t, [])).url,
    PUBMED_URL: (await pubmedStandIn(t, [])).url
  }, () => clock.now)
  const user = await service.user()
  const { context } = user
  const project_id = await projectWith(user, [
    ...preprints.map(({ title, doi }) => ({ title, doi, metadata: { version: 1 } })),
    { title: 'Article of a journal with the same prefix', doi: '10.1101/gr.100001.125' },
    { title: 'Article elsewhere', doi: '10.1000/100001' }
  ])
  const list = async () => (await feedGet.run(context, { project_id, limit: 100 })).items
  for (const { id } of await list()) await itemUpdate.run(context, { ref: id, saved: true })
  const noticesOn = async ({ doi }: Publication) => noticesIn((await list()).find(({ paper }) => paper.doi === doi)!.paper.metadata)
  const check = async () => {
    clock.now = new Date(clock.now.getTime() + 8 * dayMs)
    const { length } = biorxiv.requests
    await resetRateLimits(user)
    const { failing } = await noticesCheck.run(service.context, {})
    return { failing, requests: biorxiv.requests.slice(length).map(({ url }) => url.pathname).sort() }
  }

  t.strictSame(await check(), {
    failing: [],
    requests: [`/details/biorxiv/${laboratory.doi}/na/json`, `/details/medrxiv/${clinical.doi}/na/json`]
  }, 'each is asked about once, at its server, and no other paper')
  t.match(await noticesOn(laboratory), [{ kind: 'new_version', label: 'New version', sources: ['biorxiv'], confirmed: true }])
  t.match(await noticesOn(clinical), [{ url: `https://www.medrxiv.org/content/${clinical.doi}v2`, sources: ['medrxiv'] }])

  laboratory.version = 3
  await check()
  t.match(await noticesOn(laboratory), [{ kind: 'new_version', url: /v3$/ }])
  t.equal((await noticesOn(laboratory)).length, 1, 'the next version takes the place of the last')

  await administrationSourceUpdate.run(service.context, { source: 'medrxiv', disabled: true })
  biorxiv.next.push({ body: '{"messages": [{"status": "ok"}]}' })
  t.strictSame((await check()), { failing: ['biorxiv'], requests: [`/details/biorxiv/${laboratory.doi}/na/json`] })
  t.match(await noticesOn(laboratory), [{ url: /v3$/ }], 'a nonsensical answer changes nothing')
  t.match(await noticesOn(clinical), [{ url: /v2$/ }], 'nor does a disabled server')
})
