import t from 'tap'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { accountExport } from '../../src/operations/accounts/account-export.js'
import { candidatesList } from '../../src/operations/feed/candidates-list.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { createScheduledSnapshot } from '../../db/queries/snapshots.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotDelete } from '../../src/operations/snapshots/snapshot-delete.js'
import { snapshotDownload } from '../../src/operations/snapshots/snapshot-download.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { snapshotSchedule } from '../../src/operations/snapshots/snapshot-schedule.js'
import { snapshotsList } from '../../src/operations/snapshots/snapshots-list.js'
import { readZip } from '../../src/files/zip.js'
import type { SnapshotRecord } from '../../src/papers/snapshots/document.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { maxAccountSnapshotBytes, maxSnapshots } from '../../schemas/snapshot.js'
import { formSession } from '../support/forms.js'
import { logIn, testService } from '../support/service.js'
import { createReview, downloadSnapshot, freeze, ingestFrom, runNextFreeze, work } from '../support/snapshots.js'

t.test('snapshots of a review', async t => {
  const service = await testService(t)
  const { app, context: { db } } = service
  const [user, stranger] = [await service.user(), await service.user()]
  const { context } = user
  const { id, idOf } = await createReview(user)
  const freezeReview = async (period: object = {}) => await freeze(user, { id }, period)
  const download = async (snapshot_id: string) => await downloadSnapshot(user, { id }, { id: snapshot_id })

  await t.test('have the counts of a PRISMA flow diagram', async t => {
    t.equal((await candidatesList.run(context, { project_id: id })).items.length, 1)
    const { state, summary } = await freezeReview()
    t.equal(state, 'frozen')
    t.same(summary!.flow, {
      identified: {
        records: 11,
        sources: [{ name: 'pubmed', title: 'PubMed', records: 7 }, { name: 'crossref', title: 'Crossref', records: 4 }],
        one_source_known: 0
      },
      duplicates_removed: 3,
      excluded_automatically: { records: 2, listed: 1 },
      screened: 4,
      not_screened: 2,
      excluded: {
        records: 2,
        reasons: [{ reason: 'not_relevant', records: 1 }, { reason: 'low_quality', records: 1 }, { reason: 'none', records: 0 }]
      },
      included: { records: 2, starred: 1 },
      reports_sought: null,
      reports_not_retrieved: null,
      reports_assessed: null
    })
    const { identified, duplicates_removed, excluded_automatically, screened, not_screened } = summary!.flow
    t.equal(identified.records - duplicates_removed - excluded_automatically.records, screened + not_screened, 'the boxes add up')
    t.match(summary!.sources, [
      { title: 'PubMed', state: 'complete', query: /base editing/i },
      { title: 'arXiv', state: 'failing', query: 'all:"base editing"' },
      { title: 'Journal feed', state: 'not_fetched', query: 'j.example.org' }
    ])
  })

  await t.test('papers that entered before sources were recorded count once, and are named', async t => {
    await sql`delete from found_paper where project_id = ${id} and paper_id = (select id from paper where doi = '10.1000/alone')`.execute(db)
    const { flow } = (await freezeReview()).summary!
    t.match(flow.identified, { records: 11, one_source_known: 1 })
    await ingestFrom('crossref', user, { id }, [work('alone')])
    await sql`update project_paper set ready_at = ready_at - interval '1 day' where id = ${idOf('alone')}`.execute(db)
    await ingestFrom('pubmed', user, { id }, [work('alone')])
    t.match((await freezeReview()).summary!.flow.identified, { records: 11, one_source_known: 1 }, 'also once a source returned them again')
  })

  await t.test('papers of which no source is recorded any more count once, as found by the source of their record', async t => {
    const row = sql`project_id = ${id} and paper_id = (select id from paper where doi = '10.1000/unread')`
    const { rows: [kept] } = await sql<{ sources: string[], fetched_sources: string[] }>`
      select sources, fetched_sources from found_paper where ${row}`.execute(db)
    await sql`update found_paper set sources = '{}', fetched_sources = '{}' where ${row}`.execute(db)
    const { identified, duplicates_removed } = (await freezeReview()).summary!.flow
    t.match([identified, duplicates_removed], [{ records: 11, one_source_known: 2 }, 3])
    await sql`update found_paper set sources = ${kept!.sources}, fetched_sources = ${kept!.fetched_sources} where ${row}`.execute(db)
  })

  await t.test('never change', async t => {
    const before = await freezeReview()
    const archive = await download(before.id)
    await feedbackSet.run(context, { paper_id: idOf('unread'), vote: 'upvote' })
    await sql`update paper set title = 'Another title' where doi = '10.1000/kept'`.execute(db)
    t.ok((await download(before.id)).equals(archive), 'later votes and changes of papers do not reach it')
    for (const change of [
      sql`update snapshot set sha256 = 'x' where id = ${before.id}`,
      sql`update snapshot_part set content = 'x' where snapshot_id = ${before.id}`,
      sql`delete from snapshot_part where snapshot_id = ${before.id}`,
      sql`insert into snapshot_part values (${before.id}, 99, 'x')`
    ]) await t.rejects(change.execute(db))
    const { included } = (await freezeReview()).summary!.flow
    t.equal(included.records, before.summary!.flow.included.records + 1, 'another one states what is new')
  })

  await t.test('cover a period', async t => {
    await sql`update project_paper set ready_at = '2026-01-05' where id = ${idOf('off')}`.execute(db)
    await sql`update found_paper set found_at = '2026-01-05' where project_id = ${id}
      and paper_id = (select paper_id from project_paper where id = ${idOf('off')})`.execute(db)
    const { since, until, summary } = await freezeReview({ since: '2026-01-01', until: '2026-02-01' })
    t.same([since, until], ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'])
    t.match(summary!.flow, { identified: { records: 2 }, screened: 1, excluded: { records: 1 }, included: { records: 0 } })
    await t.rejects(snapshotCreate.run(context, { project_id: id, until: '2999-01-01' }), /future/)
    await t.rejects(snapshotCreate.run(context, { project_id: id, since: '2026-02-01', until: '2026-01-01' }), /earlier/)
    await t.rejects(snapshotCreate.run(context, { project_id: id, since: '2999-02-01' }), /in the future/)
  })

  await t.test('are frozen by a schedule', async t => {
    const { next_at } = await snapshotSchedule.run(context, { project_id: id, schedule: 'monthly' })
    t.match(next_at, /-01T00:00:00/)
    await queueDue.run(service.context, {})
    t.equal(await runNextFreeze(context), undefined, 'not before it is due')
    await sql`update project set next_snapshot_at = now() - interval '1 hour' where id = ${id}`.execute(db)
    await queueDue.run(service.context, {})
    t.same(await runNextFreeze(context), { frozen: 1 })
    const { items, next_at: after } = await snapshotsList.run(context, { project_id: id })
    t.match(items[0], { scheduled: true, state: 'frozen' })
    t.equal(after, next_at)
    t.match(await snapshotSchedule.run(context, { project_id: id, schedule: null }), { schedule: null, next_at: null })
  })

  await t.test('break a download off when they are deleted', async t => {
    const { id: snapshot_id } = await freezeReview()
    const archive = (await snapshotDownload.run(context, { project_id: id, snapshot_id })).parts[Symbol.asyncIterator]()
    await archive.next()
    await snapshotDelete.run(context, { project_id: id, snapshot_id })
    await t.rejects(async () => { while ((await archive.next()).done !== true); }, { code: 'deleted_meanwhile' })
  })

  await t.test('belong to their account, over REST and in an export', async t => {
    const { id: snapshot_id } = await freezeReview()
    for (const call of [snapshotGet, snapshotDelete, snapshotDownload]) {
      await t.rejects(call.run(stranger.context, { project_id: id, snapshot_id }), { code: 'not_found' })
    }
    await t.rejects(snapshotsList.run(stranger.context, { project_id: id }), { code: 'project_not_found' })
    const { access_token } = await logIn(service, user)
    const request = async (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) => await app.inject({
      method, url: `/api/projects/${id}/snapshots${path}`, headers: { authorization: `Bearer ${access_token}` }, ...(payload && { payload })
    })
    t.match((await request('POST', '', {})).statusCode, 202)
    await runNextFreeze(context)
    const archive = await request('GET', `/${snapshot_id}/archive`)
    t.equal(archive.headers['content-type'], 'application/zip')
    t.match(archive.headers['content-disposition'], /filename="retina-editing-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.zip"/)
    t.equal(verifySnapshot(archive.rawPayload).valid, true)

    const chunks: string[] = []
    for await (const part of (await accountExport.run(context, {})).parts) chunks.push(part)
    const exported = JSON.parse(chunks.join('')) as {
      snapshot_part: Array<{ snapshot_id: string, ordinal: number, content: string }>
    }
    const text = exported.snapshot_part.filter(part => part.snapshot_id === snapshot_id).sort((a, b) => a.ordinal - b.ordinal)
      .map(({ content }) => content).join('')
    t.equal(createHash('sha256').update(text).digest('hex'), (await snapshotGet.run(context, { project_id: id, snapshot_id })).sha256)
    t.equal((await request('DELETE', `/${snapshot_id}`)).statusCode, 204)
    t.equal((await request('GET', `/${snapshot_id}`)).statusCode, 404)
  })

  await t.test('have together at most the bytes of an account', async t => {
    const { rows: [large] } = await sql<{ id: string }>`insert into snapshot (project_id, project_name, requested_at, frozen_at, bytes)
      select ${id}, 'x', now(), now(), ${maxAccountSnapshotBytes - 1000}::integer - sum(bytes) from snapshot returning id`.execute(db)
    const { state, error } = await freezeReview()
    t.equal(state, 'failed')
    t.match(error, /together/)
    const { rows: [last] } = await sql<{ id: string }>`insert into snapshot (project_id, project_name, requested_at, frozen_at, bytes)
      values (${id}, 'x', now(), now(), 2000) returning id`.execute(db)
    const limited = { ...context, key: { id: user.key, name: 'Limited', scope: 'act', projectIds: [id] } as const }
    t.match((await snapshotsList.run(context, { project_id: id })).full, /Your snapshots have 1024 MiB/)
    for (const reason of [
      (await snapshotsList.run(limited, { project_id: id })).full,
      (await snapshotCreate.run(limited, { project_id: id }).catch((refusal: Error) => refusal.message))
    ]) t.match(reason, /^The account has no space left for another snapshot\. Download and delete some first\.$/)
    for (const each of [large, last]) await snapshotDelete.run(context, { project_id: id, snapshot_id: each!.id })
  })

  await t.test('are listed, shown, downloaded, frozen and deleted on pages', async t => {
    const { id: snapshot_id, sha256 } = await freezeReview()
    const session = await formSession(app, user)
    const list = `/projects/${id}/snapshots`
    t.match((await session.get(list)).body, sha256!.slice(0, 12))
    const page = await session.get(`${list}/${snapshot_id}`)
    t.match(page.body, /Records identified: PubMed/)
    const { identified, duplicates_removed, excluded_automatically, screened, not_screened } = (await freezeReview()).summary!.flow
    const removed = duplicates_removed + excluded_automatically.records
    t.match(page.body.replace(/<[^>]*>/g, ''), `${identified.records} identified − ${removed} removed = ${screened + not_screened} in the feed: `)
    t.match(page.body, `sha256:${sha256}`)
    t.equal((await session.get(`${list}/${snapshot_id}/archive`)).headers['content-type'], 'application/zip')
    t.equal((await session.post(list, { action: 'freeze', since: '', until: '' })).statusCode, 303)
    t.match((await session.get(list)).body, 'freezing…')
    await runNextFreeze(context)
    t.equal((await session.post(list, { action: 'delete', snapshot_id })).statusCode, 303)
    t.notMatch((await session.get(list)).body, sha256!.slice(0, 12))
    t.equal((await session.post(list, { action: 'schedule', schedule: 'weekly' })).statusCode, 303)
    t.match((await session.get(list)).body, /Next: /)
  })

  await t.test('are bounded in number', async t => {
    await sql`insert into snapshot (project_id, project_name, requested_at)
      select ${id}, 'x', now() from generate_series(1, ${maxSnapshots}::integer)`.execute(db)
    await t.rejects(snapshotCreate.run(context, { project_id: id }), /maximum/)
    await snapshotSchedule.run(context, { project_id: id, schedule: 'weekly' })
    await sql`update snapshot set error = 'x' where project_id = ${id} and frozen_at is null`.execute(db)
    await sql`update project set next_snapshot_at = now() - interval '1 hour' where id = ${id}`.execute(db)
    const due = new Date(0)
    t.equal(await createScheduledSnapshot(db, context.account.id, id, { schedule: 'weekly', due, nextAt: due, now: due }, {
      maxSnapshots: 1000, maxBytes: maxAccountSnapshotBytes
    }), undefined, 'a schedule that was changed meanwhile adds none')
    await queueDue.run(service.context, {})
    t.same(await runNextFreeze(context), { frozen: 0 })
    const { full, next_at } = await snapshotsList.run(context, { project_id: id })
    t.match(full, /maximum/)
    t.ok(next_at! > new Date().toISOString())
    t.match((await (await formSession(app, user)).get(`/projects/${id}/snapshots`)).body, /The schedule is paused\./)
    await sql`delete from snapshot where project_id = ${id} and frozen_at is null`.execute(db)
  })
})

t.test('a snapshot states notices on papers that it includes, and of others only what their record states', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { db } = service.context
  const { id } = await createReview(user)
  // The account chose each in another project, or saved or cited it.
  await sql`
    with stated as (
      insert into paper_notice (paper_id, source, kind, reference, first_seen_at) select id, 'crossref', 'correction', '', now() from paper
      returning id
    ) insert into account_notice (account_id, notice_id, found_at, is_warning)
    select ${user.context.account.id}, id, now(), false from stated`.execute(db)
  await sql`update paper set metadata = metadata || '{"retracted": true}' where doi = '10.1000/unread'`.execute(db)
  const files = readZip(await downloadSnapshot(user, { id }, await freeze(user, { id })), 1e7)
  const { records } = JSON.parse(String(files.get('snapshot.json'))) as { records: SnapshotRecord[] }
  const doisOf = (selected: SnapshotRecord[]) => selected.map(({ doi }) => doi).sort()
  t.strictSame(doisOf(records.filter(({ notices }) => notices.length > 0)), ['10.1000/kept', '10.1000/starred'])
  t.strictSame(doisOf(records.filter(({ metadata }) => metadata.retracted)), ['10.1000/unread'])
  t.equal(String(files.get('records.csv')).match(/Corrected/g)!.length, 2)
})
