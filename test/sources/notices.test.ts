import t from 'tap'
import { sql } from 'kysely'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { noticesDismiss } from '../../src/operations/papers/notices-dismiss.js'
import { noticesNew } from '../../src/operations/papers/notices-new.js'
import { noticesList } from '../../src/operations/papers/notices-list.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import type { Context } from '../../src/operations/context.js'
import { noticesIn } from '../../src/papers/notices.js'
import { disableSource } from '../../db/queries/disabled-sources.js'
import { hasDuePaper, listPapersToCheck } from '../../db/queries/notice-checks.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { formSession } from '../support/forms.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { callTool } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { resetRateLimits } from '../support/sources.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { json, standIn } from '../support/stand-ins/server.js'
import { dayMs } from '../../schemas/durations.js'

const about = (name: string, at: number, more: Partial<Publication> = {}): Publication & { doi: string } =>
  ({ title: `Paper ${name}`, date: '2025-03-04', doi: `10.1000/${name}`, pmid: String(42_000_000 + at), openalex: `W42${at}`, ...more })
const retraction = (name: string) => ({ type: 'RetractionIn', source: `J Test. 2026 Feb 3;1(2):3. doi: 10.1000/${name}.`, pmid: '42999999' })

/** One planted case for each source alone, for all, and for disagreements. */
const planted = {
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
}
const papers: Publication[] = Object.values(planted)

t.test('notices on papers', async t => {
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

  await t.test('papers that nobody chose are not asked about', async t => {
    await maintenance.run(service.context, {})
    t.strictSame(await db.selectFrom('job').select('id').where('task', '=', 'check-notices').execute(), [])
    t.match(await check(), { checked: 0, reported: 0, failing: [] })
    t.strictSame(requests(), [0, 0, 0])
  })

  await t.test('starred, upvoted, saved and cited papers are asked about in few requests', async t => {
    const all = await items()
    for (const [at, { id }] of all.entries()) {
      if (at % 4 === 0) await feedbackSet.run(context, { paper_id: id, vote: 'star' })
      else if (at % 4 === 1) await feedbackSet.run(context, { paper_id: id, vote: 'upvote' })
      else if (at % 4 === 2) await itemUpdate.run(context, { ref: id, saved: true })
      else await paperCite.run(context, { paper_id: id, format: 'text' })
    }
    await maintenance.run(service.context, {})
    t.match(await db.selectFrom('job').select(['account_id', 'paper_id', 'project_id']).where('task', '=', 'check-notices').execute(), [
      { account_id: null, paper_id: null, project_id: null }
    ])
    const { checked, failing } = await check()
    t.strictSame(failing, [])
    t.ok(checked >= 3 * papers.length - 2, `${checked} answers`)
    t.strictSame(
      requests(),
      [6, 3, 3],
      'Crossref: four lists and a DOI with a comma; PubMed: a search by DOI and the records; OpenAlex: one for each kind of identifier; ' +
        'Crossref and PubMed: one for published forms'
    )
    t.strictSame((await check()).checked, 0, 'nothing is due before a week has passed')
  })

  await t.test('each source alone is enough', async t => {
    t.match(await noticesOn('crossref'), [{
      kind: 'retraction',
      label: 'Retracted',
      date: '2026-02-06',
      doi: '10.1000/crossref.r',
      url: 'https://doi.org/10.1000/crossref.r',
      sources: ['crossref'],
      confirmed: true,
      withdrawn: null
    }])
    t.match(await noticesOn('update_to'), [{ kind: 'retraction', doi: '10.1000/update_to.r' }])
    t.match(await noticesOn('watch'), [{ kind: 'retraction', sources: ['retraction-watch'] }])
    t.match(await noticesOn('pubmed'), [
      { kind: 'retraction', date: '2026-02-03', doi: '10.1000/pubmed.r', pmid: '42999999', sources: ['pubmed'] }
    ])
    t.match(await noticesOn('typed'), [{ kind: 'retraction', label: 'Retracted', sources: ['pubmed'], doi: null, url: null }])
    t.match(await noticesOn('without_pmid'), [{ kind: 'retraction', sources: ['pubmed'] }])
    t.match(await noticesOn('concern'), [{ kind: 'expression_of_concern', label: 'Expression of concern', url: /pubmed.*42999996/ }])
    t.match(await noticesOn('preprint'), [{ kind: 'published', doi: '10.1000/journal' }])
    t.match(await noticesOn('update'), [{ kind: 'published', doi: '10.1016/j.cell.2026.1', date: '2026-07-20' }])
    t.match(await noticesOn('comma,doi'), [{ kind: 'withdrawal', label: 'Withdrawn' }])
    t.strictSame(await noticesOn('comment'), [], 'a comment is no notice')
    t.strictSame(await noticesOn('fine'), [])
  })

  await t.test('what several sources state is one notice; a boolean alone is not confirmed', async t => {
    const sources = ['crossref', 'pubmed', 'retraction-watch', 'openalex']
    t.match(await noticesOn('all'), [{ kind: 'retraction', date: '2026-02-06', doi: '10.1000/all.r', pmid: '42999998', sources }])
    t.equal((await noticesOn('all')).length, 1)
    t.match(await noticesOn('openalex'), [
      { kind: 'retraction', label: 'Reported as retracted by OpenAlex', confirmed: false, sources: ['openalex'], date: null, doi: null }
    ])
  })

  await t.test('an erratum is never called a retraction', async t => {
    const erratum = await noticesOn('erratum')
    t.match(erratum, [{ kind: 'correction', label: 'Corrected', sources: ['crossref', 'pubmed'] }])
    t.equal(erratum.length, 1)
    t.notMatch(JSON.stringify(erratum), /retract/i)
    t.match(await noticesOn('disputed'), [
      { kind: 'retraction', sources: ['pubmed'] },
      { kind: 'correction', sources: ['crossref'] }
    ], 'where sources disagree, each kind has its source')
  })

  await t.test('lists, MCP answers, references and tables state them', async t => {
    const { items: rows } = await feedPage.run(context, { project_id, limit: 100 })
    const changesOf = (name: string) => rows.find(({ paper_title }) => paper_title === `Paper ${name}`)!.changes.map(({ label }) => label)
    t.strictSame(changesOf('disputed'), ['Retracted', 'Corrected'])
    t.strictSame(changesOf('openalex'), ['Reported as retracted by OpenAlex'])
    t.strictSame(changesOf('fine'), [])
    const item = await itemOf('pubmed')
    const answer = await callTool(service, user.key, 'paper_get', { paper_id: item.paper.id })
    t.match(answer.structuredContent, { metadata: { notices: [{ kind: 'retraction', label: 'Retracted' }] } })
    const brief = await callTool(service, user.key, 'feed_get', { project_id, detail: 'brief', limit: 100 })
    const briefItem = (name: string) =>
      (brief.structuredContent.items as Array<{ paper_title: string, paper: object }>).find(each => each.paper_title === `Paper ${name}`)!
    t.match(briefItem('pubmed').paper, { metadata: { notices: [{ kind: 'retraction', label: 'Retracted', date: '2026-02-03' }] } })
    t.notOk('metadata' in briefItem('fine').paper)
    const cite = async (format: string) => (await paperCite.run(context, { paper_id: item.paper.id, format })).citation
    const sentence = 'Retracted on 2026-02-03 (PubMed): https://doi.org/10.1000/pubmed.r.'
    t.match(await cite('ris'), `N1  - ${sentence}`)
    t.match(await cite('bibtex'), `note = {${sentence}}`)
    t.equal(JSON.parse(await cite('csl')).note, sentence)
    t.match(await cite('text'), sentence)
    const { parts } = await feedExport.run(context, { project_id, format: 'csv', q: 'disputed' })
    let csv = ''
    for await (const part of parts) csv += part
    t.match(csv.split('\r\n')[0], /,notices,/)
    t.match(csv, /Retracted on 2026-02-03 \(PubMed\): \S+\. Corrected \(Crossref\)/)
  })

  await t.test('GET /api/notices lists the papers of the caller alone', async t => {
    const { access_token } = await logIn(service, user)
    const get = async (token: string, query = '') =>
      await service.app.inject({ url: `/api/notices${query}`, headers: { authorization: `Bearer ${token}` } })
    const all = (await get(access_token, '?limit=100')).json()
    t.equal(all.items.length, 14)
    t.match(all, { limit: 100, offset: 0, has_more: false })
    t.match((await get(access_token, '?limit=2&offset=12')).json(), { items: { length: 2 }, has_more: false })
    t.match((await get(access_token, `?project_id=${project_id}&since=1d&limit=100`)).json().items.length, 14)
    t.equal((await get(access_token, '?since=soon')).statusCode, 400)
    const item = await itemOf('erratum')
    t.match(all.items.find((each: { paper_title: string }) => each.paper_title === 'Paper erratum'), {
      paper_id: item.paper.id,
      projects: [{ project_id, feed_item_id: item.id }],
      notices: [{ kind: 'correction' }]
    })

    const other = await service.user()
    t.strictSame((await get((await logIn(service, other)).access_token)).json().items, [])
    t.equal((await get((await logIn(service, other)).access_token, `?project_id=${project_id}`)).statusCode, 404)
  })

  await t.test('the feed announces them until they are dismissed, in words', async t => {
    const browser = await formSession(service.app, user)
    const address = `/projects/${project_id}`
    const { body } = await browser.get(address)
    t.match(body, /Updates to your papers/)
    t.match(body, /class="badge bad">Retracted</)
    t.match(body, /class="badge warn">Corrected</)
    const { items: news, as_of } = await noticesNew.run(context, { project_id })
    t.equal(news.length, 14)
    const dismissed = await browser.post(address, { action: 'dismiss', as_of })
    t.equal(dismissed.statusCode, 303)
    const after = (await browser.get(address)).body
    t.notMatch(after, /Updates to your papers/)
    t.match(after, /class="badge bad">Retracted</, 'papers keep their badges')
    const { body: page } = await browser.get(`/papers/${(await itemOf('disputed')).paper.id}`)
    t.match(page, /<strong>Retracted<\/strong> on 3 Feb 2026 \(PubMed\)[\s\S]*<strong>Corrected<\/strong> \(Crossref\)/)
    const unconfirmed = (await browser.get(`/papers/${(await itemOf('openalex')).paper.id}`)).body
    t.match(unconfirmed, /Reported as retracted by OpenAlex<\/strong>, not confirmed/)
    t.match((await browser.get('/feed')).body, /class="badge bad">Retracted</)
    const stranger = await service.user()
    await t.rejects(noticesNew.run(stranger.context, { project_id }), { code: 'project_not_found' })
    await t.rejects(noticesDismiss.run(stranger.context, { project_id, as_of }), { code: 'project_not_found' })
  })

  await t.test('readers of a share link see a retraction that the record states, and no notice that somebody was told', async t => {
    const reader = await service.user()
    const theirs = await projectWith(reader, [{ title: 'Paper on record', metadata: { retracted: true } }])
    const { paper } = await itemOf('pubmed')
    await db.updateTable('paper').set({ account_id: null }).where('id', '=', paper.id).execute()
    await db
      .insertInto('project_paper')
      .values({ project_id: theirs, paper_id: paper.id, relevance_score: 0.5, relevance_class: 'related', ready_at: clock.now })
      .execute()
    const read = async (caller: Context, id: string) => {
      const { url, atom_url } = await shareLinkCreate.run(caller, { project_id: id })
      const exported = url.replace('/shared?', '/shared/export?')
      const bodies: string[] = []
      for (const address of [url, atom_url, `${exported}&format=bibtex`, `${exported}&format=ris`]) {
        bodies.push((await service.app.inject({ url: address.replace(/^https?:\/\/[^/]+/, '') })).body)
      }
      return bodies
    }
    // The first account was told of the notice, the other one chose nothing.
    for (const body of [...await read(context, project_id), ...await read(reader.context, theirs)]) {
      t.match(body, /Paper pubmed/)
      t.notMatch(body, /Retracted|Corrected|Expression of concern|10\.1000\/pubmed\.r/)
    }
    const [page, atom, bibtex, ris] = await read(reader.context, theirs)
    t.match(page, /class="badge bad">Reported as retracted</)
    t.match(atom, /<summary type="text">Reported as retracted\.</)
    t.match(bibtex, /note = \{Reported as retracted\./)
    t.match(ris, /N1 {2}- Reported as retracted\./)
    await db.deleteFrom('project').where('id', '=', theirs).execute()
  })

  await t.test('briefs and alerts state what is new, once', async t => {
    const brief = async (acknowledge?: string) => await feedBrief.run(context, { project_id, limit: 100, acknowledge })
    const { brief_id, items: first } = await brief()
    t.equal(first.length, papers.length)
    const { brief_id: second, items: none } = await brief(brief_id)
    t.equal(none.length, 0)
    const { title, doi } = planted.fine
    const elsewhere = await projectWith(user, [{ title, doi }])
    t.equal((await items(context, elsewhere))[0]!.paper.id, (await itemOf('fine')).paper.id)
    later(1)
    const { id: mail } = await alertCreate.run(context, { project_id, kind: 'email', target: user.email })
    const { id: hook } = await alertCreate.run(context, { project_id, kind: 'webhook', target: `${receiver.url}/hook`, frequency: 'immediate' })
    const recipient = 'colleague@example.org'
    const { id: foreign } = await alertCreate.run(context, { project_id, kind: 'email', target: recipient })
    const { id: unchosen } = await alertCreate.run(context, { project_id: elsewhere, kind: 'email', target: user.email })
    later(8)
    planted.fine.corrections = [{ type: 'ErratumIn', source: 'J Test. 2026 Mar 4;1:2', pmid: '42999990' }]
    planted.openalex.pmid = '42000006'
    planted.openalex.corrections = [retraction('openalex.r')]
    planted.crossref.corrections = [retraction('crossref.r')]
    await check()
    const { brief_id: third, items: again } = await brief(second)
    const titles = again.map(({ paper_title }) => paper_title).sort()
    t.strictSame(titles, ['Paper fine', 'Paper openalex'], 'a further source is no news, a confirmation is')
    t.match(await alertSend.run(service.context, { alert_id: mail }), { sent: 2 })
    const text = decodeMail(mails.mails[0]!)
    t.match(text, /^Subject: A project: 2 changed papers\r$/m)
    t.match(text, /Updates to your papers\s+Paper fine\s+Corrected on 2026-03-04 \(PubMed\)/)
    t.match(text, /Paper openalex\s+Retracted on 2026-02-03 \(PubMed, OpenAlex\)/)
    t.match(text, /<h2[^>]*>Updates to your papers<\/h2>/)
    t.match(await alertSend.run(service.context, { alert_id: mail }), { sent: 0 }, 'once')
    for (const [alert_id, why] of [
      [hook, 'webhooks are not told what was starred'], [foreign, 'nor other people'], [unchosen, 'nor projects in which nobody chose it']
    ] as const) t.match(await alertSend.run(service.context, { alert_id }), { sent: 0 }, why)
    t.equal(mails.mails.length, 1)
    await db.updateTable('alert').set({ created_at: new Date(0), claimed_through: null }).where('id', '=', hook).execute()
    await alertSend.run(service.context, { alert_id: hook })
    const { type, data } = JSON.parse(receiver.requests[0]!.body.toString())
    t.strictSame([type, data.items.length], ['feed.items', papers.length])
    t.notOk(data.items.some(({ paper }: { paper: { metadata: object } }) => 'notices' in paper.metadata))
    t.match((await noticesNew.run(context, { project_id })).items.length, 2)
    later(8)
    planted.fine.corrections.push({ type: 'ErratumIn', source: 'J Test. 2026 May 6;1:2', pmid: '42999989' })
    planted.concern.updates = [{ type: 'expression_of_concern', doi: '10.1000/concern.e' }]
    await check()
    t.strictSame((await brief(third)).items.map(({ paper_title }) => paper_title), ['Paper fine'], 'a second correction is news')
    t.match((await alertSend.run(service.context, { alert_id: mail })), { sent: 1 })
    delete planted.concern.updates
    planted.fine.corrections = []
    delete planted.openalex.corrections
    delete planted.crossref.corrections
  })

  await t.test('an account learns nothing from the choices of another', async t => {
    const { paper } = await itemOf('pubmed')
    await db.updateTable('paper').set({ account_id: null }).where('id', '=', paper.id).execute()
    const other = await service.user()
    const theirs = await projectWith(other, [])
    await db
      .insertInto('project_paper')
      .values({ project_id: theirs, paper_id: paper.id, relevance_score: 0.5, relevance_class: 'related', ready_at: clock.now })
      .execute()
    await check()
    t.strictSame(noticesIn((await paperGet.run(other.context, { paper_id: paper.id })).metadata), [], 'they did not choose the paper')
    t.strictSame((await feedPage.run(other.context, { project_id: theirs })).items[0]!.changes, [])
    t.strictSame((await noticesList.run(other.context, {})).items, [])
    later(1)
    await feedbackSet.run(other.context, { paper_id: paper.id, vote: 'star' })
    await maintenance.run(service.context, {})
    const [notice] = noticesIn((await paperGet.run(other.context, { paper_id: paper.id })).metadata)
    t.match(notice, { kind: 'retraction', first_seen: clock.now.toISOString() }, 'as if it was found for them')
    t.ok((await noticesOn('pubmed'))[0]!.first_seen < notice!.first_seen)
    // Accounts take turns, so their star would change which papers come next.
    await db.deleteFrom('project').where('id', '=', theirs).execute()
  })

  await t.test('a notice that no source states any more is withdrawn', async t => {
    later(8)
    planted.all.updates = []
    planted.crossref.updates = []
    planted.openalex.retracted = false
    const { failing } = await check()
    t.strictSame(failing, [])
    t.strictSame(await noticesOn('crossref'), [])
    t.strictSame(await noticesOn('openalex'), [])
    t.match(await noticesOn('all'), [{ kind: 'retraction', sources: ['pubmed', 'openalex'], doi: null, pmid: '42999998' }])
    const { items: news } = await noticesNew.run(context, { project_id })
    t.match(news, [
      { paper_title: 'Paper crossref', notices: [{ label: 'No longer reported as retracted' }] }
    ], 'the feed says so, unless it still announces the retraction')
    t.match((await (await formSession(service.app, user)).get(`/projects/${project_id}`)).body, /class="badge accented">No longer reported as retracted</)
    const { id: alert_id } = await db.selectFrom('alert').select('id').where('kind', '=', 'email').where('target', '=', user.email)
      .where('project_id', '=', project_id).executeTakeFirstOrThrow()
    const before = mails.mails.length
    t.match(await alertSend.run(service.context, { alert_id }), { sent: 2 })
    const text = decodeMail(mails.mails[before]!)
    t.match(text, /Updates to your papers\s+Paper crossref\s+No longer reported as retracted \(Crossref, PubMed\)/)
    t.match(text, /Paper openalex\s+No longer reported as retracted \(PubMed, OpenAlex\)/)
    t.match(await alertSend.run(service.context, { alert_id }), { sent: 0 }, 'once')
    const listed = async (withdrawn: boolean) => (await noticesList.run(context, { limit: 100, withdrawn })).items
    t.notOk((await listed(false)).some(({ paper_title }) => paper_title === 'Paper crossref'))
    t.match((await listed(true)).find(({ paper_title }) => paper_title === 'Paper crossref')!.notices, [
      { kind: 'retraction', withdrawn: clock.now.toISOString() }
    ])
    const { paper } = await itemOf('openalex')
    await sql`update paper set metadata = '{"retracted": true}' where id = ${paper.id}`.execute(db)
    t.notOk('retracted' in (await itemOf('openalex')).paper.metadata, 'nor does its record state it')
    await sql`update paper set source_name = 'openalex' where id = ${paper.id}`.execute(db)
    later(8)
    planted.crossref.updates = [{ type: 'retraction', doi: '10.1000/crossref.r' }]
    await check()
    const stored = await db.selectFrom('paper').select('metadata').where('id', '=', paper.id).executeTakeFirstOrThrow()
    t.notHas(stored.metadata, 'retracted', 'the source of a record has corrected it')
    t.match(await noticesOn('crossref'), [{ kind: 'retraction', withdrawn: null }], 'until one states it again')
  })

  await t.test('a source that is down or sends nonsense changes nothing, and stops no other', async t => {
    later(8)
    crossref.next.push({ status: 503, headers: { 'retry-after': '80000' }, body: 'down' })
    pubmed.next.push({ body: '{"esearchresult": {"idlist": ["x"' })
    const before = await noticesOn('all')
    const { failing } = await check()
    t.strictSame(failing, ['crossref'], 'PubMed was asked again, in halves')
    t.match(await noticesOn('all'), before)
    t.match(await noticesOn('crossref'), [{ withdrawn: null }])
    const { next_check_at } = await db
      .selectFrom('paper_check')
      .select('next_check_at')
      .where('source', '=', 'crossref')
      .where('failures', '>', 0)
      .executeTakeFirstOrThrow()
    t.equal(next_check_at.getTime(), clock.now.getTime() + 80_000_000, 'Crossref asked for this pause')
    later(2)
    t.strictSame((await check()).failing, [])
  })

  await t.test('a paper with more notices than Crossref lists at once hides none of others', async t => {
    later(8)
    planted.crossref.updates = [
      ...Array.from({ length: 600 }, (_, at) => ({ type: 'correction', doi: `10.1000/crossref.c${at}`, only: true as const })),
      { type: 'retraction', doi: '10.1000/crossref.r', only: true }
    ]
    const due = [(await itemOf('crossref')).paper.id, (await itemOf('update_to')).paper.id]
    const next_check_at = new Date(clock.now.getTime() + dayMs)
    await db.updateTable('paper_check').set({ next_check_at }).where('paper_id', 'not in', due).execute()
    t.strictSame((await check()).failing, [])
    t.match(await noticesOn('update_to'), [{ kind: 'retraction', sources: ['crossref'] }])
    const [first, ...others] = await noticesOn('crossref')
    t.match(first, { kind: 'retraction', withdrawn: null }, 'a truncated list withdraws nothing')
    t.ok(others.length > 0 && others.every(({ kind }) => kind === 'correction'))
    planted.crossref.updates = []
  })

  await t.test('a paper that a source was never asked about comes first, then the one that is due longest', async t => {
    later(8)
    const due = async () => (await listPapersToCheck(db, { source: 'crossref', identifiers: ['doi'], now: clock.now, limit: 3 }))
      .map(({ id }) => id)
    const [soon, sooner, first] = await due()
    const isDueAt = async (now: Date) => await hasDuePaper(db, { source: 'crossref', identifiers: ['doi'], now })
    t.strictSame([await isDueAt(clock.now), await isDueAt(new Date(0))], [true, false])
    const isDue = async (id: string, days: number) => await db
      .updateTable('paper_check')
      .set({ next_check_at: new Date(clock.now.getTime() - days * dayMs) })
      .where('paper_id', '=', id)
      .where('source', '=', 'crossref')
      .execute()
    await isDue(soon!, 20)
    await isDue(sooner!, 30)
    await db.deleteFrom('paper_check').where('paper_id', '=', first!).where('source', '=', 'crossref').execute()
    t.strictSame(await due(), [first, sooner, soon])
  })

  await t.test('accounts take turns, each with its newest papers', async t => {
    const [many, few] = [await service.user(), await service.user()]
    const list = (prefix: string, count: number) => Array.from({ length: count }, (_each, at) => ({
      title: `${prefix} work ${at}`, doi: `10.1000/${prefix}.${at}`
    }))
    const choose = async (user: typeof many, prefix: string, count: number) => {
      const project_id = await projectWith(user, list(prefix, count))
      await sql`update project_paper set saved = true, ready_at = now() - substring(paper.doi from '[0-9]+$')::integer * interval '1 hour'
        from paper where paper.id = paper_id and project_id = ${project_id}`.execute(db)
      return project_id
    }
    const projects = [await choose(many, 'many', 40), await choose(few, 'few', 2)]
    const dois = async (limit: number, maxWatched?: number) =>
      (await listPapersToCheck(db, { source: 'crossref', identifiers: ['doi'], now: new Date(0), limit, maxWatched }))
        .map(({ doi }) => doi!).filter(doi => /many|few/.test(doi))
    t.equal((await dois(5)).filter(doi => doi.startsWith('10.1000/few')).length, 2, 'the second account does not wait for the first')
    t.equal((await dois(100)).length, 42)
    t.strictSame((await dois(100, 3)).sort(), ['few.0', 'few.1', 'many.0', 'many.1', 'many.2'].map(name => `10.1000/${name}`))
    await sql`delete from project where id = any(${projects}::uuid[])`.execute(db)
  })

  await t.test('hostile answers are bounded, and only papers that were asked about change', async t => {
    later(8)
    const hostile = {
      DOI: '10.1000/fine',
      'updated-by': [
        { type: 'retraction', DOI: 7 },
        { type: 'constructor', DOI: '10.1000/x' },
        null,
        ...Array.from({ length: 500 }, (_, at) => ({ type: 'correction', DOI: `10.1000/c${at}` })),
        { type: 'retraction', DOI: '10.1000/"><script>', updated: { 'date-parts': [[99999, 77, 'x']] } }
      ],
      relation: { 'is-preprint-of': [{ 'id-type': 'doi', id: {} }] }
    }
    const works = [hostile, { DOI: '10.1000/not-asked', 'updated-by': hostile['updated-by'] }, 'x']
    crossref.next.push({ body: JSON.stringify({ status: 'ok', message: { items: works } }) })
    await check()
    const notices = await noticesOn('fine')
    t.ok(notices.length > 0 && notices.length <= 100, `${notices.length} notices`)
    t.ok(notices.every(({ date, url }) => date === null && (url === null || /^https:\/\/doi\.org\/10\.1000\/\S+$/.test(url))))
    t.strictSame(await db.selectFrom('paper_notice').select('id').where('doi', '=', 'not-asked').execute(), [])
  })

  await t.test('a merge of papers keeps notices, once each, and who was told of them', async t => {
    const [kept, other] = [await itemOf('pubmed'), await itemOf('disputed')]
    await db.transaction().execute(async transaction => await mergePapers(transaction, kept.paper.id, other.paper.id))
    const merged = noticesIn((await paperGet.run(context, { paper_id: other.paper.id })).metadata)
    t.match(merged.map(({ kind }) => kind), ['retraction', 'correction'])
    const stored = await db.selectFrom('paper_notice').select('kind').where('paper_id', '=', kept.paper.id).execute()
    t.equal(stored.length, 3, 'both retractions and the correction')
  })

  await t.test('an imported record cannot plant a notice', async t => {
    const id = await projectWith(user, [{ title: 'Planted', metadata: { notices: [{ kind: 'retraction' }] } as object }])
    t.notOk('notices' in (await items(context, id))[0]!.paper.metadata)
  })

  await t.test('a source that is disabled during a check is not asked further', async t => {
    const many = Array.from({ length: 45 }, (_, at) => ({ title: `Further ${at}`, doi: `10.1000/further${at}` }))
    const id = await projectWith(user, many)
    for (const { id: item } of await items(context, id)) await itemUpdate.run(context, { ref: item, saved: true })
    later(8)
    await resetRateLimits(user)
    const { sources } = service.context
    const contextFor: typeof sources.contextFor = (source, caller) => {
      const tools = sources.contextFor(source, caller)
      return {
        ...tools,
        async fetch (...request) {
          if (source.name === 'crossref') await disableSource(db, source.name, clock.now)
          return await tools.fetch(...request)
        }
      }
    }
    await noticesCheck.run({ ...service.context, sources: { ...sources, contextFor } }, {})
    const checked = await db.selectFrom('paper_check').select('paper_id').where('source', '=', 'crossref')
      .where('next_check_at', '>', clock.now).execute()
    t.equal(checked.length, 40, 'one batch')
  })
})

t.test('checks can be turned off', async t => {
  const { context: { sources } } = await testService(t, { WATCH_DAYS: '0' })
  t.equal(sources.watchIntervalMs, null)
})
