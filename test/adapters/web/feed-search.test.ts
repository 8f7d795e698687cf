import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

t.test('the list of a feed', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const project_id = await projectWith(user, [{ title: 'Sleep and spindles' }])
  const { items } = await feedGet.run(user.context, { project_id })
  await itemUpdate.run(user.context, { ref: items[0]!.id, saved: true })
  const address = `${visited.address}/projects/${project_id}`
  const page = await visited.signedIn(user, { viewport: { width: 1280, height: 800 } })
  const count = page.locator('#count')

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
