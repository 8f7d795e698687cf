import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

t.test('the list of a feed', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const project_id = await projectWith(user, ['spindles', 'replay', 'waves'].map(subject => ({ title: `Sleep and ${subject}` })))
  const { items } = await feedGet.run(user.context, { project_id })
  await itemUpdate.run(user.context, { ref: items[0]!.id, saved: true })
  const address = `${visited.address}/projects/${project_id}`
  const page = await visited.signedIn(user, { viewport: { width: 1280, height: 800 } })
  const search = page.getByLabel('Search this feed')
  const count = page.locator('#count')

  await t.test('says that a search runs', async t => {
    await page.goto(address)
    let answer = () => {}
    const isAsked = new Promise<void>(resolve => { answer = resolve })
    await page.route('**/*q=replay*', async route => {
      await isAsked
      await route.continue()
    })
    await search.fill('replay')
    await page.locator('#list[aria-busy=true]').waitFor()
    t.equal(await count.textContent(), 'Searching…')
    answer()
    await count.getByText('1 match').waitFor()
    t.equal(await page.locator('#list[aria-busy]').count(), 0)
    await page.unrouteAll()
  })

  await t.test('shows no other results where a search fails, and repeats it', async t => {
    await page.route('**/*q=waves*', async route => { await route.fulfill({ status: 502, body: 'Bad gateway' }) })
    await search.fill('waves')
    await page.getByText('Search failed: the service did not answer it.').waitFor()
    t.equal(await page.locator('[data-rows] .row').count(), 0)
    t.equal(await count.textContent(), 'Search failed')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('[data-rows] .row', { hasText: 'waves' }).waitFor()

    await page.context().setOffline(true)
    await search.fill('spindles')
    await page.getByText('Search failed: you are offline.').waitFor()
    await page.context().setOffline(false)
    await page.locator('[data-rows] .row', { hasText: 'spindles' }).waitFor()
    t.equal(await page.locator('[data-rows] .row').count(), 1)
    // The browser reports what failed here.
    visited.complaints.length = 0
  })

  await t.test('shows the filter in use and its count on a phone', async t => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${address}?saved=true`)
    for (const shown of [page.locator('.toggle', { hasText: 'Saved' }), count]) {
      const { x, width, height } = (await shown.boundingBox())!
      t.ok(x >= 0 && x + width <= 390 && height > 10, `at ${x} of width ${width}`)
    }
  })

  await t.test('prints without what is for the screen', async t => {
    await page.emulateMedia({ media: 'print' })
    for (const part of ['.head', '.tools', '.foot']) t.notOk(await page.locator(part).isVisible(), part)
    t.ok(await page.locator('[data-rows] .row').isVisible())
    await page.emulateMedia({ media: null })
  })
})
