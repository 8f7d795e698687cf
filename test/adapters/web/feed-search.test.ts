import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
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

  await t.test('has its first filters, order and export in view on a phone', async t => {
    await page.goto(address)
    for (const tool of ['.filter-links a:nth-child(2)', '#sort', '#export']) {
      const { x, width } = (await page.locator(tool).boundingBox())!
      t.ok(x >= 0 && x + width <= 390, `${tool} at ${x} of width ${width}`)
    }
    t.ok((await page.locator('.row').first().boundingBox())!.y <= 844 / 5)
    await page.goto(`${visited.address}/projects/${project_id}/settings`)
    const table = page.getByRole('table')
    t.ok(await table.evaluate(each => each.parentElement!.scrollWidth <= each.parentElement!.clientWidth), 'sources are not cut')
    t.match(await page.getByRole('row').nth(1).textContent(), /^arXiv.*not checked yet/)
    t.ok(await page.getByRole('columnheader', { name: 'Last fetch' }).count() > 0)
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('prints the note and tags of a paper, and neither if there are none', async t => {
    const printed = async (path: string) => {
      await page.emulateMedia({ media: null })
      await page.goto(`${visited.address}${path}`)
      await page.emulateMedia({ media: 'print' })
      const note = page.locator('.note-form')
      return {
        tag: await page.locator('.tag').isVisible(),
        fields: await page.locator(':is(.tag-field, textarea, button, .upload, .full-text .panel):visible').count(),
        note: await note.isVisible() ? await note.evaluate(each => getComputedStyle(each, '::after').content) : undefined
      }
    }
    const [{ short_id, paper, id }] = items as [typeof items[0]]
    const paths = [`/projects/${project_id}?item=${short_id}`, `/papers/${paper.id}`]
    for (const path of paths) t.strictSame(await printed(path), { tag: false, fields: 0, note: undefined }, path)
    await itemUpdate.run(user.context, { ref: id, tags: ['methods'], note: 'Compare with ours.' })
    for (const path of paths) t.strictSame(await printed(path), { tag: true, fields: 0, note: '"Compare with ours."' }, path)
    await page.emulateMedia({ media: null })
    await page.goto(address)
  })

  await t.test('offers the filter of a tag that a search names, and says what is searched', async t => {
    await itemUpdate.run(user.context, { ref: items[0]!.id, tags: ['Café culture'] })
    await page.goto(address)
    t.match(await page.getByRole('searchbox').getAttribute('title'), /Searches titles, .*notes are not searched/)
    const link = count.getByRole('link', { name: 'Tagged “Café culture”: 1' })
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${address}?q=caf%C3%A9+CULTURE`)
      t.ok(await link.isVisible())
      t.strictSame(await accessibilityViolations(page), [])
    }
    await page.goto(address)
    await page.getByRole('searchbox').fill('café culture')
    await link.click()
    await page.getByText('1 paper tagged “Café culture”').waitFor()
    t.equal(await page.getByRole('searchbox').inputValue(), '')
    await page.goto(`${address}?q=sleep`)
    t.equal(await count.getByRole('link').count(), 0)
    await page.goto(address)
  })

  await t.test('prints without what is for the screen', async t => {
    await page.emulateMedia({ media: 'print' })
    for (const part of ['.head', '.tools', '.foot']) t.notOk(await page.locator(part).isVisible(), part)
    t.ok(await page.locator('[data-rows] .row').isVisible())
    await page.emulateMedia({ media: null })
  })

  await t.test('says that a search takes long, and that it failed, and keeps the list and the query', async t => {
    for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      await page.goto(address)
      const search = page.getByLabel('Search this feed')
      const searching = page.getByRole('status').getByText('Searching…')
      let release = () => {}
      const released = new Promise<void>(resolve => { release = resolve })
      await page.route(/q=spindles/, async route => { await released; await route.continue() })
      await search.fill('spindles')
      await searching.waitFor({ state: 'visible' })
      t.strictSame(await accessibilityViolations(page), [])
      release()
      await count.filter({ hasText: '1 match' }).waitFor()
      t.notOk(await searching.isVisible())

      await page.route(/q=(theta|gamma)/, async route => {
        if (route.request().url().includes('theta')) return await route.abort('connectionfailed')
        await route.fulfill({ status: 503, contentType: 'text/html', body: '<p class="lead">The service is busy. Retry after 5 s.</p>' })
      })
      for (const [query, message] of [
        ['theta', 'There was no answer. Check your connection, and try again.'],
        ['gamma', 'The service is busy. Retry after 5 s.']
      ] as const) {
        await search.fill(query)
        await page.locator('#toast').getByText(message).waitFor()
        t.equal(await search.inputValue(), query)
        t.equal(await page.locator('[data-rows] .row').count(), 1)
        t.notOk(await searching.isVisible())
        const failed = page.locator('#list .search-failed')
        await failed.getByText(`These are not the results for “${query}”. ${message}`).waitFor()
        t.equal(await failed.count(), 1)
        t.equal(await count.textContent(), 'Search failed')
      }
      await page.evaluate(() => { delete document.getElementById('toast')!.dataset.shown })
      t.ok(await page.locator('.search-failed').isVisible(), 'longer than the message')
      t.strictSame(await accessibilityViolations(page), [])
      await page.unroute(/q=(theta|gamma)/)
      await page.getByRole('button', { name: 'Try again' }).click()
      await count.filter({ hasText: 'No matches' }).waitFor()
      t.equal(await page.locator('.search-failed').count(), 0)
      t.equal(await page.evaluate(() => document.activeElement!.id), 'q')
    }
    // Browsers and htmx log requests that fail.
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/ERR_CONNECTION_FAILED|status of 503|htmx:/.test(each)))
  })

  await t.test('says that a search has no operators, if it is written with some', async t => {
    await page.goto(address)
    const hint = page.locator('#search-hint')
    await page.getByLabel('Search this feed').fill('sleep NOT spindles')
    await hint.filter({ hasText: 'Search has no operators: papers with more words of “sleep spindles” come first.' }).waitFor()
    for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      t.strictSame(await accessibilityViolations(page), [])
    }
    await page.getByLabel('Search this feed').fill('sleep and spindles')
    await hint.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
    const browser = await formSession(visited.app, user)
    for (const path of [`/projects/${project_id}`, '/feed']) {
      const hintOf = async (q: string) =>
        /id="search-hint"[^>]*>([^<]*)</.exec((await browser.get(`${path}?q=${encodeURIComponent(q)}`)).body)![1]
      for (const q of [
        '"sleep spindles"', '“sleep spindles”', 'sleep -spindles', 'sleep AND memory', 'sleep OR memory', 'NOT sleep',
        'author:Walker sleep', 'sleep[tiab]'
      ]) {
        t.match(await hintOf(q), /^Search has no operators: papers with more words of “[^-"“”]+” come first\.$/, q)
      }
      for (const q of ['sleep and memory', 'IL-6 beta-carotene', 'sleep - spindles', 'NOTCH signaling', 'Crohn’s']) {
        t.equal(await hintOf(q), '', q)
      }
    }
  })
})
