import t from 'tap'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { logIn, testService } from '../../support/service.js'

t.test('account page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
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
    t.match(await page.getByRole('alert').textContent(), 'do not match')
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
    t.match(await page.getByRole('status').textContent(), 'signed out everywhere')
    t.notOk(await isSignedIn(other))
    t.notOk(await isSignedIn(page))
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
    t.match(refused.body, 'You have no session')
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
