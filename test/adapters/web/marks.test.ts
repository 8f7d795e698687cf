import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Page } from 'playwright-core'
import { setTimeZone } from '../../../db/queries/accounts.js'
import { dayAt, startOfDay } from '../../../src/papers/time-zones.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { readRecords } from '../../support/readings.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'
import { dayMs } from '../../../schemas/durations.js'

const papersOf = (name: string, length = 12) => Array.from({ length }, (_, at) => ({
  title: `On ${name} spindles in cohort ${at + 10}`,
  abstract: 'Spindles. '.repeat(80),
  doi: `10.5555/${name.replace(/\W/g, '')}.${at}`
}))
const wide = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

t.test('marks on pages', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const storageState = await (await visited.signedIn(user, wide)).context().storageState()
  const { db } = visited.context
  /** Opens a project of its own, with 12 papers: half of them of yesterday. */
  const feedOf = async (name: string, options = {}) => {
    const project_id = await projectWith(user, papersOf(name), { name })
    const all = async () => (await feedGet.run(user.context, { project_id, limit: 50 })).items
    const old = (await all()).slice(0, 6).map(({ id }) => id)
    await db.updateTable('project_paper').set({ ready_at: new Date(Date.now() - dayMs) }).where('id', 'in', old).execute()
    const page = await visited.newPage({ ...wide, storageState, ...options })
    const address = `${visited.address}/projects/${project_id}`
    await page.goto(address)
    const ids = await page.locator('[data-rows] .row').evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.item!))
    const seen = async () => (await all()).filter(({ seen_at }) => seen_at !== null).map(({ id }) => id)
    return { page, address, ids, seen }
  }
  const itemOf = async (ref: string) => await projectPaperGet.run(user.context, { ref })
  const row = (page: Page, id: string) => page.locator(`[data-rows] .row[data-item="${id}"]`)

  await t.test('opening a paper marks it as seen in the list', async t => {
    const { page, ids, seen } = await feedOf('Seen')
    await until(async () => (await seen()).length === 1)
    t.strictSame(await seen(), [ids[0]], 'the first is shown beside the list')
    await page.keyboard.press('j')
    await row(page, ids[1]!).and(page.locator('[data-seen=true]')).waitFor()
    await until(async () => (await seen()).length === 2)
    t.strictSame((await itemOf(ids[1]!)).feedback, null)
    t.equal(await row(page, ids[3]!).getAttribute('data-seen'), 'false', 'papers that are loaded ahead are not seen')
    await page.getByRole('button', { name: 'Mark as unseen' }).click()
    await until(async () => (await seen()).length === 1)
    await page.keyboard.press('z')
    await until(async () => (await seen()).length === 2)
    await page.getByRole('link', { name: 'Unseen' }).click()
    await page.waitForLoadState()
    await page.getByText('10 unseen papers').waitFor()
    t.equal(await page.locator('[data-rows] .row').count(), 10)
  })

  await t.test('s saves for later, S unsaves and z undoes', async t => {
    const { page, ids } = await feedOf('Saved')
    const isSaved = async (saved: boolean) => await until(async () => (await itemOf(ids[0]!)).saved === saved)
    for (let count = 0; count < 3; count++) await page.keyboard.press('s')
    await isSaved(true)
    await row(page, ids[0]!).locator('.saved-sign').waitFor()
    await page.locator('.marks').getByRole('button', { name: 'Saved', pressed: true }).waitFor()
    await page.keyboard.press('Shift+S')
    await isSaved(false)
    await page.keyboard.press('z')
    await isSaved(true)
    await page.locator('#mark-links').getByRole('link', { name: 'Saved' }).click()
    await page.waitForLoadState()
    await page.getByText('1 saved paper').waitFor()
    t.strictSame(await page.locator('[data-rows] .row').evaluateAll(rows => rows.map(each => (each as HTMLElement).dataset.item)), [ids[0]])
  })

  await t.test('tags are added with the keyboard, completed, removed, and filter the feed', async t => {
    const { page, ids } = await feedOf('Tagged')
    const hasTags = async (id: string, tags: string[]) => await until(async () => (await itemOf(id)).tags.join() === tags.join())
    await page.locator('.details .tag-field').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('To cite, methods')
    await page.keyboard.press('Enter')
    await hasTags(ids[0]!, ['To cite', 'methods'])
    t.strictSame(await row(page, ids[0]!).locator('.row-tag').allTextContents(), ['To cite', 'methods'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.locator(`.details[data-item="${ids[1]!}"] .tag-field`).waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('TO CITE')
    await page.keyboard.press('Enter')
    await hasTags(ids[1]!, ['To cite'])
    const known = page.locator('#known-tags option')
    t.strictSame(await known.evaluateAll(options => options.map(each => (each as HTMLOptionElement).value)), ['To cite', 'methods'])
    // Escape closes the list of tags first.
    await page.locator('.tag-field').first().blur()
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Remove tag methods' }).click()
    await hasTags(ids[0]!, ['To cite'])
    await page.reload()
    await page.locator('#tag-menu summary').click()
    t.strictSame(await accessibilityViolations(page), [])
    await page.locator('#tag-menu').getByRole('link', { name: 'To cite' }).click()
    await page.getByText('2 papers tagged “To cite”').waitFor()
    await page.locator('.summary summary', { hasText: 'Export' }).click()
    const link = page.locator('.summary').getByRole('link', { name: 'RIS' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const ris = readFileSync(await download.path(), 'utf8')
    t.equal(ris.match(/^KW {2}- To cite$/gm)?.length, 2)
  })

  await t.test('saves a note while typing, on leaving the paper and across a reload', async t => {
    const { page, ids } = await feedOf('Notes')
    const note = 'Compare with <chapter 2>.\n“Größe” matters.'
    await page.locator('.details .note-form textarea').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('Compare with <chapter 2>.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('“Größe” matters.')
    await until(async () => (await itemOf(ids[0]!)).note === note)
    await page.locator('.note-form [role=status]', { hasText: 'Saved' }).waitFor()
    await page.keyboard.type(' More')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await until(async () => (await itemOf(ids[0]!)).note === `${note} More`)
    await row(page, ids[0]!).locator('.note-sign').waitFor()
    await page.keyboard.press('k')
    await page.locator(`.details[data-item="${ids[0]!}"]`).waitFor()
    t.equal(await page.locator('.note-form textarea').inputValue(), `${note} More`)
    await page.reload()
    t.equal(await page.locator('.note-form textarea').inputValue(), `${note} More`)
    await page.keyboard.press('o')
    await page.waitForURL('**/papers/**')
    await page.locator('.paper-marks .note-form').waitFor()
    t.equal(await page.locator('.note-form textarea').inputValue(), `${note} More`)
    t.strictSame(await accessibilityViolations(page), [])
    await page.locator('.note-form textarea').fill('Shorter')
    await page.getByRole('button', { name: 'Save note' }).click()
    await until(async () => (await itemOf(ids[0]!)).note === 'Shorter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await until(async () => (await itemOf(ids[0]!)).saved)
  })

  await t.test('reverts only the rejected change and never reports it as saved', async t => {
    const { page, ids } = await feedOf('Refused')
    await page.locator('.details .note-form textarea').waitFor()
    await page.evaluate('document.querySelector(\'.note-form textarea\').removeAttribute(\'maxlength\')')
    const tooLong = 'x'.repeat(10_001)
    const status = page.locator('.note-form [role=status]')
    // One request has all three.
    await page.route(/projects/, async route => { route.request().method() === 'POST' ? await route.abort() : await route.continue() })
    await page.keyboard.press('s')
    await page.evaluate(`addTag(location.pathname, ['${ids[0]!}'], 'y'.repeat(60))`)
    await page.locator('.details .note-form textarea').fill(tooLong)
    await page.getByText('No connection: 3 changes not saved yet.').waitFor()
    await page.unroute(/projects/)
    await status.getByText('Not saved').waitFor()
    t.match(await itemOf(ids[0]!), { saved: true, tags: [], note: null })
    t.equal(await row(page, ids[0]!).getAttribute('data-saved'), 'true')
    t.strictSame(await row(page, ids[0]!).locator('.row-tag').allTextContents(), [])
    t.equal(await row(page, ids[0]!).getAttribute('data-noted'), 'false')
    t.equal(await page.locator('.note-form textarea').inputValue(), tooLong, 'the text stays, to be shortened')
    await page.getByRole('button', { name: 'Save note' }).click()
    await status.getByText('Saving…').or(status.getByText('Not saved')).waitFor()
    await status.getByText('Not saved').waitFor()
    await page.locator('.details .note-form textarea').fill('Short')
    await status.getByText('Saved', { exact: true }).waitFor()
    t.equal((await itemOf(ids[0]!)).note, 'Short')
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('voting marks a paper as seen', async t => {
    const { page, ids } = await feedOf('Voted')
    await page.locator('.details .vote').waitFor()
    await row(page, ids[0]!).and(page.locator('[data-seen=true]')).waitFor()
    await page.evaluate(`castVotes(location.pathname, ['${ids[2]!}', '${ids[3]!}'], 'upvote')`)
    t.equal(await row(page, ids[2]!).getAttribute('data-seen'), 'true')
    await until(async () => (await itemOf(ids[3]!)).seen_at !== null)
  })

  await t.test('skips the rest of a day, with undo', async t => {
    const { page, ids, seen } = await feedOf('Skipped')
    await until(async () => (await seen()).length === 1)
    await page.keyboard.press('e')
    // The first paper of the next day counts as seen once its text is there, not only its title.
    await until(async () => (await seen()).length >= 7)
    t.strictSame((await seen()).sort(), ids.slice(0, 7).sort())
    t.equal(await page.locator('.details').getAttribute('data-item'), ids[6])
    t.equal(await page.locator('.skip-day button:not([hidden])').count(), 1)
    await page.keyboard.press('z')
    // It opens the first paper that was skipped.
    await until(async () => (await seen()).length === 3)
    t.strictSame((await seen()).sort(), [ids[0], ids[1], ids[6]].sort(), 'what was seen before stays so')
  })

  await t.test('days are those of the account', async t => {
    const { page, address, ids, seen } = await feedOf('Zones')
    // Midnight in Auckland is noon of the day before in UTC.
    const midnight = startOfDay(dayAt(new Date(), 'Pacific/Auckland'), 'Pacific/Auckland')
    const at = async (hours: number, items: string[]) => {
      const ready_at = new Date(midnight.getTime() + hours * 60 * 60 * 1000)
      await db.updateTable('project_paper').set({ ready_at, seen_at: null }).where('id', 'in', items).execute()
    }
    await at(0, ids.slice(0, 5))
    await at(-1, ids.slice(5))
    await setTimeZone(db, user.context.account.id, 'Pacific/Auckland')
    t.teardown(async () => { await setTimeZone(db, user.context.account.id, 'UTC') })
    await page.goto(`${address}?item=${ids[0]!}`)
    t.strictSame(await page.locator('.day h2').allTextContents(), ['Today', 'Yesterday'])
    t.equal(await page.locator('.rows').first().locator('.row').count(), 5)
    await page.locator('.skip-day button').first().click()
    await until(async () => (await seen()).length >= 5)
    t.strictSame((await seen()).filter(id => !ids.slice(5).includes(id)).sort(), ids.slice(0, 5).sort())
  })

  await t.test('a selection is saved, tagged and exported', async t => {
    const { page, ids } = await feedOf('Selected')
    await page.keyboard.press('x')
    await page.keyboard.press('x')
    await page.locator('#selection .menu summary').click()
    t.strictSame(await accessibilityViolations(page), [])
    const link = page.locator('#selection').getByRole('link', { name: 'BibTeX' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    t.equal((await readRecords('bibtex', readFileSync(await download.path()))).length, 2)
    await page.keyboard.press('Escape')
    await row(page, ids[2]!).locator('a').focus()
    await page.getByLabel('Tag selected papers').fill('batch')
    await page.keyboard.press('Enter')
    await until(async () => (await Promise.all(ids.slice(0, 2).map(itemOf))).every(({ tags }) => tags.join() === 'batch'))
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
    await bar.getByRole('button', { name: 'Upvote' }).tap()
    // The toast stays until its button is pressed, however long the votes take.
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).waitFor()
    await page.evaluate('clearTimeout(toastTimer)')
    await until(async () => (await votes()).join() === [ids[1], ids[2]].join())
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).tap()
    await until(async () => (await votes()).length === 0)
    await row(page, ids[1]!).locator('a').tap()
    await page.locator(`.details[data-chosen][data-item="${ids[1]!}"]`).waitFor()
  })

  await t.test('the export of a selection says that it has a maximum', async t => {
    const project_id = await projectWith(user, papersOf('many', 210), { name: 'Many' })
    const page = await visited.newPage({ ...wide, storageState })
    await page.goto(`${visited.address}/projects/${project_id}`)
    await page.evaluate('(async () => { while (await loadMore()); })()')
    const listed = page.locator('[data-rows] .row')
    t.equal(await listed.count(), 210)
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

  await t.test('queues offline changes and sends each once', async t => {
    const { page, ids } = await feedOf('Offline')
    await page.route(/projects/, async route => { route.request().method() === 'POST' ? await route.abort() : await route.continue() })
    await page.keyboard.press('s')
    await page.locator('.details .note-form textarea').fill('Written offline')
    await page.getByText('No connection: 2 changes not saved yet.').waitFor()
    await page.reload()
    await page.getByText('2 changes not saved yet.').waitFor()
    t.equal(await page.locator('.note-form textarea').inputValue(), 'Written offline')
    t.equal(await row(page, ids[0]!).getAttribute('data-saved'), 'true')
    await page.unroute(/projects/)
    await until(async () => (await itemOf(ids[0]!)).note === 'Written offline')
    t.match(await itemOf(ids[0]!), { saved: true, seen_at: String })
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('a swipe opens the next or previous paper, scrolling does not', async t => {
    const { page, ids, seen } = await feedOf('Swiped', phone)
    await row(page, ids[2]!).locator('a').tap()
    const shows = async (id: string) => { await page.locator(`.details[data-chosen][data-item="${id}"] .note-form`).waitFor() }
    await shows(ids[2]!)
    const touches = await page.context().newCDPSession(page)
    const swipe = async (from: [number, number], to: [number, number]) => {
      const at = (step: number) => [{ x: from[0] + (to[0] - from[0]) * step / 10, y: from[1] + (to[1] - from[1]) * step / 10 }]
      await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
      for (let step = 1; step <= 10; step++) await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) })
      await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await swipe([330, 420], [60, 430])
    await shows(ids[3]!)
    await swipe([330, 420], [60, 400])
    await shows(ids[4]!)
    await swipe([60, 420], [330, 420])
    await shows(ids[3]!)
    await until(async () => (await seen()).length === 3)
    await swipe([200, 700], [190, 300])
    await swipe([200, 420], [170, 420])
    t.equal(await page.locator('.details').getAttribute('data-item'), ids[3], 'neither scrolling nor a short touch')
    // The page scrolls, once the browser gets to it.
    await page.waitForFunction(() => scrollY > 0)
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390)
    for (const target of await page.locator('.triage-bar button, .marks button, .tag-field, .tags > button, .note-foot button').all()) {
      t.ok((await target.boundingBox())!.height >= 44, await target.innerText())
    }
    await page.locator('.triage-bar').getByRole('button', { name: 'Save' }).tap()
    await until(async () => (await itemOf(ids[3]!)).saved)
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('without JavaScript, the forms do the same', async t => {
    const { page, address, ids, seen } = await feedOf('No scripts', { javaScriptEnabled: false })
    await page.goto(`${address}?item=${ids[0]!}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    t.ok((await itemOf(ids[0]!)).saved)
    await page.getByRole('button', { name: 'Mark as seen' }).click()
    await page.getByLabel('Add tag').fill('one, Two')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove tag one' }).click()
    await page.getByLabel('Your note').fill('Line one\nline two')
    await page.getByRole('button', { name: 'Save note' }).click()
    t.match(await itemOf(ids[0]!), { saved: true, seen_at: String, tags: ['Two'], note: 'Line one\nline two' })
    await page.getByLabel('Add tag').fill('x'.repeat(30))
    await page.getByRole('button', { name: 'Skip the rest of this day' }).first().click()
    await page.getByText('Marked 5 papers as seen.').waitFor()
    t.equal((await seen()).length, 6)
  })

  await t.test('are accessible in light and dark mode', async t => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, ids } = await feedOf(`Colors ${colorScheme}`, { colorScheme })
      await page.locator('.details .tag-field').fill('a tag')
      await page.keyboard.press('Enter')
      await page.locator('.tag').waitFor()
      await page.locator('.details .note-form textarea').fill('A note')
      await until(async () => (await itemOf(ids[0]!)).note === 'A note')
      t.strictSame(await accessibilityViolations(page), [], colorScheme)
    }
  })

  await t.test('dialogs, menus and the selection are accessible on a phone in dark mode', async t => {
    const { page, ids, address } = await feedOf('Dark', { colorScheme: 'dark' })
    await page.locator('.details .tag-field').fill('a tag')
    await page.keyboard.press('Enter')
    await until(async () => (await itemOf(ids[0]!)).tags.length === 1)
    await page.setViewportSize(phone.viewport)
    await page.goto(address)
    const check = async (state: string) => t.strictSame(await accessibilityViolations(page), [], state)
    for (const menu of ['add', 'tag-menu']) {
      await page.locator(`#${menu} > summary`).click()
      await check(menu)
      await page.locator(`#${menu} > summary`).click()
    }
    await page.keyboard.press('?')
    await check('keyboard shortcuts')
    await page.keyboard.press('Escape')
    await page.locator('.select-button').click()
    for (const at of [0, 1]) await page.locator('[data-rows] .row').nth(at).click()
    await page.getByText('2 selected').waitFor()
    await page.locator('#selection .menu > summary').click()
    await check('selection')
    await page.reload()
    await page.keyboard.press('T')
    await page.locator('#tune .tune').waitFor()
    await check('tuning')
  })
})
