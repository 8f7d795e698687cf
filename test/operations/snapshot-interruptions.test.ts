import t from 'tap'
import { sql } from 'kysely'
import { readZip } from '../../src/files/zip.js'
import { addSnapshotPart, beginSnapshot, freezeSnapshot } from '../../db/queries/snapshots.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { testService } from '../support/service.js'
import { createReview, downloadSnapshot, freeze, freezeDuring, ingestFrom, runNextFreeze, work } from '../support/snapshots.js'

t.test('snapshots', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db } } = user
  const { id } = await createReview(user)
  const request = async () => (await snapshotCreate.run(context, { project_id: id })).id
  const get = async (snapshot_id: string) => await snapshotGet.run(context, { project_id: id, snapshot_id })
  const download = async (snapshot_id: string) => await downloadSnapshot(user, { id }, { id: snapshot_id })

  await t.test('are frozen although they are asked for while another is frozen, or their job was lost', async t => {
    await request()
    t.same(await freezeDuring(context, request), { frozen: 2 })
    await sql`insert into snapshot (project_id, project_name, requested_at) values (${id}, 'x', now() - interval '2 minutes')`.execute(db)
    await queueDue.run(service.context, {})
    t.same(await runNextFreeze(context), { frozen: 1 })
    const failing = await request()
    await sql`update snapshot set requested_at = now() - interval '2 days', attempt = gen_random_uuid() where id = ${failing}`.execute(db)
    t.same(await runNextFreeze(context), { frozen: 0 })
    t.match(await get(failing), { state: 'failed', error: /within a day/ })
  })

  await t.test('keep papers that are merged meanwhile', async t => {
    const other = await projectCreate.run(context, { name: 'Other', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, { id }, ['merged', 'twice', 'thrice'].map(name => work(name)))
    await ingestFrom('pubmed', user, other, [work('elsewhere')])
    const paper = async (name: string) =>
      (await db.selectFrom('paper').select('id').where('doi', '=', `10.1000/${name}`).executeTakeFirstOrThrow()).id
    const { records } = (await freeze(user, { id })).summary!
    const merge = async (kept: string, duplicate: string) => {
      const ids = [await paper(kept), await paper(duplicate)] as const
      const snapshot_id = await request()
      await freezeDuring(context, async () => {
        await db.transaction().execute(async transaction => { await mergePapers(transaction, ...ids) })
      })
      const document = String(readZip(await download(snapshot_id), 1e7).get('snapshot.json'))
      t.match(document, `"id":"${ids[0]}"`)
      t.notMatch(document, ids[1])
      return (await get(snapshot_id)).summary!.records
    }
    t.equal(await merge('elsewhere', 'merged'), records, 'the kept paper stands for it')
    t.equal(await merge('twice', 'thrice'), records - 1, 'two decisions become one')
  })

  await t.test('start again if a merge moves a paper to where they have read', async t => {
    const project = await projectCreate.run(context, { name: 'Moved', interest_description: 'Retina', sources: [] })
    await ingestFrom('pubmed', user, project, Array.from({ length: 250 }, (_each, at) => work(`moved-${at}`, { title: `Moved work ${at}` })))
    const keptId = '00000000-0000-4000-8000-000000000001'
    await sql`insert into paper (id, slug, title, authors, source_name, metadata, title_key)
      values (${keptId}, 'kept', 'Kept', '[]', 'pubmed', '{}', 'kept')`.execute(db)
    const { id: snapshot_id } = await snapshotCreate.run(context, { project_id: project.id })
    const last = await db.selectFrom('project_paper').select('paper_id').where('project_id', '=', project.id)
      .orderBy('paper_id', 'desc').executeTakeFirstOrThrow()
    await freezeDuring(context, async () => {
      await db.transaction().execute(async transaction => { await mergePapers(transaction, keptId, last.paper_id) })
    })
    t.equal((await snapshotGet.run(context, { project_id: project.id, snapshot_id })).summary!.records, 250)
    t.match(String(readZip(await downloadSnapshot(user, project, { id: snapshot_id }), 1e7).get('snapshot.json')), keptId)
  })

  await t.test('are written by one attempt at a time', async t => {
    const snapshot_id = await request()
    const first = (await beginSnapshot(db, context.account.id, snapshot_id))!
    const second = (await beginSnapshot(db, context.account.id, snapshot_id))!
    const frozen = { frozen_at: new Date(), until: new Date(), sha256: '', bytes: 2, parts: 1, summary: {} as never }
    t.equal(await addSnapshotPart(db, context.account.id, first, { ordinal: 0, content: 'x' }), false)
    t.equal(await freezeSnapshot(db, context.account.id, first, frozen), false)
    t.equal(await addSnapshotPart(db, context.account.id, second, { ordinal: 0, content: 'x' }), true)
    t.same(await runNextFreeze(context), { frozen: 1 }, 'another one starts again')
    t.equal(verifySnapshot(await download(snapshot_id)).valid, true)
  })
})
