import t from 'tap'
import { sql } from 'kysely'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedPage } from '../../src/operations/feed/feed-page.js'
import { feedExport } from '../../src/operations/feed/feed-export.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { noticesDismiss } from '../../src/operations/papers/notices-dismiss.js'
import { noticesNew } from '../../src/operations/papers/notices-new.js'
import { noticesList } from '../../src/operations/papers/notices-list.js'
import { paperCite } from '../../src/operations/papers/paper-cite.js'
import { paperGet } from '../../src/operations/papers/paper-get.js'
import type { Context } from '../../src/operations/context.js'
import { noticesIn } from '../../src/papers/notices.js'
import { formSession } from '../support/forms.js'
import { decodeMail } from '../support/mail-server.js'
import { callTool } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { retraction, watchedPapers } from '../support/watched-papers.js'

t.test('notices on papers', async t => {
  const {
    planted, papers, mails, receiver, clock, later, service, user, context, db, project_id, items, itemOf, choose, check, noticesOn,
    requests
  } = await watchedPapers(t)

  await t.test('papers that nobody chose are not asked about', async t => {
    await maintenance.run(service.context, {})
    t.strictSame(await db.selectFrom('job').select('id').where('task', '=', 'check-notices').execute(), [])
    t.match(await check(), { checked: 0, reported: 0, failing: { length: 0 } })
    t.strictSame(requests(), [0, 0, 0])
  })

  await t.test('starred, upvoted, saved and cited papers are asked about in few requests', async t => {
    await choose()
    await maintenance.run(service.context, {})
    t.match(await db.selectFrom('job').select(['account_id', 'paper_id', 'project_id']).where('task', '=', 'check-notices').execute(), [
      { account_id: null, paper_id: null, project_id: null }
    ])
    const { checked, failing } = await check()
    t.strictSame(failing, [])
    t.ok(checked >= 3 * papers.length - 2, `${checked} answers`)
    t.strictSame(
      requests(),
      [7, 3, 3],
      'Crossref: five lists and a DOI with a comma; PubMed: a search by DOI and the records; OpenAlex: one for each kind of identifier; ' +
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
    t.match(text, /Updates to your papers\s+Paper fine\s+Corrected on 4 Mar 2026 \(PubMed\)/)
    t.match(text, /Paper openalex\s+Retracted on 3 Feb 2026 \(PubMed, OpenAlex\)/)
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
    t.equal(stored.metadata.retracted, undefined, 'the source of a record has corrected it')
    t.match(await noticesOn('crossref'), [{ kind: 'retraction', withdrawn: null }], 'until one states it again')
  })
})

t.test('checks can be turned off', async t => {
  const { context: { sources } } = await testService(t, { WATCH_DAYS: '0' })
  t.equal(sources.watchIntervalMs, null)
})
