import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { inspectFile } from '../../src/imports/file-format.js'
import { importFiles } from '../../src/imports/import-files.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { addPapers, projectWith, testService } from '../support/service.js'

t.test('a long import merges the segments of its index before it ends', async t => {
  const user = await (await testService(t)).user()
  const { context } = user
  const { db } = context
  const projectId = await projectWith(user, [])
  // So many papers as their segments say would take minutes to import.
  for (let at = 0; at < 8; at++) {
    await addPapers(context, projectId, [{ title: `Sleep ${at}` }])
    await feedSearch.run(context, { project_id: projectId, q: 'sleep' })
    await db.updateTable('search_segment').set({ documents: 4000 }).where('documents', '<', 4000).execute()
  }
  const path = join(t.testdir(), 'records.ris')
  writeFileSync(path, Array.from({ length: 600 }, (_each, at) => `TY  - JOUR\nTI  - Spindles ${at}\nDO  - 10.5555/${at}\nER  - \n`).join('\n'))
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
