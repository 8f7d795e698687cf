import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { dayMs } from '../../../schemas/durations.js'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, listAllPages, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { currentItem, papers, triageSession, unsent, wide } from '../../support/triage.js'
import { until } from '../../support/until.js'

t.test('triage', { skip: withoutBrowser }, async t => {
  const { visited, user, storageState, triage } = await triageSession(t)

  await t.test('shows the next paper without a request: it was fetched ahead', async t => {
    const { page } = await triage('Ahead')
    // Asked of the page, because it may have fetched the first ones before anyone listens.
    const isFetched = (address: string) => page.evaluate(
      address => performance.getEntriesByType('resource').some(({ name }) => name === `${address}&alone=true`), address
    )
    let answering = Promise.resolve()
    await page.route(/alone=true/, async route => { await answering; await route.continue() })
    const rows = page.locator('[data-rows] .row')
    await page.keyboard.press('k')
    for (let at = 1; at <= 10; at++) {
      const next = rows.nth(at)
      const { href } = new URL((await next.locator('a').getAttribute('href'))!, visited.address)
      await until(async () => await isFetched(href))
      let answer = () => {}
      answering = new Promise(resolve => { answer = resolve })
      await page.keyboard.press('j')
      await page.locator(`.details[data-item="${await next.getAttribute('data-item')}"] .prose`).waitFor()
      answer()
    }
    t.equal(await currentItem(page), await rows.nth(10).getAttribute('data-item'))
  })

  await t.test('says at the end of the list that enough was rated', async t => {
    const project_id = await projectWith(user, papers.slice(0, 3), { name: 'Few' })
    const page = await visited.newPage({ ...wide, storageState })
    await page.goto(`${visited.address}/projects/${project_id}`)
    for (const key of ['u', 'd', 'u']) await page.keyboard.press(key)
    await page.getByText('Done for this week. You have rated every paper here, so none that matters is left.').waitFor()
    await page.goto(`${visited.address}/projects/${project_id}/insights`)
    t.match(await page.locator('section:has(#seen)').textContent(), /Most likely, 100\s% .*2 found, at most 0 missing among 0 unrated/s)
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('does not read the whole feed after a vote on the last unrated paper, or a day', async t => {
    const { db } = visited.context
    const many = Array.from({ length: 250 }, (_, at) => ({ title: `On theta rhythms in cohort ${at + 100}`, doi: `10.5555/theta.${at}` }))
    const project_id = await projectWith(user, many, { name: 'History' })
    const feed = () => db.updateTable('project_paper').where('project_id', '=', project_id)
    const voted_at = new Date()
    await feed().set({ vote: 'upvote', voted_at, rated_at: voted_at }).execute()
    const page = await visited.newPage({ ...wide, storageState })
    const address = `${visited.address}/projects/${project_id}`
    await page.goto(address)
    let requests: string[] = []
    page.on('request', request => {
      const { searchParams } = new URL(request.url())
      if (searchParams.has('offset') && !searchParams.has('item')) requests.push('page')
      if (searchParams.get('filter') === 'unrated') requests.push('unrated')
    })
    await page.keyboard.press('d')
    await page.getByText('Done for this week.').waitFor()
    t.strictSame(requests, ['page', 'unrated'])

    const last = async () =>
      await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-rows] .row')].at(-1)!.dataset.item!)
    await listAllPages(page)
    await feed().set({ vote: null, voted_at: null, rated_at: null }).where('id', '=', await last()).execute()
    await page.goto(address)
    requests = []
    await page.keyboard.press('d')
    await page.getByText('The next unrated paper is further down.').waitFor()
    t.strictSame(requests, ['page', 'unrated', 'page', 'page'])

    await feed().set({ ready_at: new Date(Date.now() - 2 * dayMs) }).where('id', '=', await last()).execute()
    await page.goto(address)
    requests = []
    await page.keyboard.press('e')
    await page.getByText('Skipped the rest of this day. Select Unseen to continue.').waitFor()
    t.strictSame(requests, ['page', 'page', 'page'])

    await listAllPages(page)
    const unseen = page.locator('[data-rows] .row[data-seen=false]')
    t.equal(await unseen.count(), 1, 'all papers of the day are seen, those of further pages too')
    await page.keyboard.press('z')
    await page.locator('#toast', { hasText: 'Undone' }).waitFor()
    await until(async () => await unsent(page) === 0)
    await page.goto(address)
    await listAllPages(page)
    t.ok(await unseen.count() > 200)
    await page.locator('[data-rows] .row a').nth(200).click()
    await page.keyboard.press('e')
    await until(async () => await currentItem(page) === await last())
    t.equal(await page.locator('.rows').count(), 2, 'a day over several pages is one list')
  })

  await t.test('says that pages of the list could not be loaded', async () => {
    const { page } = await triage('Refused')
    await page.route(/offset=40/, async route => { await route.fulfill({ status: 429, contentType: 'text/html', body: '<main>Too many' }) })
    for (let count = 0; count < 40; count++) await page.keyboard.press('j')
    await page.getByText('The next papers could not be loaded. Try again in a moment.').waitFor()
  })

  await t.test('gives up a paper or page of the list that does not come, and forgets the keys for it', async t => {
    const { page, votes } = await triage('Not answering')
    await page.addInitScript(() => {
      const { setTimeout } = window
      Object.assign(window, { setTimeout: (work: () => void, ms: number) => setTimeout(work, ms === 30_000 ? 1500 : ms) })
    })
    await page.reload()
    await page.locator('.details .prose').waitFor()
    let isHeld = true
    await page.route(/offset=40|alone=true/, async route => { if (!isHeld) await route.continue() })
    await page.locator('[data-rows] .row > a').nth(20).click()
    const reason = 'This paper could not be loaded. Check your connection and select it again.'
    await page.locator('.details').getByText(reason).waitFor()
    t.equal(await page.locator('body > [role=status]').textContent(), reason, 'it is read aloud')
    for (let count = 0; count < 20; count++) await page.keyboard.press('j')
    await page.keyboard.press('u')
    await page.getByText('The next papers could not be loaded. Try again in a moment.').waitFor()
    isHeld = false
    await page.keyboard.press('j')
    await page.locator('.details .prose').waitFor()
    t.strictSame(await votes(), [])
  })

  await t.test('keys of other alphabets and of input methods act as the letters beside them', async t => {
    const { page, votes } = await triage('Alphabets')
    const press = async (key: string, code: string, modifiers: { shiftKey?: boolean, modifierAltGraph?: boolean } = {}) => {
      await page.evaluate(options => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...options }))
      }, { key, code, ...modifiers })
    }
    const item = await currentItem(page)
    await press('ł', 'KeyL', { modifierAltGraph: true })
    await press('è', 'KeyJ')
    t.equal(await currentItem(page), item)
    // Greek, a vowel sign of Thai, and Japanese with an input method.
    for (const [key, code] of [['φ', 'KeyF'], ['ี', 'KeyU'], ['Process', 'KeyD']] as const) await press(key, code)
    await until(async () => (await votes()).length === 3)
    t.strictSame((await votes()).map(({ feedback }) => feedback?.vote).sort(), ['downvote', 'star', 'upvote'])
    await press('Ф', 'KeyA', { shiftKey: true })
    t.ok(await page.locator('[data-rows] .row[data-selected]').count() > 30, 'in upper case with Shift')
  })

  await t.test('forgets keys that were meant for a paper that does not come', async t => {
    const { page, votes } = await triage('Not coming')
    let refuse = () => {}
    const refused = new Promise<void>(resolve => { refuse = resolve })
    await page.route(/offset=40/, async route => {
      await refused
      await route.fulfill({ status: 429, contentType: 'text/html', body: '<main>Too many' })
    })
    for (let count = 0; count < 39; count++) await page.keyboard.press('j')
    await page.keyboard.press('u')
    await page.keyboard.press('d')
    refuse()
    await page.getByText('The next papers could not be loaded. Try again in a moment.').waitFor()
    await until(async () => await unsent(page) === 0)
    t.match(await votes(), [{ feedback: { vote: 'upvote' } }], 'the next one was to be downvoted')
  })

  await t.test('rates 50 papers in 50 keystrokes, over two pages', async t => {
    const { page, votes } = await triage('Fifty')
    for (let count = 0; count < 50; count++) await page.keyboard.press('udfl'[count % 4]!)
    await until(async () => (await votes()).length === 50)
    const given = (await votes()).map(({ feedback }) => `${feedback!.vote} ${feedback!.downvote_reason}`)
    t.same(
      ['upvote null', 'downvote not_relevant', 'star null', 'downvote low_quality'].map(vote => given.filter(each => each === vote).length),
      [13, 13, 12, 12]
    )
    t.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight && scrollY === 0), 'the page does not scroll away')
    await page.mouse.move(400, 20)
    await page.mouse.wheel(0, 600)
    t.equal(await page.evaluate(() => scrollY), 0, 'nor by a wheel over the header')
    await page.keyboard.press('z')
    await page.locator('#toast', { hasText: 'Undone' }).waitFor()
    await until(async () => (await votes()).length === 49)
  })

  await t.test('votes on a selection at once, and undoes it at once', async t => {
    const { page, votes } = await triage('Selection')
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await page.locator('[data-rows] .row a').nth(6).click({ modifiers: ['Shift'] })
    await page.getByText('7 selected').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByRole('toolbar', { name: 'Selected papers' }).getByRole('button', { name: 'Not relevant' }).click()
    await page.getByText('Not relevant: 7 papers').waitFor()
    await until(async () => (await votes()).filter(({ feedback }) => feedback!.downvote_reason === 'not_relevant').length === 7)
    await page.keyboard.press('z')
    await until(async () => (await votes()).length === 0)
    t.notOk(await page.locator('#selection').isVisible())
  })

  await t.test('votes on the paper page and opens the next paper', async t => {
    const { page, votes } = await triage('Papers')
    const items = await page
      .locator('[data-rows] .row')
      .evaluateAll(rows => rows.slice(0, 3).map(row => (row as HTMLElement).dataset.item!))
    await page.locator('.details h2').waitFor()
    await page.keyboard.press('o')
    await page.waitForURL('**/papers/**')
    await page.keyboard.press('f')
    await page.waitForURL(`**/papers/${items[1]!}?*`)
    await until(async () => (await votes()).length === 1)
    t.match(await votes(), [{ id: items[0], feedback: { vote: 'star' } }])
    const form = page.locator(`.vote[data-item="${items[1]!}"]`)
    await form.getByRole('button', { name: 'Upvote' }).click()
    await form.locator('.vote-button[aria-pressed=true]', { hasText: 'Upvote' }).waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByRole('link', { name: 'Next' }).evaluate((link: HTMLAnchorElement) => { link.click() })
    await page.waitForURL(`**/papers/${items[2]!}?*`)
    await until(async () => (await votes()).length === 2)
  })

  await t.test('votes on a paper that is not among the listed ones', async t => {
    const { page, project_id, votes } = await triage('Elsewhere')
    const rows = page.locator('[data-rows] .row')
    const first = (await rows.first().getAttribute('data-item'))!
    await page.keyboard.press('d')
    await until(async () => (await votes()).length === 1)
    await page.goto(`${visited.address}/projects/${project_id}?filter=unrated&item=${first}`)
    await page.locator(`.details[data-item="${first}"] .vote`).waitFor()
    t.equal(await page.locator(`[data-rows] .row[data-item="${first}"]`).count(), 0)
    await page.keyboard.press('u')
    await until(async () => (await votes())[0]?.feedback?.vote === 'upvote')
    t.match(await votes(), [{ id: first, feedback: { vote: 'upvote' } }])
  })

  await t.test('returns to the row of the paper that was read', async t => {
    const { page } = await triage('Return')
    for (let step = 0; step < 30; step++) await page.keyboard.press('j')
    const item = await currentItem(page)
    await page.locator(`.details[data-item="${item}"] .prose`).waitFor()
    await page.keyboard.press('o')
    await page.waitForURL('**/papers/**')
    await page.goBack()
    const row = page.locator(`[data-rows] .row[data-item="${item}"]`)
    await row.waitFor()
    await until(async () => await row.evaluate(row => {
      const [{ top, bottom }, list] = [row.getBoundingClientRect(), row.closest('.list')!.getBoundingClientRect()]
      return top >= list.top && bottom <= list.bottom
    }))
    t.equal(await currentItem(page), item)
    await page.locator('[data-rows] .row').nth(59).waitFor({ state: 'attached' })
    t.equal(await currentItem(page), item, 'a page that was appended has no current row of its own')
  })

  await t.test('upvotes on a phone with one tap, which opens the next paper', async t => {
    const { page, votes } = await triage('Phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const items = await page
      .locator('[data-rows] .row')
      .evaluateAll(rows => rows.slice(0, 2).map(row => (row as HTMLElement).dataset.item!))
    await page.locator(`[data-rows] .row[data-item="${items[0]!}"] > a`).tap()
    await page.locator(`.details[data-chosen][data-item="${items[0]!}"] .vote`).waitFor({ state: 'attached' })
    await page.locator('.triage-bar').getByRole('button', { name: 'Upvote' }).tap()
    await page.locator(`.details[data-chosen][data-item="${items[1]!}"] .vote`).waitFor({ state: 'attached' })
    await until(async () => (await votes()).length === 1)
    t.match(await votes(), [{ id: items[0], feedback: { vote: 'upvote' } }])
  })

  await t.test('takes a vote and a mark back with the button of the bar that shows it', async t => {
    const { page, votes } = await triage('Pressed', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await page.evaluate(() => { localStorage.setItem('litfeed-advance', 'off') })
    await page.locator('[data-rows] .row > a').first().tap()
    await page.locator('.details[data-chosen] .vote').waitFor({ state: 'attached' })
    const button = (name: string, pressed: boolean) => page.locator('.triage-bar').getByRole('button', { name, pressed })
    await button('Not relevant', false).tap()
    await until(async () => (await votes()).length === 1)
    // Faster, it would be a double tap.
    await wait(400)
    await button('Not relevant', true).tap()
    await button('Not relevant', false).waitFor()
    await until(async () => (await votes()).length === 0)
    await button('Save', false).tap()
    await button('Save', true).waitFor()
    await wait(400)
    await button('Save', true).tap()
    await button('Save', false).waitFor()
    await until(async () => await unsent(page) === 0)
    t.equal((await projectPaperGet.run(user.context, { ref: (await currentItem(page))! })).saved, false)
  })

  await t.test('a double tap on the bar votes and saves once', async t => {
    const { page, votes } = await triage('Double', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await page.locator('[data-rows] .row > a').first().tap()
    await page.locator('.details[data-chosen] .vote').waitFor({ state: 'attached' })
    const first = await currentItem(page)
    const doubleTap = async (name: string) => {
      await page.locator('.triage-bar').getByRole('button', { name }).evaluate(button => {
        for (let tap = 0; tap < 2; tap++) (button as HTMLElement).click()
      })
    }
    await doubleTap('Save')
    t.equal(await page.locator('.triage-bar [data-saves]').getAttribute('aria-pressed'), 'true')
    await doubleTap('Upvote')
    await until(async () => await currentItem(page) !== first && await unsent(page) === 0)
    t.strictSame((await votes()).map(({ id }) => id), [first])
    t.equal((await projectPaperGet.run(user.context, { ref: first })).saved, true)
    await doubleTap('Next')
    await until(async () => await currentItem(page) === (await page.locator('[data-rows] .row').nth(3).getAttribute('data-item')))
  })

  await t.test('keeps the focus on the page when the button that has it goes', async t => {
    const { page, votes } = await triage('Focus')
    await page.clock.install()
    await page.locator('.details .vote').waitFor()
    await page.keyboard.press('d')
    const undo = page.locator('#toast').getByRole('button', { name: 'Undo' })
    await undo.focus()
    await page.clock.runFor(20_000)
    t.ok(await undo.isVisible(), 'a message stays while it has the focus')
    await page.keyboard.press('Enter')
    await page.getByText('Undone').waitFor()
    // The list is painted, and gets the focus, when the answer has arrived.
    await until(async () => await page.evaluate(() => document.activeElement!.matches('[data-rows] a[aria-current]')))
    await page.clock.runFor(20_000)
    await until(async () => await page.locator('#toast').getAttribute('data-shown') === null)
    await until(async () => await unsent(page) === 0)
    t.strictSame(await votes(), [])
  })

  await t.test('a key that is held down votes once', async t => {
    const { page, votes } = await triage('Held')
    const at = async () => await page
      .locator('[data-rows] .row > a')
      .evaluateAll(links => links.findIndex(link => link.hasAttribute('aria-current')))
    for (let count = 0; count < 4; count++) await page.keyboard.down('j')
    await page.keyboard.up('j')
    t.equal(await at(), 4)
    for (let count = 0; count < 4; count++) await page.keyboard.down('u')
    await page.keyboard.up('u')
    await until(async () => (await votes()).length > 0 && await unsent(page) === 0)
    t.equal((await votes()).length, 1)
    t.equal(await at(), 5)
  })

  await t.test('goes back to the list of an address, with its settings, and to a place in the page without a reload', async t => {
    const { page } = await triage('Back')
    const rows = page.locator('[data-rows] .row')
    const search = page.getByLabel('Search this feed')
    const stay = async () => { await page.evaluate(() => { (globalThis as unknown as { stayed: boolean }).stayed = true }) }
    const hasStayed = async () => await page.evaluate(() => (globalThis as unknown as { stayed?: boolean }).stayed === true)
    await stay()
    // The unfiltered list may begin with such a title, too: papers of equal scores have a random order.
    const listed = async (text: string) => {
      await page.waitForURL(url => url.searchParams.get('q') === text)
      await rows.first().filter({ hasText: text }).waitFor()
    }
    await search.fill('cohort 12')
    await listed('cohort 12')
    await rows.first().locator('a').click()
    await page.waitForURL(/item=/)
    await page.goBack()
    await page.waitForURL(url => !url.searchParams.has('item'))
    t.ok(await hasStayed())
    await page.keyboard.press('?')
    t.ok(await page.getByLabel('Open the next paper after a vote by key').isChecked())
    await page.keyboard.press('Escape')

    await page.goForward()
    await page.waitForURL(/item=/)
    await search.fill('cohort 13')
    await listed('cohort 13')
    await page.goBack()
    await listed('cohort 12')
    t.equal(await search.inputValue(), 'cohort 12')

    await rows.first().locator('a').click()
    await page.waitForURL(/item=/)
    await page.reload()
    await stay()
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#content$/)
    await page.waitForTimeout(200)
    t.ok(await hasStayed())
    t.equal(await page.evaluate(() => document.activeElement!.id), 'content')
  })

  await t.test('goes back to the list with one step, however many papers were read', async t => {
    const { page, project_id } = await triage('One step')
    const list = page.url()
    const rows = page.locator('[data-rows] .row')
    const first = await currentItem(page)
    for (const key of ['j', 'j', 'j']) await page.keyboard.press(key)
    await rows.nth(6).locator('a').click()
    await page.keyboard.press('u')
    const item = (await rows.nth(7).getAttribute('data-item'))!
    await page.locator(`.details[data-item="${item}"] .prose`).waitFor()
    await page.goBack()
    await page.locator(`.details[data-item="${first}"] .prose`).waitFor()
    t.equal(page.url(), list)
    t.equal(await currentItem(page), first, 'the list is as it was opened')
    await page.goForward()
    await page.locator(`.details[data-item="${item}"] .prose`).waitFor()
    t.equal(await currentItem(page), item)

    const phone = await visited.newPage({ storageState, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await phone.goto(`${visited.address}/projects`)
    await phone.goto(`${visited.address}/projects/${project_id}`)
    const visits = await phone.evaluate(() => history.length)
    const phoneRows = phone.locator('[data-rows] .row')
    // On a busy phone, the browser restores where the list was left after the page has shown it.
    await phone.evaluate(() => { addEventListener('popstate', () => requestAnimationFrame(() => scrollTo(0, 0))) })
    for (const back of ['button', 'link', 'button']) {
      await phoneRows.nth(12).locator('a').tap()
      await phone.locator('.details .prose').waitFor()
      await phone.locator('.triage-bar [data-press=j]').tap()
      const read = phoneRows.nth(13)
      await phone.locator(`.details[data-item="${await read.getAttribute('data-item')}"]`).waitFor()
      if (back === 'link') await phone.getByRole('link', { name: 'All papers' }).tap()
      else await phone.goBack()
      await read.waitFor({ state: 'visible' })
      t.equal(new URL(phone.url()).search, '')
      await until(async () => await read.evaluate(row => {
        const { top, bottom } = row.getBoundingClientRect()
        return top > 0 && bottom < innerHeight
      }))
    }
    t.equal(await phone.evaluate(() => history.length), visits + 1, 'and the way back adds nothing to the history')
  })

  await t.test('while a narrow window shows the list alone, keys act on the row with the focus, or open the current paper', async t => {
    const { page, votes } = await triage('Narrow', { viewport: { width: 700, height: 800 } })
    const rows = page.locator('[data-rows] .row')
    const items = await rows.evaluateAll(rows => rows.map(row => row.getAttribute('data-item')!))
    const shows = async (at: number) => { await page.locator(`.details[data-chosen][data-item="${items[at]!}"] .prose`).waitFor() }
    await page.keyboard.press('j')
    await shows(0)
    await page.goBack()
    await rows.first().waitFor()
    await page.keyboard.press('j')
    await shows(1)
    await page.reload()
    await page.getByRole('link', { name: 'All papers' }).click()

    await rows.nth(4).locator('a').focus()
    for (const key of ['d', 's', 'x']) await page.keyboard.press(key)
    t.strictSame(await page.locator('[data-selected]').evaluateAll(rows => rows.map(row => row.getAttribute('data-item'))), [items[4]])
    await page.keyboard.press('Escape')
    await until(async () => (await votes()).length === 1 && await unsent(page) === 0)
    t.match(await projectPaperGet.run(user.context, { ref: items[4]! }), { feedback: { downvote_reason: 'not_relevant' }, saved: true })
    t.ok(await rows.nth(4).isVisible(), 'the list stays')
    await page.keyboard.press('T')
    await shows(4)
    t.notOk(await page.locator('#tune').isVisible())

    for (const key of ['u', 'f', 's', 'T']) {
      await page.goto(page.url().split('?')[0]!)
      await page.keyboard.press(key)
      await shows(0)
      t.notOk(await page.locator('#tune').isVisible())
    }
    await until(async () => await unsent(page) === 0)
    t.equal((await votes()).length, 1)
    t.equal((await projectPaperGet.run(user.context, { ref: items[0]! })).saved, false)
  })

  await t.test('leaves the list in place when a skipped day is taken back', async t => {
    const { page } = await triage('Skip and undo')
    for (let step = 0; step < 20; step++) await page.keyboard.press('j')
    const item = await currentItem(page)
    const scrolled = async () => await page.locator('#list').evaluate(list => list.scrollTop)
    const before = await scrolled()
    t.ok(before > 0)
    await page.keyboard.press('e')
    await page.locator('#toast', { hasText: 'Skipped the rest of this day' }).waitFor()
    await page.keyboard.press('z')
    await page.locator('#toast', { hasText: 'Undone' }).waitFor()
    await until(async () => await unsent(page) === 0)
    t.equal(await currentItem(page), item)
    t.equal(await scrolled(), before)
  })

  await t.test('a day whose listed papers were seen can be skipped once it goes on with others', async t => {
    const { page, project_id } = await triage('Long day')
    const button = page.getByRole('button', { name: 'Skip the rest of this day' })
    const items = (await feedPage.run(user.context, { project_id, limit: 60, sort: 'day' })).items.map(({ id }) => id)
    for (const ref of items.slice(0, 40)) await itemUpdate.run(user.context, { ref, seen: true })
    await page.reload()
    await page.locator('[data-rows] .row').first().waitFor()
    t.equal(await button.count(), 0)
    await listAllPages(page)
    t.equal(await button.count(), 1)

    const address = page.url().split('?')[0]!
    await page.goto(`${address}?offset=40`)
    await page.getByRole('link', { name: 'Show the 40 papers before these' }).click()
    await until(async () => await page.locator('[data-rows] .row').count() === 60)
    t.equal(await button.count(), 1)
    await page.keyboard.press('e')
    await until(async () => (await feedPage.run(user.context, { project_id, seen: true })).total === 60)
    t.equal(await button.count(), 0)
  })

  await t.test('keeps the list and the entries of a form if an answer lacks them', async t => {
    const { page } = await triage('Lacking')
    const { pathname } = new URL(page.url())
    const toast = page.locator('#toast')
    const search = page.getByLabel('Search this feed')
    const isKept = async () => {
      t.equal(await page.locator('[data-rows] .row').count(), 40)
      t.equal(new URL(page.url()).pathname, pathname)
    }
    const refuse = async (body: string) =>
      await page.route(/projects/, async route => { await route.fulfill({ status: 429, contentType: 'text/html', body }) })
    await refuse('<main><p class="lead">Too many requests. Try again in 5 s.</p>')
    await search.fill('theta')
    await toast.getByText('Too many requests. Try again in 5 s.').waitFor()
    await isKept()
    await page.unroute(/projects/)
    await refuse('Too many')
    await search.fill('theta waves')
    await toast.getByText('This could not be loaded. Try again in a moment.').waitFor()
    await isKept()
    await page.unroute(/projects/)
    await page.context().clearCookies()
    await search.fill('gamma')
    await toast.getByText('Your session has ended. Sign in again.').waitFor()
    await isKept()

    const other = await visited.newPage({ ...wide, storageState })
    await other.goto(`${visited.address}/projects/new`)
    await other.getByLabel('Research interest').fill('Sleep and memory')
    await other.getByRole('textbox', { name: 'Keywords', exact: true }).fill('spindles')
    await other.context().clearCookies()
    await other.getByRole('button', { name: 'Suggest keywords' }).click()
    await other.getByRole('alert').getByText('Your session has ended. Sign in again.').waitFor()
    t.equal(await other.getByRole('textbox', { name: 'Keywords', exact: true }).inputValue(), 'spindles')
    t.strictSame(await accessibilityViolations(other), [])
  })
})
