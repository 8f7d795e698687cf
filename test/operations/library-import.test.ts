import t from 'tap'
import { libraryImport } from '../../src/operations/papers/library-import.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectWith, testService, type TestUser } from '../support/service.js'
import { withReceivedFile } from '../support/uploads.js'

const ris = (...titles: string[]) => titles.map(title => `TY  - JOUR\nTI  - ${title}\nAU  - Moser, M.\nPY  - 2024\nER  -\n`).join('')

t.test('importing a library', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Grid cells', authors: [{ name: 'M. Moser' }], published_date: '2024-01-01' }])
  const upload = async (
    content: string,
    { by = user, name = 'library.ris', learn = true }: { by?: TestUser, name?: string, learn?: boolean } = {}
  ) =>
    await withReceivedFile(
      by.context,
      Buffer.from(content),
      async file => await libraryImport.run(by.context, { project_id, learn, file: Object.assign(file, { sentName: name }) })
    )
  const votes = async () => {
    const { items } = await feedGet.run(user.context, { project_id })
    return Object.fromEntries(items.map(({ paper_title, feedback }) => [paper_title, feedback?.vote ?? null]))
  }
  const [known] = (await feedGet.run(user.context, { project_id })).items
  await feedbackSet.run(user.context, { paper_id: known!.id, vote: 'downvote' })

  await t.test('adds its papers with an upvote each, and leaves votes that are there', async t => {
    const { result, id, learned } = await upload(
      `${ris('Grid cells', 'Place cells', 'Theta sequences')}TY  - JOUR\nAU  - Nobody, N.\nER  -\n`,
      { name: 'my\u202e\nlibrary.ris' }
    )
    t.match(result, { read: 4, created: 2, rejected_count: 1, rejected: [{ record: 4, reason: /title/i }] })
    t.equal(result!.updated + result!.unchanged, 1)
    t.equal(learned, true)
    t.strictSame(await votes(), { 'Grid cells': 'downvote', 'Place cells': 'upvote', 'Theta sequences': 'upvote' })
    t.match(await libraryImports.run(user.context, { project_id }), {
      items: [{ id, file_name: 'my library.ris', result, undone_at: null }]
    })
    t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, true, 'the feed learns from them')
    await projectScore.run(service.context, { project_id })
  })

  await t.test('is undone: what it added leaves, with its votes; what was there stays', async t => {
    const { items: [imported] } = await libraryImports.run(user.context, { project_id })
    const stranger = await service.user()
    const undo = { project_id, import_id: imported!.id }
    t.match(await libraryImportUndo.run(stranger.context, undo).catch(error => error), { code: 'not_found' })
    const [undone, again] = await Promise.all([1, 2].map(async () => await libraryImportUndo.run(user.context, undo).catch(error => error)))
    t.strictSame([undone, again].map(({ removed, code }) => removed ?? code).sort(), [2, 'not_found'], 'once')
    t.strictSame(await votes(), { 'Grid cells': 'downvote' })
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ undone_at: String }])
    t.match((await upload(ris('Place cells'), { learn: false })).result, { created: 1 }, 'and can be imported again')
    t.strictSame(await votes(), { 'Grid cells': 'downvote', 'Place cells': null })
  })

  await t.test('refuses what is no library, and names no file of this machine', async t => {
    for (const content of ['', 'just text', '\0\0\0\0', '%PDF-1.7']) {
      const refused = await upload(content).catch(error => error)
      t.match(refused, { code: 'invalid_arguments', message: /unknown format/ }, JSON.stringify(content))
      t.notMatch(`${refused.message} ${refused.userMessage}`, /\/|--format/)
    }
    t.equal((await libraryImports.run(user.context, { project_id })).items.length, 2, 'none of them is listed')
    t.match(await upload(ris('Private'), { by: await service.user() }).catch(error => error), { code: 'project_not_found' })
    t.match(await libraryImports.run((await service.user()).context, { project_id }).catch(error => error), { code: 'project_not_found' })
  })
})
