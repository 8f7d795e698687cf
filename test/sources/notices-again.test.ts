import t from 'tap'
import { sql } from 'kysely'
import { saveNotices } from '../../db/queries/notice-checks.js'
import { notifyAccounts } from '../../db/queries/notices.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedBrief } from '../../src/operations/feed/feed-brief.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { noticesCheck } from '../../src/operations/papers/notices-check.js'
import { noticesDismiss } from '../../src/operations/papers/notices-dismiss.js'
import { noticesNew } from '../../src/operations/papers/notices-new.js'
import { markdownWarning, noticesIn, titleWithWarning } from '../../src/papers/notices.js'
import { statedNotice } from '../../src/sources/notices/stated.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { explainInserts, explainSelects } from '../support/plans.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { resetRateLimits } from '../support/sources.js'
import { crossrefStandIn } from '../support/stand-ins/crossref.js'
import { openalexStandIn } from '../support/stand-ins/openalex.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { pubmedStandIn } from '../support/stand-ins/pubmed.js'
import { dayMs } from '../../schemas/durations.js'

/** OpenAlex states `retracted`, Crossref `updates` and PubMed `corrections`. */
const [papers, works]: [Publication[], Publication[]] = [[], []]
const [mails, crossref, pubmed, openalex] =
  [await mailServer(t), await crossrefStandIn(t, papers), await pubmedStandIn(t, papers), await openalexStandIn(t, works)]
const clock = { now: new Date('2026-11-23T10:00:00Z') }
const service = await testService(t, {
  CROSSREF_URL: crossref.url,
  PUBMED_URL: pubmed.url,
  OPENALEX_URL: openalex.url,
  SMTP_URL: mails.url,
  MAIL_FROM: 'litfeed@example.org'
}, () => clock.now)

/** A saved paper of a new account whose statements change: tells what the digest, the feed and a brief say after each change. */
async function watch (name: string) {
  const user = await service.user()
  const { context } = user
  const at = papers.length + 1
  const paper: Publication =
    { title: `Paper ${name}`, date: '2025-03-04', doi: `10.1000/${name}`, pmid: String(42_000_000 + at), openalex: `W42${at}` }
  const work = { ...paper }
  papers.push(paper)
  works.push(work)
  const project_id = await projectWith(user, [
    { title: paper.title, doi: paper.doi!, external_ids: { pmid: paper.pmid!, openalex: paper.openalex! } }
  ])
  const { id: alert_id } = await alertCreate.run(context, { project_id, kind: 'email', target: user.email })
  const { items: [item] } = await feedGet.run(context, { project_id })
  await itemUpdate.run(context, { ref: item!.id, saved: true })
  // Sends the paper itself.
  await alertSend.run(service.context, { alert_id })
  let { brief_id: acknowledge } = await feedBrief.run(context, { project_id })
  const change = async ({ retracted, ...statements }: Pick<Publication, 'retracted' | 'updates' | 'corrections'>) => {
    Object.assign(paper, statements)
    Object.assign(work, { retracted })
    clock.now = new Date(clock.now.getTime() + 8 * dayMs)
    await resetRateLimits(user)
    t.strictSame((await noticesCheck.run(service.context, {})).failing, [])
    const { items: news, as_of } = await noticesNew.run(context, { project_id })
    await noticesDismiss.run(context, { project_id, as_of })
    const before = mails.mails.length
    await alertSend.run(service.context, { alert_id })
    const [, digest = ''] = /Updates to your papers\s+([^]*?)\r\n\r\nFeed: /.exec(decodeMail(mails.mails[before] ?? '')) ?? []
    const { brief_id, items } = await feedBrief.run(context, { project_id, acknowledge })
    acknowledge = brief_id
    return {
      digest: digest.split('\r\n').slice(1),
      feed: news.flatMap(({ notices }) => notices.map(({ label }) => label)),
      isInBrief: items.length > 0
    }
  }
  return { user, paperId: item!.paper.id, projectId: project_id, alertId: alert_id, change }
}

const nothing = { digest: [], feed: [], isInBrief: false }

t.test('a retraction that is stated again after it was taken back is news again', async t => {
  const { change } = await watch('again')
  const label = 'Reported as retracted by OpenAlex'
  const retracted = { digest: [label], feed: [label], isInBrief: true }
  const restored = {
    digest: ['No longer reported as retracted'], feed: ['No longer reported as retracted'], isInBrief: false
  }
  t.strictSame(await change({ retracted: true }), retracted)
  t.strictSame(await change({ retracted: false }), restored)
  t.strictSame(await change({ retracted: true }), retracted)
  t.strictSame(await change({ retracted: true }), nothing, 'once')
  t.strictSame(await change({ retracted: false }), restored)
})

t.test('a notice is no news when its source adds an identifier, or takes one back', async t => {
  const inPubmed = (type: string, pmid?: string, doi?: string) =>
    ({ type, source: `J Test. 2026 Feb 3;1(2):3.${doi === undefined ? '' : ` doi: ${doi}.`}`, ...(pmid === undefined ? {} : { pmid }) })
  const labels: Record<string, string> =
    { RetractionIn: 'Retracted', ErratumIn: 'Corrected', ExpressionOfConcernIn: 'Expression of concern' }
  for (const [type, label] of Object.entries(labels)) {
    const { change, user: { context }, projectId } = await watch(`named-${type.toLowerCase()}`)
    const named: [string, string] = ['42900001', '10.1000/named.n']
    const forms: Array<[string?, string?]> = type === 'ErratumIn' ? [['42900001'], named, ['42900001'], []] : [['42900001'], named]
    t.match(await change({ corrections: [inPubmed(type)] }), { feed: [label], isInBrief: true })
    const first_seen = clock.now.toISOString()
    for (const [pmid, doi] of forms) {
      t.strictSame(await change({ corrections: [inPubmed(type, pmid, doi)] }), nothing, `${type} ${pmid} ${doi}`)
      const { items: [item] } = await feedGet.run(context, { project_id: projectId })
      const stated = noticesIn(item!.paper.metadata).map(({ pmid, doi, first_seen }) => ({ pmid, doi, first_seen }))
      t.strictSame(stated, [{ pmid: pmid ?? null, doi: doi ?? null, first_seen }])
    }
  }
  const { change } = await watch('named-watch')
  const update = { type: 'retraction', source: 'retraction-watch', date: [2026, 2, 3] }
  t.match(await change({ updates: [update] }), { feed: ['Retracted'] })
  t.strictSame(await change({ updates: [{ ...update, doi: '10.1000/named.r' }] }), nothing)
})

t.test('notices that could each be the former one are new, and two of one day stay two', async t => {
  const { change, user: { context }, projectId } = await watch('two')
  const erratum = (pmid?: string, day = 3) =>
    ({ type: 'ErratumIn', source: `J Test. 2026 Feb ${day};1(2):3.`, ...(pmid === undefined ? {} : { pmid }) })
  const shown = async () => noticesIn((await feedGet.run(context, { project_id: projectId })).items[0]!.paper.metadata)
    .map(({ pmid }) => pmid).sort()
  t.match(await change({ corrections: [erratum()] }), { feed: ['Corrected'] })
  t.match(await change({ corrections: [erratum(), erratum('42900010')] }), { feed: ['Corrected'] }, 'the second of a day')
  t.strictSame(await shown(), ['42900010', null])
  t.strictSame(await change({ corrections: [erratum('42900010'), erratum('42900011')] }), nothing, 'the first has a PMID now')
  t.strictSame(await shown(), ['42900010', '42900011'])
  t.match(await change({ corrections: [erratum('42900011'), erratum('42900012')] }), { feed: ['Corrected'] }, 'another takes its place')
  t.match(await change({ corrections: [erratum()] }), { isInBrief: true }, 'either of them')
  t.match(await change({ corrections: [erratum(undefined, 4)] }), { feed: ['Corrected'] }, 'another day')
  const inIssue = { type: 'ErratumIn', source: 'J Test. 2026 Feb 4;1(2):4.' }
  t.match(await change({ corrections: [erratum(undefined, 4), inIssue] }), { feed: ['Corrected'] }, 'on another page')
  t.strictSame(await shown(), [null, null])
  t.strictSame(await change({ corrections: [inIssue, erratum(undefined, 4)] }), nothing, 'in another order')
  t.strictSame(await change({ corrections: [{ ...inIssue, pmid: '42900013' }, erratum(undefined, 4)] }), nothing)
  t.strictSame(await shown(), ['42900013', null])
})

t.test('a paper with a warning is watched until the warning ends, also without its vote', async t => {
  const { change, user: { context }, projectId, paperId } = await watch('cleared')
  const other = await watch('not-watched')
  const label = 'Reported as retracted by OpenAlex'
  t.match(await change({ retracted: true }), { feed: [label] })
  for (const { user, projectId: project_id } of [{ user: { context }, projectId }, other]) {
    const { items: [item] } = await feedGet.run(user.context, { project_id })
    await itemUpdate.run(user.context, { ref: item!.id, saved: false })
  }
  const checkedAt = async (id: string) => (await service.context.db.selectFrom('paper_check').select('checked_at')
    .where('paper_id', '=', id).where('source', '=', 'openalex').executeTakeFirst())?.checked_at ?? null
  const before = await checkedAt(other.paperId)
  t.match(await change({ retracted: true }), nothing)
  t.match(await change({ retracted: false }), { feed: ['No longer reported as retracted'] })
  const { items: [item] } = await feedGet.run(context, { project_id: projectId })
  t.strictSame(noticesIn(item!.paper.metadata), [])
  t.strictSame(await checkedAt(paperId), clock.now)
  t.strictSame(await checkedAt(other.paperId), before, 'others are not asked about')
  await change({ retracted: true })
  t.strictSame(noticesIn((await feedGet.run(context, { project_id: projectId })).items[0]!.paper.metadata), [], 'its end ends the watch')
})

t.test('what follows a warning is told without a vote, too', async t => {
  const { change, user: { context }, projectId, paperId } = await watch('worse')
  const { db } = service.context
  await change({ retracted: true })
  const { items: [item] } = await feedGet.run(context, { project_id: projectId })
  await itemUpdate.run(context, { ref: item!.id, saved: false })
  const notice = { source: 'openalex', reference: '', date: null, doi: null, pmid: null, url: null }
  await saveNotices(db, [{ id: paperId, notices: [{ ...notice, kind: 'withdrawal' }] }], ['openalex'], clock.now)
  await notifyAccounts(db, { isNews: () => true, now: clock.now })
  t.match(noticesIn((await feedGet.run(context, { project_id: projectId })).items[0]!.paper.metadata), [{ kind: 'withdrawal' }])
})

t.test('a digest that sent a warning sends a worse one without a vote, too', async t => {
  const { change, user: { context }, projectId } = await watch('mailed')
  const concern = { type: 'expression_of_concern', doi: '10.1000/mailed.c' }
  await change({ updates: [concern] })
  const { items: [item] } = await feedGet.run(context, { project_id: projectId })
  await itemUpdate.run(context, { ref: item!.id, saved: false })
  const { digest } = await change({ updates: [concern, { type: 'retraction', doi: '10.1000/mailed.r' }] })
  t.strictSame(digest, ['Retracted (Crossref): https://doi.org/10.1000/mailed.r'])
})

t.test('a mail with papers and notices whose acceptance could not be recorded is sent again as a whole, under its id', async t => {
  const { user, projectId, alertId: alert_id, change } = await watch('unrecorded')
  const { db } = service.context
  await addPapers(user.context, projectId, [{ title: 'Entered today' }])
  await sql`create function refuse () returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(db)
  await sql`create trigger refuse before update on alert_notice for each row execute function refuse()`.execute(db)
  const before = mails.mails.length
  await t.rejects(change({ updates: [{ type: 'retraction', doi: '10.1000/unrecorded.r' }] }), { cause: /refused/ })
  await sql`drop function refuse cascade`.execute(db)
  t.match(await alertSend.run(service.context, { alert_id }), { sent: 2 })
  const sent = mails.mails.slice(before).map(decodeMail)
  t.equal(sent.length, 2)
  for (const mail of sent) t.match(mail, /Retracted[^]*Entered today/)
  t.equal(new Set(sent.map(mail => /^Message-ID: .*/m.exec(mail)![0])).size, 1)
  t.match(await alertSend.run(service.context, { alert_id }), { sent: 0 })
})

t.test('a retraction whose notice is named later is no news again', async t => {
  const { change } = await watch('named')
  const republished = { type: 'RetractedandRepublishedIn', source: 'J Test. 2026 May;1:2', pmid: '42900001' }
  t.match(await change({ corrections: [republished] }), { feed: ['Retracted', 'New version'], isInBrief: true })
  const notice = { type: 'RetractionIn', source: 'J Test. 2026 Jun;1:2', pmid: '42900002' }
  t.match(await change({ corrections: [republished, notice] }), { feed: { length: 0 } })
})

t.test('a warning that ends is no news while one as serious stands', async t => {
  const { change } = await watch('serious')
  const concern = { type: 'expression_of_concern', doi: '10.1000/concern' }
  const [withdrawal, retraction] = [{ type: 'withdrawal', doi: '10.1000/w' }, { type: 'retraction', doi: '10.1000/r' }]
  t.match(await change({ updates: [concern] }), { feed: ['Expression of concern'], isInBrief: true })
  t.match(await change({ updates: [concern, withdrawal] }), { feed: ['Withdrawn'], isInBrief: true })
  t.strictSame(await change({ updates: [withdrawal] }), nothing, 'the publisher removes the expression of concern')
  t.match(await change({ updates: [retraction] }), {
    digest: ['Retracted (Crossref): https://doi.org/10.1000/r'], feed: ['Retracted'], isInBrief: true
  }, 'nor is a correction of the kind an all-clear')
  t.match(await change({ updates: [concern] }), {
    digest: ['Expression of concern (Crossref): https://doi.org/10.1000/concern', 'No longer reported as retracted (Crossref)'],
    feed: ['Expression of concern', 'No longer reported as retracted']
  }, 'a lesser warning hides nothing')
})

t.test('a reinstated paper is shown as such beside the retraction of an index that lags behind, and is no warning', async t => {
  const { change, user: { context }, projectId } = await watch('reinstated')
  const metadata = async () => (await feedGet.run(context, { project_id: projectId })).items[0]!.paper.metadata
  const shown = async () => noticesIn(await metadata()).map(({ kind, sources }) => `${kind} ${sources.join()}`)
  const inPubmed = { type: 'RetractionIn', source: 'J Test. 2020 May;1:2', pmid: '42902020' }
  const retracted: NonNullable<Publication['updates']>[number] = { type: 'retraction', doi: '10.1000/reinstated.r', date: [2020, 5, 3] }
  const updates: Publication['updates'] = [retracted, { type: 'reinstatement', doi: '10.1000/reinstated.i', date: [2022, 5, 3] }]
  t.match(await change({ updates: [retracted], corrections: [inPubmed] }), { feed: ['Retracted'] })
  t.match(await change({ updates, corrections: [inPubmed] }), {
    digest: ['Reinstated on 3 May 2022 (Crossref): https://doi.org/10.1000/reinstated.i'], feed: ['Reinstated'], isInBrief: true
  })
  t.strictSame(await shown(), ['retraction pubmed', 'reinstatement crossref'])
  t.equal(titleWithWarning('A title', await metadata()), 'Retracted, reinstated: A title')
  t.match(markdownWarning(await metadata()), /^> \*\*Retracted on .*Reinstated on 2022-05-03 \(Crossref\)/)
  t.match(await change({ updates, corrections: [] }), { feed: ['No longer reported as retracted'], isInBrief: false })
  t.strictSame(await shown(), ['reinstatement crossref'])
  t.equal(titleWithWarning('A title', await metadata()), 'A title')
  t.equal(markdownWarning(await metadata()), '')
})

t.test('a notice is news in briefs whenever it is one of its own on the page', async t => {
  const { change, user: { context }, projectId } = await watch('brief')
  const count = async () =>
    noticesIn((await feedGet.run(context, { project_id: projectId })).items[0]!.paper.metadata).length
  const inPubmed = (type: string, year: number) => ({ type, source: `J Test. ${year} May;1:2`, pmid: `4290${year}` })
  t.match(await change({ updates: [{ type: 'correction', doi: '10.1000/c', date: [2020, 3, 4] }] }), { isInBrief: true })
  t.match([await change({ corrections: [inPubmed('ErratumIn', 2024)] }), await count()], [{ isInBrief: true }, 2], 'years later')
  t.match([await change({ corrections: [inPubmed('ErratumIn', 2020)] }), await count()], [{ isInBrief: false }, 1], 'a further source')
  t.match([await change({ updates: [{ type: 'retraction', doi: '10.1000/r' }] }), await count()], [{ isInBrief: true }, 2])
  t.match([await change({ corrections: [inPubmed('RetractionIn', 2026)] }), await count()], [{ isInBrief: false }, 1], 'a further source')
  t.match([await change({ updates: [], corrections: [] }), await count()], [{ isInBrief: false }, 0])
  t.match([await change({ retracted: true }), await count()], [{ isInBrief: true }, 1], 'after what it would confirm was withdrawn')
})

t.test('a merge with a paper whose notice stands is news to those who were told that it ended', async t => {
  const [kept, other] = [await watch('kept'), await watch('duplicate')]
  await kept.change({ retracted: true })
  await kept.change({ retracted: false })
  await other.change({ retracted: true })
  const { db } = service.context
  await db.transaction().execute(async transaction => await mergePapers(transaction, kept.paperId, other.paperId))
  t.equal(await notifyAccounts(db, { isNews: () => true, now: clock.now }), 1)
  for (const { user: { context }, projectId } of [kept, other]) {
    const { items: [item] } = await feedGet.run(context, { project_id: projectId })
    t.match(noticesIn(item!.paper.metadata), [{ kind: 'retraction' }])
  }
})

t.test('a record keeps the retraction of each source until that source takes it back', async t => {
  const { change, paperId } = await watch('record')
  const { db } = service.context
  const store = (source_name: string, metadata: object) =>
    db.updateTable('paper').set({ source_name, metadata: JSON.stringify(metadata) }).where('id', '=', paperId).execute()
  const stored = async () => (await db.selectFrom('paper').select('metadata').where('id', '=', paperId).executeTakeFirstOrThrow()).metadata
  const byAll = { retracted: true, retracted_by: ['crossref', 'europepmc', 'openalex'] }
  await change({ retracted: true })
  await store('pubmed', byAll)
  await change({ retracted: true })
  t.strictSame(await stored(), { ...byAll, retracted_by: ['europepmc', 'openalex'] }, 'Crossref states none')
  await change({ retracted: false })
  t.strictSame(await stored(), { ...byAll, retracted_by: ['europepmc'] }, 'nor does OpenAlex, and nobody asked Europe PMC')
  await store('ris', { retracted: true, retracted_by: ['openalex'] })
  await change({ retracted: false })
  t.strictSame(await stored(), {}, 'its source is a file')
  for (const own of [{ retracted: true }, { retracted: true, retracted_by: 'anyone' }]) {
    await store('pubmed', own)
    await change({ retracted: false })
    t.equal((await stored()).retracted, undefined, 'its own source states none')
  }
  await change({ retracted: true })
  await store('pubmed', { retracted: true })
  await change({ retracted: true })
  t.strictSame(await stored(), { retracted: true }, 'a record of a former version may have it from any source')
})

t.test('a project that is being deleted keeps no account from its notices', async t => {
  const [gone, other] = [await watch('gone'), await watch('other')]
  await service.context.db.updateTable('project').set({ account_id: null, deleted_account_id: gone.user.context.account.id })
    .where('id', '=', gone.projectId).execute()
  t.match(await other.change({ retracted: true }), { isInBrief: true })
  await saveNotices(service.context.db, [{ id: gone.paperId, notices: [statedNotice('openalex', 'retraction')] }], ['openalex'], clock.now)
  t.equal(await notifyAccounts(service.context.db, { isNews: () => true, now: clock.now }), 0)
})

t.test('an account is told of more notices than one transaction takes', async t => {
  const { paperId } = await watch('many')
  const { db } = service.context
  const notices = Array.from({ length: 1100 }, (_each, at) => statedNotice('crossref', 'correction', { doi: `10.1000/many.${at}` }))
  await saveNotices(db, [{ id: paperId, notices }], ['crossref'], clock.now)
  t.equal(await notifyAccounts(db, { isNews: () => true, now: clock.now }), 1100)
  t.equal(await notifyAccounts(db, { isNews: () => true, now: clock.now }), 0)
})

t.test('what a transaction reads does not grow with the notices of all accounts', async t => {
  const { context: { db, account } } = await service.user()
  await sql`
    with created as (
      insert into project (account_id, name) values (${account.id}, 'Chosen') returning id
    ), added as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${account.id}, 'noticed', 'Noticed ' || n, '[]', 'json-lines', '{}', 'noticed ' || n from generate_series(1, 3000) n returning id
    ), stated as (
      insert into paper_notice (paper_id, source, kind, reference, first_seen_at)
      select id, 'crossref', 'correction', '', ${clock.now} from added
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, saved)
    select created.id, added.id, 1, 'related', ${clock.now}, true from created, added`.execute(db)
  await sql`delete from search_pending`.execute(db)
  t.equal(await notifyAccounts(db, { isNews: () => true, now: clock.now }), 3000)
  const statements = await explainInserts(db, recorded => notifyAccounts(recorded, { isNews: () => true, now: clock.now }))
  const most = Math.max(...statements.map(({ rows }) => rows))
  // One paper of another test has 1,100 notices.
  t.ok(statements.length >= 6 && most <= 1700, `${statements.length} statements, ${most} rows`)
})

t.test('a statement reads a bounded number of the projects in which an account watches papers', async t => {
  const { context: { db, account } } = await service.user()
  await sql`
    with created as (
      insert into project (account_id, name) select ${account.id}, 'Watching ' || n from generate_series(1, 100) n returning id
    ), added as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${account.id}, 'watched', 'Watched ' || n, '[]', 'json-lines', '{}', 'watched ' || n from generate_series(1, 60) n returning id
    ), stated as (
      insert into paper_notice (paper_id, source, kind, reference, first_seen_at)
      select id, 'crossref', kind, '', ${clock.now} from added, unnest(array['correction', 'retraction', 'reinstatement']) kind
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, saved)
    select created.id, added.id, 1, 'related', ${clock.now}, true from created, added`.execute(db)
  await sql`delete from search_pending`.execute(db)
  t.equal(await notifyAccounts(db, { isNews: () => true, now: clock.now }), 180, 'once for the account')
  const notify = (recorded: typeof db) => notifyAccounts(recorded, { isNews: () => true, now: clock.now })
  const statements = [...await explainInserts(db, notify), ...await explainSelects(db, notify)]
  const most = Math.max(...statements.map(({ rows }) => rows))
  t.ok(statements.length >= 8 && most <= 4000, `${statements.length} statements, ${most} rows`)
})
