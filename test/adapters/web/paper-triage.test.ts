import t from 'tap'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { feedbackList } from '../../../src/operations/feed/feedback-list.js'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { feedsGet } from '../../../src/operations/feed/feeds-get.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, listAllPages, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

const papers = Array.from({ length: 60 }, (_, at) => ({
  title: `On sleep spindles in cohort ${at + 10}`,
  abstract: 'Spindles. '.repeat(80),
  authors: [],
  doi: `10.5555/paper-triage.${at}`,
  published_date: `2026-02-${String(1 + at % 28).padStart(2, '0')}`
}))
const wide = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

t.test('the page of a paper', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const { context } = user
  const storageState = await (await visited.signedIn(user, wide)).context().storageState()
  const newPage = async (options: BrowserContextOptions) => await visited.newPage({ ...options, storageState })
  const itemsOf = async (project_id: string, list: object = {}) => (await feedPage.run(context, { project_id, limit: 100, ...list })).items
  const votesOf = async (project_id: string) => (await feedbackList.run(context, { project_id, limit: 100 })).items
  const shows = async (page: Page, { id }: { id: string }) => { await page.locator(`#paper-steps[data-item="${id}"]`).waitFor() }

  await t.test('leads through the feed when it is opened directly', async t => {
    const project_id = await projectWith(user, papers, { name: 'Direct' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/papers/${items[0]!.id}`)
    t.notOk(await page.getByRole('link', { name: 'Previous' }).isVisible(), 'the first has none before it')
    for (const [at, key] of ['u', 'f', 'j', 'd'].entries()) {
      await shows(page, items[at]!)
      await page.keyboard.press(key)
    }
    await shows(page, items[4]!)
    t.match(page.url(), `/papers/${items[4]!.id}`)
    t.match(await page.title(), items[4]!.paper_title)
    // A toast goes away before long.
    await page.locator('#toast', { hasText: 'Not relevant' }).waitFor()
    await until(async () => (await votesOf(project_id)).length === 3)
    await page.keyboard.press('z')
    await shows(page, items[3]!)
    await until(async () => (await votesOf(project_id)).length === 2)
    await page.reload()
    await page.getByRole('link', { name: 'Previous' }).click()
    await shows(page, items[2]!)
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('leads back to the list with one step, at the paper that was read last', async t => {
    const project_id = await projectWith(user, papers, { name: 'One step' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/projects/${project_id}`)
    await page.locator('.details .vote').waitFor()
    await page.keyboard.press('o')
    for (const item of items.slice(0, 20)) {
      await shows(page, item)
      await page.keyboard.press('j')
    }
    await shows(page, items[20]!)
    await page.goBack()
    const row = page.locator('[data-rows] .row:has(a[aria-current])')
    await until(async () => await row.getAttribute('data-item') === items[20]!.id)
    await page.locator(`.details[data-item="${items[20]!.id}"] .prose`).waitFor()
    t.ok(await row.evaluate(row => {
      const [{ top, bottom }, list] = [row.getBoundingClientRect(), row.closest('.list')!.getBoundingClientRect()]
      return top >= list.top && bottom <= list.bottom
    }))
    await page.keyboard.press('k')
    await until(async () => await row.getAttribute('data-item') === items[19]!.id)
    await page.goto(`${visited.address}/account`)
    await page.goBack()
    await row.waitFor()
    t.equal(await row.getAttribute('data-item'), items[19]!.id, 'later, the list is as it was left')
  })

  await t.test('shows the abstract in the first window; tags and the note are a key away', async t => {
    const project_id = await projectWith(user, [{ ...papers[0]!, doi: '10.5555/fold' }], { name: 'Fold' })
    const [item] = await itemsOf(project_id)
    const hasNote = async (note: string | null) =>
      await until(async () => (await projectPaperGet.run(context, { ref: item!.id })).note === note)
    for (const viewport of [wide.viewport, { width: 390, height: 844 }]) {
      const page = await newPage({ viewport })
      await page.goto(`${visited.address}/papers/${item!.id}`)
      t.ok((await page.locator('#abstract-title').boundingBox())!.y < viewport.height * 0.8, `${viewport.width} px`)
      t.notOk(await page.getByLabel('Your note').isVisible())
      await page.keyboard.press('n')
      await page.keyboard.type('Read again')
      await hasNote('Read again')
      await page.keyboard.press('Escape')
      await page.keyboard.press('t')
      await page.locator('.tag-field:focus').waitFor()
      t.ok(await page.getByLabel('Your note').isVisible())
      await page.getByLabel('Your note').fill('')
      await hasNote(null)
    }
  })

  await t.test('keeps every vote, in order, while pages are on their way', async t => {
    const project_id = await projectWith(user, papers, { name: 'Latency' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/papers/${items[0]!.id}`)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', { offline: false, latency: 500, downloadThroughput: -1, uploadThroughput: -1 })
    const keys = ['u', 'f', 'd', 'u', 'l', 'f'] as const
    for (const key of keys) await page.keyboard.press(key)
    await until(async () => (await votesOf(project_id)).length === keys.length)
    await shows(page, items[keys.length]!)
    const given = new Map((await votesOf(project_id)).map(({ id, feedback }) => [id, feedback!.downvote_reason ?? feedback!.vote]))
    const names = { u: 'upvote', f: 'star', d: 'not_relevant', l: 'low_quality' }
    t.strictSame(items.slice(0, keys.length).map(({ id }) => given.get(id)), keys.map(key => names[key]))
  })

  await t.test('goes on after the loaded part of the feed, in its order and filters', async t => {
    const project_id = await projectWith(user, papers, { name: 'Beyond' })
    const list = { sort: 'published', feedback_filter: 'unrated' } as const
    const items = await itemsOf(project_id, list)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/projects/${project_id}?sort=published&filter=unrated`)
    t.equal(await page.locator('[data-rows] .row').count(), 40)
    await page.locator(`[data-rows] .row[data-item="${items[38]!.id}"] > a`).click()
    await page.locator(`.details[data-item="${items[38]!.id}"] [data-key=o]`).click()
    await page.waitForLoadState()
    for (const item of items.slice(38, 44)) {
      await shows(page, item)
      await page.keyboard.press('u')
    }
    await shows(page, items[44]!)
    await page.getByRole('link', { name: 'Beyond' }).click()
    await page.locator('#feed').waitFor()
    t.match(page.url(), /sort=published/)
    await until(async () => (await votesOf(project_id)).length === 6)

    const all = (await feedsGet.run(context, { limit: 3, sort: 'best' })).items
    await page.goto(`${visited.address}/feed?sort=best`)
    await page.locator('.details [data-key=o]').click()
    await shows(page, all[0]!)
    await page.reload()
    await page.keyboard.press('j')
    await shows(page, all[1]!)
    await page.getByRole('link', { name: 'All projects' }).click()
    await page.locator('#feed[data-changes="/feed"]').waitFor()
  })

  await t.test('leads back to its page of the feed', async t => {
    const project_id = await projectWith(user, papers, { name: 'Further' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/projects/${project_id}?offset=40`)
    await page.locator(`[data-rows] .row[data-item="${items[45]!.id}"] > a`).click()
    await page.locator(`.details[data-item="${items[45]!.id}"] [data-key=o]`).click()
    await shows(page, items[45]!)
    await page.keyboard.press('j')
    await shows(page, items[46]!)
    await page.getByRole('link', { name: 'Further' }).click()
    await page.locator(`[data-rows] .row[data-item="${items[46]!.id}"] > a[aria-current]`).waitFor()
    await page.keyboard.press('j')
    await page.locator(`[data-rows] .row[data-item="${items[47]!.id}"] > a[aria-current]`).waitFor()
    for (const offset of ['-1', 'x', '1e3']) {
      await page.goto(`${visited.address}/papers/${items[45]!.id}?offset=${offset}`)
      t.notMatch(await page.getByRole('link', { name: 'Further' }).getAttribute('href'), 'offset')
    }
  })

  await t.test('steps over papers that have left the feed', async t => {
    const project_id = await projectWith(user, papers.slice(0, 6), { name: 'Left' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    const leave = async (...left: number[]) => {
      await context.db.deleteFrom('project_paper').where('id', 'in', left.map(at => items[at]!.id)).execute()
    }
    await page.goto(`${visited.address}/papers/${items[1]!.id}`)
    await shows(page, items[1]!)
    await leave(0, 2, 3)
    await page.keyboard.press('j')
    await shows(page, items[4]!)
    await page.locator('#toast', { hasText: 'Skipped a paper that left the feed' }).waitFor()
    await page.keyboard.press('k')
    await shows(page, items[1]!)
    await page.keyboard.press('k')
    await page.locator('#toast', { hasText: 'Start of the list' }).waitFor()
    t.notOk(await page.getByRole('link', { name: 'Previous' }).isVisible())
    await page.getByRole('link', { name: 'Next' }).click()
    await shows(page, items[4]!)
    await page.keyboard.press('u')
    await shows(page, items[5]!)
    await until(async () => (await votesOf(project_id)).length === 1)
  })

  await t.test('leaves its votes to a feed that the browser shows again as it was', async t => {
    const project_id = await projectWith(user, papers, { name: 'Shown again' })
    const page = await newPage(wide)
    await page.goto(`${visited.address}/projects/${project_id}`)
    const rows = page.locator('[data-rows] .row')
    await listAllPages(page)
    const items = await rows.evaluateAll(rows => rows.map(row => row.getAttribute('data-item')!))
    await rows.nth(50).locator('a').click()
    const link = page.locator(`.details[data-item="${items[50]!}"] [data-key=o]`)
    // Browsers that a program drives keep no pages: two tabs stand for one.
    const address = await link.evaluate((link: HTMLAnchorElement) => {
      link.addEventListener('click', event => event.preventDefault())
      link.click()
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      return link.href
    })
    const stored = async () => await page.evaluate(() => Object.entries(sessionStorage))
    const other = await page.context().newPage()
    await other.addInitScript(entries => { for (const entry of entries) sessionStorage.setItem(...entry) }, await stored())
    await other.goto(address)
    await shows(other, { id: items[50]! })
    for (const key of ['u', 's', 'f']) await other.keyboard.press(key)
    await shows(other, { id: items[52]! })
    await until(async () => (await votesOf(project_id)).length === 2)
    const left = await other.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      return Object.entries(sessionStorage)
    })
    await page.evaluate(entries => {
      for (const entry of entries) sessionStorage.setItem(...entry)
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    }, left)
    t.equal(await rows.count(), 60)
    const marks = async (at: number) => await rows.nth(at).evaluate(({ dataset: { vote, seen, saved } }) => ({ vote, seen, saved }))
    t.strictSame(await marks(50), { vote: 'upvote', seen: 'true', saved: 'false' })
    t.strictSame(await marks(51), { vote: 'star', seen: 'true', saved: 'true' })
    t.strictSame(await marks(52), { vote: '', seen: 'true', saved: 'false' })
    await page.locator(`.details[data-item="${items[52]!}"] .prose`).waitFor()
    await page.keyboard.press('k')
    await page.locator(`.details[data-item="${items[51]!}"] .vote-button[aria-pressed=true]`, { hasText: 'Star' }).waitFor()
  })

  await t.test('lists its shortcuts, also after a step, and can do without', async t => {
    const project_id = await projectWith(user, papers.slice(0, 4), { name: 'Shortcuts' })
    const items = await itemsOf(project_id)
    const page = await newPage(wide)
    await page.goto(`${visited.address}/papers/${items[0]!.id}`)
    await page.keyboard.press('j')
    await shows(page, items[1]!)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    t.match(await help.innerText(), /next or previous paper/)
    t.notMatch(await help.innerText(), /select all listed papers/)
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('Enable shortcuts').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('j')
    await page.getByRole('button', { name: 'Shortcuts' }).click()
    await shows(page, items[1]!)
    t.equal(await page.getByLabel('Enable shortcuts').isChecked(), false)
    await page.getByLabel('Enable shortcuts').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await shows(page, items[2]!)
  })

  await t.test('has the bar and the swipe of the feed on a phone', async t => {
    const project_id = await projectWith(user, papers.slice(0, 5), { name: 'Phone' })
    const items = await itemsOf(project_id)
    const page = await newPage(phone)
    await page.goto(`${visited.address}/papers/${items[0]!.id}`)
    const bar = page.getByRole('toolbar', { name: 'Vote and continue' })
    for (const button of await bar.getByRole('button').all()) {
      const { width, height } = (await button.boundingBox())!
      t.ok(width >= 44 && height >= 44, await button.innerText())
    }
    t.strictSame(await accessibilityViolations(page), [])
    await bar.getByRole('button', { name: 'Upvote' }).tap()
    await shows(page, items[1]!)
    await bar.getByRole('button', { name: 'Save' }).tap()
    await bar.locator('[data-saves][aria-pressed=true]').waitFor()
    await bar.getByRole('button', { name: 'Star' }).tap()
    await shows(page, items[2]!)
    const touches = await page.context().newCDPSession(page)
    const swipe = async (from: number, to: number) => {
      const y = await page.locator('#abstract-title').evaluate(title => {
        title.scrollIntoView({ block: 'center' })
        return title.getBoundingClientRect().y
      })
      const at = (step: number) => [{ x: from + (to - from) * step / 10, y: y + step }]
      // A finger that rests is a long press.
      await Promise.all([
        touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) }),
        touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(1) })
      ])
      for (let step = 2; step <= 10; step++) await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) })
      await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await swipe(320, 80)
    await shows(page, items[3]!)
    await swipe(80, 320)
    await shows(page, items[2]!)
    // For a while after a swipe, Chromium ignores taps.
    const press = async (name: string) => { await bar.getByRole('button', { name }).dispatchEvent('click') }
    await press('Next')
    await shows(page, items[3]!)
    await press('Not relevant')
    await shows(page, items[4]!)
    await press('Next')
    await page.getByText('End of the list').waitFor()
    await until(async () => (await votesOf(project_id)).length === 3)
    t.notOk(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), 'nothing is cut off at the side')
  })
})
