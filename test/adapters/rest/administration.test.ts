import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { accountUpdate } from '../../../src/operations/accounts/account-update.js'
import { feedAtomUrl } from '../../../src/operations/feed/feed-atom-url.js'
import { PermanentFailure } from '../../../src/jobs/failures.js'
import { fetchJob, scoreJob, summariesJob } from '../../../src/jobs/new-jobs.js'
import { serviceState } from '../../../src/operations/administration/service-state.js'
import { sourcesList } from '../../../src/operations/administration/sources-list.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { queueDue } from '../../../src/operations/jobs/queue-due.js'
import { newProjectPreview } from '../../../src/operations/projects/new-project-preview.js'
import { projectCreate } from '../../../src/operations/projects/project-create.js'
import { projectDelete } from '../../../src/operations/projects/project-delete.js'
import { projectFetch } from '../../../src/operations/projects/project-fetch.js'
import { projectsGet } from '../../../src/operations/projects/projects-get.js'
import { post } from '../../support/mcp.js'
import { logIn, projectWith, testService } from '../../support/service.js'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const secrets = /svc(mcp|ft|rt)_|argon2|a secret of the tests|postgres:\/\//

t.test('administration over REST', async t => {
  const service = await testService(t, {
    JOBS: 'off',
    SMTP_URL: 'smtps://someone:smtp-password@mail.example.org',
    MAIL_FROM: 'Litfeed <litfeed@example.org>',
    LLM_URL: 'https://llm.example.org/v1',
    LLM_MODEL: 'a-model',
    LLM_KEY: 'llm-secret'
  })
  const { app, context } = service
  const administrator = await service.user('first@example.org')
  const user = await service.user('second@example.org')
  const { access_token } = await logIn(service, administrator)
  const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, token = access_token) =>
    await app.inject({ method, url: `/api/administration/${url}`, headers: bearer(token), ...(payload === undefined ? {} : { payload }) })
  const accounts = async () =>
    (await call('GET', 'accounts')).json().items as Array<{
      id: string
      email: string
      administrator: boolean
      disabled_at: string | null
      projects: number
      last_used_at: string | null
    }>
  const account = async (email: string) => (await accounts()).find(each => each.email === email)!

  await t.test('requires a session of an administrator', async t => {
    t.match((await app.inject({ url: '/api/auth/me', headers: bearer(access_token) })).json(), {
      email: 'first@example.org',
      administrator: true,
      disabled_at: null
    })
    const { access_token: others } = await logIn(service, user)
    t.match((await app.inject({ url: '/api/auth/me', headers: bearer(others) })).json(), { administrator: false })
    for (const [method, url, payload] of [
      ['GET', 'accounts'],
      ['POST', 'accounts', { email: 'x@example.org' }],
      ['PATCH', `accounts/${user.context.account.id}`, { administrator: true }],
      ['GET', 'jobs'],
      ['GET', 'service'],
      ['GET', 'overview'],
      ['PATCH', 'sources/pubmed', { disabled: true }],
      ['POST', 'jobs/retry', { task: 'fetch-project' }]
    ] as const) {
      const response = await call(method, url, payload, others)
      t.equal(response.statusCode, 403, `${method} ${url}`)
      t.match(response.json(), { code: 'forbidden', detail: /administrator/ })
      t.equal((await call(method, url, payload, administrator.key)).statusCode, 401)
      t.equal(
        (await app.inject({ method, url: `/api/administration/${url}`, ...(payload === undefined ? {} : { payload }) })).statusCode,
        401
      )
    }
    t.equal((await accounts()).length, 2)
  })

  const project_id = await projectWith(user, [{ title: 'A secret interest' }], {
    name: 'Private project',
    positive_keywords: ['sleep'],
    sources: [{ name: 'pubmed', query: 'private question' }]
  })

  await t.test('lists accounts with counts, without contents', async t => {
    const listed = await call('GET', 'accounts')
    t.match(listed.json(), {
      total: 2,
      items: [
        { email: 'first@example.org', administrator: true, projects: 0 },
        { email: 'second@example.org', administrator: false, disabled_at: null, projects: 1, last_used_at: /Z$/ }
      ]
    })
    t.notMatch(listed.body, /Private project|secret interest|password/)
    t.notMatch(listed.body, secrets)
  })

  await t.test('creates an account and shows its generated password once', async t => {
    const made = await call('POST', 'accounts', { email: 'Third@Example.org' })
    t.equal(made.statusCode, 201)
    t.match(made.json(), { email: 'third@example.org', administrator: false, password: /^\w{6}-\w{6}-\w{6}$/ })
    t.equal(made.headers['cache-control'], 'private, no-store')
    t.equal(
      (
        await app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'third@example.org', password: made.json().password }
        })
      ).statusCode,
      200
    )
    t.match((await call('POST', 'accounts', { email: 'third@example.org' })).json(), { code: 'email_taken' })
    t.notOk('password' in (await call('POST', 'accounts', { email: 'fourth@example.org', password: 'a chosen password' })).json())
  })

  await t.test('disables an account everywhere within a second, and re-enables it', async t => {
    const { id } = await account('second@example.org')
    const { access_token: token, refresh_token } = await logIn(service, user)
    const atom = new URL((await feedAtomUrl.run(user.context, { project_id })).url)
    const readAtom = async () => (await app.inject({ url: `${atom.pathname}${atom.search}` })).statusCode
    const logInAgain = async () =>
      await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: user.password } })
    t.strictSame([(await post(service, user.key, ping)).statusCode, await readAtom()], [200, 200])
    await context.queue.enqueue(fetchJob({ id: project_id, account_id: id }))

    t.match((await call('PATCH', `accounts/${id}`, { disabled: true })).json(), { id, disabled_at: /Z$/ })
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer(token) })).statusCode, 401)
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })).statusCode, 401)
    t.equal(await readAtom(), 404)
    t.match((await logInAgain()).json(), { code: 'account_disabled', detail: /disabled/ })
    t.match(
      (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: 'wrong' } })).json(),
      { code: 'unauthorized' },
      'a stranger is not told'
    )
    await wait(1000)
    t.equal((await post(service, user.key, ping)).statusCode, 401)
    t.equal(await context.queue.claim('fetch-project'), undefined, 'what waited does not run')
    t.strictSame(await queueDue.run(context, {}), { queued: 0 }, 'nothing new is queued')

    t.match((await call('PATCH', `accounts/${id}`, { disabled: false })).json(), { disabled_at: null })
    t.strictSame([(await post(service, user.key, ping)).statusCode, await readAtom(), (await logInAgain()).statusCode], [200, 200, 200])
    t.match(await context.queue.claim('fetch-project'), { project_id }, 'what waited runs')
  })

  await t.test('keeps the last administrator enabled', async t => {
    const { id } = await account('first@example.org')
    const third = await account('third@example.org')
    for (const change of [{ disabled: true }, { administrator: false }]) {
      const refused = await call('PATCH', `accounts/${id}`, change)
      t.equal(refused.statusCode, 409)
      t.match(refused.json(), { code: 'last_administrator' })
    }
    t.match((await call('PATCH', `accounts/${third.id}`, { administrator: true })).json(), { administrator: true })
    t.match((await call('PATCH', `accounts/${third.id}`, { disabled: true })).json(), { administrator: true, disabled_at: /Z$/ })
    t.match(
      (await call('PATCH', `accounts/${id}`, { administrator: false })).json(),
      { code: 'last_administrator' },
      'a disabled one does not count'
    )
    await call('PATCH', `accounts/${third.id}`, { disabled: false })
    const both = await Promise.all(
      [id, third.id].map(async each => (await call('PATCH', `accounts/${each}`, { administrator: false })).statusCode)
    )
    t.ok(
      both.includes(200) && (await context.db.selectFrom('account').select('id').where('administrator', '=', true).execute()).length === 1,
      'of two at once, one stays'
    )
    // Either may have stayed.
    await context.db.updateTable('account').set({ administrator: true }).where('id', 'in', [id, third.id]).execute()
    t.match((await call('PATCH', 'accounts/00000000-0000-4000-8000-000000000000', { disabled: true })).json(), {
      code: 'account_not_found'
    })
    t.match((await call('PATCH', `accounts/${id}`, { email: 'x@example.org' })).json(), { code: 'invalid_arguments' })
  })

  await t.test('lists jobs of all accounts without their subject, and retries failed ones', async t => {
    const { id } = await account('second@example.org')
    const { queue } = context
    const job = await queue.enqueue(scoreJob({ id: project_id, account_id: id }))
    await queue.fail((await queue.claim('score-project'))!, new PermanentFailure('It cannot be.'), { retries: 3, retryDelaySeconds: 30 })
    await queue.enqueue({ task: 'convert-markdown', once_key: 'x' })
    const failed = await call('GET', 'jobs?state=failed')
    t.match(failed.json(), {
      items: [
        { id: job.id, task: 'score-project', state: 'failed', account_email: 'second@example.org', attempts: 1, error: 'It cannot be.' }
      ],
      total: 1,
      counts: { waiting: 1, failed: 1, done: 0 },
      has_more: false
    })
    const all = await call('GET', 'jobs?limit=1')
    t.match(all.json(), { limit: 1, has_more: true })
    t.notMatch(failed.body + (await call('GET', 'jobs')).body, new RegExp(`${project_id}|Private project|private question`))
    t.equal((await call('POST', `jobs/${job.id}/retry`)).statusCode, 202)
    t.match((await call('GET', 'jobs?state=failed')).json(), { total: 0 })
    t.match((await call('POST', `jobs/${job.id}/retry`)).json(), { code: 'job_not_found' })
  })

  await t.test('retries all failed jobs of a kind, for each object the newest', async t => {
    const { id: account_id } = await account('second@example.org')
    const { queue, db } = context
    const failed = { task: 'sync-zotero', state: 'failed', account_id, attempts: 4, error: 'Zotero is temporarily unavailable.' } as const
    for (const once_key of ['a', 'a', 'b', 'c']) await db.insertInto('job').values({ ...failed, once_key }).execute()
    await db.insertInto('job').values({ ...failed, task: 'send-alert', once_key: 'a' }).execute()
    await queue.enqueue({ task: 'sync-zotero', once_key: 'c' })
    const third = await account('third@example.org')
    await db.insertInto('job').values({ ...failed, account_id: third.id, once_key: 'd' }).execute()
    await call('PATCH', `accounts/${third.id}`, { disabled: true })
    t.match((await call('GET', 'jobs?state=failed&task=sync-zotero')).json(), { total: 5, counts: { failed: 5, waiting: 1 } })
    t.match((await call('GET', 'overview')).json().jobs, {
      failures: [
        { task: 'sync-zotero', title: 'Sync with Zotero', failed: 4, jobs: [{ error: 'Zotero is temporarily unavailable.' }] },
        { task: 'send-alert', failed: 1 }
      ]
    })
    const both = await Promise.all([1, 2].map(async () => await call('POST', 'jobs/retry', { task: 'sync-zotero' })))
    t.strictSame(both.map(answer => answer.json().retried).sort(), [0, 2], 'of two at once, one')
    const left = await db.selectFrom('job').select('once_key').where('task', '=', 'sync-zotero').where('state', '=', 'failed')
      .orderBy('once_key').execute()
    t.strictSame(left.map(({ once_key }) => once_key), ['c', 'd'], 'those of an unfinished job and of a disabled account')
    await call('PATCH', `accounts/${third.id}`, { disabled: false })
    t.match((await call('GET', 'jobs?state=failed&task=send-alert')).json(), { total: 1 })
    t.match((await call('POST', 'jobs/retry', { task: 'all' })).json(), { code: 'invalid_arguments' })
    await db.deleteFrom('job').where('task', 'in', ['sync-zotero', 'send-alert']).execute()
  })

  await t.test('disables a source for all, says whom that concerns, and enables it again', async t => {
    const administrators = { ...administrator.context, account: { id: administrator.context.account.id } }
    const both = await projectCreate.run(administrators, {
      name: 'Private too',
      positive_keywords: ['memory'],
      sources: [{ name: 'pubmed', query: '' }, { name: 'arxiv', query: 'all:private' }]
    })
    const sourceIn = (body: { items: Array<{ name: string }> }, name = 'pubmed') => body.items.find(each => each.name === name)
    const before = await call('GET', 'sources')
    const affected = [
      { email: 'first@example.org', projects: 1, sole_projects: 0 },
      { email: 'second@example.org', projects: 1, sole_projects: 1 }
    ]
    t.match(sourceIn(before.json()), { state: 'pending', disabled_at: null, projects: 2, users: 2, sole_projects: 1, affected })
    t.match(sourceIn(before.json(), 'crossref'), { state: 'unused', projects: 0, users: 0, affected: { length: 0 } })
    t.notMatch(before.body + (await call('GET', 'overview')).body, new RegExp(`${project_id}|Private|private`))

    const disabled = await call('PATCH', 'sources/pubmed', { disabled: true })
    t.match(disabled.json(), { state: 'disabled', disabled_at: /Z$/, projects: 2, users: 2, sole_projects: 1 })
    t.match(sourceIn((await call('GET', 'sources')).json(), 'arxiv'), { sole_projects: 1 }, 'the other source is the only one left')
    await context.db.deleteFrom('job').execute()
    t.strictSame(await queueDue.run(context, {}), { queued: 1 }, 'only the project with another source is fetched')
    t.strictSame((await projectFetch.run({ ...user.context, ignoreSchedule: true }, { project_id })).sources, [])
    t.match((await projectsGet.run(user.context, { project_id })).source_states, [{ name: 'pubmed', last_error: /administrator/ }])
    t.match((await feedGet.run(user.context, { project_id })).coverage, {
      complete: false,
      failing: [{ source: 'pubmed', message: 'PubMed is disabled by an administrator of this service (disabled).' }]
    })
    const preview = await newProjectPreview.run(user.context, { positive_keywords: ['sleep'], sources: [{ name: 'pubmed', query: '' }] })
    t.match(preview.sources, [{ error: 'An administrator of this service disabled PubMed.' }])
    const { items: listed } = await sourcesList.run(user.context, {})
    t.match(listed.find(({ name }) => name === 'pubmed'), { disabled: true, is_default: true, chosen: true })
    t.match(listed.find(({ name }) => name === 'openalex'), { disabled: false, is_default: false, chosen: false })
    t.strictSame((await serviceState.run(context, {})).sources.map(({ name }) => name), ['arxiv'], 'it is not overdue')

    t.match((await call('PATCH', 'sources/pubmed', { disabled: false })).json(), { state: 'pending', disabled_at: null })
    t.match(await queueDue.run(context, {}), { queued: 1 })
    t.match((await call('PATCH', 'sources/nowhere', { disabled: true })).json(), { code: 'invalid_arguments', detail: /pubmed/ })
    await projectDelete.run(administrators, { project_id: both.id })
    await context.db.deleteFrom('job').execute()
  })

  await t.test('gives an overview of users, jobs, sources and storage', async t => {
    const { id: account_id } = await account('second@example.org')
    const paper = await context.db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
    const text = { paper_id: paper.id, account_id, markdown: 'x'.repeat(5000), warnings: '[]' }
    await context.db.insertInto('markdown').values(text).execute()
    const response = await call('GET', 'overview')
    t.match(response.json(), {
      users: { total: 4, disabled: 0, administrators: 2, open_invitations: 0, items: { length: 4 } },
      storage: { database: { kind: service.service.connection.kind }, disk: { free_bytes: Number }, uploads: { waiting: 0 } },
      ready: true
    })
    t.ok(response.json().users.active >= 2)
    t.match(response.json().users.items.find(({ email }: { email: string }) => email === 'second@example.org'), { storage_bytes: 5000 })
    t.notMatch(response.body, secrets)
    t.notMatch(response.body, /Private project|secret interest|private question/)
  })

  await t.test('a job claimed while its account is re-enabled is not claimed twice', async t => {
    const { id } = await account('second@example.org')
    await context.queue.enqueue(summariesJob({ id: project_id, account_id: id }))
    const claims: unknown[] = []
    const claim = async () => {
      claims.push(await context.queue.claim('write-summaries'))
    }
    for (const disabled of [true, false, false]) {
      await Promise.all([accountUpdate.run(context, { account_id: id, disabled }), claim(), claim()])
    }
    await claim()
    t.equal(claims.filter(each => each !== undefined).length, 1)
  })

  await t.test('reports version, database, size and features without secrets', async t => {
    const response = await call('GET', 'service')
    t.equal(response.statusCode, 200)
    const state = response.json()
    t.match(state, {
      version: /^\d+\.\d+/,
      uptime_seconds: Number,
      ready: true,
      database: { kind: service.service.connection.kind, version: /^\d+\.\d+/, migration: /^\d{4}-/ },
      counts: { accounts: 4, projects: 1, papers: 1, feed_items: 1 }
    })
    t.ok(state.memory_bytes > 1e7 && state.database.bytes > 1e6 && state.disk.total_bytes > state.disk.free_bytes)
    t.ok(state.database.tables.some(({ name, bytes }: { name: string, bytes: number }) => name === 'project_paper' && bytes > 0))
    t.match(state.features.find(({ setting }: { setting: string }) => setting === 'LLM_URL'), { on: true, detail: 'a-model' })
    t.match(state.features.find(({ setting }: { setting: string }) => setting === 'JOBS'), { on: false })
    t.notMatch(response.body, /smtp-password|llm-secret/)
    t.notMatch(response.body, secrets)
  })
})

t.test('only the first registered account is an administrator', async t => {
  const service = await testService(t, { REGISTRATION: 'open' })
  const register = async (email: string) =>
    (await service.app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password: 'long enough a one' } })).json()
  const both = await Promise.all([register('a@example.org'), register('b@example.org')])
  t.strictSame(both.map(({ administrator }) => administrator).sort(), [false, true])
  t.match(await register('c@example.org'), { administrator: false })
})
