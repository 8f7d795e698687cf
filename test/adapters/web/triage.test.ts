import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import t from 'tap'
import type { Page } from 'playwright-core'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { feedbackList } from '../../../src/operations/feed/feedback-list.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, listAllPages, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'
import { dayMs } from '../../../schemas/durations.js'

const papers = Array.from({ length: 60 }, (_, at) => ({
  title: `On sleep spindles in cohort ${at + 10}`,
  abstract: 'Spindles. '.repeat(80),
  authors: [],
  doi: `10.5555/triage.${at}`,
  published_date: '2026-02-03'
}))
const wide = { viewport: { width: 1280, height: 800 } }

t.test('triage', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const storageState = await (await visited.signedIn(user, wide)).context().storageState()
  /** Opens a project of its own, with 60 papers. */
  const triage = async (name: string, options = {}) => {
    const project_id = await projectWith(user, papers, { name })
    const page = await visited.newPage({ ...wide, storageState, ...options })
    await page.goto(`${visited.address}/projects/${project_id}`)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    return {
      page,
      project_id,
      setNetwork: async (latency: number, offline = false) => {
        await network.send('Network.emulateNetworkConditions', { offline, latency, downloadThroughput: -1, uploadThroughput: -1 })
      },
      votes: async () => (await feedbackList.run(user.context, { project_id, limit: 100 })).items
    }
  }
  const currentItem = async (page: Page) => (await page.locator('[data-rows] .row:has(a[aria-current])').getAttribute('data-item'))!
  const unsent = async (page: Page) =>
    await page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('litfeed-outbox')).length)

  await t.test('keeps every vote at any latency, also with repeated keys', async t => {
    const { page, votes, setNetwork } = await triage('Latencies')
    let given = 0
    for (const latency of [0, 150, 500, 2000]) {
      await setNetwork(latency)
      for (let count = 0; count < 10; count++, given++) await page.keyboard.press(count % 2 === 0 ? 'u' : 'f')
      await until(async () => (await votes()).length === given && await unsent(page) === 0)
      t.equal((await votes()).length, given, `10 of 10 at ${latency} ms`)
    }
    await page.keyboard.press('k')
    const item = await currentItem(page)
    const { feedback } = await projectPaperGet.run(user.context, { ref: item })
    const key = feedback!.vote === 'star' ? 'f' : 'u'
    await page.keyboard.press('?')
    await page.getByLabel('Open the next paper after a vote by key').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press(key)
    await page.keyboard.press(key)
    await page.keyboard.press('j')
    t.match((await projectPaperGet.run(user.context, { ref: item })).feedback, { vote: feedback!.vote })
  })

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
    await page.getByText('Skipped the rest of this day. Show “Unseen” to go on.').waitFor()
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
    await page.keyboard.press('x')
    await page.keyboard.press('x')
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

  await t.test('sends votes although the browser has no space left for them', async () => {
    const { page, votes } = await triage('Full storage')
    await page.keyboard.press('u')
    await until(async () => (await votes()).length === 1 && await unsent(page) === 0)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }
    })
    for (let count = 0; count < 5; count++) await page.keyboard.press('u')
    await until(async () => (await votes()).length === 6)
  })

  await t.test('keeps votes while another account is signed in', async t => {
    const { page, votes } = await triage('Other account')
    const context = page.context()
    const own = await context.cookies()
    const others = await (await visited.signedIn(await visited.user(), wide)).context().cookies()
    const become = async (cookies: typeof own) => {
      await context.clearCookies()
      await context.addCookies(cookies)
    }
    await become(others)
    await page.keyboard.press('u')
    await page.locator('#unsent', { hasText: /sign in/i }).waitFor()
    t.equal(await unsent(page), 1)
    await become(own)
    await page.reload()
    await until(async () => (await votes()).length === 1 && await unsent(page) === 0)
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
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(`**/papers/${items[2]!}?*`)
    await until(async () => (await votes()).length === 2)
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
    await button('Not relevant', true).tap()
    await button('Not relevant', false).waitFor()
    await until(async () => (await votes()).length === 0)
    await button('Save', false).tap()
    await button('Save', true).tap()
    await button('Save', false).waitFor()
    await until(async () => await unsent(page) === 0)
    t.equal((await projectPaperGet.run(user.context, { ref: (await currentItem(page))! })).saved, false)
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
    await search.fill('cohort 12')
    const first = (text: string) => rows.first().filter({ hasText: text }).waitFor()
    await first('cohort 12')
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
    await first('cohort 13')
    await page.goBack()
    await first('cohort 12')
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

  await t.test('shows unsent votes and keeps them offline and across a reload', async t => {
    const { page, votes, setNetwork } = await triage('Offline')
    await setNetwork(0, true)
    for (let count = 0; count < 5; count++) await page.keyboard.press('u')
    await page.getByText('No connection: 5 votes not saved yet.').waitFor()
    t.equal(await page.locator('[data-rows] [data-unsent]').count(), 5)
    t.equal((await votes()).length, 0)
    await setNetwork(0)
    await until(async () => (await votes()).length === 5)
    await page.locator('#unsent').waitFor({ state: 'hidden' })

    await page.route(/projects/, async route => { route.request().method() === 'POST' ? await route.abort() : await route.continue() })
    for (let count = 0; count < 3; count++) await page.keyboard.press('f')
    await page.getByText('3 votes not saved yet.').waitFor()
    await page.reload()
    await page.getByText('3 votes not saved yet.').waitFor()
    t.equal(await page.locator('[data-rows] .vote-sign').count(), 8, 'shown before they are saved')
    await page.unroute(/projects/)
    await until(async () => (await votes()).length === 8)
    await page.locator('#unsent').waitFor({ state: 'hidden' })
    // Chromium logs requests without a connection as errors.
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('keeps a newer vote from elsewhere over one that waited for a connection', async t => {
    const { page, setNetwork } = await triage('Elsewhere')
    const rows = page.locator('[data-rows] .row[data-item]')
    const [first, second] = await rows.evaluateAll(rows => rows.map(row => row.getAttribute('data-item')!))
    await setNetwork(0, true)
    for (const key of ['u', 'u']) await page.keyboard.press(key)
    await page.getByText('No connection: 2 votes not saved yet.').waitFor()
    await page.evaluate(() => {
      const [name, changes] = Object.entries(localStorage).find(([name]) => name.startsWith('litfeed-outbox'))!
      const earlier = JSON.parse(changes as string).map((each: { at: number }) => ({ ...each, at: each.at - 60_000 }))
      localStorage.setItem(name, JSON.stringify(earlier))
    })
    await feedbackSet.run(user.context, { paper_id: first!, vote: 'star' })
    await setNetwork(0)
    await page.getByText('You have voted on this paper elsewhere since. That vote is kept.').waitFor()
    await until(async () => await unsent(page) === 0)
    t.equal((await projectPaperGet.run(user.context, { ref: first! })).feedback?.vote, 'star')
    t.equal((await projectPaperGet.run(user.context, { ref: second! })).feedback?.vote, 'upvote')
    t.equal(await rows.first().getAttribute('data-vote'), 'star', 'the row shows it')
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('sends what was seen after a vote', async t => {
    const { page } = await triage('Seen')
    await page.locator('.details h2').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('u')
    await until(async () => await unsent(page) === 0)
    await page.keyboard.press('j')
    await until(async () => await page.locator('[data-rows] .row:has(a[aria-current])').getAttribute('data-seen') === 'true')
    await until(async () => await unsent(page) === 0)
    const { seen_at } = await projectPaperGet.run(user.context, { ref: await currentItem(page) })
    t.ok(seen_at)
  })

  await t.test('repeats votes whose answer is cut off or is that of a proxy', async t => {
    const { page, votes } = await triage('Answers')
    let answers = 0
    await page.route(/projects/, async route => {
      if (route.request().method() !== 'POST' || answers++ > 1) await route.continue()
      else await route.fulfill({ status: 200, body: answers === 1 ? '{"refused": [' : '<p>Log in to the network' })
    })
    await page.keyboard.press('u')
    await page.keyboard.press('f')
    await until(async () => (await votes()).length === 2 && await unsent(page) === 0)
    t.ok(answers > 2)
  })

  await t.test('keeps votes that are tapped while the next page of the list is on its way', async t => {
    const { page, votes } = await triage('Waiting', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    let release = () => {}
    const released = new Promise<void>(resolve => { release = resolve })
    await page.route(/offset=40/, async route => { await released; await route.continue() })
    await page.locator('[data-rows] .row > a').first().tap()
    // The browser makes a click of the tap, which would open the first paper again if keys came before it.
    await page.locator('#details[data-chosen]').waitFor()
    for (let count = 0; count < 40; count++) await page.keyboard.press('u')
    const upvote = page.locator('.triage-bar').getByRole('button', { name: 'Upvote' })
    await upvote.tap()
    await upvote.tap()
    release()
    await until(async () => (await votes()).length === 42)
    t.equal((await votes()).length, 42)
  })

  await t.test('saves votes after the session has ended and the user signs in again', async t => {
    const { page, votes } = await triage('Sessions')
    await page.context().clearCookies()
    await page.keyboard.press('u')
    await page.getByText('Sign in again to save 1 vote.').waitFor()
    await page.locator('#unsent').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await until(async () => (await votes()).length === 1)
    t.match((await votes())[0], { feedback: { vote: 'upvote' } })
  })

  const project_id = await projectWith(
    user,
    [
      {
        title: 'Search for $B^0 \\to K^{*0}\\mu^+\\mu^-$ with \\textit{LHCb}',
        abstract: 'At $\\sqrt{s}=13$ TeV.',
        authors: [{ name: 'Ada Lovelace' }],
        doi: '10.5555/tex'
      },
      { title: 'دراسة النوم والذاكرة', abstract: 'النوم.', authors: [], doi: '10.5555/rtl' },
      { title: '睡眠と記憶の固定化', abstract: '睡眠。', authors: [], doi: '10.5555/cjk' }
    ],
    { name: 'Texts' }
  )
  const address = `${visited.address}/projects/${project_id}`
  const page = await visited.newPage({ ...wide, storageState })

  await t.test('typesets formulas and aligns right-to-left titles', async t => {
    await page.goto(address)
    const tex = page.locator('[data-rows] .row', { hasText: 'LHCb' })
    t.equal(await tex.locator('math').count(), 1)
    t.notMatch(await tex.locator('.row-title').innerText(), /[$\\]/)
    await tex.locator('a').click()
    await page.locator('.details h2 math').waitFor()
    await page.locator('.details .prose math').waitFor()
    t.equal(await page.locator('.row-title', { hasText: 'النوم' }).evaluate(title => getComputedStyle(title).direction), 'rtl')
  })

  await t.test('searches for two Chinese or Japanese characters', async t => {
    await page.goto(address)
    await page.getByLabel('Search this feed').fill('記')
    await page.locator('#count', { hasText: '3 papers. Type at least 2 characters to search.' }).waitFor()
    await page.getByLabel('Search this feed').fill('me')
    await page.locator('#count', { hasText: '3 papers. Type at least 3 characters to search.' }).waitFor()
    await page.getByLabel('Search this feed').fill('記憶')
    await page.locator('#count', { hasText: '1 match' }).waitFor()
    t.ok(await page.locator('.details h2', { hasText: '睡眠と記憶の固定化' }).isVisible())
  })

  await t.test('pages keep form values and explain errors', async t => {
    await page.goto(`${visited.address}/projects/new`)
    await page.getByLabel('Research interest').fill('Sleep and memory')
    for (const source of await page.locator('input[name=sources]').all()) await source.uncheck()
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.locator('#preview > .preview-sum, #preview > .notice')
    await preview.first().waitFor()
    const shown = await preview.first().textContent()
    await page.getByRole('button', { name: 'Create project' }).click()
    t.equal(await preview.first().textContent(), shown, 'a missing name does not remove the preview')
    t.equal(await page.getByLabel('Name').evaluate(field => field === document.activeElement), true)
    for (const path of [`/projects/${project_id}?offset=-3`, '/projects/x?filter=y', '/papers/x']) {
      await page.goto(`${visited.address}${path}`)
      t.notMatch(await page.locator('main').textContent(), /[a-z]_[a-z]|UUID|undefined|offset|argument/i, path)
    }
  })

  await t.test('the header is full width, and an empty feed keeps its margins', async t => {
    await page.goto(`${visited.address}/connect`)
    t.equal(
      await page.locator('.head').evaluate(head => Math.round(head.getBoundingClientRect().width)),
      await page.evaluate(() => document.documentElement.clientWidth)
    )
    t.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter), 'auto')
    await page.goto(`${address}?q=xyzzyx`)
    t.ok(await page.locator('.details > .empty').evaluate(empty => parseFloat(getComputedStyle(empty).paddingLeft) >= 16))
  })
})

t.test('signing in again to save votes returns to the list behind a path prefix', { skip: withoutBrowser }, async t => {
  let port = 0
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request
    request.pipe(httpRequest({ port, method, headers, path: url.replace(/^\/papers/, '') }, answer => {
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
    }))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => { proxy.closeAllConnections(); proxy.close() })
  const origin = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
  const visited = await visit(t, { BASE_URL: `${origin}/papers` })
  port = Number(new URL(visited.address).port)
  const user = await visited.user()
  const project_id = await projectWith(user, papers.slice(0, 3))
  const page = await visited.newPage(wide)
  const signIn = async () => {
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const feed = `${origin}/papers/projects/${project_id}`
  await page.goto(feed)
  await signIn()
  await page.locator('[data-rows] .row').first().waitFor()
  await page.context().clearCookies()
  await page.keyboard.press('u')
  await page.locator('#unsent').getByRole('link', { name: 'Sign in' }).click()
  await signIn()
  await page.waitForURL(url => url.href.startsWith(feed))
  await until(async () => (await feedbackList.run(user.context, { project_id })).items.length === 1)
  visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !each.startsWith(`requested ${origin}/papers/`)))
})
