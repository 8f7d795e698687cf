import type { Locator } from 'playwright-core'
import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { keyRotate } from '../../../src/operations/keys/key-rotate.js'
import { snapshotCreate } from '../../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../../src/operations/snapshots/snapshot-freeze.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { runNextImport, sendLibrary } from '../../support/library-imports.js'
import { projectWith } from '../../support/service.js'

/** Whether an element shows its whole text. */
const isWhole = async (element: Locator) => await element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)

t.test('layouts', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const authors = ['Chiara Bianchi', 'Elif Özdemir', 'Minh Sørensen'].map(name => ({ name }))
  const project_id = await projectWith(user, [{
    title: 'Effects of fluoxetine, tianeptine and olanzapine on unpredictable chronic mild stress in mice and rats',
    authors,
    venue_name: 'Eunice Kennedy Shriver National Institute of Child Health and Human Development',
    published_date: '2026-11-22'
  }], { name: 'Depression models', sources: [{ name: 'europepmc', query: '"chronic mild stress" OR "learned helplessness"' }] })
  const { items } = await feedGet.run(user.context, { project_id })
  const page = await visited.signedIn(user)
  const project = `${visited.address}/projects/${project_id}`

  await t.test('a row names authors, venue, date and tags at any width', async t => {
    await itemUpdate.run(user.context, { ref: items[0]!.id, tags: ['chronic stress', 'to discuss with the group'] })
    for (const [width, height] of [[390, 844], [768, 1024], [1280, 800]] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(project)
      for (const part of ['.row-venue', '.row-tag >> nth=0', '.row-tag >> nth=1', '.row-date']) {
        t.ok((await page.locator(part).boundingBox())!.width >= 24, `${part} at ${width}`)
      }
      t.ok(await isWhole(page.locator('.row-authors')), `authors at ${width}`)
      const [row, tag] = [await page.locator('.row').boundingBox(), await page.locator('.row-tag').last().boundingBox()]
      t.ok(tag!.y + tag!.height <= row!.y + row!.height && tag!.x + tag!.width <= row!.x + row!.width, `tags are in their row at ${width}`)
    }
    await itemUpdate.run(user.context, { ref: items[0]!.id, tags: [] })
    await page.goto(`${visited.address}/feed`)
    t.ok(await isWhole(page.locator('.row-project')), 'and the project')
    await page.setViewportSize({ width: 390, height: 844 })
    const { x, width } = (await page.locator('.row-date').boundingBox())!
    t.ok(x + width <= 390, 'and the date beside it on a phone')
  })

  await t.test('a wide formula fits a phone', async t => {
    const wide = String.raw`L(\mu)=\prod_{i=1}^{N}\frac{(\mu s_i+b_i)^{n_i}}{n_i!}e^{-(\mu s_i+b_i)}\cdot\prod_j f_j(\theta_j|\theta_j)+\sum_k g_k(x)`
    const id = await projectWith(user, [{ title: `On $${wide}$`, abstract: `It holds that $${wide}$, and that $a=b$.` }])
    await page.setViewportSize({ width: 360, height: 740 })
    const { items: [item] } = await feedGet.run(user.context, { project_id: id })
    for (const path of [`projects/${id}`, `projects/${id}?item=${item!.short_id}`, `papers/${item!.paper.id}`]) {
      await page.goto(`${visited.address}/${path}`)
      t.ok(await page.locator('math').count() > 0, path)
      t.ok(await isWhole(page.locator('html')), path)
    }
    t.ok((await page.locator('.prose math').first().boundingBox())!.height > 40, 'it breaks')
  })

  await t.test('tables of keys and sources fit a phone, in two columns', async t => {
    await keyRotate.run(user.context, {})
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${visited.address}/connect`)
    for (const name of ['Replace', 'Revoke']) {
      const { x, width } = (await page.locator('.key-actions summary', { hasText: name }).boundingBox())!
      t.ok(x >= 0 && x + width <= 390, name)
    }
    await page.goto(`${project}/settings`)
    const starts = await page.locator('#source-states td[data-label]').evaluateAll(cells =>
      cells.map(cell => cell.getBoundingClientRect().x + Number.parseFloat(getComputedStyle(cell).paddingLeft)))
    t.equal(starts.length, 5)
    t.equal(new Set(starts).size, 2, 'cells begin below each other')
  })

  await t.test('a title stays where it is when the paper comes', async t => {
    const id = await projectWith(user, ['One', 'Two'].map(name => ({ title: `Paper ${name}`, abstract: 'Sleep.' })))
    await page.setViewportSize({ width: 1280, height: 800 })
    let answer = () => {}
    const answering = new Promise<void>(resolve => { answer = resolve })
    await page.route(/alone=true/, async route => { await answering; await route.continue() })
    await page.goto(`${visited.address}/projects/${id}`)
    await page.locator('[data-rows] .row a').nth(1).click()
    await page.locator('.details').getByText('Loading…').waitFor()
    const title = page.locator('.details h2')
    const { y } = (await title.boundingBox())!
    answer()
    await page.locator('.details .prose').waitFor()
    t.equal((await title.boundingBox())!.y, y)
    await page.unroute(/alone=true/)
  })

  await t.test('names and dates keep their order beside right-to-left venues', async t => {
    const id = await projectWith(user, [{
      title: 'أثر النوم على الذاكرة',
      authors: ['محمد الخوارزمي', 'علي ابن سينا'].map(name => ({ name })),
      venue_name: 'مجلة الطب العربي',
      published_date: '2023-07-02'
    }])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${visited.address}/projects/${id}`)
    t.equal(await page.locator('.row-authors').evaluate(names => getComputedStyle(names).direction), 'rtl', 'names are cut at their end')
    const parts = await page.locator('.imprint').evaluate(imprint => {
      const texts = document.createTreeWalker(imprint, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
        const at = text.data.indexOf('2 Jul 2023')
        if (at === -1) continue
        const date = document.createRange()
        date.setStart(text, at)
        date.setEnd(text, at + '2 Jul 2023'.length)
        return date.getClientRects().length
      }
    })
    t.equal(parts, 1, 'the date is in one piece')
  })

  await t.test('the tables of a snapshot break no short name and fit a phone', async t => {
    await sendLibrary(user, project_id, 'TY  - JOUR\nTI  - Sleep\nER  -\n', { name: `${'a_long_name_of_a_file_'.repeat(4)}.ris` })
    await runNextImport(visited)
    const { id } = await snapshotCreate.run(user.context, { project_id })
    await snapshotFreeze.run(user.context, { project_id })
    await page.goto(`${project}/snapshots/${id}`)
    await page.getByText('Show as table').click()
    t.ok((await page.getByRole('rowheader', { name: 'Europe PMC' }).evaluate(cell => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      return text.getClientRects().length
    })) === 1, 'the name of a source is on one line')
    await page.setViewportSize({ width: 390, height: 844 })
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  })

  await t.test('the report on several files leaves the page as it was around it', async t => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${project}/import`)
    const bottomOf = async (part: string) => { const { y, height } = (await page.locator(part).boundingBox())!; return y + height }
    const field = page.getByLabel('File', { exact: true })
    await field.setInputFiles(['first', 'second'].map(name => ({ name: `${name}.docx`, mimeType: '', buffer: Buffer.from('text') })))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.locator('#import-report').waitFor()
    t.ok((await page.locator('#import-report').boundingBox())!.y >= await bottomOf('.page-lead') + 16)
    t.ok((await page.getByText('File', { exact: true }).boundingBox())!.y >= await bottomOf('#import-report') + 16)
  })

  await t.test('updates to many papers leave room for the list', async t => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(project)
    await page.locator('.feed-list .tools').evaluate(tools => {
      const lines = '<li><a href="/">A paper</a></li>'.repeat(100)
      tools.insertAdjacentHTML('afterend', `<section class="notice warn feed-news"><ul class="plain">${lines}</ul></section>`)
    })
    const { y, height } = (await page.locator('.feed-news').boundingBox())!
    t.ok(y + height <= 600, `the updates end at ${y + height}`)
    t.ok(await page.locator('.feed-news').evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight), 'and scroll')
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('the result of a form is in view and has the focus where the page opens at one of its parts', async t => {
    await page.setViewportSize({ width: 640, height: 400 })
    await page.goto(`${visited.address}/account`)
    await page.getByRole('button', { name: 'Save time zone' }).click()
    await page.waitForURL(/#time$/)
    const result = page.getByText('Days and digests now follow the time zone UTC.')
    const { y, height } = (await result.boundingBox())!
    t.ok(y >= 0 && y + height <= 400, `it is at ${y}`)
    t.ok(await result.evaluate(each => each === document.activeElement))
    t.ok((await page.locator('#time').boundingBox())!.y >= y + height, 'it does not cover the part')
  })

  await t.test('what is current, chosen or marked shows in colors that the system sets', async t => {
    const forced = await visited.signedIn(user, { viewport: { width: 1280, height: 800 }, forcedColors: 'active' })
    await itemUpdate.run(user.context, { ref: items[0]!.id, saved: true })
    await forced.goto(`${project}?item=${items[0]!.short_id}`)
    const outline = async (part: string) => await forced.locator(part).first().evaluate(each => getComputedStyle(each).outlineStyle)
    for (const part of ['.row a[aria-current]', '.filter-links a[aria-current]', '.details [aria-pressed=true]']) {
      t.equal(await outline(part), 'solid', part)
    }
    t.equal(await outline('.filter-links a:not([aria-current])'), 'none')
    const [sign, ground] = await forced.locator('.mark-sign.saved').evaluate(each =>
      [getComputedStyle(each, '::before').backgroundColor, getComputedStyle(document.body).backgroundColor])
    t.not(sign, ground)
    await itemUpdate.run(user.context, { ref: items[0]!.id, saved: false })
    await forced.context().close()
  })

  await t.test('a low window shows all of the menu', async t => {
    await page.setViewportSize({ width: 640, height: 300 })
    await page.goto(project)
    await page.getByRole('button', { name: 'Menu' }).click()
    const last = page.getByRole('button', { name: 'Sign out' })
    await last.scrollIntoViewIfNeeded()
    const { y, height } = (await last.boundingBox())!
    t.ok(y >= 0 && y + height <= 300, `it ends at ${y + height}`)
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('the time zone of the device is saved with one click, under the name that only its browser uses', async t => {
    const page = await visited.signedIn(user, { viewport: { width: 1280, height: 800 } })
    await page.addInitScript(() => {
      Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: 'Asia/Kolkata' }) as Intl.ResolvedDateTimeFormatOptions
    })
    await page.goto(`${visited.address}/account`)
    await page.getByRole('button', { name: 'Use the time zone of this device' }).click()
    await page.getByText('Days and digests now follow the time zone Asia/Kolkata.').waitFor()
    t.equal(await page.getByRole('button', { name: 'Use the time zone of this device' }).count(), 0, 'it is chosen')
  })

  await t.test('the buttons of a long form do not cover the field in a low window', async t => {
    await page.setViewportSize({ width: 640, height: 400 })
    await page.goto(`${visited.address}/projects/new`)
    const interest = page.getByLabel('Research interest')
    await interest.focus()
    await interest.scrollIntoViewIfNeeded()
    const { y, height } = (await interest.boundingBox())!
    const top = (await page.locator('.finish').boundingBox())!.y
    t.ok(y + height <= top, `the field ends at ${y + height}, the buttons begin at ${top}`)
  })
})
