import type { Test } from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import type { Context } from '../../src/operations/context.js'
import { noticesIn } from '../../src/papers/notices.js'
import { mailServer } from './mail-server.js'
import { projectWith, testService } from './service.js'
import { resetRateLimits } from './sources.js'
import { crossrefStandIn } from './stand-ins/crossref.js'
import { openalexStandIn } from './stand-ins/openalex.js'
import type { Publication } from './stand-ins/papers.js'
import { pubmedStandIn } from './stand-ins/pubmed.js'
import { json, standIn } from './stand-ins/server.js'
import { dayMs } from '../../schemas/durations.js'

const about = (name: string, at: number, more: Partial<Publication> = {}): Publication & { doi: string } =>
  ({ title: `Paper ${name}`, date: '2025-03-04', doi: `10.1000/${name}`, pmid: String(42_000_000 + at), openalex: `W42${at}`, ...more })

/** A retraction as PubMed states it. */
export const retraction = (name: string) => ({ type: 'RetractionIn', source: `J Test. 2026 Feb 3;1(2):3. doi: 10.1000/${name}.`, pmid: '42999999' })

/** One planted case for each source alone, for all, and for disagreements. Tests change them. */
const plantedPapers = () => ({
  crossref: about('crossref', 1, { updates: [{ type: 'retraction', doi: '10.1000/crossref.r', date: [2026, 2, 6] }] }),
  update_to: about('update_to', 2, { updates: [{ type: 'Retraction', doi: '10.1000/update_to.r', date: [2026, 2, 6], only: true }] }),
  watch: about('watch', 3, { updates: [{ type: 'retraction', doi: '10.1000/watch.r', source: 'retraction-watch' }] }),
  pubmed: about('pubmed', 4, { corrections: [retraction('pubmed.r')] }),
  typed: about('typed', 5, { retracted: true }),
  openalex: about('openalex', 6, { retracted: true, doi: '10.1000/openalex', pmid: undefined as never }),
  all: about('all', 7, {
    retracted: true,
    updates: [
      { type: 'retraction', doi: '10.1000/all.r', date: [2026, 2, 6] },
      { type: 'retraction', doi: '10.1000/all.r', source: 'retraction-watch', date: [2026, 2, 5] }
    ],
    corrections: [{ type: 'RetractionIn', source: 'J Test. 2026 Feb 6;1:2', pmid: '42999998' }]
  }),
  erratum: about('erratum', 8, {
    updates: [{ type: 'erratum', doi: '10.1000/erratum.e', date: [2026, 1, 2] }],
    corrections: [{ type: 'ErratumIn', source: 'J Test. 2026 Jan;1(2):3. doi: 10.1000/erratum.e.', pmid: '42999997' }]
  }),
  concern: about('concern', 9, { corrections: [{ type: 'ExpressionOfConcernIn', source: 'J Test. 2026;1:2', pmid: '42999996' }] }),
  disputed: about('disputed', 10, {
    updates: [{ type: 'correction', doi: '10.1000/disputed.n' }],
    corrections: [retraction('disputed.n')]
  }),
  preprint: about('preprint', 11, { preprint: true, publishedDoi: '10.1000/journal' }),
  update: about('update', 12, {
    preprint: true,
    corrections: [{ type: 'UpdateIn', source: 'Cell. 2026 Jul 20;186(15):3307-3324.e30. doi: 10.1016/j.cell.2026.1.', pmid: '42999995' }]
  }),
  without_pmid: about('without_pmid', 13, { corrections: [retraction('without_pmid.r')] }),
  'comma,doi': about('comma,doi', 14, { updates: [{ type: 'withdrawal', doi: '10.1000/comma.w' }] }),
  comment: about('comment', 15, { corrections: [{ type: 'CommentIn', source: 'J Test. 2026;1:2', pmid: '42999994' }] }),
  fine: about('fine', 16)
})

/** A service with stand-ins for Crossref, PubMed and OpenAlex, and an account whose project has the planted papers. */
export async function watchedPapers (t: Test) {
  const planted = plantedPapers()
  const papers: Publication[] = Object.values(planted)
  const [crossref, pubmed, openalex] = [
    // Crossref does not know these two, which stand for retractions of which others state no more than the fact.
    await crossrefStandIn(t, papers.filter(({ title }) => !['Paper openalex', 'Paper typed'].includes(title))),
    await pubmedStandIn(t, papers),
    await openalexStandIn(t, papers.filter(({ title }) => title === 'Paper openalex' || title === 'Paper all' || title === 'Paper fine'))
  ]
  const [mails, receiver] = [await mailServer(t), await standIn(t, () => json({}))]
  const clock = { now: new Date() }
  const later = (days: number) => { clock.now = new Date(clock.now.getTime() + days * dayMs) }
  const service = await testService(
    t,
    {
      CROSSREF_URL: crossref.url,
      PUBMED_URL: pubmed.url,
      OPENALEX_URL: openalex.url,
      SMTP_URL: mails.url,
      MAIL_FROM: 'litfeed@example.org',
      PRIVATE_ORIGINS: receiver.url
    },
    () => clock.now
  )
  const user = await service.user()
  const { context } = user
  const { db } = context
  const project_id = await projectWith(user, Object.entries(planted).map(([name, { title, doi, pmid, openalex }]) => ({
    title,
    doi,
    external_ids: {
      ...(pmid === undefined || name === 'without_pmid' ? {} : { pmid }),
      ...(openalex === undefined || name === 'fine' ? {} : { openalex })
    }
  })))
  const items = async (caller: Context = context, id = project_id) => (await feedGet.run(caller, { project_id: id, limit: 100 })).items
  const itemOf = async (name: string) => (await items()).find(({ paper_title }) => paper_title === `Paper ${name}`)!
  const check = async () => {
    await resetRateLimits(user)
    return await noticesCheck.run(service.context, {})
  }
  const noticesOn = async (name: string) => noticesIn((await itemOf(name)).paper.metadata)
  const requests = () => [crossref, pubmed, openalex].map(({ requests }) => requests.length)
  /** Chooses each paper in one of four ways, so that sources are asked about it. */
  const choose = async () => {
    for (const [at, { id }] of (await items()).entries()) {
      if (at % 4 === 0) await feedbackSet.run(context, { paper_id: id, vote: 'star' })
      else if (at % 4 === 1) await feedbackSet.run(context, { paper_id: id, vote: 'upvote' })
      else if (at % 4 === 2) await itemUpdate.run(context, { ref: id, saved: true })
      else await paperCite.run(context, { paper_id: id, format: 'text' })
    }
  }
  return {
    planted,
    papers,
    crossref,
    pubmed,
    mails,
    receiver,
    clock,
    later,
    service,
    user,
    context,
    db,
    project_id,
    items,
    itemOf,
    choose,
    check,
    noticesOn,
    requests
  }
}
