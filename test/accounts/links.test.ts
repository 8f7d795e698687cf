import { sql } from 'kysely'
import t from 'tap'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import type { ClaimedJob } from '../../src/jobs/queue.js'
import { accountUpdate } from '../../src/operations/accounts/account-update.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { passwordReset } from '../../src/operations/accounts/password-reset.js'
import { formSession } from '../support/forms.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { logIn, testService } from '../support/service.js'
import { until } from '../support/until.js'

t.test('password reset by mail', async t => {
  const mail = await mailServer(t)
  const clock = { ms: Date.now() }
  const service = await testService(
    t,
    { SMTP_URL: mail.url, MAIL_FROM: 'Litfeed <litfeed@example.org>', BASE_URL: 'https://litfeed.example.org/lab' },
    () => new Date(clock.ms)
  )
  const { app, context } = service
  await service.user('administrator@example.org')
  let callers = 0
  const call = async (path: string, payload: object, remoteAddress = `192.0.2.${++callers}`) =>
    await app.inject({ method: 'POST', url: `/api/auth/password-reset${path}`, payload, remoteAddress })
  /** Runs the job that sends a link, and returns the token in its mail. */
  const sendLink = async () => {
    let job: ClaimedJob | undefined
    await until(async () => (job = await context.queue.claim('send-password-reset')) !== undefined)
    const { run } = tasks.find(({ task }) => task === 'send-password-reset')!
    const sent = mail.mails.length
    await run({ ...context, signal: new AbortController().signal }, job!)
    await context.queue.complete(job!, {})
    t.equal(mail.mails.length, sent + 1)
    return /svcpr_[0-9A-Za-z]{32}/.exec(decodeMail(mail.mails.at(-1)!))![0]
  }
  /** Waits for mails that requests queue without being awaited. */
  const queued = async () => await until(async () => {
    const { inUse, waiting } = context.installation.pool()
    return inUse + waiting === 0
  })
  const countLinks = async () => (await context.db.selectFrom('password_reset').select('used').execute()).length

  await t.test('sends a single-use link that ends sessions and optionally revokes keys', async t => {
    const user = await service.user('reader@example.org')
    const { access_token } = await logIn(service, user)
    for (let wrong = 0; wrong < 11; wrong++) {
      await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: 'a wrong one' } })
    }
    t.match(await call('', { email: ' Reader@Example.org'.trim() }), { statusCode: 202, body: '{}' })
    const token = await sendLink()
    const text = decodeMail(mail.mails.at(-1)!)
    t.match(text, /^To: reader@example.org\r$/m)
    t.match(text, /^Subject: Reset your Litfeed password\r$/m)
    t.match(text, new RegExp(`text/plain[^]*https://litfeed.example.org/lab/reset-password\\?token=${token}[^]*text/html[^]*href="https://litfeed`))
    t.match(text, /works once, for one hour[^]*ignore this email/)
    const rows = JSON.stringify(await context.db.selectFrom('password_reset').selectAll().execute())
    t.notMatch(rows, token, 'only its hash is stored')

    t.match((await call('/confirm', { token: `${token.slice(0, -1)}_`, new_password: 'a new long password' })).json(), { code: 'forbidden' })
    t.match((await call('/confirm', { token, new_password: 'short' })).json(), { code: 'invalid_arguments' })
    t.equal((await call('/confirm', { token, new_password: 'a new long password', revoke_keys: true }, '127.0.0.1')).statusCode, 204)
    t.match((await call('/confirm', { token, new_password: 'another long password' })).json(), { code: 'forbidden' }, 'it works once')
    const me = await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${access_token}` } })
    t.equal(me.statusCode, 401, 'sessions ended')
    t.equal((await app.inject({ url: '/api/projects', headers: { 'x-api-key': user.key } })).statusCode, 401, 'keys are revoked')
    const login = async (password: string) =>
      (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password } })).statusCode
    t.equal(await login('a new long password'), 200, 'earlier wrong passwords do not lock out who has just reset theirs')
    t.equal(await login(user.password), 401)
  })

  await t.test('does not reveal whether an account exists', async t => {
    const sent = mail.mails.length
    const known = await call('', { email: 'administrator@example.org' })
    const unknown = await call('', { email: 'nobody@example.org' })
    t.strictSame([unknown.statusCode, unknown.body], [known.statusCode, known.body])
    const [first, second] = [await formSession(app), await formSession(app)]
    const pages = [
      await first.post('/forgot-password', { action: 'request', email: 'administrator@example.org' }),
      await second.post('/forgot-password', { action: 'request', email: 'nobody@example.org' })
    ]
    t.strictSame(pages.map(({ statusCode, headers }) => [statusCode, headers.location]), [
      [303, '/lab/forgot-password?sent=true'],
      [303, '/lab/forgot-password?sent=true']
    ])
    await queued()
    await sendLink()
    t.equal(await context.queue.claim('send-password-reset'), undefined, 'two requests are one mail, and the other address gets none')
    t.equal(mail.mails.length, sent + 1)
    const disabled = await service.user('disabled@example.org')
    await accountUpdate.run(context, { account_id: disabled.context.account.id, disabled: true })
    t.equal((await call('', { email: disabled.email })).statusCode, 202)
    await queued()
    t.equal(await context.queue.claim('send-password-reset'), undefined)
  })

  await t.test('is rate limited per account, caller and address', async t => {
    const before = await countLinks()
    const user = await service.user('often@example.org')
    for (let link = 0; link < 3; link++) {
      await call('', { email: user.email })
      await sendLink()
    }
    t.equal((await call('', { email: user.email })).statusCode, 202, 'which is not said')
    t.equal((await call('', { email: user.email })).statusCode, 202)
    t.equal(await countLinks(), before + 3)
    for (const email of [user.email, 'unknown@example.org']) {
      const statuses = []
      for (let at = 0; at < 6; at++) statuses.push((await call('', { email })).statusCode)
      t.equal(statuses.at(-1), 429, 'whether or not it has an account')
    }
    const fromOne = []
    for (let at = 0; at < 21; at++) fromOne.push(await call('', { email: `somebody${at}@example.org` }, '198.51.100.1'))
    t.equal(fromOne.at(-2)!.statusCode, 202)
    t.match(fromOne.at(-1)!, { statusCode: 429, headers: { 'retry-after': /\d+/ } })
  })

  await t.test('expires the link after an hour or a password change', async t => {
    const user = await service.user('late@example.org')
    const { get } = await formSession(app)
    const offers = async (token: string) => /name="new_password"/.test((await get(`/reset-password?token=${token}`)).body)
    await call('', { email: user.email })
    const first = await sendLink()
    t.ok(await offers(first))
    clock.ms += 61 * 60 * 1000
    t.notOk(await offers(first))
    t.equal((await call('/confirm', { token: first, new_password: 'a new long password' })).statusCode, 403)
    await call('', { email: user.email })
    const second = await sendLink()
    await passwordReset.run(context, { email: user.email })
    t.notOk(await offers(second))
    t.equal((await call('/confirm', { token: second, new_password: 'a new long password' })).statusCode, 403)
    clock.ms += 26 * 60 * 60 * 1000
    await maintenance.run(context, {})
    t.equal(await countLinks(), 0, 'upkeep deletes them')
  })

  await t.test('retries a rejected mail with a new link', async t => {
    const user = await service.user('again@example.org')
    await call('', { email: user.email })
    mail.state.refuse = 1
    await t.rejects(sendLink(), { message: 'The mail server rejected the mail (SMTP status 451).' })
    t.equal(await countLinks(), 0)
    const waiting = { state: 'waiting', locked_by: null, run_at: new Date(0) } as const
    await context.db.updateTable('job').set(waiting).where('state', '=', 'running').execute()
    await sendLink()
    t.equal(await countLinks(), 1)
  })

  await t.test('works once under concurrency, and still works after an error', async t => {
    const user = await service.user('twice@example.org')
    const { access_token } = await logIn(service, user)
    await call('', { email: user.email })
    const token = await sendLink()
    await sql`create function refuse () returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(context.db)
    await sql`create trigger refuse before delete on session for each row execute function refuse()`.execute(context.db)
    t.equal((await call('/confirm', { token, new_password: 'a new long password' })).statusCode, 500)
    await sql`drop trigger refuse on session`.execute(context.db)
    await sql`drop function refuse`.execute(context.db)
    const bearer = { authorization: `Bearer ${access_token}` }
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode, 200, 'nothing was changed')
    const answers = await Promise.all([1, 2, 3].map(async at => await call('/confirm', { token, new_password: `a new long password ${at}` })))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [204, 403, 403])
    t.equal((await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode, 401)
  })

  await t.test('works without scripts and keeps the form values', async t => {
    const user = await service.user('pages@example.org')
    const { get, post, request } = await formSession(app, user)
    t.match((await get('/forgot-password')).body, /Send link/)
    t.match((await get('/forgot-password?sent=true')).body, /If an account with this address exists/)
    await call('', { email: user.email })
    const token = await sendLink()
    const url = `/reset-password?token=${token}`
    const fields = { action: 'reset', token, new_password: 'a new long password', repeated: 'a new long passwort' }
    const refused = await post(url, fields)
    t.equal(refused.statusCode, 400)
    t.match(refused.body, /must be the same in both fields/)
    t.match(refused.body, `value="${token}"`)
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(refused.body)![1]!
    const done = await request('POST', '/reset-password', { ...fields, csrf_token, repeated: fields.new_password })
    t.match(done, { statusCode: 303, headers: { location: '/lab/login' } })
    t.match((await get('/login')).body, /Password changed. Every session was ended/)
    t.match((await get(url)).body, /Request a new link/)
  })
})

t.test('without mail, the page refers to the administrator', async t => {
  const { app, user } = await testService(t)
  await user()
  const { get } = await formSession(app)
  t.match((await get('/login')).body, /href="\/forgot-password"/)
  const { body } = await get('/forgot-password')
  t.match(body, /cannot send email[^]*litfeed user reset-password/)
  t.notMatch(body, /Send link/)
  const response = await app.inject({ method: 'POST', url: '/api/auth/password-reset', payload: { email: 'a@example.org' } })
  t.match(response.json(), { code: 'not_found', detail: /cannot send email\. Ask its operator/ })
})
