import t from 'tap'
import { invitationCreate } from '../../src/operations/invitations/invitation-create.js'
import { accountDelete } from '../../src/operations/accounts/account-delete.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { formSession } from '../support/forms.js'
import { sessions } from '../support/callers.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { testService } from '../support/service.js'
import { dayMs } from '../../schemas/durations.js'

const password = 'a long password'

t.test('invitation links', async t => {
  const clock = { ms: Date.now() }
  const service = await testService(t, { REGISTRATION: 'closed', BASE_URL: 'https://litfeed.example.org/lab' }, () => new Date(clock.ms))
  const { app, context } = service
  const administrator = await service.user('administrator@example.org')
  const session = sessions(service, administrator)
  const manage = async (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) =>
    await app.inject({ method, url: `/api/administration/invitations${path}`, headers: await session(), ...(payload === undefined ? {} : { payload }) })
  /** Creates a link. @returns it with the token of its address */
  const invite = async (input: object = {}) => {
    const response = await manage('POST', '', input)
    t.equal(response.statusCode, 201, response.body)
    const { url, ...link } = response.json()
    return { ...link, token: new URL(url).searchParams.get('token')!, url }
  }
  let callers = 0
  const register = async (email: string, invitation: string, remoteAddress = `192.0.2.${++callers}`) =>
    await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password, invitation }, remoteAddress })
  const found = async (id: string) => (await manage('GET')).json().items.find((link: { id: string }) => link.id === id)

  await t.test('create an account where registration is closed, as often as they have uses', async t => {
    t.match((await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email: 'a@example.org', password } })).json(), {
      code: 'registration_closed'
    })
    const link = await invite({ uses: 3, note: ' For the\u202e  lab\n' })
    t.match(link.url, /^https:\/\/litfeed\.example\.org\/lab\/sign-up\?token=svcin_\w{32}$/)
    t.match(link, { state: 'open', email: null, note: 'For the lab', uses: 3, used: 0, created_by: 'administrator@example.org' })
    t.notMatch(JSON.stringify(await context.db.selectFrom('invitation').selectAll().execute()), link.token, 'only its hash is stored')
    t.notMatch((await manage('GET')).body, 'svcin_')
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_each, at) => await register(`person${at}@example.org`, link.token, '198.51.100.1'))
    )
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 201, 201, 403, 403, 403, 403, 403])
    for (const answer of answers) {
      if (answer.statusCode === 201) t.match(answer.json(), { administrator: false, disabled_at: null })
      else t.match(answer.json(), { code: 'forbidden', detail: /was used already/ })
    }
    t.match(await found(link.id), { state: 'used', used: 3 })
    t.equal((await context.db.selectFrom('account').select('id').execute()).length, 4)
    const { email } = answers.find(({ statusCode }) => statusCode === 201)!.json()
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })).statusCode, 200)
  })

  await t.test('are refused with the reason once they are expired or revoked, or unknown', async t => {
    const [expiring, revoked] = [await invite({ expires_at: new Date(clock.ms + dayMs).toISOString() }), await invite()]
    t.equal((await manage('DELETE', `/${revoked.id}`)).statusCode, 204)
    t.match((await manage('DELETE', `/${revoked.id}`)).json(), { code: 'not_found' })
    clock.ms += 2 * dayMs
    t.match((await register('late@example.org', expiring.token)).json(), { code: 'forbidden', detail: /has expired/ })
    t.match((await register('late@example.org', revoked.token)).json(), { code: 'forbidden', detail: /was revoked/ })
    for (const token of [`${expiring.token.slice(0, -1)}_`, `${expiring.token.slice(0, -2)}zz`, 'svcsh_x']) {
      t.match((await register('late@example.org', token)).json(), { code: 'forbidden', detail: /does not exist/ })
    }
    t.match([await found(expiring.id), await found(revoked.id)], [{ state: 'expired' }, { state: 'revoked' }])
    const { get } = await formSession(app)
    t.match((await get(`/sign-up?token=${expiring.token}`)).body, /This invitation link has expired\. Ask the administrator/)
    t.match((await get(`/sign-up?token=${revoked.token}`)).body, /This invitation link was revoked/)
    for (const [input, message] of [
      [{ expires_at: '2020-01-01' }, /in the past/],
      [{ expires_at: new Date(clock.ms + 400 * dayMs).toISOString() }, /within 366 days/],
      [{ uses: 0 }, /uses/],
      [{ uses: 2, email: 'a@example.org' }, /only once/]
    ] as const) t.match((await manage('POST', '', input)).json(), { code: 'invalid_arguments', detail: message })
    clock.ms += 45 * dayMs
    await maintenance.run(context, {})
    t.equal(await found(expiring.id), undefined, 'upkeep deletes them')
  })

  await t.test('are for one address if they name one, and an address that has an account spends no use', async t => {
    const { token, id } = await invite({ email: 'Guest@Example.org' })
    t.match((await register('other@example.org', token)).json(), { code: 'forbidden', detail: /for another address: guest@example\.org\. Ask/ })
    t.equal((await register('GUEST@example.org', token)).statusCode, 201)
    const open = await invite()
    t.match((await register('guest@example.org', open.token)).json(), { code: 'email_taken' })
    t.match(await found(open.id), { state: 'open', used: 0 })
    const guest = await context.db.selectFrom('account').select('id').where('email', '=', 'guest@example.org').executeTakeFirstOrThrow()
    await accountDelete.run({ ...context, account: guest }, { password })
    t.equal(await found(id), undefined, 'the address leaves with the account')
  })

  await t.test('are limited like logins, and spared by those who have a valid one', async t => {
    const statuses = []
    for (let at = 0; at < 31; at++) statuses.push((await register(`guess${at}@example.org`, `svcin_${'0'.repeat(32)}`, '203.0.113.1')).statusCode)
    t.strictSame([statuses.at(-2), statuses.at(-1)], [403, 429])
    const { token } = await invite({ uses: 40 })
    t.equal((await register('blocked@example.org', token, '203.0.113.1')).statusCode, 429)
    const lab = []
    for (let at = 0; at < 32; at++) lab.push((await register(`lab${at}@example.org`, token, '203.0.113.2')).statusCode)
    t.ok(lab.every(status => status === 201), 'a whole lab registers from one address')
  })

  await t.test('work in the browser without scripts', async t => {
    const { token } = await invite()
    const { get, post } = await formSession(app)
    t.match((await get('/login')).body, /Ask the administrator of this service for an invitation link/)
    t.match((await get('/sign-up')).body, /Registration is closed/)
    const url = `/sign-up?token=${token}`
    t.match((await get(url)).body, /You are invited[^]*name="email"[^]*Create account/)
    const fields = { action: 'create-account', invitation: token, email: 'browser@example.org', password }
    const refused = await post(url, { ...fields, repeated: 'a long passwort' })
    t.equal(refused.statusCode, 400)
    t.match(refused.body, /must be the same in both fields[^]*value="browser@example\.org"/)
    t.match(refused.body, `value="${token}"`)
    t.notMatch(refused.body, password)
    const done = await post('/sign-up', { ...fields, repeated: password })
    t.match(done, { statusCode: 303, headers: { location: '/lab/projects/new?first=true' } })
    t.equal((await get('/projects/new?first=true')).statusCode, 200, 'and is signed in')
    t.match(await get(url), { statusCode: 303, headers: { location: '/lab/' } })
    const another = await formSession(app)
    t.match((await another.get(url)).body, /This invitation link was used already/)
    const bound = await invite({ email: 'bound@example.org' })
    t.match((await another.get(`/sign-up?token=${bound.token}`)).body, /bound@example\.org[^]*readonly/i)
    const page = await another.post('/sign-up', { ...fields, invitation: bound.token, email: 'not@example.org', repeated: password })
    t.match(page, { statusCode: 403, body: /This link is for bound@example\.org/ })
    const managed = await formSession(app, administrator)
    const undated = await managed.post('/administration/users', { action: 'invite', uses: '1', expires_at: '12027-01-01' })
    t.match(undated, { statusCode: 400, body: /This date is not valid\. Use a date like 2027-01-01\./ })
  })
})

t.test('where registration is open, the sign-in page leads to a form', async t => {
  const { app, context, user } = await testService(t, { REGISTRATION: 'open' })
  t.equal((await (await formSession(app)).get('/sign-up')).headers.location, '/welcome', 'the first account administers')
  const { url } = await invitationCreate.run(context, {})
  const payload = { email: 'link@example.org', password, invitation: new URL(url).searchParams.get('token') }
  const linked = await app.inject({ method: 'POST', url: '/api/auth/register', payload })
  t.match(linked.json(), { code: 'forbidden', detail: /setup_token/ }, 'a link does not replace the setup token')
  await user('first@example.org')
  const { get, post } = await formSession(app)
  t.match((await get('/login')).body, /href="\/sign-up"/)
  const fields = { action: 'create-account', email: 'second@example.org', password, repeated: password }
  t.match(await post('/sign-up', fields), { statusCode: 303, headers: { location: '/projects/new?first=true' } })
  t.match((await (await formSession(app)).post('/sign-up', fields)).body, /already exists/)
  t.strictSame(
    (await context.db.selectFrom('account').select(['email', 'administrator']).orderBy('created_at').execute()),
    [{ email: 'first@example.org', administrator: true }, { email: 'second@example.org', administrator: false }]
  )
  const { loginThrottle } = context.accounts
  const attempt = async (at: number) => await loginThrottle.begin({ address: '127.0.0.1', email: `guess${at}@example.org` })
  for (let at = 0, isOpen = true; isOpen; at++) isOpen = await attempt(at).then(() => true, () => false)
  const limited = await formSession(app)
  const third = await limited.post('/sign-up', { ...fields, email: 'third@example.org' })
  t.match(third, { statusCode: 303, headers: { location: '/login' } }, 'the account exists, but signing in is refused')
  t.match((await limited.get('/login')).body, /Account created\. Sign in\./)
})

t.test('invitation links are mailed where a mail server is set', async t => {
  const mail = await mailServer(t)
  const service = await testService(t, {
    REGISTRATION: 'closed',
    BASE_URL: 'https://litfeed.example.org/lab',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Litfeed <litfeed@example.org>'
  })
  const administrator = await service.user('administrator@example.org')
  const session = sessions(service, administrator)
  const invite = async (payload: object) =>
    await service.app.inject({ method: 'POST', url: '/api/administration/invitations', headers: await session(), payload })
  const response = await invite({ email: 'Guest@example.org', mail: true })
  const { url, ...link } = response.json()
  t.match(link, { email: 'guest@example.org', mailed: true, mail_error: null })
  t.equal(mail.mails.length, 1)
  const sent = decodeMail(mail.mails[0]!)
  t.match(sent, /^To: guest@example\.org\r$/m)
  t.match(sent, 'administrator@example.org invites you to Litfeed')
  t.ok(sent.includes(url), 'with the same address')
  const body = await invite({ email: 'other@example.org' })
  t.match(body.json(), { mailed: false, mail_error: null })
  t.match((await invite({ mail: true })).json(), { code: 'invalid_arguments', detail: /no email to send the link to/ })
  t.equal(mail.mails.length, 1)
  await invitationCreate.run(service.context, { email: 'sixth@example.org', mail: true })
  t.match(decodeMail(mail.mails.at(-1)!), 'The operator invites you to Litfeed', 'on the command line')
  mail.state.refuse = 1
  t.match((await invite({ email: 'third@example.org', mail: true })).json(), {
    url: /sign-up/, mailed: false, mail_error: 'The mail server rejected the mail (SMTP status 451).'
  })

  const { post, get } = await formSession(service.app, administrator)
  t.match((await get('/administration/users')).body, /Email the link to this address/)
  const { body: page } = await post('/administration/users', { action: 'invite', email: 'fourth@example.org', uses: '1', mail: 'on' })
  t.match(page, /Link created and mailed to fourth@example\.org/)
  const address = /https:\/\/litfeed\.example\.org\/lab\/sign-up\?token=svcin_\w{32}/.exec(page)![0]
  t.ok(decodeMail(mail.mails.at(-1)!).includes(address), 'and is shown')
  mail.state.refuse = 1
  t.match((await post('/administration/users', { action: 'invite', email: 'fifth@example.org', uses: '1', mail: 'on' })).body,
    /The email was not sent: The mail server rejected [^<]*\. Copy the link and send it yourself\./)
})

t.test('invitation links are not mailed without a mail server', async t => {
  const service = await testService(t)
  const administrator = await service.user()
  const { post, get } = await formSession(service.app, administrator)
  t.notMatch((await get('/administration/users')).body, /Email the link/)
  t.match((await post('/administration/users', { action: 'invite', email: 'guest@example.org', uses: '1', mail: 'on' })).body,
    /The email was not sent: Email is not set up\. Set SMTP_URL and MAIL_FROM\. Copy the link/)
})
