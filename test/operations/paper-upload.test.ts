import t from 'tap'
import { DiskFull } from '../../src/files/temporary-files.js'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beginUpload, uploadPartBytes, withdrawUpload } from '../../db/queries/uploads.js'
import { saveOriginText } from '../../db/queries/origin-texts.js'
import { saveMarkdown } from '../../db/queries/markdown.js'
import { ConverterStopped } from '../../src/fulltext/converter-result.js'
import { PermanentFailure } from '../../src/jobs/failures.js'
import { toJobFailure } from '../../src/operations/job-failure.js'
import { convertJob, maxWaitingConversions } from '../../src/jobs/new-jobs.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { paperConvert } from '../../src/operations/papers/paper-convert.js'
import { paperUpload } from '../../src/operations/papers/paper-upload.js'
import { formSession } from '../support/forms.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { readUpload, storeUpload, withReceivedFile } from '../support/uploads.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import type { JobQueue } from '../../src/jobs/queue.js'

const megabyte = 1024 * 1024
const pdfOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 9)])

t.test('an upload is received on disk and stored in parts', async t => {
  const service = await testService(t)
  const { db, installation: { dataDir } } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const { access_token } = await logIn(service, user)
  const upload = async (payload: Buffer, headers = {}) =>
    await service.app.inject({
      method: 'POST',
      url: `/api/papers/${id}/pdf`,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/pdf', ...headers },
      payload
    })
  const files = () => existsSync(join(dataDir, 'temporary')) ? readdirSync(join(dataDir, 'temporary')) : []
  const pdf = pdfOf(2 * megabyte + 5)
  t.equal((await upload(pdf)).statusCode, 202)
  t.ok((await readUpload(db, user.context.account.id, id))!.equals(pdf))
  const { rows: [largest] } = await sql<{ bytes: number }>`select max(octet_length(bytes)) as bytes from pdf_part`.execute(db)
  t.equal(largest!.bytes, uploadPartBytes)
  t.strictSame(files(), [], 'no file remains after an upload')
  t.match((await upload(Buffer.from('no PDF'))).json(), { code: 'invalid_arguments' })
  t.match((await upload(pdfOf(65 * megabyte))).json(), { code: 'payload_too_large', detail: /maximum of 64 MiB/ })
  t.strictSame(files(), [], 'no file remains after a refusal')
  t.match((await upload(Buffer.from('{"path":"/etc/passwd","size":1}'), { 'content-type': 'application/json' })).json(), {
    code: 'unsupported_media_type'
  })
  await t.rejects(
    paperUpload.run(user.context, { paper_id: id, pdf: { path: '/etc/passwd', size: 1 } }),
    { code: 'invalid_arguments' },
    'input cannot name a file'
  )
})

t.test('an upload is refused before it is stored while too many conversions wait', async t => {
  const service = await testService(t)
  const { db, queue } = service.context
  const user = await service.user()
  await projectWith(user, Array.from({ length: maxWaitingConversions }, (_each, at) => ({ title: `Paper ${at}` })))
  const papers = await db.selectFrom('paper').select('id').execute()
  for (const { id } of papers) await queue.enqueue(convertJob(id, user.context.account.id))
  const upload = async () => await withReceivedFile(service.context, pdfOf(1000), async pdf =>
    await paperUpload.run(user.context, { paper_id: papers[0]!.id, pdf }))
  await t.rejects(upload(), { code: 'rate_limited', message: /50 waiting jobs/ })
  t.equal((await db.selectFrom('pdf_upload').select('id').execute()).length, 0)
  await queue.claim('convert-markdown')
  t.match(await upload(), { created: true })
})

t.test('the page of a paper is shown while its text waits for conversions of others', async t => {
  const service = await testService(t)
  const user = await service.user()
  await projectWith(user, Array.from({ length: maxWaitingConversions }, (_each, at) => ({ title: `Paper ${at}` })))
  for (const { id } of await service.context.db.selectFrom('paper').select('id').execute()) {
    await service.context.queue.enqueue(convertJob(id, user.context.account.id))
  }
  const project_id = await projectWith(user, [{ title: 'A paper that waits', pdf_url: 'https://example.org/a.pdf' }])
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const browser = await formSession(service.app, user)
  const { statusCode, body } = await browser.get(`/papers/${item!.paper.id}`)
  t.equal(statusCode, 200)
  t.match(body, /Other texts of yours come first\..*This page updates by itself/s)
  t.notMatch(body, /Converting|Waiting to start/)
})

t.test('a text that is being read stays while one’s own PDF is converted', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'A paper that is read' }])
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const paper_id = item!.paper.id
  await saveMarkdown(service.context.db, { paper_id, markdown: 'The text.', origin: 'jats', converter: 'test' })
  await withReceivedFile(service.context, pdfOf(1000), async pdf => await paperUpload.run(user.context, { paper_id, pdf }))
  const { body } = await (await formSession(service.app, user)).get(`/papers/${paper_id}`)
  t.match(body, 'The text.')
  t.notMatch(/<section id="text"[^>]*>/.exec(body)![0], /hx-trigger/)
  t.match(/<div id="upload-progress"[^>]*>/.exec(body)![0], /hx-trigger="every 3s".*data-swapped-at-end="#text"/)
})

t.test('one’s own PDF and its text can be removed again', async t => {
  const service = await testService(t)
  const { db } = service.context
  const [user, other] = [await service.user(), await service.user()]
  const project_id = await projectWith(user, [{ title: 'A paper' }])
  const { items: [item] } = await feedGet.run(user.context, { project_id })
  const paper_id = item!.paper.id
  const textOf = async (owner: string | null, origin: string, markdown: string) =>
    await saveMarkdown(db, { paper_id, account_id: owner, markdown, origin, converter: 'test' }, {
      partStarts: [0, 4],
      sections: []
    })
  await textOf(null, 'jats', 'The open text.')
  await textOf(user.context.account.id, 'upload', 'The text of my PDF.')
  await textOf(other.context.account.id, 'upload', 'The text of another’s PDF.')
  const { created_at } = await storeUpload(db, { account_id: user.context.account.id, paper_id, bytes: pdfOf(1000) })
  t.match(await paperMarkdown.run(user.context, { paper_id }), { markdown: 'The text of my PDF.' })

  const browser = await formSession(service.app, user)
  t.match((await browser.get(`/papers/${paper_id}`)).body, /Your PDF|Remove your PDF’s text/)
  const removed = await browser.post(`/papers/${paper_id}`, { action: 'delete_upload' })
  t.match(removed, { statusCode: 303 })
  t.match(await paperMarkdown.run(user.context, { paper_id }), { markdown: 'The open text.' })
  t.equal(await withdrawUpload(db, user.context.account.id, paper_id, created_at), false, 'a conversion that ends now saves no text')
  t.strictSame(await db.selectFrom('pdf_upload').selectAll().execute(), [])
  t.strictSame(
    (await db.selectFrom('markdown').select('account_id').distinct().orderBy('account_id').execute()).map(({ account_id }) => account_id),
    [other.context.account.id, null],
    'other texts stay'
  )
  const { access_token } = await logIn(service, user)
  t.match(
    (await service.app.inject({
      method: 'DELETE', url: `/api/papers/${paper_id}/pdf`, headers: { authorization: `Bearer ${access_token}` }
    })).json(),
    { code: 'not_found', detail: /^You have no uploaded PDF of this paper\./ }
  )
})

t.test('an account has a quota on pending PDFs and on the texts of its uploads', async t => {
  const service = await testService(t, { UPLOAD_QUOTA: '3' })
  const { db, fulltext } = service.context
  const user = await service.user()
  const other = await service.user()
  const project_id = await projectWith(user, [{ title: 'One' }, { title: 'Two' }])
  const [one, two] = (await db.selectFrom('paper').select('id').orderBy('title').execute()) as [{ id: string }, { id: string }]
  const upload = async (paper_id: string, bytes: number, context = user.context) =>
    await withReceivedFile(service.context, pdfOf(bytes), async pdf => await paperUpload.run(context, { paper_id, pdf }))
  await upload(one.id, 2 * megabyte)
  const limited = { ...user.context, key: { id: '', name: 'Limited', scope: 'act', projectIds: [project_id] } as const }
  await t.rejects(upload(two.id, 2 * megabyte, limited), {
    code: 'quota_exceeded',
    message: /^This PDF is 2 MiB, and your account has less space left for uploads\. Upload it again later, upload a smaller PDF, or ask/
  }, 'a key for some projects learns no totals of the account')
  await t.rejects(upload(two.id, 2 * megabyte), {
    code: 'quota_exceeded',
    status: 413,
    message: /is 2 MiB\. Of your 3 MiB, .* use 2 MiB .*Wait until they are converted.*UPLOAD_QUOTA/
  })
  const begun = await beginUpload(db, {
    account_id: other.context.account.id,
    paper_id: two.id,
    size_bytes: 2 * megabyte,
    maxAccountBytes: 3 * megabyte
  })
  t.match(begun, { id: String }, 'others have their own quota')
  const convertPdf = async () => ({ markdown: 'a'.repeat(1.5 * megabyte), converter: 'test', warnings: [], pages: 1 })
  await paperConvert.run(
    { ...service.context, fulltext: { ...fulltext, convertPdf } },
    { paper_id: one.id, uploaded_by: user.context.account.id }
  )
  await t.rejects(upload(two.id, 2 * megabyte), {
    code: 'quota_exceeded',
    message: /texts of your uploads and imported papers use 1\.5 MiB\. Upload a smaller PDF/
  })
  t.match(await upload(two.id, megabyte), { created: true })
})

t.test('the text of an upload must fit the quota in place of the PDF and of the earlier text', async t => {
  const service = await testService(t, { UPLOAD_QUOTA: '2' })
  const { db, fulltext } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const uploaded_by = user.context.account.id
  const convert = async (size: number) => {
    await withReceivedFile(service.context, pdfOf(megabyte / 2), async pdf => await paperUpload.run(user.context, { paper_id, pdf }))
    const convertPdf = async () => ({ markdown: 'a'.repeat(size), converter: 'test', warnings: [], pages: 1 })
    return await paperConvert.run({ ...service.context, fulltext: { ...fulltext, convertPdf } }, { paper_id, uploaded_by })
  }
  t.match(await convert(1.5 * megabyte), { origin: 'upload' })
  t.match(await convert(1.25 * megabyte), { origin: 'upload' }, 'it replaces the text of before')
  const isFull = { constructor: PermanentFailure, message: /is full\..*UPLOAD_QUOTA\. Then upload the PDF again\./ }
  await t.rejects(convert(2 * megabyte + 1), isFull)
  const texts = await db.selectFrom('markdown').select('characters').where('start', '=', 0).execute()
  t.strictSame(texts, [{ characters: 1.25 * megabyte }], 'the earlier text stays')
  t.strictSame(await db.selectFrom('pdf_upload').selectAll().execute(), [], 'the PDF does not use the quota')
})

t.test('the text of one’s own PDF stays when that of an origin is saved', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const text = { paper_id, markdown: 'Own.\n\nText.', origin: 'upload', converter: 'test' }
  await saveMarkdown(db, { ...text, account_id: user.context.account.id }, { partStarts: [0, 6], sections: [] })
  // Its first part becomes the last row, and the table is known to be small enough to be read as a whole.
  await db.updateTable('markdown').set({ read_at: new Date() }).where('start', '=', 0).execute()
  await sql`analyze markdown`.execute(db)
  t.ok(await saveOriginText(db, { ...text, markdown: 'Open.', origin: 'pdf', division: { partStarts: [0], sections: [] } }, megabyte))
  t.match(await paperMarkdown.run(user.context, { paper_id }), { markdown: text.markdown })
})

t.test('an upload stays if its converter is stopped from outside', async t => {
  const service = await testService(t)
  const { db, fulltext } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const uploaded_by = user.context.account.id
  await storeUpload(db, { account_id: uploaded_by, paper_id, bytes: pdfOf(1000) })
  const convertPdf = async () => { throw new ConverterStopped('The converter was stopped (SIGKILL).') }
  const failure: unknown = await paperConvert.run({ ...service.context, fulltext: { ...fulltext, convertPdf } }, { paper_id, uploaded_by })
    .catch(toJobFailure)
  t.match(failure, { message: 'The converter was stopped (SIGKILL).' }, 'people read why')
  t.notOk(failure instanceof PermanentFailure, 'another attempt follows')
  t.equal((await readUpload(db, uploaded_by, paper_id))?.length, 1000)
})

t.test('texts from origins count towards the quota of the account that owns the paper', async t => {
  const service = await testService(t, { UPLOAD_QUOTA: '1' })
  const { db, fulltext } = service.context
  const user = await service.user()
  const pdf_url = 'https://example.org/a.pdf'
  await projectWith(user, ['One', 'Two', 'Three', 'Four'].map(title => ({ title, pdf_url })))
  const { id: shared_id } = await db.updateTable('paper').set({ account_id: null }).where('title', '=', 'Four').returning('id')
    .executeTakeFirstOrThrow()
  const papers = await db.selectFrom('paper').select('id').where('account_id', 'is not', null).orderBy('id').execute()
  const [one, two, three] = papers.map(({ id }) => id) as [string, string, string]
  let fetches = 0
  const convert = async (paper_id: string, size: number, { isDiskFull = false } = {}) => {
    const convert = async () => ({ markdown: 'a'.repeat(size), converter: 'test', warnings: [], pages: 1 })
    const downloadGuarded = async () => {
      if (isDiskFull) throw new DiskFull('/data')
      return { remove: async () => {} }
    }
    const origin = { ...fulltext.originContext(service.context.files), downloadGuarded, convert }
    const stubbed = {
      ...service.context,
      fulltext: { ...fulltext, originContext: () => { fetches++; return origin } }
    } as unknown as ServiceContext
    return await paperConvert.run(stubbed, { paper_id, uploaded_by: null })
  }
  const isFull = { message: /texts of imported papers is full.*UPLOAD_QUOTA/ }

  await t.rejects(convert(one, 1, { isDiskFull: true }), { message: 'The disk of the service is nearly full.' })
  t.match(await convert(one, 0.75 * megabyte), { origin: 'pdf' })
  await t.rejects(convert(two, 0.5 * megabyte), isFull)
  t.match(await convert(two, 0.25 * megabyte), { origin: 'pdf' })
  t.equal(fetches, 4)
  await t.rejects(convert(three, 1), isFull)
  t.equal(fetches, 4, 'nothing is fetched for a full quota')
  await t.rejects(paperMarkdown.run(user.context, { paper_id: three }), { code: 'quota_exceeded', ...isFull })
  const browser = await formSession(service.app, user)
  t.match(await browser.get(`/papers/${three}`), { statusCode: 200, body: /texts of imported papers is full\. Delete .* or ask your administrator/ })
  t.match(await convert(shared_id, megabyte), { origin: 'pdf' }, 'texts of shared papers do not count')
  t.strictSame(
    await db.selectFrom('markdown').select(['paper_id', 'account_id']).where('characters', 'is not', null)
      .orderBy('account_id').orderBy('paper_id').execute(),
    [...[one, two].map(paper_id => ({ paper_id, account_id: user.context.account.id })), { paper_id: shared_id, account_id: null }]
  )
  t.match(await paperMarkdown.run(user.context, { paper_id: one }), { status: 'ready' })
})

t.test('concurrent uploads share the quota', async t => {
  const { context: { db }, user } = await testService(t)
  const { context, ...one } = await user()
  await projectWith({ context, ...one }, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const begin = async () => await beginUpload(db, { account_id: context.account.id, paper_id, size_bytes: 60, maxAccountBytes: 100 })
  const begun = await Promise.all([begin(), begin(), begin()])
  t.equal(begun.filter(each => 'id' in each).length, 1)
})

t.test('an upload without its job is not kept', async t => {
  const service = await testService(t)
  const { db, queue } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const upload = async (context: Context) =>
    await withReceivedFile(service.context, pdfOf(1000), async pdf => await paperUpload.run(context, { paper_id, pdf }))
  const ending: JobQueue = {
    ...queue,
    enqueue: async (job, { isWanted, ...options } = {}) => await queue.enqueue(job, {
      ...options,
      async isWanted (transaction) {
        await isWanted?.(transaction)
        throw new Error('The database has ended.')
      }
    })
  }
  await t.rejects(upload({ ...user.context, queue: ending }), { message: 'The database has ended.' })
  const counted = async (table: 'pdf_upload' | 'job') => (await db.selectFrom(table).selectAll().execute()).length
  t.strictSame([await counted('pdf_upload'), await counted('job')], [0, 0])
  t.match(await upload(user.context), { created: true })
  t.match(await upload(user.context), { created: true }, 'the new one replaces it')
  t.strictSame([await counted('pdf_upload'), await counted('job')], [1, 2])
})

t.test('deletes an upload of a stopped process after an hour', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const account_id = user.context.account.id
  const ids: string[] = []
  for (const hours of [0, 2]) {
    const { id } = await beginUpload(db, { account_id, paper_id, size_bytes: 10, maxAccountBytes: Infinity }) as { id: string }
    await db.updateTable('pdf_upload').set({ created_at: new Date(Date.now() - hours * 60 * 60 * 1000) }).where('id', '=', id).execute()
    ids.push(id)
  }
  const { created_at } = await storeUpload(db, { account_id, paper_id, bytes: Buffer.from('%PDF-') })
  await db
    .updateTable('pdf_upload')
    .set({ created_at: new Date(created_at.getTime() - 24 * 60 * 60 * 1000) })
    .where('complete', '=', true)
    .execute()
  await maintenance.run(service.context, {})
  t.strictSame(await db.selectFrom('pdf_upload').select('id').where('complete', '=', false).execute(), [{ id: ids[0] }])
  t.ok(
    await withdrawUpload(db, account_id, paper_id, new Date(created_at.getTime() - 24 * 60 * 60 * 1000)),
    'a complete one waits for its conversion'
  )
})

t.test('converts an upload for the merged paper after a concurrent merge', async t => {
  const service = await testService(t)
  const { db, fulltext } = service.context
  const converted = { markdown: '# Mine', converter: 'test', warnings: [], pages: 1 }
  /** Converts by doing something else meanwhile. */
  const meanwhile = (run: () => Promise<unknown>): ServiceContext => ({
    ...service.context,
    fulltext: {
      ...fulltext,
      convertPdf: async () => {
        await run()
        return converted
      }
    }
  })

  for (const moment of ['before it is looked for', 'while it is converted'] as const) {
    const user = await service.user()
    const project_id = await projectWith(user, [{ title: 'Kept' }, { title: 'Gone' }])
    const { items } = await feedGet.run(user.context, { project_id })
    const [kept, gone] = ['Kept', 'Gone'].map(title => items.find(({ paper_title }) => paper_title === title)!.paper.id) as [string, string]
    const uploaded_by = user.context.account.id
    await storeUpload(db, { account_id: uploaded_by, paper_id: gone, bytes: Buffer.from('%PDF-') })
    const merge = async () => await db.transaction().execute(async transaction => await mergePapers(transaction, kept, gone))
    if (moment === 'before it is looked for') await merge()
    await t.rejects(paperConvert.run(meanwhile(merge), { paper_id: gone, uploaded_by }), { message: /was merged with another/ }, moment)
    t.match(await paperConvert.run(meanwhile(async () => {}), { paper_id: kept, uploaded_by }), { origin: 'upload' })
    t.match(await paperMarkdown.run(user.context, { paper_id: gone }), { status: 'ready', markdown: '# Mine' })
  }
})
