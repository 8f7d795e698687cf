import t from 'tap'
import type { CheckedPaper, StatedNotice, WatchedPaper } from '../../db/queries/notice-checks.js'
import { dayMs } from '../../schemas/durations.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { noticesIn } from '../../src/papers/notices.js'
import { checkWithForms } from '../../src/sources/fetching/check-forms.js'
import { statedNotice } from '../../src/sources/notices/stated.js'
import { SourceError, type SourceContext } from '../../src/sources/source.js'
import { projectWith, testService } from '../support/service.js'
import { resetRateLimits } from '../support/sources.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { watchedPaper } from '../support/watched-paper.js'

const preprint = watchedPaper({ id: 'preprint', doi: '10.1101/1', published: ['10.1000/form'] })
const retraction = statedNotice('crossref', 'retraction', { doi: '10.1000/notice', date: '2026-01-02' })
const correction = statedNotice('crossref', 'correction', { doi: '10.1000/erratum' })

/** Checks the preprint at a source that has these papers, by DOI. */
const check = async (stored: Record<string, StatedNotice[]>, more: Partial<WatchedPaper> = {}, fails?: Error): Promise<CheckedPaper[]> =>
  await checkWithForms({
    identifiers: ['doi'],
    batchSize: 10,
    check: async (_context, papers) => {
      if (fails !== undefined && papers.some(({ id }) => id !== 'preprint')) throw fails
      return papers.flatMap(({ id, doi }) => stored[doi!] === undefined ? [] : [{ id, notices: stored[doi!]! }])
    }
  }, {} as SourceContext, [{ ...preprint, ...more }])

t.test('a warning about the published form is one about the preprint, with the DOI of the form', async t => {
  t.match(await check({ '10.1101/1': [], '10.1000/form': [retraction, correction] }), [{
    id: 'preprint',
    isPartial: false,
    notices: [{ kind: 'retraction', doi: '10.1000/form', url: 'https://doi.org/10.1000/form', date: '2026-01-02' }]
  }])
  const published = statedNotice('crossref', 'published', { doi: '10.1000/form' })
  const [checked] = await check({ '10.1101/1': [published], '10.1000/form': [retraction] }, { published: [] })
  t.strictSame(checked!.notices.map(({ kind }) => kind), ['published', 'retraction'], 'a form that the source states now')
  const [itself] = await check({ '10.1101/1': [] }, { published: ['10.1101/1v2', 'no DOI'] })
  t.strictSame(itself!.notices, [])
})

t.test('a source that does not know the preprint or the form withdraws nothing', async t => {
  t.strictSame(await check({}), [])
  t.match(await check({ '10.1000/form': [] }, { stated: ['doi:10.1000/erratum'] }), [{ isPartial: true }])
  t.match(await check({ '10.1000/form': [] }, { stated: ['form:10.1000/form doi:10.1000/notice'] }), [{ isPartial: false, notices: [] }])
  t.match(await check({ '10.1101/1': [] }, { stated: ['form:10.1000/form doi:10.1000/notice'] }), [{ isPartial: true }])
})

t.test('a form that the source rejects does not keep it from the preprint', async t => {
  const rejection = new SourceError('bad_query', 'Rejected.')
  t.match(await check({ '10.1101/1': [correction] }, {}, rejection), [{ notices: [{ kind: 'correction' }] }])
  await t.rejects(check({ '10.1101/1': [] }, {}, new SourceError('unavailable', 'Down.')), { message: 'Down.' })
})

t.test('the retraction of an article is told to those who saved its preprint', async t => {
  const works: Publication[] = [
    { title: 'A preprint', date: '2025-03-04', doi: '10.21203/rs.3.rs-1/v1', preprint: true },
    {
      title: 'An article',
      date: '2025-09-04',
      doi: '10.1000/form',
      updates: [{ type: 'retraction', doi: '10.1000/notice', date: [2026, 1, 2] }]
    }
  ]
  const [crossref, pubmed, openalex] = [await crossrefStandIn(t, works), await pubmedStandIn(t, []), await openalexStandIn(t, [])]
  const clock = { now: new Date('2026-11-23T10:00:00Z') }
  const service = await testService(
    t, { CROSSREF_URL: crossref.url, PUBMED_URL: pubmed.url, OPENALEX_URL: openalex.url }, () => clock.now
  )
  const user = await service.user()
  const project_id = await projectWith(user, [
    { title: 'A preprint', doi: '10.21203/rs.3.rs-1/v1', metadata: { published_doi: '10.1000/form' } }
  ])
  const itemOf = async () => (await feedGet.run(user.context, { project_id })).items[0]!
  await itemUpdate.run(user.context, { ref: (await itemOf()).id, saved: true })
  t.strictSame((await noticesCheck.run(service.context, {})).failing, [])
  t.match(noticesIn((await itemOf()).paper.metadata), [
    { kind: 'retraction', doi: '10.1000/form', date: '2026-01-02', sources: ['crossref'] }
  ])
  works[1]!.updates = []
  clock.now = new Date(clock.now.getTime() + 8 * dayMs)
  await resetRateLimits(user)
  await noticesCheck.run(service.context, {})
  t.strictSame(noticesIn((await itemOf()).paper.metadata), [], 'until it is taken back')
})
