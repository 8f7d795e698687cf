import t from 'tap'
import { maxSources } from '../../schemas/project.js'
import { sql } from 'kysely'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { libraryImport } from '../../src/operations/papers/library-import.js'
import { libraryImportRun } from '../../src/operations/papers/library-import-run.js'
import { libraryImportUndo } from '../../src/operations/papers/library-import-undo.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { projectsGet } from '../../src/operations/projects/projects-get.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { projectWith, testService, type TestService, type TestUser } from '../support/service.js'
import { withReceivedFile } from '../support/uploads.js'

const ris = (...titles: string[]) => titles.map(title => `TY  - JOUR\nTI  - ${title}\nAU  - Moser, M.\nPY  - 2024\nER  -\n`).join('')
const opml = (...outlines: string[]) =>
  `<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>${outlines.join('\n')}</body></opml>`
const outline = (address: string, text = 'Journal') => `<outline type="rss" text="${text}" xmlUrl="${address}"/>`

/** Sends a file, without running its job. */
const send = async (
  user: TestUser,
  project_id: string,
  content: string | Buffer,
  { name = 'library.ris', vote }: { name?: string, vote?: 'none' | 'upvote' } = {}
) =>
  await withReceivedFile(
    user.context,
    Buffer.from(content),
    async file => await libraryImport.run(user.context, { project_id, vote, file: Object.assign(file, { sentName: name }) })
  )

/** Runs the next import of the queue as a worker does. @returns its result or error */
async function runNext ({ context }: TestService) {
  const task = tasks.find(each => each.task === 'import-library')!
  const job = (await context.queue.claim('import-library'))!
  try {
    const result = await task.run({ ...context, signal: new AbortController().signal }, job)
    await context.queue.complete(job, result)
    return result
  } catch (error) {
    await context.queue.fail(job, error as Error, task)
    return error as Error
  }
}

/** A database for an attempt that ends with the transaction of its first batch. */
const killedInBatch = (db: TestService['context']['db'], when: 'before it commits' | 'after it committed') =>
  new Proxy(db, {
    get (target, name) {
      if (name === 'transaction') {
        return () => ({
          async execute (run: (transaction: typeof db) => Promise<unknown>) {
            await target.transaction().execute(async transaction => {
              await run(transaction)
              if (when === 'before it commits') throw new Error('killed')
            })
            throw new Error('killed')
          }
        })
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    }
  })

/** A database for an attempt that ends after it added feeds, before it notes that. */
const killedBeforeNoting = (db: TestService['context']['db']) =>
  new Proxy(db, {
    get (target, name) {
      if (name === 'updateTable') {
        return (table: never) => {
          if (table === 'library_import') throw new Error('killed')
          return target.updateTable(table)
        }
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    }
  })

const storedBytes = async ({ context: { db } }: TestService) =>
  (await sql<{ bytes: number }>`select coalesce(sum(octet_length(bytes)), 0)::integer as bytes from import_part`.execute(db)).rows[0]!.bytes

t.test('importing a library', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Grid cells', authors: [{ name: 'M. Moser' }], published_date: '2024-01-01' }])
  const upload = async (content: string, options: { by?: TestUser, name?: string, vote?: 'none' | 'upvote' } = {}) => {
    const queued = await send(options.by ?? user, project_id, content, { vote: 'upvote', ...options })
    return { ...queued, result: await runNext(service) }
  }
  const votes = async () => {
    const { items } = await feedGet.run(user.context, { project_id })
    return Object.fromEntries(items.map(({ paper_title, feedback }) => [paper_title, feedback?.vote ?? null]))
  }
  const [known] = (await feedGet.run(user.context, { project_id })).items
  await feedbackSet.run(user.context, { paper_id: known!.id, vote: 'downvote' })

  await t.test('adds upvoted papers and keeps existing votes', async t => {
    const content = `${ris('Grid cells', 'Place cells', 'Theta sequences')}TY  - JOUR\nAU  - Nobody, N.\nER  -\n`
    const { result, job_id, import_id } = await upload(content, { name: 'my\u202e\nlibrary.ris' })
    t.match(result, { read: 4, created: 2, rejected: [{ file: 'my library.ris', record: 4, reason: /title/i }] })
    t.strictSame(Object.keys(result), ['read', 'created', 'updated', 'unchanged', 'rejected'], 'as the command has it')
    t.strictSame(await votes(), { 'Grid cells': 'downvote', 'Place cells': 'upvote', 'Theta sequences': 'upvote' })
    const { items: unseen } = await feedGet.run(user.context, { project_id, seen: false })
    t.strictSame(unseen, [], 'what has a vote was seen')
    t.match(await jobGet.run(user.context, { job_id }), {
      task: 'import-library',
      state: 'done',
      project_id,
      result,
      progress: { bytes: content.length, total_bytes: content.length, read: 4 }
    })
    const { items: [listed] } = await jobsList.run(user.context, { state: 'done' })
    t.match(listed, { id: job_id, progress: { read: 4 }, result: { read: 4, created: 2 } })
    t.notOk('rejected' in listed!.result!, 'a list of jobs leaves out what was rejected')
    t.match(await libraryImports.run(user.context, { project_id }), {
      items: [
        {
          id: import_id,
          file_name: 'my library.ris',
          state: 'done',
          learned: true,
          result: { rejected_count: 1 },
          feeds: null,
          undone_at: null
        }
      ]
    })
    t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, true, 'the feed learns from them')
    t.equal(await storedBytes(service), 0, 'the file is removed')
    await projectScore.run(service.context, { project_id })
  })

  await t.test('undo removes added papers and votes only', async t => {
    const { items: [imported] } = await libraryImports.run(user.context, { project_id })
    const stranger = await service.user()
    const undo = { project_id, import_id: imported!.id }
    t.match(await libraryImportUndo.run(stranger.context, undo).catch(error => error), { code: 'not_found' })
    const [undone, again] = await Promise.all([1, 2].map(async () => await libraryImportUndo.run(user.context, undo).catch(error => error)))
    t.strictSame([undone, again].map(({ removed, code }) => removed ?? code).sort(), [2, 'not_found'], 'once')
    t.strictSame(await votes(), { 'Grid cells': 'downvote' })
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ undone_at: String }])
    t.match((await upload(ris('Place cells'), { vote: 'none' })).result, { created: 1 }, 'and can be imported again')
    t.strictSame(await votes(), { 'Grid cells': 'downvote', 'Place cells': null })
  })

  await t.test('rejects other files immediately, without local paths', async t => {
    for (const [content, message] of [
      ['', /empty/],
      [' \n', /empty/],
      ['just text', /unknown format/],
      ['\0\0\0\0', /empty/],
      ['%PDF-1.7', /unknown format/]
    ] as const) {
      const refused = await send(user, project_id, content).catch(error => error)
      t.match(refused, { code: 'invalid_arguments', message }, JSON.stringify(content))
      t.notMatch(`${refused.message} ${refused.userMessage}`, /\/tmp|--format/)
    }
    t.equal((await libraryImports.run(user.context, { project_id })).items.length, 2, 'none of them is listed')
    t.match(await send(await service.user(), project_id, ris('Private')).catch(error => error), { code: 'project_not_found' })
    t.match(await libraryImports.run((await service.user()).context, { project_id }).catch(error => error), { code: 'project_not_found' })
    await t.rejects(
      libraryImport.run(user.context, { project_id, file: { path: '/etc/passwd', size: 1 } }),
      { code: 'invalid_arguments' },
      'input cannot name a file'
    )
  })

  await t.test('is visible only to its account', async t => {
    const { import_id, job_id } = await send(user, project_id, ris('Head direction'))
    const stranger = await service.user()
    t.match(await libraryImportRun.run(stranger.context, { import_id }).catch(error => error), { message: /no longer exists/ })
    t.match(await jobGet.run(stranger.context, { job_id }).catch(error => error), { code: 'job_not_found' })
    t.match(await runNext(service), { created: 1 })
  })
})

t.test('runs one import per account at a time', async t => {
  const service = await testService(t)
  const { queue } = service.context
  const [one, other] = [await service.user(), await service.user()]
  for (const user of [one, one, other]) await send(user, await projectWith(user, []), ris('A paper'))
  const first = await queue.claim('import-library')
  const second = await queue.claim('import-library')
  t.strictSame(
    [first!.account_id, second!.account_id],
    [one.context.account.id, other.context.account.id],
    'the second import of an account waits'
  )
  t.equal(await queue.claim('import-library'), undefined, 'also in another process')
  await queue.complete(first!, {})
  t.equal((await queue.claim('import-library'))!.account_id, one.context.account.id)
})

t.test('waiting imports count towards the quota and are limited', async t => {
  const service = await testService(t, { UPLOAD_QUOTA: '1' })
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const large = ris(...Array.from({ length: 9000 }, (_, at) => `Paper number ${at} of a library`))
  await send(user, project_id, large)
  await t.rejects(send(user, project_id, large), {
    code: 'quota_exceeded',
    status: 413,
    message: /Of your 1 MB, files that wait use 1 MB.*UPLOAD_QUOTA/
  })
  for (let at = 1; at < 20; at++) await send(user, project_id, ris('Small'))
  await t.rejects(send(user, project_id, ris('Small')), { code: 'rate_limited', message: /20 imports .* waiting/ })
  const other = await service.user()
  const theirs = await projectWith(other, [])
  await t.rejects(send(other, theirs, large + large), {
    code: 'quota_exceeded',
    message: /files that wait use 0 MB.*\. Send a smaller file, or ask/,
    userMessage: /\. Import a smaller file, or ask/
  }, 'nothing waits, so waiting would not help')
  await send(other, theirs, ris('Theirs'))
})

t.test('resumes an interrupted import and counts everything once', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Paper 7', authors: [{ name: 'M. Moser' }], published_date: '2024-01-01' }])
  const titles = Array.from({ length: 600 }, (_, at) => `Paper ${at}`)
  const content = `${ris(...titles)}TY  - JOUR\nAU  - Nobody, N.\nER  -\n`
  const { import_id, job_id } = await send(user, project_id, content, { vote: 'upvote' })
  const { db } = service.context
  const isDue = async () => (await projectsGet.run(user.context, { project_id })).learning.pending
  await t.rejects(libraryImportRun.run({ ...user.context, db: killedInBatch(db, 'before it commits') }, { import_id }), /killed/)
  t.equal((await feedGet.run(user.context, { project_id })).total, 1)
  t.match(await jobGet.run(user.context, { job_id }), { state: 'waiting', progress: null })
  t.equal(await isDue(), false)
  for (const total of [250, 500]) {
    await t.rejects(libraryImportRun.run({ ...user.context, db: killedInBatch(db, 'after it committed') }, { import_id }), /killed/)
    t.equal((await feedGet.run(user.context, { project_id })).total, total)
    t.match(await jobGet.run(user.context, { job_id }), { progress: { read: total } }, 'with the records, the progress is stored')
    t.equal(await isDue(), true, 'the feed learns from its votes, even if the import fails in the end')
  }
  t.match(await runNext(service), { read: 601, created: 599, updated: 1, unchanged: 0, rejected: [{ record: 601 }] })
  t.equal((await feedGet.run(user.context, { project_id })).total, 600)
  t.match(
    await libraryImportRun.run(user.context, { import_id }),
    { read: 601, created: 599 },
    'an attempt after the last gives the same result'
  )
})

t.test('undo stops a waiting or running import', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const waiting = await send(user, project_id, ris('Waiting'))
  t.match(await libraryImportUndo.run(user.context, { project_id, import_id: waiting.import_id }), { removed: 0 })
  t.match(await runNext(service), { message: 'The import was undone.' })

  const { import_id } = await send(user, project_id, ris(...Array.from({ length: 700 }, (_, at) => `Paper ${at}`)))
  const running = runNext(service)
  for (let total = 0; total === 0;) ({ total } = await feedGet.run(user.context, { project_id }))
  await libraryImportUndo.run(user.context, { project_id, import_id })
  t.match(await running, { message: 'The import was undone.' })
  t.equal((await feedGet.run(user.context, { project_id })).total, 0)
  t.equal(await storedBytes(service), 0)
})

t.test('removes files of finished imports', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { db } = service.context
  const project_id = await projectWith(user, [])
  const [waits, failed] = [await send(user, project_id, ris('Waits')), await send(user, project_id, ris('Failed'))]
  await db.updateTable('job').set({ state: 'failed' }).where('id', '=', failed.job_id).execute()
  await db
    .updateTable('library_import')
    .set({ created_at: new Date(Date.now() - 2 * 60 * 60 * 1000) })
    .execute()
  const begun = await db
    .insertInto('library_import')
    .values({
      account_id: user.context.account.id,
      project_id,
      file_name: 'half.ris',
      vote: null,
      pending_bytes: 10,
      complete: false,
      created_at: new Date(Date.now() - 2 * 60 * 60 * 1000)
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('import_part')
    .values({ import_id: begun.id, ordinal: 0, bytes: Buffer.from('half') })
    .execute()
  await maintenance.run(service.context, {})
  t.strictSame(await db.selectFrom('import_part').select('import_id').execute(), [{ import_id: waits.import_id }])
  t.strictSame(
    await db.selectFrom('library_import').select('id').where('complete', '=', false).execute(),
    [],
    'what was never stored is forgotten'
  )
  t.match(await runNext(service), { created: 1 }, 'what waits is imported')
  t.match(await libraryImportRun.run(user.context, { import_id: failed.import_id }).catch(error => error), { message: /no longer stored/ })
})

t.test('an OPML file', async t => {
  const service = await testService(t)
  const user = await service.user()
  const own = { name: 'feed', query: 'https://journal.example.org/own.xml' }
  const project_id = await projectWith(user, [], { sources: [own] })
  const upload = async (content: string) => {
    const { import_id } = await send(user, project_id, content, { name: 'feeds.opml' })
    return { import_id, result: await runNext(service) }
  }
  const addresses = async () => (await projectsGet.run(user.context, { project_id })).sources.map(({ query }) => query)

  let import_id: string
  await t.test('adds each journal feed once, also from folders', async t => {
    const answer = await upload(opml(
      outline('https://one.example.org/rss?a=1&amp;b=2'),
      `<outline text="Folder">${outline('https://two.example.org/atom')}${outline('HTTPS://One.example.org/rss?a=1&amp;b=2')}</outline>`,
      outline(own.query)
    ))
    import_id = answer.import_id
    t.match(answer.result, { read: 4, created: 2, updated: 0, unchanged: 2, rejected: [] })
    t.strictSame(await addresses(), [own.query, 'https://one.example.org/rss?a=1&b=2', 'https://two.example.org/atom'])
    t.equal((await projectsGet.run(user.context, { project_id })).source_states.length, 3, 'which are due')
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ feeds: 2, result: { created: 2 } }])
    t.match((await feedGet.run(user.context, { project_id })), { total: 0 })
  })

  await t.test('undo removes its journal feeds only', async t => {
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { removed: 0, feeds_removed: 2 })
    t.strictSame(await addresses(), [own.query])
  })

  await t.test('rejects the vote option', async t => {
    const queued = await send(user, project_id, opml(outline('https://one.example.org/rss')), { vote: 'upvote' })
    t.match(await runNext(service), { created: 1 })
    t.match((await libraryImports.run(user.context, { project_id })).items[0], { id: queued.import_id, learned: false, feeds: 1 })
    t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, false, 'the feed is not rescored')
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id: queued.import_id }), { feeds_removed: 1 })
  })

  await t.test('counts feeds once and can be undone after a crash', async t => {
    const { db } = service.context
    const content = opml(outline('https://one.example.org/rss'), outline(own.query), outline('http://localhost/rss'))
    for (const isNoted of [false, true]) {
      const { import_id } = await send(user, project_id, content)
      await t.rejects(libraryImportRun.run({ ...user.context, db: killedBeforeNoting(db) }, { import_id }), /killed/)
      t.strictSame(await addresses(), [own.query, 'https://one.example.org/rss'], 'the feed was added')
      const rejected = [{ record: 3, reason: 'noted' }]
      const noted = { read: 3, created: 1, updated: 0, unchanged: 1, rejected_count: 1, rejected }
      if (isNoted) await db.updateTable('library_import').set({ counts: JSON.stringify(noted) }).where('id', '=', import_id).execute()
      t.match(await runNext(service), { read: 3, created: 1, unchanged: 1, rejected: { length: 1 } })
      t.match((await libraryImports.run(user.context, { project_id })).items[0], { feeds: 1, result: { created: 1, rejected_count: 1 } })
      t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { feeds_removed: 1 })
      t.strictSame(await addresses(), [own.query])
    }
  })

  await t.test('keeps an equal custom query of another source', async t => {
    const query = 'https://three.example.org/rss'
    const { import_id } = await upload(opml(outline(query)))
    const sources = [own, { name: 'europepmc', query }, { name: 'feed', query }]
    await projectUpdate.run(user.context, { project_id, sources })
    t.match(await libraryImportUndo.run(user.context, { project_id, import_id }), { feeds_removed: 1 })
    t.match((await projectsGet.run(user.context, { project_id })).sources, sources.slice(0, 2))
    await projectUpdate.run(user.context, { project_id, sources: [own] })
  })

  await t.test('rejects any file content with a short reason', async t => {
    const { result } = await upload(opml(outline(`http://${'a.'.repeat(900)}localhost/rss`), outline('', 'Note '.repeat(1000))))
    const { rejected } = result as { rejected: Array<{ reason: string }> }
    t.equal(rejected.length, 2)
    for (const { reason } of rejected) t.ok(reason.length <= 300, reason)
  })

  await t.test('rejects private addresses and other outlines with the reason', async t => {
    const { result } = await upload(
      opml(
        outline('http://192.168.1.1/feed', 'Router'),
        outline('http://localhost:9/feed'),
        outline('http://[::1]/feed'),
        outline('file:///etc/passwd'),
        outline('javascript:alert(1)'),
        '<outline text="A note"/>',
        outline(`https://long.example.org/${'x'.repeat(3000)}`),
        outline('https://right.example.org/rss')
      )
    )
    t.match(result, {
      read: 8,
      created: 1,
      rejected: [
        { record: 1, reason: /not on the public Internet/ },
        { record: 2, reason: /not on the public Internet/ },
        { record: 3, reason: /not on the public Internet/ },
        { record: 4, reason: /http/ },
        { record: 5, reason: /http/ },
        { record: 6, reason: /A note: .*xmlUrl/ },
        { record: 7, reason: /2,?000/ }
      ]
    })
    t.strictSame(await addresses(), [own.query, 'https://right.example.org/rss'])
  })

  await t.test('stops at the maximum of sources, and at broken XML', async t => {
    const { result } = await upload(opml(...Array.from({ length: 60 }, (_, at) => outline(`https://many.example.org/${at}`))))
    t.match(result, { read: 60, created: maxSources - 2, rejected: { length: 12 } })
    t.match((result as { rejected: Array<{ reason: string }> }).rejected[0]!.reason, /50 sources, the maximum/)
    t.match((await upload(`<opml><body>${outline('https://many.example.org/1')}<outline`)).result, {
      unchanged: 1,
      rejected: [{ reason: /XML is broken/ }]
    })
    t.match((await upload('<opml><body></body></opml>')).result, { read: 0, created: 0, rejected: [] })
  })
})
