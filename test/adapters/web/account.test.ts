import t from 'tap'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { readFileSync } from 'node:fs'
import { decodeMail, mailServer } from '../../support/mail-server.js'
import { logIn, projectWith, testService } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('account page', { skip: withoutBrowser }, async t => {
  const mail = await mailServer(t)
  const service = await visit(t, { SMTP_URL: mail.url, MAIL_FROM: 'litfeed@example.org' })
  const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'send-password-reset'))
  t.teardown(async () => await workers.stop(0))
  const ada = await service.user('ada@example.org')
  const page = await service.signedIn(ada)
  const account = `${service.address}/account`
  const isSignedIn = async (other: typeof page) => {
    await other.goto(account)
    return new URL(other.url()).pathname === '/account'
  }

  await t.test('lists sessions and marks the current one', async t => {
    await service.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': 'python-requests/2.32.3' },
      payload: { email: ada.email, password: ada.password }
    })
    await page.goto(account)
    const entries = page.locator('.entries > li')
    t.equal(await entries.count(), 2)
    t.match(await entries.filter({ hasText: 'this device' }).textContent(), /Chrome.*Browser/)
    t.match(await entries.filter({ hasText: 'python-requests' }).textContent(), /python-requests 2\.32\.3REST API client/)
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('ends one session', async t => {
    await page.getByRole('button', { name: 'End python-requests 2.32.3' }).click()
    await page.waitForLoadState()
    await page.getByText('Session ended.').waitFor()
    t.equal(await page.locator('.entries > li').count(), 1)
  })

  await t.test('changes the password, and ends the other sessions', async t => {
    const other = await service.signedIn(ada)
    const change = async (current: string, next: string, repeated = next) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.getByLabel('Confirm password').fill(repeated)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not the password', 'a new long password')
    t.match(await page.getByRole('alert').textContent(), 'The current password is wrong.')
    t.equal(await page.getByLabel('New password', { exact: true }).inputValue(), '', 'passwords are not shown again')
    await change(ada.password, 'a new long password', 'a new long passwort')
    t.equal(await page.getByRole('alert').textContent(), 'New password must be the same in both fields. Enter it again.')
    t.equal(await page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid'), 'true')
    t.ok(await isSignedIn(other))
    await change(ada.password, 'a new long password')
    await page.getByText('Password changed.').waitFor()
    t.notOk(await isSignedIn(other))
    ada.password = 'a new long password'
  })

  await t.test('signs out everywhere', async t => {
    const other = await service.signedIn(ada)
    await page.goto(account)
    await page.getByText('Sign out everywhere', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(/\/login$/)
    await page.getByRole('status').getByText('signed out everywhere').waitFor()
    t.notOk(await isSignedIn(other))
    t.notOk(await isSignedIn(page))
  })

  await t.test('sets a new password with a mailed link, once', async t => {
    const grace = await service.user('grace@example.org')
    const other = await service.signedIn(grace)
    const visitor = await service.newPage()
    await visitor.goto(`${service.address}/login`)
    await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
    await visitor.getByLabel('Email address').fill(grace.email)
    t.same(await accessibilityViolations(visitor), [])
    await visitor.getByRole('button', { name: 'Send link' }).click()
    await visitor.getByRole('heading', { name: 'Check your email' }).waitFor()
    await until(async () => mail.mails.some(each => each.includes('Reset your Litfeed password')))
    const link = /http:\/\/127[^\s"<>]+\/reset-password\?token=\w+/.exec(decodeMail(mail.mails.at(-1)!))![0]
    await visitor.goto(link)
    t.same(await accessibilityViolations(visitor), [])
    await visitor.getByLabel('New password', { exact: true }).fill('quite another password')
    await visitor.getByLabel('Confirm password').fill('quite another password')
    await visitor.getByRole('button', { name: 'Change password' }).click()
    await visitor.getByText('Password changed. Every session was ended.').waitFor()
    t.notOk(await isSignedIn(other))
    await visitor.goto(link)
    await visitor.getByText('This link was used or has expired.').waitFor()
    await service.signedIn({ ...grace, password: 'quite another password' })
  })

  await t.test('sends a test mail, and says if the mail server refuses it', async t => {
    const project_id = await projectWith(ada, [], { name: 'Mailed', sources: [] })
    const alerts = await service.signedIn(ada)
    await alerts.goto(`${service.address}/projects/${project_id}/alerts`)
    await alerts.getByRole('button', { name: 'Add email alert' }).click()
    const send = alerts.getByRole('button', { name: `Send test email to ${ada.email}` })
    const before = mail.mails.length
    await send.click()
    await alerts.getByText(`The mail server accepted a test email to ${ada.email}.`).waitFor()
    t.equal(mail.mails.length, before + 1)
    t.same(await accessibilityViolations(alerts), [])
    mail.state.refuse = 1
    await send.click()
    await alerts.getByText(`No test email was sent to ${ada.email}.`).waitFor()
  })

  await t.test('exports the account, and deletes it with its password', async t => {
    const leaving = await service.user('leaving@example.org')
    await projectWith(leaving, [{ title: 'The last paper' }], { name: 'Left behind' })
    const own = await service.signedIn(leaving)
    await own.goto(account)
    const [download] = await Promise.all([own.waitForEvent('download'), own.getByRole('link', { name: 'Export account' }).click()])
    const exported = readFileSync(await download.path(), 'utf8')
    t.type(JSON.parse(exported), 'object')
    for (const part of ['Left behind', 'The last paper', leaving.email]) t.match(exported, part)
    await own.locator('summary', { hasText: 'Delete account' }).click()
    t.same(await accessibilityViolations(own), [])
    const remove = own.getByRole('button', { name: 'Delete account permanently' })
    const password = own.locator('input[name=password]')
    await password.fill('not the password')
    await remove.click()
    await own.getByRole('alert').waitFor()
    t.ok(await isSignedIn(own))
    await own.locator('summary', { hasText: 'Delete account' }).click()
    await password.fill(leaving.password)
    await remove.click()
    await own.getByText('Your account and everything in it were deleted.').waitFor()
    const again = await service.newPage()
    await again.goto(`${service.address}/login`)
    await again.getByLabel('Email address').fill(leaving.email)
    await again.getByLabel('Password').fill(leaving.password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.getByRole('alert').waitFor()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`fits a phone in ${colorScheme} mode`, async t => {
      const phone = await service.signedIn(ada, { colorScheme, viewport: { width: 390, height: 844 } })
      await phone.goto(account)
      t.same(await accessibilityViolations(phone), [])
      t.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    })
  }
})

t.test('account forms', async t => {
  const service = await testService(t)
  const [ada, bob] = [await service.user(), await service.user()]
  const session = await formSession(service.app, ada)

  await t.test("cannot end another account's session", async t => {
    const tokens = await logIn(service, bob)
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    const { items: [mine] } = (await service.app.inject({ url: '/api/auth/sessions', headers: bearer })).json()
    const refused = await session.post('/account', { action: 'end-session', session_id: mine.id })
    t.equal(refused.statusCode, 404)
    t.match(refused.body, 'This session doesn’t exist.')
    t.equal((await service.app.inject({ url: '/api/auth/me', headers: bearer })).statusCode, 200)
  })

  await t.test('signs a disabled account out immediately', async t => {
    await service.context.db.updateTable('account').set({ disabled_at: new Date() }).where('id', '=', ada.context.account.id).execute()
    t.equal((await session.get('/account')).headers.location, '/login?next=%2Faccount')
    const visitor = await formSession(service.app)
    const refused = await visitor.post('/login', { action: 'sign-in', email: ada.email, password: ada.password })
    t.equal(refused.statusCode, 403)
    t.match(refused.body, 'This account is disabled')
  })
})

t.test('first visit', { skip: withoutBrowser }, async t => {
  const { address, newPage, context } = await visit(t)
  const page = await newPage()

  await t.test("creates the owner's account, in the time zone of the browser, and opens the project setup", async t => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: 'America/New_York' }) as Intl.ResolvedDateTimeFormatOptions
    })
    await page.goto(address)
    t.equal(new URL(page.url()).pathname, '/welcome')
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Confirm password').fill('correct horse batery')
    await page.getByRole('button', { name: 'Create account' }).click()
    t.match(await page.getByRole('alert').textContent(), 'Password must be the same in both fields. Enter it again.')
    t.equal(await page.getByLabel('Email address').inputValue(), 'ada@example.org', 'what was typed stays')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Confirm password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(/\/projects\/new/)
    t.match(await context.db.selectFrom('account').select('time_zone').executeTakeFirst(), { time_zone: 'America/New_York' })
  })

  await t.test('is disabled after the first account', async t => {
    const other = await newPage()
    await other.goto(`${address}/welcome`)
    t.equal(new URL(other.url()).pathname, '/login')
    t.same(await accessibilityViolations(other), [])
  })
})

t.test('a first account on a public service requires the setup token', async t => {
  const { app, context } = await testService(t, { HOST: '0.0.0.0' })
  const visitor = await formSession(app)
  const fields = {
    action: 'create-account',
    email: 'ada@example.org',
    password: 'correct horse battery',
    repeated: 'correct horse battery'
  }
  t.match((await visitor.get('/welcome')).body, 'Setup token')
  t.equal((await visitor.post('/welcome', { ...fields, setup_token: 'wrong' })).statusCode, 403)
  t.equal(
    (await visitor.post('/welcome', { ...fields, setup_token: context.accounts.setupToken! })).headers.location,
    '/projects/new?first=true'
  )
})
