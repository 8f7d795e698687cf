import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { accountUpdate } from '../../../src/operations/accounts/account-update.js'
import { feedAtomUrl } from '../../../src/operations/feed/feed-atom-url.js'
import { PermanentFailure } from '../../../src/jobs/failures.js'
import { fetchJob, scoreJob, summariesJob } from '../../../src/jobs/new-jobs.js'
import { queueDue } from '../../../src/operations/jobs/queue-due.js'
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
      ['GET', 'service']
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
    await context.db.updateTable('account').set({ administrator: true }).where('id', '=', id).execute()
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
