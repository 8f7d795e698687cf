import t from 'tap'
import { sql } from 'kysely'
import { maxKeptImports } from '../../schemas/library-import.js'
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
import { projectScore } from '../../src/operations/projects/project-score.js'
import { formSession } from '../support/forms.js'
import { ris, runNextImport, sendLibrary } from '../support/library-imports.js'
import { projectWith, testService, type TestService, type TestUser } from '../support/service.js'

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

const storedBytes = async ({ context: { db } }: TestService) =>
  (await sql<{ bytes: number }>`select coalesce(sum(octet_length(bytes)), 0)::integer as bytes from import_part`.execute(db)).rows[0]!.bytes

const service = await testService(t, { UPLOAD_QUOTA: '1' })

/** A new account. Removes the queue and the files of earlier tests, because each looks at all of them. */
const newUser = async () => {
  await service.context.db.deleteFrom('job').execute()
  await service.context.db.deleteFrom('library_import').execute()
  return await service.user()
}

const votesOf = async ({ context }: TestUser, project_id: string) => {
  const { items } = await feedGet.run(context, { project_id })
  return Object.fromEntries(items.map(({ paper_title, feedback }) => [paper_title, feedback?.vote ?? null]))
}

t.test('importing a library', async t => {
  const user = await newUser()
  const project_id = await projectWith(user, [{ title: 'Grid cells', authors: [{ name: 'M. Moser' }], published_date: '2024-01-01' }])
  const upload = async (content: string, options: { by?: TestUser, name?: string, vote?: 'none' | 'upvote' } = {}) => {
    const queued = await sendLibrary(options.by ?? user, project_id, content, { vote: 'upvote', ...options })
    return { ...queued, result: await runNextImport(service) }
  }
  const votes = async () => await votesOf(user, project_id)
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
    t.match(await libraryImports.run(user.context, { project_id, offset: 1 }), { items: { length: 0 }, offset: 1, has_more: false })
    t.match(await libraryImports.run(user.context, { project_id }), {
      has_more: false,
      items: [
        {
          id: import_id,
          file_name: 'my library.ris',
          state: 'done',
          learned: true,
          result: { rejected_count: 1 },
          feeds: null,
          undone_at: null,
          undo_pending: false
        }
      ]
    })
    t.equal((await projectsGet.run(user.context, { project_id })).learning.pending, true, 'the feed learns from them')
    t.equal(await storedBytes(service), 0, 'the file is removed')
    await projectScore.run(user.context, { project_id })
  })

  await t.test('undo removes added papers and votes only', async t => {
    const { items: [imported] } = await libraryImports.run(user.context, { project_id })
    const stranger = await service.user()
    const undo = { project_id, import_id: imported!.id }
    t.match(await libraryImportUndo.run(stranger.context, undo).catch(error => error), {
      code: 'not_found',
      message: /GET \/api\/projects\/\{project_id\}\/imports lists/
    })
    const [undone, again] = await Promise.all([1, 2].map(async () => await libraryImportUndo.run(user.context, undo).catch(error => error)))
    t.strictSame([undone, again].map(({ removed, code }) => removed ?? code).sort(), [2, 'not_found'], 'once')
    t.strictSame(await votes(), { 'Grid cells': 'downvote' })
    t.match((await libraryImports.run(user.context, { project_id })).items, [{ undone_at: String, undo_pending: false }])
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
      const refused = await sendLibrary(user, project_id, content).catch(error => error)
      t.match(refused, { code: 'invalid_arguments', message }, JSON.stringify(content))
      t.notMatch(`${refused.message} ${refused.userMessage}`, /\/tmp|--format/)
    }
    const utf16 = (text: string) => Buffer.from(text, 'utf16le')
    for (const [name, content, advice] of [
      ['a.pdf', '%PDF-1.7\n', /It is a PDF\. Import a text file with the DOI/],
      ['a.xlsx', 'PK\u0003\u0004...xl/workbook.xml', /It is an Excel workbook\. Save it as CSV/],
      ['a.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), utf16('Workbook')]), /Excel workbook/],
      ['a.doc', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), utf16('WordDocument')]), /Word document/],
      ['a.docx', 'PK\u0003\u0004...word/document.xml', /It is a Word document\. Export the references from your reference manager as RIS/],
      ['a.ods', 'PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet', /It is a spreadsheet/],
      ['a.odt', 'PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.text', /It is a text document/],
      ['a.zip', 'PK\u0003\u0004...a.ris', /It is a ZIP archive\. Unpack it/],
      ['a.ris.gz', Buffer.from('1f8b0800', 'hex'), /It is compressed\. Unpack it/],
      ['Library.enl', 'SQLite format 3\0...', /In EndNote, choose File > Export/],
      ['zotero.sqlite', 'SQLite format 3\0...', /In Zotero, choose File > Export Library/],
      ['a.db', 'SQLite format 3\0...', /It is a database/],
      ['a.rtf', '{\\rtf1 x}', /Word document \(RTF\)/],
      ['a.html', '<!-- x --><!DOCTYPE html>\n<html></html>', /It is a web page\. At the database, export/],
      ['a.csv', 'Name;Price\nx;1\n', /looks like a table, but the table has no column of titles\. .*: Title, Authors, .*DOI/],
      ['a.txt', 'just text', /^(?:The )?file has an unknown format\. (?:Supported f|F)ormats: [^.]*/]
    ] as const) {
      const { message, userMessage } = await sendLibrary(user, project_id, content, { name }).catch(error => error)
      t.match(message, /^file has an unknown format\. /)
      t.match(message, /Formats: pubmed-xml, .*, csv, .*ris, .*opml, list \(one DOI, PMID, PMCID or arXiv id per line\)\.$/)
      t.match(userMessage, /Supported formats: PubMed XML, .*CSV, .*RIS, EndNote \.enw, .*, text with one DOI, PMID, PMCID or arXiv id per line\.$/)
      for (const text of [message, userMessage]) t.match(text, advice, name)
    }
    t.equal((await libraryImports.run(user.context, { project_id })).items.length, 2, 'none of them is listed')
    t.match(await sendLibrary(await service.user(), project_id, ris('Private')).catch(error => error), { code: 'project_not_found' })
    t.match(await libraryImports.run((await service.user()).context, { project_id }).catch(error => error), { code: 'project_not_found' })
    await t.rejects(
      libraryImport.run(user.context, { project_id, file: { path: '/etc/passwd', size: 1 } }),
      { code: 'invalid_arguments' },
      'input cannot name a file'
    )
  })

  await t.test('is visible only to its account', async t => {
    const { import_id, job_id } = await sendLibrary(user, project_id, ris('Head direction'))
    const stranger = await service.user()
    t.match(await libraryImportRun.run(stranger.context, { import_id }).catch(error => error), { message: /no longer exists/ })
    t.match(await jobGet.run(stranger.context, { job_id }).catch(error => error), { code: 'job_not_found' })
    t.match(await runNextImport(service), { created: 1 })
  })
})

t.test('says on its page that a file is not a list of papers', async t => {
  const user = await newUser()
  const project_id = await projectWith(user, [])
  const { job_id, import_id } = await sendLibrary(user, project_id, `{"title":"A paper"}\n${'1\n'.repeat(101_000)}`, { name: 'log.json' })
  await runNextImport(service)
  const said = /log\.json is not a list of papers: 100,\d+ of its first 100,\d+ records were rejected/
  t.match(await jobGet.run(user.context, { job_id }), { state: 'failed', attempts: 1, error: said })
  const session = await formSession(service.app, user)
  const { body } = await session.get(`/projects/${project_id}/import`)
  t.match(body, said)
  t.match(body, `/projects/${project_id}/import/${import_id}/rejected`, 'and links to what it rejected before it failed')
  const { body: feed } = await session.get(`/projects/${project_id}`)
  t.match(feed, `/projects/${project_id}/import#import-${import_id}`, 'as does the feed to the import')
  t.match(body, `id="import-${import_id}"`)
  t.match((await session.get(`/projects/${project_id}/import/${import_id}/rejected`)).body, /100,\d+ records rejected; the first 1,000 are listed/)
  t.strictSame(Object.keys(await votesOf(user, project_id)), ['A paper'])
})

t.test('space that cannot be reclaimed changes no outcome', async t => {
  const user = await newUser()
  const project_id = await projectWith(user, [])
  // A PostgreSQL server reclaims space by itself.
  const db = service.context.db.withPlugin({
    transformQuery ({ node }) {
      if (JSON.stringify(node).includes('"vacuum ')) throw new Error('No vacuum.')
      return node
    },
    transformResult: async ({ result }) => result
  })
  const context = { ...user.context, db }
  const send = async (content: string) => (await sendLibrary(user, project_id, content)).import_id
  const content = ris('Unreadable')
  const invalid = await send(content)
  await service.context.db.updateTable('import_part').set({ bytes: Buffer.alloc(content.length) }).where('import_id', '=', invalid)
    .execute()
  await t.rejects(libraryImportRun.run(context, { import_id: invalid }), { message: /unknown format/ })
  const import_id = await send(ris('A paper'))
  t.match(await libraryImportRun.run(context, { import_id }), { created: 1 })
  t.match(await libraryImportUndo.run(context, { project_id, import_id }), { removed: 1 })
})

t.test('runs one import per account at a time', async t => {
  const { queue } = service.context
  const [one, other] = [await newUser(), await service.user()]
  for (const user of [one, one, other]) await sendLibrary(user, await projectWith(user, []), ris('A paper'))
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
  const user = await newUser()
  const project_id = await projectWith(user, [])
  const large = ris(...Array.from({ length: 9000 }, (_, at) => `Paper number ${at} of a library`))
  await sendLibrary(user, project_id, large)
  await t.rejects(sendLibrary(user, project_id, large), {
    code: 'quota_exceeded',
    status: 413,
    message: /Of your 1 MiB, queued files use 0\.\d MiB.*UPLOAD_QUOTA/
  })
  const key = { id: '', name: 'Limited', scope: 'act', projectIds: [project_id] } as const
  const limited = { ...user, context: { ...user.context, key } }
  await t.rejects(sendLibrary(limited, project_id, large), {
    code: 'quota_exceeded',
    message: /^The file “library\.ris” is 0\.\d MiB, and your account has less space left for uploads\. Send it again later, send a smaller/
  }, 'a key for some projects learns no totals of the account')
  for (let at = 1; at < 20; at++) await sendLibrary(user, project_id, ris('Small'))
  await t.rejects(sendLibrary(limited, project_id, ris('Small')), { code: 'rate_limited', message: /^Too many imports .* waiting/ })
  await t.rejects(sendLibrary(user, project_id, ris('Small')), { code: 'rate_limited', message: /20 imports .* waiting/ })
  const other = await service.user()
  const theirs = await projectWith(other, [])
  await t.rejects(sendLibrary(other, theirs, large + large), {
    code: 'quota_exceeded',
    message: /queued files use 0 MiB.*\. Send a smaller file, or ask/,
    userMessage: /^The file “library\.ris” is .*\. Import a smaller file, or ask/
  }, 'nothing waits, so waiting would not help')
  await sendLibrary(other, theirs, ris('Theirs'))
})

t.test('resumes an interrupted import and counts everything once', async t => {
  const user = await newUser()
  const project_id = await projectWith(user, [{ title: 'Paper 7', authors: [{ name: 'M. Moser' }], published_date: '2024-01-01' }])
  const titles = Array.from({ length: 600 }, (_, at) => `Paper ${at}`)
  const content = `${ris(...titles)}TY  - JOUR\nAU  - Nobody, N.\nER  -\n`
  const { import_id, job_id } = await sendLibrary(user, project_id, content, { vote: 'upvote' })
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
  t.match(await runNextImport(service), { read: 601, created: 599, updated: 1, unchanged: 0, rejected: [{ record: 601 }] })
  t.equal((await feedGet.run(user.context, { project_id })).total, 600)
  t.match(
    await libraryImportRun.run(user.context, { import_id }),
    { read: 601, created: 599 },
    'an attempt after the last gives the same result'
  )
})

t.test('the newest imports are kept, and can be undone', async t => {
  const { context: { db } } = service
  const user = await newUser()
  const project_id = await projectWith(user, [])
  const imported = []
  for (const title of ['First', 'Second']) {
    imported.push(await sendLibrary(user, project_id, ris(title)))
    await runNextImport(service)
  }
  const [first, second] = imported.map(({ import_id }) => import_id)
  await sql`insert into library_import (account_id, project_id, file_name, pending_bytes, complete, created_at)
    select account_id, project_id, 'other.ris', 0, true, created_at + interval '1 millisecond' * n
    from library_import, generate_series(-1, ${maxKeptImports - 3}::integer) n where id = ${first} and n <> 0`.execute(db)
  await db.updateTable('library_import').set({ created_at: new Date('2020-01-01') }).where('id', '=', first!).execute()
  await sendLibrary(user, project_id, ris('Third'))
  t.match(await runNextImport(service), { created: 1 })
  await sendLibrary(user, project_id, ris('Fourth'))
  t.match(await runNextImport(service), { created: 1 })
  t.equal((await db.selectFrom('library_import').select('id').execute()).length, maxKeptImports + 1)
  const undo = async (import_id: string | undefined) => await libraryImportUndo.run(user.context, { project_id, import_id: import_id! })
  await t.rejects(undo(first), { code: 'not_found' })
  t.match(await undo(second), { removed: 1 })
  const { items } = await feedGet.run(user.context, { project_id })
  t.strictSame(items.map(({ paper_title }) => paper_title).sort(), ['First', 'Fourth', 'Third'])
})

t.test('undo stops a waiting or running import', async t => {
  const user = await newUser()
  const project_id = await projectWith(user, [])
  const waiting = await sendLibrary(user, project_id, ris('Waiting'))
  t.match(await libraryImportUndo.run(user.context, { project_id, import_id: waiting.import_id }), { removed: 0 })
  t.match(await runNextImport(service), { message: 'The import was undone.' })

  const { import_id } = await sendLibrary(user, project_id, ris(...Array.from({ length: 700 }, (_, at) => `Paper ${at}`)))
  const running = runNextImport(service)
  for (let total = 0; total === 0;) ({ total } = await feedGet.run(user.context, { project_id }))
  await libraryImportUndo.run(user.context, { project_id, import_id })
  t.match(await running, { message: 'The import was undone.' })
  t.equal((await feedGet.run(user.context, { project_id })).total, 0)
  t.equal(await storedBytes(service), 0)
})

t.test('removes files of finished imports', async t => {
  const user = await newUser()
  const { db } = service.context
  const project_id = await projectWith(user, [])
  const [waits, failed] = [await sendLibrary(user, project_id, ris('Waits')), await sendLibrary(user, project_id, ris('Failed'))]
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
  t.match(await runNextImport(service), { created: 1 }, 'what waits is imported')
  t.match(await libraryImportRun.run(user.context, { import_id: failed.import_id }).catch(error => error), { message: /no longer stored/ })
})
