import t from 'tap'
import { accountsList } from '../../../src/operations/accounts/accounts-list.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService, type TestService } from '../../support/service.js'

async function addJobs (
  { context }: Pick<TestService, 'context'>,
  account_id: string,
  number: number,
  state: 'failed' | 'waiting' | 'done'
) {
  for (let at = 0; at < number; at++) {
    await context.db
      .insertInto('job')
      .values({
        task: 'score-project',
        state,
        account_id,
        once_key: `${state} ${at}`,
        attempts: 2,
        error: state === 'failed' ? 'It took longer than 900 s and was ended.' : null
      })
      .execute()
  }
}

t.test('administration pages', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const ada = await service.user('ada@example.org')
  const bob = await service.user('bob@example.org')
  const page = await service.signedIn(ada)
  const open = async (name: string) => await page.goto(`${service.address}/administration${name === '' ? '' : `/${name}`}`)
  const row = (text: string) => page.locator('.entries > li', { hasText: text })

  await t.test('creates an account and shows its generated password once', async t => {
    await open('users')
    t.same(await accessibilityViolations(page), [])
    await page.getByRole('region', { name: 'New account' }).getByLabel('Email address').fill('Carol@example.org')
    await page.getByRole('button', { name: 'Create account' }).click()
    const password = await page.getByRole('textbox', { name: 'the password of carol@example.org' }).inputValue()
    t.same(await accessibilityViolations(page), [])
    const carol = await service.signedIn({ ...bob, email: 'carol@example.org', password })
    t.not(new URL(carol.url()).pathname, '/login')
    await open('users')
    t.notMatch(await page.content(), password)
    await page.getByRole('region', { name: 'New account' }).getByLabel('Email address').fill('carol@example.org')
    await page.getByRole('button', { name: 'Create account' }).click()
    t.match(await page.getByRole('alert').textContent(), 'already exists')
    t.equal(await page.getByRole('region', { name: 'New account' }).getByLabel('Email address').inputValue(), 'carol@example.org')
  })

  await t.test('disables an account, which signs it out, and re-enables it', async t => {
    const theirs = await service.signedIn(bob)
    await open('users')
    await page.getByRole('button', { name: 'Disable bob@example.org' }).click()
    await page.getByText('bob@example.org was disabled').waitFor()
    t.match(await row('bob@example.org').textContent(), 'disabled')
    await theirs.goto(`${service.address}/account`)
    t.equal(new URL(theirs.url()).pathname, '/login')
    await page.getByRole('button', { name: 'Enable bob@example.org' }).click()
    await page.getByText('bob@example.org was enabled').waitFor()
    t.not(new URL((await service.signedIn(bob)).url()).pathname, '/login')
  })

  await t.test('resets a password, shows it once and signs the account out', async t => {
    const theirs = await service.signedIn(bob)
    await open('users')
    const entry = row('bob@example.org')
    await entry.getByText('Reset password', { exact: true }).click()
    await entry.getByRole('button', { name: 'Reset password for bob@example.org' }).click()
    const password = await page.getByRole('textbox', { name: 'the password of bob@example.org' }).inputValue()
    t.same(await accessibilityViolations(page), [])
    await theirs.goto(`${service.address}/account`)
    t.equal(new URL(theirs.url()).pathname, '/login')
    t.not(new URL((await service.signedIn({ ...bob, password })).url()).pathname, '/login')
  })

  await t.test("grants and revokes the administrator role, except one's own", async t => {
    await open('users')
    await page.getByRole('button', { name: 'Make administrator bob@example.org' }).click()
    // Only an administrator has the button that removes the role.
    const take = page.getByRole('button', { name: 'Remove administrator role bob@example.org' })
    await take.waitFor()
    t.equal(await page.getByRole('button', { name: 'Make administrator bob@example.org' }).count(), 0)
    await take.click()
    await page.getByText('no longer an administrator').waitFor()
    t.equal(await row('ada@example.org').getByRole('button').count(), 0)
  })

  await t.test('lists jobs by state with failures, paginates, and retries one', async t => {
    await addJobs(service, bob.context.account.id, 3, 'failed')
    await addJobs(service, bob.context.account.id, 60, 'done')
    await open('jobs')
    t.same(await accessibilityViolations(page), [])
    t.equal(await page.locator('.jobs > li').count(), 50)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForLoadState()
    t.equal(await page.locator('.jobs > li').count(), 13)
    await page.getByRole('link', { name: 'Newer' }).click()
    await page.getByRole('link', { name: /^Failed 3/ }).click()
    await page.waitForLoadState()
    t.equal(await page.locator('.jobs > li').count(), 3)
    t.match(await page.locator('.jobs > li').first().textContent(), /Score feed.*bob@example\.org.*2 attempts.*It took longer than 900 s/)
    t.same(await accessibilityViolations(page), [])
    await page.getByRole('button', { name: /^Retry/ }).first().click()
    await page.waitForLoadState()
    await page.getByText('will be retried').waitFor()
    t.equal(new URL(page.url()).search, '?state=failed')
    t.equal(await page.locator('.jobs > li').count(), 2)
    await page.getByRole('link', { name: /^Running 0/ }).click()
    await page.getByText('No running jobs.').waitFor()
  })

  await t.test('shows users, jobs, sources and storage at a glance, and retries all jobs of a kind', async t => {
    await open('')
    t.same(await accessibilityViolations(page), [])
    const text = (await page.locator('main').textContent())!.replace(/(accounts|failed)(\d+)/g, '$2$1')
    for (const said of ['Running.', '2 failed jobs', '3accounts', '2failed', 'carol@example.org', 'PubMed', 'Data disk', 'Full texts']) {
      t.match(text, said)
    }
    const shape = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 844 })
    const users = page.getByRole('region', { name: 'Recently active users' })
    t.ok(await users.evaluate(region => region.scrollWidth <= region.clientWidth), 'the users fit a phone')
    t.match(await users.innerText(), 'carol@example.org')
    await page.setViewportSize(shape)
    t.match(await row('It took longer than 900 s').first().textContent(), /bob@example\.org · 2 attempts/)
    await page.getByRole('button', { name: 'Retry all Score feed' }).click()
    await page.getByText('Score feed: 2 jobs will be retried.').waitFor()
    t.equal(await page.getByRole('button', { name: /^Retry/ }).count(), 0)
  })

  await t.test('says whom a source concerns before and after it is disabled', async t => {
    const eve = await service.user('eve@example.org')
    await projectWith(eve, [], { name: 'Private project', positive_keywords: ['sleep'], sources: [{ name: 'pubmed', query: '' }] })
    await open('')
    const source = row('PubMed')
    await source.getByText('Disable', { exact: true }).first().click()
    const affected = '1 project of 1 user: nothing is fetched from it until it is enabled again.'
    await source.getByText(`This affects ${affected} It has no other source.`).waitFor()
    t.same(await accessibilityViolations(page), [])
    await source.getByRole('button', { name: 'Disable PubMed' }).click()
    await page.getByText(`PubMed was disabled. Affects ${affected}`).waitFor()
    t.match(await source.textContent(), /disabled/)
    await source.getByText('Users').click()
    t.match(await source.textContent(), 'eve@example.org: 1 project, 1 without another source')
    t.notMatch(await page.content(), 'Private project')
    const theirs = await service.signedIn(eve)
    await theirs.goto(service.address)
    await theirs.getByRole('link', { name: '1 source disabled' }).click()
    await theirs.getByText('An administrator of this service disabled this source.').first().waitFor()
    t.same(await accessibilityViolations(theirs), [])
    await source.getByRole('button', { name: 'Enable PubMed' }).click()
    await page.getByText('PubMed was enabled. 1 project fetches what was missed.').waitFor()
  })

  await t.test('invites somebody, who chooses a password and is signed in', async t => {
    await open('users')
    await page.getByRole('region', { name: 'Invitation links' }).getByLabel('Email address').fill('dan@example.org')
    await page.getByLabel('Note').fill('Guest of the lab')
    await page.getByRole('button', { name: 'Create link' }).click()
    const address = await page.getByRole('textbox', { name: 'the address of the link' }).inputValue()
    t.same(await accessibilityViolations(page), [])
    const guest = await service.newPage()
    await guest.goto(address)
    t.same(await accessibilityViolations(guest), [])
    await guest.getByLabel('Password', { exact: true }).fill('a long password')
    await guest.getByLabel('Confirm password').fill('a long password')
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.waitForURL(/\/projects\/new/)
    await guest.goto(`${service.address}/account`)
    t.match(await guest.locator('main').textContent(), 'dan@example.org')
    await open('users')
    t.match(await row('Guest of the lab').textContent(), /1 of 1 used/)
    await page.getByRole('button', { name: 'Create link' }).click()
    await open('users')
    const link = row('Anyone')
    await link.getByText('Revoke', { exact: true }).first().click()
    await link.getByRole('button', { name: 'Revoke Anyone' }).click()
    await page.getByText('Link revoked. It no longer works.').waitFor()
  })

  await t.test('shows the version and settings of the service', async t => {
    await open('service')
    t.same(await accessibilityViolations(page), [])
    const text = (await page.locator('main').textContent())!
    for (const said of ['Uptime', 'papers', 'SMTP_URL']) t.match(text, said)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`fits a phone in ${colorScheme} mode`, async t => {
      const phone = await service.signedIn(ada, { colorScheme, viewport: { width: 390, height: 844 } })
      for (const name of ['', 'users', 'jobs?state=failed', 'service']) {
        await phone.goto(`${service.address}/administration/${name}`.replace(/\/$/, ''))
        t.same(await accessibilityViolations(phone), [], name)
        t.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name)
      }
    })
  }
})

t.test('administration forms', async t => {
  const service = await testService(t, { SMTP_URL: 'smtps://someone:smtp-password@mail.example.org', MAIL_FROM: 'litfeed@example.org' })
  const [ada, bob] = [await service.user('ada@example.org'), await service.user('bob@example.org')]
  await projectWith(bob, [{ title: 'Private paper' }], { name: 'Private project' })
  const [administrator, user] = [await formSession(service.app, ada), await formSession(service.app, bob)]
  const pages = ['/administration', '/administration/users', '/administration/jobs', '/administration/service']

  await t.test('requires an administrator for reads and changes', async t => {
    for (const page of pages) {
      t.equal((await user.get(page)).statusCode, 403)
      t.equal((await service.app.inject({ url: page })).statusCode, 303)
      t.equal((await administrator.get(page)).statusCode, 200)
    }
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await user.get('/')).body)![1]!
    t.equal(
      (
        await user.request('POST', '/administration/users', {
          action: 'promote',
          csrf_token: csrfToken,
          account_id: bob.context.account.id
        })
      ).statusCode,
      403
    )
    t.equal(
      (await user.request('POST', '/administration/users', { action: 'create', csrf_token: csrfToken, email: 'x@example.org' })).statusCode,
      403
    )
    t.equal(
      (await user.request('POST', '/administration/users', { action: 'reset-password', csrf_token: csrfToken, email: 'ada@example.org' }))
        .statusCode,
      403
    )
    t.strictSame(
      (await accountsList.run(service.context, {})).items.map(({ administrator }) => administrator),
      [true, false]
    )
    t.notMatch((await user.get('/')).body, 'Administration')
  })

  t.test('shows neither reading lists nor secrets', async t => {
    for (const page of pages) t.notMatch((await administrator.get(page)).body, /Private|smtp-password|argon2|svcmcp_|a secret of the tests/)
  })

  t.test('keeps the last administrator', async t => {
    for (const action of ['demote', 'disable']) {
      const refused = await administrator.post('/administration/users', { action, account_id: ada.context.account.id })
      t.equal(refused.statusCode, 409)
      t.match(refused.body, 'Make another account an administrator first')
    }
  })
})
