import t from 'tap'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { testService } from '../../support/service.js'

t.test('first visit', { skip: withoutBrowser }, async t => {
  const { address, newPage } = await visit(t)
  const page = await newPage()

  await t.test("creates the owner's account and opens the project setup", async t => {
    await page.goto(address)
    t.equal(new URL(page.url()).pathname, '/welcome')
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Confirm password').fill('correct horse batery')
    await page.getByRole('button', { name: 'Create account' }).click()
    t.match(await page.getByRole('alert').textContent(), 'The passwords do not match')
    t.equal(await page.getByLabel('Email address').inputValue(), 'ada@example.org', 'what was typed stays')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Confirm password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(/\/projects\/new/)
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
