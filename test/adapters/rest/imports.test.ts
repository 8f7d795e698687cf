import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { maxLibraryBytes } from '../../../schemas/library-import.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { papersImport } from '../../../src/operations/papers/papers-import.js'
import { sampleFiles } from '../../support/samples.js'
import { projectWith, testService } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('importing a file over REST', async t => {
  const service = await testService(t)
  const user = await service.user()
  const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'import-library'))
  t.teardown(async () => await workers.stop(0))
  const { api_key: act } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const temporary = join(service.context.installation.dataDir, 'temporary')
  const received = () => existsSync(temporary) ? readdirSync(temporary) : []
  const post = async (project_id: string, form: FormData | { body: string, type: string }, key = act) => {
    const request = form instanceof FormData ? new Request('http://localhost/', { method: 'POST', body: form }) : undefined
    const payload = request === undefined ? (form as { body: string }).body : Buffer.from(await request.arrayBuffer())
    const type = request === undefined ? (form as { type: string }).type : request.headers.get('content-type')!
    return await service.app.inject({
      method: 'POST',
      url: `/api/projects/${project_id}/imports`,
      headers: { 'x-api-key': key, 'content-type': type },
      payload
    })
  }
  const formOf = (content: Buffer | string, { name = 'library.ris', ...fields }: Record<string, string> = {}) => {
    const form = new FormData()
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer> | string]), name)
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    return form
  }
  const job = async (job_id: string) => (await service.app.inject({ url: `/api/jobs/${job_id}`, headers: { 'x-api-key': act } })).json()
  const finished = async (job_id: string) => {
    await until(async () => ['done', 'failed'].includes((await job(job_id)).state))
    return await job(job_id)
  }
  const feed = async (project_id: string) =>
    (await service.app.inject({ url: `/api/projects/${project_id}/feed?limit=100`, headers: { 'x-api-key': act } })).json()

  for (const { name, path, bytes } of sampleFiles()) {
    await t.test(`${name} becomes a job with the result of the command`, async t => {
      const [project_id, other] = [await projectWith(user, []), await projectWith(user, [])]
      const answer = await post(project_id, formOf(bytes, { name }))
      t.equal(answer.statusCode, 202)
      t.match(answer.json(), { job_id: /^[0-9a-f-]{36}$/, import_id: /^[0-9a-f-]{36}$/, created: true })
      const { state, result, progress } = await finished(answer.json().job_id)
      t.equal(state, 'done')
      const { rejected, ...counts } = await papersImport.run(user.context, { project_id: other, files: [path] })
      t.strictSame(result, { ...counts, rejected: rejected.map(each => ({ ...each, file: name })) })
      t.strictSame(progress, { bytes: bytes.length, total_bytes: bytes.length, read: counts.read })
      t.equal((await feed(project_id)).total, counts.created)
    })
  }

  await t.test('the vote option upvotes added papers', async t => {
    const project_id = await projectWith(user, [])
    const { job_id } = (await post(project_id, formOf('TY  - JOUR\nTI  - Sleep\nER  -\n', { vote: 'upvote' }))).json()
    t.match(await finished(job_id), { state: 'done', result: { created: 1 } })
    t.match(await feed(project_id), { items: [{ feedback: { vote: 'upvote' } }] })
  })

  await t.test('rejects other files with a reason and deletes them', async t => {
    const project_id = await projectWith(user, [])
    const ris = 'TY  - JOUR\nTI  - Sleep\nER  -\n'
    const refused = async (form: Parameters<typeof post>[1], key?: string) => {
      const answer = await post(project_id, form, key)
      return [answer.statusCode, answer.json().code, answer.json().detail]
    }
    t.match(await refused(formOf('')), [400, 'invalid_arguments', /file is empty/])
    t.match(await refused(formOf('Dear reader')), [400, 'invalid_arguments', /file has an unknown format\. Formats: .*ris.*opml/])
    t.match(await refused(formOf(ris, { vote: 'star' })), [400, 'invalid_arguments', /vote .*none.*upvote/])
    t.match(await refused(formOf(ris, { surprise: '1' })), [400, 'invalid_arguments', /surprise/])
    t.match(await refused(new FormData()), [400, 'invalid_arguments'])
    const text = new FormData()
    text.append('file', ris)
    t.match(await refused(text), [400, 'invalid_arguments', /file/])
    t.match(await refused({ body: ris, type: 'application/x-research-info-systems' }), [
      415,
      'unsupported_media_type',
      /multipart\/form-data/
    ])
    t.match(await refused({ body: '{"file":{"path":"/etc/passwd","size":1}}', type: 'application/json' }), [415, 'unsupported_media_type'])
    t.match(await refused({ body: '--part\r\nnot a form', type: 'multipart/form-data; boundary=part' }), [400, 'invalid_arguments'])
    t.match(await refused(formOf(Buffer.alloc(maxLibraryBytes + 1, 'T'))), [
      413,
      'payload_too_large',
      /^The file “[^”]+” exceeds the maximum of 20 MiB/
    ])
    t.match(await refused(formOf(ris), user.key), [403, 'forbidden', /read-only/])
    const stranger = await service.user()
    const theirs = await post(await projectWith(stranger, []), formOf(ris))
    t.match([theirs.statusCode, theirs.json().code], [404, 'project_not_found'])
    const { api_key: limited } = await keyCreate.run(user.context, {
      name: 'Limited',
      scope: 'act',
      project_ids: [await projectWith(user, [])]
    })
    t.match(await refused(formOf(ris), limited), [404, 'project_not_found'])
    t.equal((await feed(project_id)).total, 0)
    t.strictSame(received(), [])
  })
})
