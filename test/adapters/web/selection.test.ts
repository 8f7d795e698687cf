import { readFileSync } from 'node:fs'
import t from 'tap'
import { accessibilityViolations, listAllPages, withoutBrowser } from '../../support/browser.js'
import { readRecords } from '../../support/readings.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'
import { marksSession, papersOf, phone, row } from '../../support/marks.js'
import { wide } from '../../support/triage.js'

t.test('selected papers', { skip: withoutBrowser }, async t => {
  const { visited, user, storageState, feedOf, itemOf } = await marksSession(t)

  await t.test('a selection is saved, tagged and exported', async t => {
    const { page, ids } = await feedOf('Selected')
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await page.locator('#selection .menu summary').click()
    t.strictSame(await accessibilityViolations(page), [])
    const link = page.locator('#selection').getByRole('link', { name: 'BibTeX' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    t.equal((await readRecords('bibtex', readFileSync(await download.path()))).length, 2)
    await page.keyboard.press('Escape')
    await row(page, ids[2]!).locator('a').focus()
    await page.getByLabel('Tag selected papers').fill('batch, second')
    await page.keyboard.press('Enter')
    await until(async () => (await Promise.all(ids.slice(0, 2).map(itemOf))).every(({ tags }) => tags.join() === 'batch,second'))
    t.notOk(await page.locator('#selection').isVisible())
    t.strictSame((await itemOf(ids[2]!)).tags, [])
  })

  await t.test('a plain mouse selects rows one by one, in ranges and all', async t => {
    const { page, ids } = await feedOf('Ticked')
    const tick = (at: number) => row(page, ids[at]!).locator('.row-tick input')
    t.notOk(await row(page, ids[4]!).locator('.row-tick').isVisible())
    await row(page, ids[4]!).hover()
    t.ok(await row(page, ids[4]!).getByRole('checkbox', { name: /^Select On Ticked spindles/ }).isVisible())
    await tick(4).click()
    t.match(await page.locator('.details').getAttribute('data-item'), ids[0], 'a checkbox opens no paper')
    await tick(7).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected', { exact: true }).waitFor()
    await tick(5).click()
    await page.getByText('3 selected', { exact: true }).waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    const bar = page.getByRole('toolbar', { name: 'Selected papers' })
    await bar.getByRole('button', { name: 'Save' }).click()
    await until(async () => (await Promise.all([4, 6, 7].map(async at => await itemOf(ids[at]!)))).every(({ saved }) => saved))
    t.notOk((await itemOf(ids[5]!)).saved)
    t.notOk(await tick(4).isChecked())
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await row(page, ids[2]!).locator('a').click()
    await bar.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('12 selected', { exact: true }).waitFor()
    await bar.getByRole('button', { name: 'Clear' }).click()
    t.notOk(await bar.isVisible())
    await page.keyboard.press('A')
    await page.getByText('12 selected', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await row(page, ids[3]!).locator('a').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByText('1 selected', { exact: true }).waitFor()
    t.ok(await tick(3).isChecked())
  })

  await t.test('a tap selects rows on a phone, and a vote on them can be undone', async t => {
    const { page, ids } = await feedOf('Tapped', phone)
    const votes = async () => (await Promise.all(ids.map(itemOf))).filter(({ feedback }) => feedback?.vote === 'upvote').map(({ id }) => id)
    const bar = page.getByRole('toolbar', { name: 'Selected papers' })
    await page.getByRole('button', { name: 'Select', exact: true }).tap()
    await bar.waitFor()
    t.strictSame(await bar.getByRole('button').allTextContents(), ['Select all', 'Clear'])
    for (const at of [1, 2, 3, 3]) await row(page, ids[at]!).locator('a').tap()
    await page.getByText('2 selected', { exact: true }).waitFor()
    t.notOk(await page.locator('.details').isVisible(), 'a tap opens no paper')
    t.strictSame(await accessibilityViolations(page), [])
    for (const target of await bar.locator('button, summary, input').all()) {
      t.ok((await target.boundingBox())!.height >= 44, await target.innerText())
    }
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390)
    await page.clock.install()
    // The toast stays until its button is pressed, however long the votes take.
    await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 60_000)
    await bar.getByRole('button', { name: 'Upvote' }).tap()
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).waitFor()
    await until(async () => (await votes()).join() === [ids[1], ids[2]].join())
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).tap()
    await until(async () => (await votes()).length === 0)
    await page.clock.resume()
    await row(page, ids[1]!).locator('a').tap()
    await page.locator(`.details[data-chosen][data-item="${ids[1]!}"]`).waitFor()
  })

  await t.test('the export of a selection says that it has a maximum', async t => {
    const project_id = await projectWith(user, papersOf('many', 210), { name: 'Many' })
    const page = await visited.newPage({ ...wide, storageState })
    await page.goto(`${visited.address}/projects/${project_id}`)
    await listAllPages(page)
    const listed = page.locator('[data-rows] .row')
    t.equal(await listed.count(), 210)
    await listed.first().locator('a').click()
    const title = page.locator('#selection .menu-title')
    const selectTo = async (at: number) => { await listed.nth(at).locator('a').click({ modifiers: ['Shift'] }) }
    await selectTo(199)
    t.equal(await title.textContent(), 'Selected papers')
    await selectTo(209)
    await page.getByText('210 selected', { exact: true }).waitFor()
    t.equal(await title.textContent(), 'First 200 of 210 selected papers')
    const href = await page.locator('#selection a[data-export=ris]').getAttribute('href')
    t.equal(new URL(href!, page.url()).searchParams.get('items')!.split(',').length, 200)
  })
})
