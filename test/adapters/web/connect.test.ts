import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { feedAtomUrl } from '../../../src/operations/feed/feed-atom-url.js'
import { clients } from '../../../src/adapters/web/components/clients.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { post } from '../../support/mcp.js'
import { projectWith, testService, type TestService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { keysList } from '../../../src/operations/keys/keys-list.js'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const wholeKey = /svcmcp_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}/
const keyWorks = async (service: Pick<TestService, 'app'>, key: string) => (await post(service, key, ping)).statusCode === 200

t.test('Connect page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const ada = await service.user()
  const project_id = await projectWith(ada, [{ title: 'Spindles' }], { name: 'Sleep & memory' })
  const page = await service.signedIn(ada, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${service.address}/connect`)

  await t.test('shows the key without its secret, and snippets with a placeholder', async t => {
    const content = await page.content()
    t.notMatch(content, wholeKey)
    t.match(content, `${service.address}/api/mcp`)
    t.match(content, 'YOUR_KEY')
    t.same(await accessibilityViolations(page), [])
  })

  let made = ''
  await t.test('creates a new key, shown once, and revokes the previous one', async t => {
    await page.getByText('Replace key', { exact: true }).click()
    await page.getByRole('button', { name: 'Create a new key and revoke the current one' }).click()
    made = await page.getByRole('textbox', { name: 'the key', exact: true }).inputValue()
    t.match(made, wholeKey)
    t.notMatch(page.url(), 'svcmcp')
    t.ok(await keyWorks(service, made))
    await wait(1000)
    t.notOk(await keyWorks(service, ada.key))
    t.same(await accessibilityViolations(page), [])
  })

  await t.test("fills the address and key into every client's snippet", async t => {
    for (const { id, name } of clients) {
      await page.getByRole('radio', { name, exact: true }).check()
      const shown = page.locator(`[data-client="${id}"]`)
      await shown.waitFor({ state: 'visible' })
      t.equal(await page.locator('[data-client]:visible').count(), 1)
      const texts = await shown.locator('[data-copy]').evaluateAll(buttons => buttons.map(button => button.getAttribute('data-copy')))
      t.match(texts.join('\n'), made, name)
      t.match(texts.join('\n'), `${service.address}/api/mcp`, name)
      t.notMatch(texts.join('\n'), 'YOUR_KEY', name)
    }
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('selects clients by keyboard', async t => {
    await page.getByRole('radio', { name: 'Claude', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    t.ok(await page.locator('[data-client="claude-code"]').isVisible())
  })

  await t.test('copies with a button', async t => {
    await page.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await until(async () => await page.evaluate(async () => await navigator.clipboard.readText()) === made)
    t.pass()
  })

  await t.test('answers a click on a copy button whose text cannot be selected', async t => {
    const alone = page.locator('#alone')
    await page.evaluate(() => {
      navigator.clipboard.writeText = async () => { throw new Error('not allowed') }
      document.body.insertAdjacentHTML('beforeend', '<div><button id="alone" type="button" data-copy="a"><span>Copy</span></button></div>')
    })
    await alone.click()
    await until(async () => await alone.textContent() !== 'Copy')
    t.pass()
    await page.evaluate(() => {
      Reflect.deleteProperty(navigator.clipboard, 'writeText')
      document.querySelector('#alone')!.parentElement!.remove()
    })
  })

  await t.test('tests the new key with a real call without leaving the page', async t => {
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Connected.', { exact: true }).waitFor()
    const tried = (await page.locator('#tried').textContent())!
    t.match(tried, /Status200/)
    t.match(tried, /Time[\d.]+ ms/)
    t.match(tried, 'paper_markdown')
    t.match(tried, 'Sleep & memory')
    t.equal(await page.getByRole('textbox', { name: 'the key', exact: true }).inputValue(), made)
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('forgets the key on the next page and asks for one to test', async t => {
    await page.goto(`${service.address}/connect`)
    t.notMatch(await page.content(), wholeKey)
    await page.getByLabel('Key', { exact: true }).fill('svcmcp_wrong_wrong')
    const announced = await page.locator('#tried').elementHandle()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Connection failed.').waitFor()
    t.match(await announced!.textContent(), 'Connection failed.', 'screen readers announce what changes in a part that stays')
    t.match(await page.locator('#tried').textContent(), /key is wrong.*Status401/s)
    await page.getByLabel('Key', { exact: true }).fill(` ${made} `)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Connected.', { exact: true }).waitFor()
  })

  await t.test('shows Atom addresses and rotates them after a warning', async t => {
    const address = page.getByRole('textbox', { name: 'the Atom address of Sleep & memory' })
    const earlier = await address.inputValue()
    t.equal(earlier, (await feedAtomUrl.run(ada.context, { project_id })).url)
    await page.getByText('Replace addresses').click()
    t.match(await page.locator('.ask[open]').textContent(), /stop working at once/)
    await page.getByRole('button', { name: 'Replace all addresses' }).click()
    await page.getByText('The Atom addresses were replaced.').waitFor()
    const later = await address.inputValue()
    t.not(later, earlier)
    t.strictSame([(await fetch(earlier)).status, (await fetch(later)).status], [404, 200])
    t.notMatch(page.url(), 'svcft')
  })

  await t.test('shows a further key where it was asked for, and moves the focus to it', async t => {
    const made = page.locator('.key-made:focus')
    const isInView = async () => {
      const { y, height } = (await made.boundingBox())!
      return y >= 0 && y + height <= page.viewportSize()!.height
    }
    await page.goto(`${service.address}/connect`)
    await page.getByText('Create another key').click()
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await made.waitFor()
    t.ok(await isInView())
    const secret = await made.getByRole('textbox', { name: 'the key', exact: true }).inputValue()
    t.match(await page.locator('[data-client=claude] [data-copy]').first().getAttribute('data-copy'), secret, 'also in the snippets')
    t.same(await accessibilityViolations(page), [])
    const row = page.getByRole('row').filter({ hasText: 'Laptop' })
    await row.locator('summary', { hasText: 'Replace' }).click()
    await row.getByRole('button', { name: 'Replace Laptop' }).click()
    await page.locator('.key-made').getByText('Your new key.').waitFor()
    await until(async () => await made.getByRole('textbox', { name: 'the key', exact: true }).inputValue() !== secret)
    t.ok(await isInView())
  })

  await t.test('revokes the key', async t => {
    await page.getByText('Revoke key', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('No key yet.').waitFor()
    await wait(1000)
    t.notOk(await keyWorks(service, made))
    await page.getByRole('button', { name: 'Create key' }).click()
    made = await page.getByRole('textbox', { name: 'the key', exact: true }).inputValue()
    t.match(made, wholeKey)
  })

  await t.test('a reload of the page with a new key makes no other one', async t => {
    await page.reload()
    t.equal(await page.getByRole('textbox', { name: 'the key', exact: true }).count(), 0)
    await wait(1000)
    t.ok(await keyWorks(service, made))
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`fits a phone in ${colorScheme} mode`, async t => {
      const phone = await service.signedIn(ada, { colorScheme, viewport: { width: 390, height: 844 } })
      await phone.goto(`${service.address}/connect`)
      t.same(await accessibilityViolations(phone), [])
      t.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    })
  }
})

t.test('Connect page without scripts', async t => {
  const service = await testService(t, { BASE_URL: 'https://litfeed.example.org/papers' })
  const user = await service.user()
  const session = await formSession(service.app, user)

  await t.test('the key appears only in the response that created it, not in URLs or logs', async t => {
    const made = await session.post('/connect', { action: 'make-key' })
    t.equal(made.statusCode, 200)
    t.equal(made.headers['cache-control'], 'private, no-store')
    const [key] = wholeKey.exec(made.body)!
    t.ok(await keyWorks(service, key))
    t.match(made.body, `https://litfeed.example.org/papers/api/mcp/?key=${key}`)
    for (const url of ['/connect', '/', '/account']) t.notMatch((await session.get(url)).body, key)
    t.notMatch(service.logged.join('\n'), key)
    t.notMatch([...session.cookies.values()].join(), 'svcmcp')

    const tried = await session.post('/connect', { action: 'test', key })
    t.match(tried.body, 'Connected.')
    t.notMatch(tried.body, key)
    t.match(made.body, /name="is_new" value="true"/)
    t.match((await session.post('/connect', { action: 'test', key, is_new: 'true' })).body, key, 'a new key stays on the page')
    t.notMatch(service.logged.join('\n'), key)
  })

  t.test("cannot change another account's key or token", async t => {
    const other = await formSession(service.app, await service.user())
    t.match((await other.post('/connect', { action: 'revoke-key' })).headers.location, '/papers/connect')
    t.match((await session.get('/connect')).body, /svcmcp_\w{10}_•/)
  })

  t.test('warns if remote clients cannot reach the address', async t => {
    t.notMatch((await session.get('/connect')).body, 'set <code>BASE_URL</code>')
    const local = await service.sibling(t)
    const at = await formSession(local.app, await local.user())
    t.match((await at.get('/connect')).body, 'set <code>BASE_URL</code>')
  })

  t.test('rejects an empty key with a message', async t => {
    const refused = await session.post('/connect', { action: 'test', key: '' })
    t.equal(refused.statusCode, 400)
    t.match(refused.body, /id="tried"[^>]*><div class="notice bad" data-refusal[^>]*>Key is required/, 'in the part that scripts replace')
  })
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '2.1.330' } }
}

t.test('keys on the Connect page', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project = await projectWith(user, [], { name: 'Sleep & memory' })
  const session = await formSession(service.app, user)
  const keys = async () => (await keysList.run(user.context, {})).items

  await t.test('are created with a scope, projects and an expiry, and shown once', async t => {
    const made = await session.post('/connect', {
      action: 'create',
      name: 'My agent',
      scope: 'act',
      projects: project,
      expires_at: '2099-01-01'
    })
    t.equal(made.statusCode, 200)
    const [key] = wholeKey.exec(made.body)!
    t.match((await keys())[1], { name: 'My agent', scope: 'act', project_ids: [project], expires_at: '2099-01-01T00:00:00.000Z' })
    t.equal((await post(service, key, initialize)).statusCode, 200)
    const { body } = await session.get('/connect')
    t.notMatch(body, key)
    for (const shown of ['My agent', 'Read and act', 'Sleep &amp; memory', '1 Jan 2099', 'claude-code 2.1.330']) t.match(body, shown)
    t.notMatch(service.logged.join('\n'), key)
  })

  await t.test('keep the form values on errors', async t => {
    const refused = await session.post('/connect', {
      action: 'create',
      name: 'My agent',
      scope: 'act',
      projects: project,
      expires_at: '2098-01-01'
    })
    t.equal(refused.statusCode, 409)
    t.match(refused.body, 'You already have a key named')
    t.match(refused.body, /<details class="create-key" open/)
    t.match(refused.body, 'value="My agent"')
    t.match(refused.body, 'value="2098-01-01"')
    t.match(refused.body, /<option value="act" selected/)
    t.match(refused.body, new RegExp(`value="${project}" checked`))
    t.equal((await keys()).length, 2)
  })

  await t.test('include all projects if none is selected', async t => {
    t.equal((await session.post('/connect', { action: 'create', name: 'Reader', scope: 'read' })).statusCode, 200)
    t.match((await keys())[2], { name: 'Reader', scope: 'read', project_ids: null, expires_at: null })
  })

  await t.test('get a new secret, shown once', async t => {
    const [, agent] = await keys()
    const made = await session.post('/connect', { action: 'replace', key_id: agent!.id })
    const [key] = wholeKey.exec(made.body)!
    t.equal((await post(service, key, initialize)).statusCode, 200)
    t.match((await keys())[1], { id: agent!.id, name: 'My agent', scope: 'act', project_ids: [project] })
    t.notMatch((await session.get('/connect')).body, key)
    t.equal((await session.post('/connect', { action: 'replace', key_id: project })).statusCode, 404)
  })

  await t.test('cannot be rotated once expired', async t => {
    const expires_at = new Date(Date.now() + 60 * 60 * 1000).toISOString()
    const { id } = await keyCreate.run(user.context, { name: 'Short', expires_at })
    const offers = async () => (await session.get('/connect')).body.includes('Replace <span class="unseen">Short</span>')
    t.ok(await offers())
    await user.context.db.updateTable('mcp_key').set({ expires_at: new Date(Date.now() - 1) }).where('id', '=', id).execute()
    t.notOk(await offers())
    const refused = await session.post('/connect', { action: 'replace', key_id: id })
    t.equal(refused.statusCode, 400)
    t.match(refused.body, 'This key has expired. Create a new one.')
    t.notMatch(refused.body, wholeKey)
    await session.post('/connect', { action: 'revoke', key_id: id })
  })

  await t.test('are shown in pages, with a few names of their projects', async t => {
    const many = await service.user()
    const projects = await Promise.all(Array.from({ length: 7 }, async (_each, at) => await projectWith(many, [], { name: `Project ${at}` })))
    for (let at = 1; at <= 51; at++) {
      await keyCreate.run(many.context, { name: `Key ${at}`, project_ids: at === 1 ? projects : undefined })
    }
    const session = await formSession(service.app, many)
    const namesOf = (body: string) => [...body.matchAll(/<th[^>]* scope="row">([^<]*)/g)].map(([, name]) => name)
    const first = (await session.get('/connect')).body
    t.strictSame(namesOf(first), ['Default', ...Array.from({ length: 49 }, (_each, at) => `Key ${at + 1}`)])
    t.match(first, /(Project \d, ){4}Project \d and 2 more/)
    t.match(first, 'href="/connect?offset=50#keys" rel="next"')
    const second = (await session.get('/connect?offset=50')).body
    t.strictSame(namesOf(second), ['Key 50', 'Key 51'])
    t.match(second, 'href="/connect#keys" rel="prev"')
    t.notMatch(second, 'rel="next"')
    const last = await keysList.run(many.context, { limit: 1, offset: 51 })
    t.match(last, { items: [{ name: 'Key 51' }], has_more: false })
    const replaced = await session.post('/connect', { action: 'replace', key_id: last.items[0]!.id, offset: '50' })
    t.strictSame(namesOf(replaced.body), ['Key 50', 'Key 51'])
    for (const action of ['replace', 'revoke']) {
      t.equal((await session.post('/connect', { action, key_id: last.items[0]!.id, offset: 'x' })).statusCode, 400)
    }
    const revoked = await session.post('/connect', { action: 'revoke', key_id: last.items[0]!.id, offset: '50' })
    t.equal(revoked.headers.location, '/connect?offset=50#keys')
    t.match((await session.get('/connect?offset=100')).body, 'This page is past the end.')
  })

  await t.test('are revoked one by one', async t => {
    const [first, , reader] = await keys()
    t.match((await session.post('/connect', { action: 'revoke', key_id: reader!.id })).headers.location, '/connect#keys')
    t.strictSame((await keys()).map(({ name }) => name), ['Default', 'My agent'])
    t.equal((await post(service, user.key, initialize)).statusCode, 200)
    t.equal((await session.post('/connect', { action: 'revoke', key_id: reader!.id })).statusCode, 404)
    await session.post('/connect', { action: 'revoke', key_id: first!.id })
    await wait(1000)
    t.equal((await post(service, user.key, initialize)).statusCode, 401)
  })
})
