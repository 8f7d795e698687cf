import t from 'tap'
import { sql } from 'kysely'
import { separateRejections } from '../../db/migrations/2027-02-16-import-rejections.js'
import { maxKeptRejections, maxListedRejections } from '../../schemas/library-import.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import { libraryImportRejections } from '../../src/operations/papers/library-import-rejections.js'
import { libraryImportRun } from '../../src/operations/papers/library-import-run.js'
import { libraryImports } from '../../src/operations/papers/library-imports.js'
import { formSession } from '../support/forms.js'
import { ris, runNextImport, sendLibrary } from '../support/library-imports.js'
import { projectWith, testService, type TestUser } from '../support/service.js'

const service = await testService(t)
const { db } = service.context
const untitled = (count: number) => 'TY  - JOUR\nAU  - Nobody, N.\nER  -\n'.repeat(count)
const rejectedPage = async ({ context }: TestUser, project_id: string, import_id: string, page: { limit?: number, offset?: number } = {}) =>
  await libraryImportRejections.run(context, { project_id, import_id, ...page })

/** Every rejected record of an import, read page by page. */
async function listAll (user: TestUser, project_id: string, import_id: string) {
  const all = []
  for (let offset = 0, more = true; more; offset += 100) {
    const { items, has_more } = await rejectedPage(user, project_id, import_id, { limit: 100, offset })
    all.push(...items)
    more = has_more
  }
  return all
}

t.test('a list of imports states the first rejected records, and pages have the others', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const count = maxKeptRejections + 70
  const { import_id, job_id } = await sendLibrary(user, project_id, `${ris('Grid cells')}${untitled(count)}`)
  t.match(await runNextImport(service), { read: count + 1, created: 1, rejected: { length: maxKeptRejections + 1 } })

  const { items: [imported] } = await libraryImports.run(user.context, { project_id })
  const first = Array.from({ length: maxListedRejections }, (_, at) => ({ record: at + 2, reason: String }))
  t.match(imported!.result, { rejected_count: count, rejected: first })
  t.equal(imported!.result!.rejected.length, maxListedRejections)

  t.match(await rejectedPage(user, project_id, import_id), { items: first.slice(0, 10), rejected_count: count, limit: 10, has_more: true })
  const all = await listAll(user, project_id, import_id)
  t.strictSame(all.map(({ record }) => record), Array.from({ length: maxKeptRejections }, (_, at) => at + 2), 'in order, each once')
  t.match(await rejectedPage(user, project_id, import_id, { offset: maxKeptRejections }), { items: { length: 0 }, has_more: false })
  await t.rejects(rejectedPage(user, project_id, import_id, { offset: maxKeptRejections + 1 }), { code: 'invalid_arguments' })

  const { result } = await jobGet.run(user.context, { job_id })
  t.match(result, {
    read: count + 1,
    created: 1,
    rejected: [...all.map(({ record }) => ({ file: 'library.ris', record })), { record: 0, reason: /^70 more records were rejected/ }]
  }, 'a job has them as the command does')
  const { rows: [stored] } = await sql<{ job: number, listed: number }>`
    select octet_length(job.result::text) as job, octet_length(library_import.result::text) as listed
    from job inner join library_import on library_import.id = import_id where job.id = ${job_id}`.execute(db)
  t.ok(stored!.job < 200, 'they are stored once')
  t.ok(stored!.listed < 4000, 'and lists do not read the others')
  t.match(await libraryImportRun.run(user.context, { import_id }), { rejected: { length: maxKeptRejections + 1 } }, 'as a later attempt')
})

t.test('a page of imports stays small', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [])
  await sendLibrary(user, project_id, untitled(maxKeptRejections))
  await runNextImport(service)
  await sql`insert into library_import (account_id, project_id, file_name, complete, created_at, result, more_rejected)
    select account_id, project_id, file_name, true, now(), result, more_rejected from library_import, generate_series(1, 30)
    where project_id = ${project_id}`.execute(db)
  const page = await libraryImports.run(user.context, { project_id })
  t.match(page, { items: { length: 20 }, has_more: true })
  t.ok(JSON.stringify(page).length < 100_000, `${JSON.stringify(page).length} bytes`)
})

t.test('an interrupted import keeps its rejected records, and continues them', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const content = `${ris('Grid cells')}${untitled(249)}${ris('Place cells')}${untitled(60)}`
  const { import_id } = await sendLibrary(user, project_id, content)
  const controller = new AbortController()
  const stops = new Proxy(db, {
    get (target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name === 'transaction') controller.abort(new Error('stopped'))
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  await t.rejects(libraryImportRun.run({ ...user.context, db: stops, signal: controller.signal } as never, { import_id }), /stopped/)
  t.match(await rejectedPage(user, project_id, import_id, { limit: 1, offset: 248 }), { rejected_count: 249, items: [{ record: 250 }] })
  t.match(await runNextImport(service), { read: 311, created: 2, rejected: { length: 309 } })
  const records = (await listAll(user, project_id, import_id)).map(({ record }) => record)
  t.strictSame(records, Array.from({ length: 311 }, (_, at) => at + 1).filter(record => record !== 1 && record !== 251))
})

t.test('rejected records are found in their project alone', async t => {
  const [user, stranger] = [await service.user(), await service.user()]
  const [project_id, other, theirs] = [await projectWith(user, []), await projectWith(user, []), await projectWith(stranger, [])]
  const { import_id } = await sendLibrary(user, project_id, untitled(3))
  t.match(await rejectedPage(user, project_id, import_id), { items: { length: 0 }, rejected_count: 0 }, 'none before it runs')
  await runNextImport(service)
  t.match(await rejectedPage(user, project_id, import_id), { rejected_count: 3 })
  const missing = { code: 'not_found', message: /GET \/api\/projects\/\{project_id\}\/imports lists/ }
  await t.rejects(rejectedPage(user, other, import_id), missing)
  await t.rejects(rejectedPage(stranger, theirs, import_id), missing)
  await t.rejects(rejectedPage(stranger, project_id, import_id), missing)
})

t.test('a page shows all rejected records of an import', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const { import_id } = await sendLibrary(user, project_id, untitled(150))
  await runNextImport(service)
  const { get } = await formSession(service.app, user)
  const address = `/projects/${project_id}/import/${import_id}/rejected`
  t.match((await get(`/projects/${project_id}/import`)).body, `<a href="${address}">All rejected records</a>`)
  const { body } = await get(`${address}?offset=100`)
  t.match(body, /Record 101:.*Record 150:/s)
  t.match(body, /101 to 150/)
  t.equal((await get(`${address}?offset=x`)).statusCode, 400)
})

t.test('rejected records of earlier versions are separated', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const { import_id, job_id } = await sendLibrary(user, project_id, untitled(60))
  await runNextImport(service)
  const all = await listAll(user, project_id, import_id)
  const job = await jobGet.run(user.context, { job_id })
  await sql`update library_import set result = jsonb_set(result, '{rejected}', ${JSON.stringify(all)}::jsonb), more_rejected = null
    where id = ${import_id}`.execute(db)
  await db.updateTable('job').set({ result: JSON.stringify(job.result) }).where('id', '=', job_id).execute()
  const before = await db.selectFrom('library_import').select('result').where('id', '=', import_id).executeTakeFirstOrThrow()
  t.equal(before.result!.rejected.length, 60)
  for (const time of ['once', 'twice']) {
    await separateRejections(db)
    const { items: [imported] } = await libraryImports.run(user.context, { project_id })
    t.equal(imported!.result!.rejected.length, maxListedRejections, time)
    t.strictSame(await listAll(user, project_id, import_id), all)
    t.strictSame(await jobGet.run(user.context, { job_id }), job)
  }
  const { result } = await db.selectFrom('job').select('result').where('id', '=', job_id).executeTakeFirstOrThrow()
  t.notOk('rejected' in result!)
})
