import t from 'tap'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { readZip, writeZip } from '../../src/files/zip.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { accountExport } from '../../src/operations/accounts/account-export.js'
import { candidatesList } from '../../src/operations/feed/candidates-list.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { addSnapshotPart, beginSnapshot, createScheduledSnapshot, freezeSnapshot } from '../../db/queries/snapshots.js'
import { listProjectsToTally, tallyFoundPapers } from '../../db/queries/found-tally.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotDelete } from '../../src/operations/snapshots/snapshot-delete.js'
import { snapshotDownload } from '../../src/operations/snapshots/snapshot-download.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { snapshotSchedule } from '../../src/operations/snapshots/snapshot-schedule.js'
import type { Terminal } from '../../src/cli/command.js'
import { snapshotVerifyCommand } from '../../src/cli/snapshot.js'
import { snapshotVerify } from '../../src/operations/snapshots/snapshot-verify.js'
import { snapshotsList } from '../../src/operations/snapshots/snapshots-list.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { ingestFetched } from '../../src/papers/ingest-fetched.js'
import type { SnapshotDocument } from '../../src/papers/snapshots/document.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { maxAccountSnapshotBytes, maxSnapshots } from '../../schemas/snapshot.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { feedOf } from '../support/sources.js'
import { formSession } from '../support/forms.js'
import { runNextImport, sendLibrary } from '../support/library-imports.js'
import { logIn, record, testService, type TestService, type TestUser } from '../support/service.js'

type Part = Partial<PaperRecord> & { title: string }

/** Runs the next job of a task. */
async function run ({ context }: TestService, name: string): Promise<object | undefined> {
  const task = tasks.find(each => each.task === name)!
  const job = await context.queue.claim(task.task)
  if (job === undefined) return undefined
  const result = await task.run({ ...context, signal: new AbortController().signal }, job)
  await context.queue.complete(job, result)
  return result
}

/** Fetches papers from a source: those with "below" in their title score below the threshold. */
const fetched = async ({ context }: TestUser, project: { id: string }, source: string, papers: readonly Part[]) =>
  await ingestFetched(context, {
    project: { id: project.id, account_id: context.account.id },
    openScoring: async () => ({
      score: async records => records.map(({ title }) => ({
        relevance_score: title.includes('below') ? 0.01 : 0.9,
        relevance_class: 'related' as const,
        matching_details: {} as never,
        personalized_note: ''
      })),
      entersFeed: ({ relevance_score }) => relevance_score > 0.1,
      lock: async () => true
    }),
    records: papers.map((paper, at) => ({ place: at, record: record({ source: { name: source }, ...paper }) }))
  })

const bytesOf = async (parts: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const part of parts) chunks.push(part)
  return Buffer.concat(chunks)
}

const work = (name: string, more: Partial<PaperRecord> = {}): Part =>
  ({ title: `Work ${name} of the review`, doi: `10.1000/${name}`, authors: [{ name: 'Ada Lovelace' }], published_date: '2026-10-01', ...more })

t.test('snapshots of a review', async t => {
  const service = await testService(t)
  const { app, context: { db } } = service
  const [user, stranger] = [await service.user(), await service.user()]
  const { context } = user
  const { id } = await projectCreate.run(context, {
    name: 'Retina editing',
    interest_description: 'Base editing of the retina',
    positive_keywords: ['base editing'],
    sources: [
      { name: 'pubmed', query: '' },
      { name: 'arxiv', query: 'all:"base editing"' },
      { name: 'feed', query: 'https://j.example.org/rss?token=s3cret' }
    ]
  })
  await sql`update source_state set last_fetched_at = now(), failures = case name when 'arxiv' then 2 else 0 end where project_id = ${id}
    and name <> 'feed'`.execute(db)
  await fetched(user, { id }, 'pubmed', ['kept', 'starred', 'off', 'poor', 'unread', 'below-listed', 'below-old'].map(name => work(name)))
  await fetched(user, { id }, 'crossref', ['kept', 'off', 'below-old', 'alone'].map(name => work(name)))
  await fetched(user, { id }, 'pubmed', [work('kept')])
  const items = await feedOf(user, id)
  const idOf = (name: string) => items.find(({ paper }) => paper.doi === `10.1000/${name}`)!.id
  await feedbackSet.run(context, { paper_id: idOf('kept'), vote: 'upvote' })
  await feedbackSet.run(context, { paper_id: idOf('starred'), vote: 'star' })
  await feedbackSet.run(context, { paper_id: idOf('off'), vote: 'downvote', downvote_reason: 'not_relevant' })
  await feedbackSet.run(context, { paper_id: idOf('poor'), vote: 'downvote', downvote_reason: 'low_quality' })
  // As upkeep does after 90 days.
  await sql`delete from candidate where project_id = ${id} and paper_id = (select id from paper where doi = '10.1000/below-old')`.execute(db)
  const download = async (snapshot_id: string) =>
    await bytesOf((await snapshotDownload.run(context, { project_id: id, snapshot_id })).parts)
  const freeze = async (input: object = {}) => {
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: id, ...input })
    await run(service, 'freeze-snapshot')
    return await snapshotGet.run(context, { project_id: id, snapshot_id })
  }

  await t.test('have the counts of a PRISMA flow diagram', async t => {
    t.equal((await candidatesList.run(context, { project_id: id })).items.length, 1)
    const { state, summary } = await freeze()
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
    const { flow } = (await freeze()).summary!
    t.match(flow.identified, { records: 11, one_source_known: 1 })
    await fetched(user, { id }, 'crossref', [work('alone')])
    await sql`update project_paper set ready_at = ready_at - interval '1 day' where id = ${idOf('alone')}`.execute(db)
    await fetched(user, { id }, 'pubmed', [work('alone')])
    t.match((await freeze()).summary!.flow.identified, { records: 11, one_source_known: 1 }, 'also once a source returned them again')
  })

  await t.test('papers of which no source is recorded any more count once, as found by the source of their record', async t => {
    const row = sql`project_id = ${id} and paper_id = (select id from paper where doi = '10.1000/unread')`
    const { rows: [kept] } = await sql<{ sources: string[], fetched_sources: string[] }>`
      select sources, fetched_sources from found_paper where ${row}`.execute(db)
    await sql`update found_paper set sources = '{}', fetched_sources = '{}' where ${row}`.execute(db)
    const { identified, duplicates_removed } = (await freeze()).summary!.flow
    t.match([identified, duplicates_removed], [{ records: 11, one_source_known: 2 }, 3])
    await sql`update found_paper set sources = ${kept!.sources}, fetched_sources = ${kept!.fetched_sources} where ${row}`.execute(db)
  })

  await t.test('are verified from their archive alone', async t => {
    const snapshot = await freeze()
    const archive = await download(snapshot.id)
    const files = readZip(archive, 1e7)
    t.same([...files.keys()], ['README.txt', 'snapshot.json', 'SHA256SUMS', 'records.csv', 'records.ris', 'included.ris', 'prisma.csv'])
    t.equal(createHash('sha256').update(files.get('snapshot.json')!).digest('hex'), snapshot.sha256)
    t.match(snapshot.citation, new RegExp(`^Retina editing, snapshot of \\d{4}-\\d\\d-\\d\\d, sha256:${snapshot.sha256}, http`))
    t.match(String(files.get('README.txt')), `sha256:${snapshot.sha256}, ${new URL(snapshot.url).origin}/snapshots/${snapshot.sha256}\n`)
    t.match(String(files.get('prisma.csv')), 'Records excluded automatically (minimum score, excluded keyword or weekly limit)')
    t.match(String(files.get('records.csv')), /excluded,low_quality,downvote,/)
    t.match(String(files.get('records.ris')), /N1 {2}- Decision: excluded \(not relevant\)/)
    t.equal(String(files.get('included.ris')).match(/^TY/gm)!.length, 2)
    t.notMatch(String(files.get('snapshot.json')), 's3cret', 'without secrets of addresses')
    const verified = verifySnapshot(archive, `sha256:${snapshot.sha256}`)
    t.equal(verified.valid, true, JSON.stringify(verified.checks))
    t.same(verified.flow, snapshot.summary!.flow)
    t.equal(verifySnapshot(archive, 'sha256:00').valid, false, 'another hash was cited')

    const changed = async (change: (files: Map<string, string>) => void) => {
      const copy = new Map([...files].map(([name, bytes]) => [name, String(bytes)]))
      change(copy)
      return verifySnapshot(await bytesOf(writeZip([...copy].map(([name, text]) => ({ name, parts: [text] })), new Date())))
    }
    const failing = async (change: (files: Map<string, string>) => void) =>
      (await changed(change)).checks.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)
    t.same(await failing(() => {}), [])
    const decide = (text: string) => text.replace('"decision":"excluded"', '"decision":"included"')
    t.same(await failing(files => files.set('snapshot.json', decide(files.get('snapshot.json')!))),
      ['hash', 'counts', 'flow table', 'records.csv', 'records.ris', 'included.ris'])
    t.same(await failing(files => files.set('records.csv', `${files.get('records.csv')}x`)), ['records.csv'])
    t.same(await failing(files => files.set('README.txt', 'of another version')), [], 'a README may name any address')
    t.same(await failing(files => files.set('prisma.csv', '')), ['flow table'])
    t.same(await failing(files => files.delete('included.ris')), ['included.ris'])
    t.same(await failing(files => files.set('snapshot.json', ` ${files.get('snapshot.json')}`)), ['hash', 'document'])
    const byAnother = async (change: (files: Map<string, string>) => void) => {
      const { valid, checks } = await changed(files => {
        const document = files.get('snapshot.json')!.replace(/"program":"[^"]*"/g, '"program":"0.0.1"')
        files.set('snapshot.json', document)
        files.set('SHA256SUMS', `${createHash('sha256').update(document).digest('hex')}  snapshot.json`)
        change(files)
      })
      return [valid, ...checks.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)]
    }
    t.same(await byAnother(() => {}), [true], 'files of another version are checked if this one would write the same')
    t.same(await byAnother(files => files.set('records.csv', 'x')), [true, 'records.csv'])
    t.same(await byAnother(files => files.delete('records.csv')), [false])
    t.throws(() => verifySnapshot(Buffer.from('nothing')), /not a ZIP/)
    t.throws(() => verifySnapshot(archive.subarray(0, archive.length - 40)), Error)
    const damaged = Buffer.from(archive)
    damaged[200]! ^= 0xff
    t.throws(() => verifySnapshot(damaged), Error)
  })

  await t.test('never change', async t => {
    const before = await freeze()
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
    t.equal((await freeze()).summary!.flow.included.records, before.summary!.flow.included.records + 1, 'another one states what is new')
  })

  await t.test('cover a period', async t => {
    await sql`update project_paper set ready_at = '2026-01-05' where id = ${idOf('off')}`.execute(db)
    await sql`update found_paper set found_at = '2026-01-05' where project_id = ${id}
      and paper_id = (select paper_id from project_paper where id = ${idOf('off')})`.execute(db)
    const { since, until, summary } = await freeze({ since: '2026-01-01', until: '2026-02-01' })
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
    t.equal(await run(service, 'freeze-snapshot'), undefined, 'not before it is due')
    await sql`update project set next_snapshot_at = now() - interval '1 hour' where id = ${id}`.execute(db)
    await queueDue.run(service.context, {})
    t.same(await run(service, 'freeze-snapshot'), { frozen: 1 })
    const { items, next_at: after } = await snapshotsList.run(context, { project_id: id })
    t.match(items[0], { scheduled: true, state: 'frozen' })
    t.equal(after, next_at)
    t.match(await snapshotSchedule.run(context, { project_id: id, schedule: null }), { schedule: null, next_at: null })
  })

  await t.test('break a download off when they are deleted', async t => {
    const { id: snapshot_id } = await freeze()
    const archive = (await snapshotDownload.run(context, { project_id: id, snapshot_id })).parts[Symbol.asyncIterator]()
    await archive.next()
    await snapshotDelete.run(context, { project_id: id, snapshot_id })
    await t.rejects(async () => { while ((await archive.next()).done !== true); }, { code: 'deleted_meanwhile' })
  })

  await t.test('belong to their account, over REST and in an export', async t => {
    const { id: snapshot_id } = await freeze()
    for (const call of [snapshotGet, snapshotDelete, snapshotDownload]) {
      await t.rejects(call.run(stranger.context, { project_id: id, snapshot_id }), { code: 'not_found' })
    }
    await t.rejects(snapshotsList.run(stranger.context, { project_id: id }), { code: 'project_not_found' })
    const { access_token } = await logIn(service, user)
    const request = async (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) => await app.inject({
      method, url: `/api/projects/${id}/snapshots${path}`, headers: { authorization: `Bearer ${access_token}` }, ...(payload && { payload })
    })
    t.match((await request('POST', '', {})).statusCode, 202)
    await run(service, 'freeze-snapshot')
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

  /** Runs the job, and a change once it has read the decisions. */
  const freezeDuring = async (change: () => Promise<unknown>, isMoment: (row: object) => boolean = row => 'ordinal' in row) => {
    let changed = false
    const interrupted = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult ({ result }) {
        // The first part follows them; the statements that read them are in transactions.
        if (!changed && result.rows.some(isMoment)) {
          changed = true
          await change()
        }
        return result
      }
    })
    return await run({ ...service, context: { ...service.context, db: interrupted } }, 'freeze-snapshot')
  }
  const request = async () => (await snapshotCreate.run(context, { project_id: id })).id
  const get = async (snapshot_id: string) => await snapshotGet.run(context, { project_id: id, snapshot_id })

  await t.test('are frozen although they are asked for while another is frozen, or their job was lost', async t => {
    await request()
    t.same(await freezeDuring(request), { frozen: 2 })
    await sql`insert into snapshot (project_id, project_name, requested_at) values (${id}, 'x', now() - interval '2 minutes')`.execute(db)
    await queueDue.run(service.context, {})
    t.same(await run(service, 'freeze-snapshot'), { frozen: 1 })
    const failing = await request()
    await sql`update snapshot set requested_at = now() - interval '2 days', attempt = gen_random_uuid() where id = ${failing}`.execute(db)
    t.same(await run(service, 'freeze-snapshot'), { frozen: 0 })
    t.match(await get(failing), { state: 'failed', error: /within a day/ })
  })

  await t.test('keep papers that are merged meanwhile', async t => {
    const other = await projectCreate.run(context, { name: 'Other', interest_description: 'Retina', sources: [] })
    await fetched(user, { id }, 'pubmed', ['merged', 'twice', 'thrice'].map(name => work(name)))
    await fetched(user, other, 'pubmed', [work('elsewhere')])
    const paper = async (name: string) =>
      (await db.selectFrom('paper').select('id').where('doi', '=', `10.1000/${name}`).executeTakeFirstOrThrow()).id
    const { records } = (await freeze()).summary!
    const merge = async (kept: string, duplicate: string) => {
      const ids = [await paper(kept), await paper(duplicate)] as const
      const snapshot_id = await request()
      await freezeDuring(async () => { await db.transaction().execute(async transaction => { await mergePapers(transaction, ...ids) }) })
      const document = String(readZip(await download(snapshot_id), 1e7).get('snapshot.json'))
      t.match(document, `"id":"${ids[0]}"`)
      t.notMatch(document, ids[1])
      return (await get(snapshot_id)).summary!.records
    }
    t.equal(await merge('elsewhere', 'merged'), records, 'the kept paper stands for it')
    t.equal(await merge('twice', 'thrice'), records - 1, 'two decisions become one')
  })

  await t.test('count each paper once as of their time, wherever it is since then', async t => {
    const project = await projectCreate.run(context, { name: 'Promoted', interest_description: 'Retina', sources: [] })
    await fetched(user, project, 'pubmed', [work('in-feed'), work('below-first')])
    const until = new Date()
    await sql`update found_paper set found_at = found_at - interval '1 minute' where project_id = ${project.id}`.execute(db)
    await sql`update project_paper set ready_at = ready_at - interval '1 minute' where project_id = ${project.id}`.execute(db)
    await sql`with promoted as (delete from candidate where project_id = ${project.id} returning project_id, paper_id, relevance_score)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
      select project_id, paper_id, relevance_score, 'related', now() + interval '1 minute' from promoted`.execute(db)
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id, until: until.toISOString() })
    await run(service, 'freeze-snapshot')
    t.match((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.flow, {
      identified: { records: 2 }, not_screened: 1, excluded_automatically: { records: 1, listed: 1 }
    })
  })

  await t.test('do not count papers of imports alone as excluded automatically', async t => {
    const project = await projectCreate.run(context, { name: 'Imported', interest_description: 'Retina', sources: [] })
    await fetched(user, project, 'pubmed', [work('below-fetched')])
    const titles = ['Imported and kept', 'Imported and removed']
    await sendLibrary(user, project.id, titles.map(title => `TY  - JOUR\nTI  - ${title}\nPY  - 2024\nER  -\n`).join(''))
    await runNextImport(service)
    await sql`delete from candidate where project_id = ${project.id}`.execute(db)
    // As by an undo under way.
    await sql`delete from project_paper using paper where paper.id = paper_id and project_id = ${project.id} and title = ${titles[1]!}`
      .execute(db)
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    await run(service, 'freeze-snapshot')
    t.match((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.flow, {
      identified: { records: 2 }, not_screened: 1, excluded_automatically: { records: 1, listed: 0 }
    })
  })

  await t.test('count papers that only an import voted for as included without screening', async t => {
    const project = await projectCreate.run(context, { name: 'Examples', interest_description: 'Retina', sources: [] })
    const titles = ['Example alone', 'Example voted on', 'Example rejected']
    const library = titles.map(title => `TY  - JOUR\nTI  - ${title}\nAU  - Moser, M.\nPY  - 2024\nER  -\n`).join('')
    await sendLibrary(user, project.id, library, { name: 'own.ris', vote: 'upvote' })
    await runNextImport(service)
    const { items } = await feedGet.run(context, { project_id: project.id })
    for (const [title, vote] of [['Example voted on', 'upvote'], ['Example rejected', 'downvote']] as const) {
      await feedbackSet.run(context, { paper_id: items.find(({ paper_title }) => paper_title === title)!.id, vote })
    }
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    await run(service, 'freeze-snapshot')
    const of = { project_id: project.id, snapshot_id }
    t.match((await snapshotGet.run(context, of)).summary!.flow, {
      identified: { records: 3 }, screened: 2, excluded: { records: 1 }, included: { records: 1 }, included_unscreened: 1, not_screened: 0
    })
    const archive = await bytesOf((await snapshotDownload.run(context, of)).parts)
    const files = readZip(archive, 10_000_000)
    const document = JSON.parse(files.get('snapshot.json')!.toString('utf8')) as SnapshotDocument
    t.strictSame(
      document.records.map(({ title, decision }) => [title, decision]).sort(),
      [['Example alone', 'included_unscreened'], ['Example rejected', 'excluded'], ['Example voted on', 'included']]
    )
    t.match(files.get('prisma.csv')!.toString('utf8'), /Included,"Studies included from other sources, not screened",1/)
    t.match(files.get('included.ris')!.toString('utf8'), /Example alone/)
    t.equal(verifySnapshot(archive).valid, true)
  })

  /** The snapshot of a period of a project, and its archive. */
  const freezePeriod = async (project: { id: string }, period: { since?: string, until?: string }) => {
    const of = { project_id: project.id, snapshot_id: (await snapshotCreate.run(context, { project_id: project.id, ...period })).id }
    await run(service, 'freeze-snapshot')
    return {
      flow: (await snapshotGet.run(context, of)).summary!.flow,
      archive: await bytesOf((await snapshotDownload.run(context, of)).parts)
    }
  }

  await t.test('state what was added in a period, and was identified and excluded in an earlier one', async t => {
    const project = await projectCreate.run(context, { name: 'Late', interest_description: 'Retina', sources: [] })
    await fetched(user, project, 'pubmed', [work('by-limit'), work('by-score')])
    await fetched(user, project, 'crossref', [work('by-score')])
    const moveTo = async (name: string, readyAt: string, enteredAt: string | null) => await sql`
      update project_paper set ready_at = ${readyAt}, entered_at = ${enteredAt} from paper
      where paper.id = paper_id and project_id = ${project.id} and doi = ${`10.1000/${name}`}`.execute(db)
    await moveTo('by-limit', '2025-10-28', '2025-11-03')
    await moveTo('by-score', '2025-11-04', null)
    await sql`update found_paper set found_at = '2025-10-28' where project_id = ${project.id}`.execute(db)
    const [october, november, both] = [
      await freezePeriod(project, { since: '2025-10-01', until: '2025-11-01' }),
      await freezePeriod(project, { since: '2025-11-01', until: '2025-11-27' }),
      await freezePeriod(project, { since: '2025-10-01', until: '2025-11-27' })
    ]
    t.match(october.flow, {
      identified: { records: 3 }, duplicates_removed: 1, excluded_automatically: { records: 2 }, not_screened: 0
    })
    t.equal(october.flow.identified_earlier, undefined)
    t.match(november.flow, {
      identified: { records: 0, sources: { length: 0 } },
      identified_earlier: 2,
      duplicates_removed: 0,
      excluded_automatically: { records: 0 },
      not_screened: 2
    })
    t.match(both.flow, { identified: { records: 3 }, duplicates_removed: 1, excluded_automatically: { records: 0 }, not_screened: 2 })
    t.equal(both.flow.identified_earlier, undefined)
    const files = readZip(november.archive, 1e7)
    t.match(String(files.get('prisma.csv')), /Identification,"Records identified in earlier periods, added in this one",2/)
    t.equal(String(files.get('snapshot.json')).match(/"found_earlier":true/g)?.length, 2)
    t.match(String(files.get('records.csv')), /,pubmed,yes,/)
    t.strictSame([october, november, both].map(({ archive }) => verifySnapshot(archive).valid), [true, true, true])
  })

  await t.test('count each paper in one of the periods that follow each other', async t => {
    const project = await projectCreate.run(context, { name: 'Following', interest_description: 'Retina', sources: [] })
    await fetched(user, project, 'pubmed', [work('at-midnight'), work('below-at-midnight'), work('below-again')])
    for (const [table, column] of [['project_paper', 'ready_at'], ['candidate', 'found_at'], ['found_paper', 'found_at']] as const) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = '2025-11-01' where project_id = ${project.id}`.execute(db)
    }
    // Upkeep deleted it, or it left the feed, and a source found it again.
    await sql`update candidate set found_at = '2025-12-05' from paper
      where paper.id = paper_id and project_id = ${project.id} and doi = '10.1000/below-again'`.execute(db)
    const bounds = ['2025-10-01', '2025-11-01', '2025-12-01', '2025-12-20']
    const identified: number[] = []
    for (const [at, until] of bounds.slice(1).entries()) {
      identified.push((await freezePeriod(project, { since: bounds[at]!, until })).flow.identified.records)
    }
    t.strictSame(identified, [0, 3, 0])
  })

  await t.test('keep their counts when papers have no row of their own any more', async t => {
    const project = await projectCreate.run(context, { name: 'Tallied', interest_description: 'Retina', sources: [] })
    const names = Array.from({ length: 20 }, (_each, at) => `below-tallied-${at}`)
    await fetched(user, project, 'pubmed', [...names, 'in-feed-tallied', 'below-listed-tallied'].map(name => work(name)))
    await fetched(user, project, 'crossref', names.slice(0, 5).map(name => work(name)))
    await sql`update found_paper set found_at = '2025-11-01T12:00:00Z'::timestamptz
      + coalesce(substring(doi from '[0-9]+$')::integer, 0) * interval '1 day' from paper
      where paper.id = paper_id and project_id = ${project.id}`.execute(db)
    await sql`delete from candidate using paper where paper.id = paper_id and project_id = ${project.id}
      and doi <> '10.1000/below-listed-tallied'`.execute(db)
    const found = async () => (await db.selectFrom('found_paper').innerJoin('paper', 'paper.id', 'found_paper.paper_id').select('doi')
      .where('project_id', '=', project.id).execute()).map(({ doi }) => doi!.replace('10.1000/', '')).sort()
    const flows = async () => {
      const periods = [{}, { since: '2025-11-05', until: '2025-11-08' }, { since: '2025-11-08', until: '2025-11-30' }]
      const all = []
      for (const period of periods) all.push((await freezePeriod(project, period)).flow)
      return all
    }
    const before = await flows()
    t.match(before[0], { identified: { records: 27 }, duplicates_removed: 5, excluded_automatically: { records: 21, listed: 1 } })

    // The item of the feed does not count.
    t.strictSame(await listProjectsToTally(db, { maxUnlisted: 20, maxCandidates: 1 }), [])
    t.strictSame(await listProjectsToTally(db, { maxUnlisted: 19, maxCandidates: 1 }), [project.id])
    await tallyFoundPapers(db, project.id, { maxUnlisted: 19 })
    t.strictSame(await found(), ['below-listed-tallied', ...names.slice(3), 'in-feed-tallied'].sort())
    t.strictSame(await flows(), before)

    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    await freezeDuring(() => tallyFoundPapers(db, project.id, { maxUnlisted: 10 }), row => 'records' in row && 'sources' in row)
    t.equal((await found()).length, 11)
    t.strictSame((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.flow, before[0])
    t.strictSame(await flows(), before)
    await tallyFoundPapers(db, project.id, { maxUnlisted: 0 })
    t.strictSame(await found(), ['below-listed-tallied', 'in-feed-tallied'])
    t.strictSame(await flows(), before)
  })

  await t.test('count each imported file as a source', async t => {
    const project = await projectCreate.run(context, { name: 'Two databases', interest_description: 'Retina', sources: [] })
    const library = (...titles: string[]) => titles.map(title => `TY  - JOUR\nTI  - ${title}\nAU  - Moser, M.\nPY  - 2024\nER  -\n`).join('')
    for (const [name, text] of [['embase.ris', library('In both files', 'In Embase')], ['scopus.ris', library('In both files')]] as const) {
      await sendLibrary(user, project.id, text, { name })
      await runNextImport(service)
    }
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    await run(service, 'freeze-snapshot')
    t.match((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.flow, {
      identified: { records: 3, sources: [{ title: 'embase.ris (RIS file)', records: 2 }, { title: 'scopus.ris (RIS file)', records: 1 }] },
      duplicates_removed: 1
    })
  })

  await t.test('start again if a merge moves a paper to where they have read', async t => {
    const project = await projectCreate.run(context, { name: 'Moved', interest_description: 'Retina', sources: [] })
    await fetched(user, project, 'pubmed', Array.from({ length: 250 }, (_each, at) => work(`moved-${at}`, { title: `Moved work ${at}` })))
    const keptId = '00000000-0000-4000-8000-000000000001'
    await sql`insert into paper (id, slug, title, authors, source_name, metadata, title_key)
      values (${keptId}, 'kept', 'Kept', '[]', 'pubmed', '{}', 'kept')`.execute(db)
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    const last = await db.selectFrom('project_paper').select('paper_id').where('project_id', '=', project.id)
      .orderBy('paper_id', 'desc').executeTakeFirstOrThrow()
    await freezeDuring(async () => {
      await db.transaction().execute(async transaction => { await mergePapers(transaction, keptId, last.paper_id) })
    })
    t.equal((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.records, 250)
    const { parts } = await snapshotDownload.run(context, { project_id: project.id, snapshot_id })
    t.match(String(readZip(await bytesOf(parts), 1e7).get('snapshot.json')), keptId)
  })

  await t.test('are written by one attempt at a time', async t => {
    const snapshot_id = await request()
    const first = (await beginSnapshot(db, context.account.id, snapshot_id))!
    const second = (await beginSnapshot(db, context.account.id, snapshot_id))!
    const frozen = { frozen_at: new Date(), until: new Date(), sha256: '', bytes: 2, parts: 1, summary: {} as never }
    t.equal(await addSnapshotPart(db, context.account.id, first, { ordinal: 0, content: 'x' }), false)
    t.equal(await freezeSnapshot(db, context.account.id, first, frozen), false)
    t.equal(await addSnapshotPart(db, context.account.id, second, { ordinal: 0, content: 'x' }), true)
    t.same(await run(service, 'freeze-snapshot'), { frozen: 1 }, 'another one starts again')
    t.equal(verifySnapshot(await download(snapshot_id)).valid, true)
  })

  await t.test('have together at most the bytes of an account', async t => {
    const { rows: [large] } = await sql<{ id: string }>`insert into snapshot (project_id, project_name, requested_at, frozen_at, bytes)
      select ${id}, 'x', now(), now(), ${maxAccountSnapshotBytes - 1000}::integer - sum(bytes) from snapshot returning id`.execute(db)
    const { state, error } = await freeze()
    t.equal(state, 'failed')
    t.match(error, /together/)
    await snapshotDelete.run(context, { project_id: id, snapshot_id: large!.id })
  })

  await t.test('are verified on the command line', async t => {
    const { id: snapshot_id, sha256 } = await freeze()
    const file = `${t.testdir()}/snapshot.zip`
    await writeFile(file, await download(snapshot_id))
    const printed: string[] = []
    let failures = 0
    const terminal = { print: (_value: object, text: string) => { printed.push(text) }, fail: () => { failures++ } } as Terminal
    await snapshotVerifyCommand.run(terminal, {}, [file])
    t.equal(failures, 0)
    t.match(printed[0], `Valid: sha256:${sha256}`)
    await snapshotVerifyCommand.run(terminal, { hash: `sha256:${'0'.repeat(64)}` }, [file])
    t.equal(failures, 1)
    t.match(printed[1], /FAILED.*NOT VALID/s)
  })

  await t.test('reject files that are not archives, with the reason', async t => {
    const record = { decision: 'included', source: 'pubmed' }
    const about = { format: 'litfeed-snapshot', program: '', unlisted: [], version: 1 }
    const text = JSON.stringify({ about, records: [record], results: { identified: { sources: [] } } })
    const directory = t.testdir({ 'text.zip': 'text' })
    await writeFile(`${directory}/damaged.zip`, await bytesOf(writeZip([{ name: 'snapshot.json', parts: [text] }], new Date())))
    const faults = { 'none.zip': /does not exist/, '': /a folder/, 'text.zip': /not a ZIP/, 'damaged.zip': /: it is damaged\./ }
    for (const [name, fault] of Object.entries(faults)) {
      await t.rejects(snapshotVerify.run({}, { file: `${directory}/${name}` }), { message: fault })
    }
  })

  await t.test('are listed, shown, downloaded, frozen and deleted on pages', async t => {
    const { id: snapshot_id, sha256 } = await freeze()
    const session = await formSession(app, user)
    const list = `/projects/${id}/snapshots`
    t.match((await session.get(list)).body, sha256!.slice(0, 12))
    const page = await session.get(`${list}/${snapshot_id}`)
    t.match(page.body, /Records identified: PubMed/)
    const { identified, duplicates_removed, excluded_automatically, screened, not_screened } = (await freeze()).summary!.flow
    const removed = duplicates_removed + excluded_automatically.records
    t.match(page.body.replace(/<[^>]*>/g, ''), `${identified.records} identified − ${removed} removed = ${screened + not_screened} in the feed: `)
    t.match(page.body, `sha256:${sha256}`)
    t.equal((await session.get(`${list}/${snapshot_id}/archive`)).headers['content-type'], 'application/zip')
    t.equal((await session.post(list, { action: 'freeze', since: '', until: '' })).statusCode, 303)
    t.match((await session.get(list)).body, 'freezing…')
    await run(service, 'freeze-snapshot')
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
    t.same(await run(service, 'freeze-snapshot'), { frozen: 0 })
    const { full, next_at } = await snapshotsList.run(context, { project_id: id })
    t.match(full, /maximum/)
    t.ok(next_at! > new Date().toISOString())
    t.match((await (await formSession(app, user)).get(`/projects/${id}/snapshots`)).body, /The schedule is paused\./)
    await sql`delete from snapshot where project_id = ${id} and frozen_at is null`.execute(db)
  })
})
