import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inspectFile } from '../../src/imports/file-format.js'
import type { ImportCounts } from '../../src/imports/import-counts.js'
import { importFiles } from '../../src/imports/import-files.js'
import { InvalidArguments } from '../../src/errors/operation-errors.js'
import { SlotYielded } from '../../src/jobs/failures.js'
import type { Context } from '../../src/operations/context.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { findFormat } from '../../src/sources/formats/index.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const risFile = (t: Test, records: number) => {
  const path = join(t.testdir(), 'records.ris')
  const record = (at: number) => `TY  - JOUR\nTI  - Spindles ${at}\nDO  - 10.5555/${at}\nER  - \n`
  writeFileSync(path, Array.from({ length: records }, (_each, at) => record(at)).join('\n'))
  return path
}

/** Eight segments. So many papers as they say that they have would take minutes to import. */
async function addSegments (context: Context, projectId: string): Promise<void> {
  for (let at = 0; at < 8; at++) {
    await addPapers(context, projectId, [{ title: `Sleep ${at}` }])
    await feedSearch.run(context, { project_id: projectId, q: 'sleep' })
    await context.db.updateTable('search_segment').set({ documents: 4000 }).where('documents', '<', 4000).execute()
  }
}

t.test('a long import merges the segments of its index before it ends', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const projectId = await projectWith(user, [])
  await addSegments(context, projectId)
  const path = risFile(t, 600)
  const segments: number[] = []
  await importFiles(context, {
    projectId,
    files: [await inspectFile(path)],
    maxRejections: 0,
    onBatch: async db => { segments.push((await db.selectFrom('search_segment').where('live', '=', true).selectAll().execute()).length) }
  })
  t.equal(segments[0], 8)
  t.ok(segments.at(-1)! < 8, `${segments}`)
  t.equal((await feedSearch.run(context, { project_id: projectId, q: 'sleep' })).items.length, 8)
})

t.test('an import goes on where the merging of segments fails', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const { db } = context
  const projectId = await projectWith(user, [])
  await addSegments(context, projectId)
  await db.updateTable('search_block').set({ bytes: Buffer.from('unreadable') }).execute()
  const warnings: string[] = []
  const log = { ...context.log, warn: (_data: object, message: string) => { warnings.push(message) } }
  const files = [await inspectFile(risFile(t, 600))]
  t.match(await importFiles({ ...context, log }, { projectId, files, maxRejections: 0 }), { read: 600, created: 600 })
  t.strictSame(await db.selectFrom('search_pending').selectAll().execute(), [], 'all are indexed')
  t.ok(warnings.length > 1 && warnings.every(message => /not compacted/.test(message)), `${warnings}`)
})

t.test('an import that the limit of papers stops is finished as far as it came', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const { db } = context
  const projectId = await projectWith(user, [])
  const files = [await inspectFile(risFile(t, 400))]
  await t.rejects(importFiles({ ...context, maxPapers: 300 }, { projectId, files, maxRejections: 0 }), { code: 'quota_exceeded' })
  t.equal((await db.selectFrom('project_paper').selectAll().execute()).length, 250)
  t.strictSame(await db.selectFrom('search_pending').selectAll().execute(), [], 'it is indexed')
  t.equal((await db.selectFrom('search_segment').where('live', '=', true).selectAll().execute()).length, 1)
  const { scoring_due_at } = await db.selectFrom('project').select('scoring_due_at').where('id', '=', projectId).executeTakeFirstOrThrow()
  t.not(scoring_due_at, null, 'and will be scored')
})

t.test('an import that fails, and cannot be finished, tells the first reason', async t => {
  const user = await (await testService(t)).user()
  const projectId = await projectWith(user, [])
  const warnings: string[] = []
  const log = { ...user.context.log, warn: (_data: object, message: string) => { warnings.push(message) } }
  const queue = { ...user.context.queue, enqueue: async () => { throw new Error('The queue is broken.') } }
  const broken = { ...user.context, log, queue, summaries: {}, maxPapers: 300 }
  const files = [await inspectFile(risFile(t, 400))]
  await t.rejects(importFiles(broken, { projectId, files, maxRejections: 0 }), { code: 'quota_exceeded' })
  t.strictSame(warnings, ['A failed import was not finished.'])
})

t.test('an import of a file without papers ends early, and keeps what it added', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const projectId = await projectWith(user, [])
  const path = join(t.testdir(), 'lines.json')
  writeFileSync(path, `{"title":"a"}\n${'1\n'.repeat(300_000)}`)
  let last: ImportCounts | undefined
  const request = { projectId, files: [await inspectFile(path)], maxRejections: 10 }
  await t.rejects(importFiles(context, { ...request, onBatch: (_db, _progress, counts) => { last = counts } }), {
    code: 'invalid_arguments',
    message: /lines\.json is not a list of papers: 100,\d+ of its first 100,\d+ records were rejected.* 1 were added and 0 updated papers/
  })
  t.match(last, { created: 1, rejected: { length: 10 } })
  t.ok(last!.rejectedCount >= 100_000 && last!.rejectedCount < 101_000)
  t.strictSame(await context.db.selectFrom('search_pending').selectAll().execute(), [], 'the paper is indexed')
})

t.test('the records before one that cannot be read are imported', async t => {
  const user = await (await testService(t)).user()
  const projectId = await projectWith(user, [])
  const file = await inspectFile(risFile(t, 400))
  const { read, ...format } = findFormat('ris')!
  async function * readSome (text: AsyncIterable<string>) {
    for await (const parsed of read(text)) {
      if (parsed.place > 330) throw new InvalidArguments('A record takes too long.')
      yield parsed
    }
  }
  const files = [{ ...file, format: { ...format, maxInlineBytes: Infinity, read: readSome } }]
  let last: ImportCounts | undefined
  const onBatch = (_db: unknown, _progress: unknown, counts: ImportCounts) => { last = counts }
  await t.rejects(importFiles(user.context, { projectId, files, maxRejections: 0, onBatch }), { message: 'A record takes too long.' })
  // The last piece had fewer than a hundred.
  t.match(last, { read: 300, created: 300 })
  t.equal((await user.context.db.selectFrom('project_paper').selectAll().execute()).length, 300)
})

t.test('an import whose turn ends goes on after the records that it read', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const projectId = await projectWith(user, [])
  const request = { projectId, files: [await inspectFile(risFile(t, 600))], maxRejections: 0, maxTurnMs: 0 }
  let start: ImportCounts | undefined
  const read: number[] = []
  const turn = async () => await importFiles(context, {
    ...request,
    start,
    onBatch: (_db, _progress, counts) => {
      start = counts
      read.push(counts.read)
    }
  })
  await t.rejects(turn(), new SlotYielded())
  await t.rejects(turn(), new SlotYielded())
  t.match(await turn(), { read: 600, created: 600 })
  t.strictSame(read, [250, 500, 600])
})
