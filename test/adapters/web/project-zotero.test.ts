import t from 'tap'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { zoteroStandIn } from '../../support/stand-ins/zotero.js'

t.test('the Zotero page', { skip: withoutBrowser }, async t => {
  const zotero = await zoteroStandIn(t)
  const reading = zotero.addCollection('To read')
  zotero.addCollection('Stars', { parent: reading })
  zotero.addItem({ title: 'Place cells', DOI: '10.5555/cells', collections: [reading] })
  zotero.addCollection('Of the lab', { library: 'groups/77' })
  const service = await visit(t, { ZOTERO_URL: zotero.url })
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Grid cells' }])
  const page = await service.signedIn(user)
  await page.goto(`${service.address}/projects/${project_id}/settings`)
  await page.getByRole('link', { name: 'Sync with Zotero' }).click()
  t.strictSame(await accessibilityViolations(page), [])

  await t.test('connects with a key that Zotero accepts', async t => {
    await page.getByLabel('API key').fill('wrongkey12345678')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Zotero does not accept this key. Check it, or create a new one.').waitFor()
    await page.getByLabel('API key').fill('goodkey123456789')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Connected with Zotero as ada.').waitFor()
    t.notMatch(await page.content(), /goodkey/)
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('syncs the chosen collections, and shows how that went', async t => {
    await page.getByRole('button', { name: 'Save and sync' }).click()
    await page.getByText('Choose a collection to read, or one for starred papers.').waitFor()
    await page.getByRole('link', { name: 'Sleep lab' }).click()
    await page.waitForLoadState()
    t.equal(await page.getByLabel('Of the lab').count(), 1)
    await page.getByRole('link', { name: 'My Library' }).click()
    await page.getByLabel('To read', { exact: true }).check()
    await page.getByLabel('Upvote these papers').check()
    await page.getByLabel('Export starred papers to').selectOption({ label: 'To read / Stars' })
    await page.getByRole('button', { name: 'Save and sync' }).click()
    await page.getByText('Syncing …').waitFor()
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'sync-zotero'))
    t.teardown(async () => await workers.stop(0))
    await page.getByText('1 from Zotero, 0 created in Zotero.').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('Last sync').waitFor()
    t.equal(await page.getByLabel('To read', { exact: true }).isChecked(), true)
  })

  await t.test('says what is wrong, and disconnects', async t => {
    zotero.keys.set('goodkey123456789', { library: true, write: false })
    await page.goto(`${service.address}/projects/${project_id}/zotero?library=groups/77`)
    await page.getByText('your key has no write access to Sleep lab').waitFor()
    zotero.intercept = () => ({ status: 418, body: '' })
    await page.reload()
    await page.getByText('Zotero refused the request (status 418).').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    zotero.intercept = undefined
    await service.context.db.updateTable('zotero_account').set({ paused_until: new Date(Date.now() + 600_000) }).execute()
    await page.reload()
    await page.getByText('Zotero asked Litfeed to slow down.').waitFor()
    await service.context.db.updateTable('zotero_account').set({ paused_until: null, rejected_at: new Date() }).execute()
    await page.reload()
    await page.getByText('Zotero no longer accepts your key.').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByText('Stop syncing', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Stop syncing' }).click()
    await page.getByText('This project no longer syncs with Zotero.').waitFor()
    await page.getByText('Disconnect', { exact: true }).click()
    await page.getByRole('button', { name: 'Disconnect from Zotero' }).click()
    await page.getByText('The key was deleted.').waitFor()
    t.equal((await service.context.db.selectFrom('zotero_account').selectAll().execute()).length, 0)
  })
})
