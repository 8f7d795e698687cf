import type { Page } from 'playwright-core'
import t from 'tap'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { renderInWorker } from '../../../src/adapters/web/markdown/renderer.js'
import { feedbackList } from '../../../src/operations/feed/feedback-list.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

/** A mobile connection at the edge of its cell. */
const slow = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 }
/** The longest time until everything has come that the first text needs. The work of the browser and of the service is not in it. */
const maxReadableMs = 3000

t.test('on a slow network', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  // Pages wait 5 s for a text, and the thread that renders it takes part of that to start.
  await renderInWorker('start', 'start', { timeoutMs: 120_000 })
  const user = await visited.user()
  const project_id = await projectWith(user, Array.from({ length: 60 }, (_, at) => ({
    title: `On sleep spindles in cohort ${at + 10}`,
    abstract: 'Spindles and slow oscillations go together in a night of sleep, and what was learned by day is kept. '.repeat(12),
    authors: [{ name: 'Ada Müller' }, { name: 'Bo Li' }, { name: 'Chidi Okafor' }],
    venue_name: 'Journal of Invented Results',
    doi: `10.5555/slow.${at}`,
    published_date: '2026-02-03'
  })))
  const { items } = await feedGet.run(user.context, { project_id, limit: 60 })
  const markdown = Array.from({ length: 12 }, (_, at) => `## Part ${at}\n\n${'Sleep keeps what was learned by day. '.repeat(60)}`).join('\n\n')
  for (const { paper } of items) {
    await saveMarkdown(user.context.db, { paper_id: paper.id, account_id: null, markdown, origin: 'test', converter: 'test', warnings: [] })
  }
  const page = await visited.newPage({ viewport: { width: 1280, height: 800 } })
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow)
  await watch(page)
  const times: Record<string, number[]> = {}
  const opened = async (name: string) => {
    await page.waitForLoadState('load')
    const { roundTrips, bytes, paint, shift } = await readings(page)
    const readableMs = Math.round(roundTrips * slow.latency + 1000 * bytes / slow.downloadThroughput)
    times[name] = [readableMs, Math.round(paint)]
    t.ok(readableMs < maxReadableMs, `${name} can be read after ${readableMs} ms`)
    return shift
  }

  await page.goto(`${visited.address}/login`)
  const shifts = [await opened('sign-in')]
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(url => url.pathname !== '/login')
  await page.goto(`${visited.address}/projects/${project_id}`)
  await page.locator('[data-rows] .row').first().waitFor()
  shifts.push(await opened('feed'))

  await t.test('a paper that has not come has a way back on a phone', async t => {
    const phone = await visited.signedIn(user, { viewport: { width: 390, height: 844 } })
    await phone.route('**/*alone=true*', async route => { await route.fulfill({ status: 404, body: '' }) })
    await phone.goto(`${visited.address}/projects/${project_id}`)
    await phone.locator('[data-rows] .row a').nth(2).click()
    await phone.locator('.details').getByText('This paper could not be loaded.').waitFor()
    await phone.getByRole('link', { name: 'All papers' }).click()
    await phone.locator('[data-rows] .row a').nth(2).waitFor({ state: 'visible' })
    t.pass('the list is there again')
    await phone.unroute('**/*alone=true*')
    await phone.context().clearCookies()
    await phone.locator('[data-rows] .row a').nth(9).click()
    await phone.locator('.details').getByText('Your session has ended. Sign in again.').waitFor()
  })

  for (let count = 0; count < 10; count++) await page.keyboard.press(count % 2 === 0 ? 'u' : 'f')
  await page.locator('.details .prose').waitFor()
  const votes = async () => (await feedbackList.run(user.context, { project_id, limit: 100 })).items
  // The full text is opened while votes are being sent.
  await page.locator('.details [data-key="o"]').click()
  await page.waitForURL('**/papers/**')
  await page.locator('.text h2').first().waitFor()
  shifts.push(await opened('full text'))
  // A vote that is saved while the list is on its way is neither in it nor in the outbox.
  await until(async () => (await votes()).length === 10)
  await page.goBack()
  await page.locator('[data-rows] .row').first().waitFor()
  shifts.push(await opened('feed again'))
  t.equal((await votes()).length, 10, 'no vote is lost')
  t.equal(await page.locator('[data-rows] .vote-sign').count(), 10)
  // A page that waits too long for its fonts does without them; the next one has them.
  await until(async () => await usesOwnFonts(page) || (await page.reload(), false))
  t.strictSame(shifts, shifts.map(() => 0), 'nothing moves while fonts load')
  t.comment(times)
})

/** Watches paints and layout shifts of each page. */
async function watch (page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = globalThis as unknown as { shifted: number }
    watched.shifted = 0
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as { value: number, hadRecentInput: boolean }
        if (!hadRecentInput) watched.shifted += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Whether the title of the shown paper is drawn with a font of ours. */
async function usesOwnFonts (page: Page): Promise<boolean> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '.details h2' })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts.length > 0 && fonts.every(({ isCustomFont }) => isCustomFont)
}

/**
 * The round trips and bytes before the first content of the page: those of the page and of what blocks its rendering. The time of that
 * content, on this machine. Its layout shifts, after its fonts have come.
 */
const readings = async (page: Page) =>
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const paint = await new Promise<number>(resolve => {
      new PerformanceObserver(list => {
        for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
      }).observe({ type: 'paint', buffered: true })
    })
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const blocking = (performance.getEntriesByType('resource') as Array<PerformanceResourceTiming & { renderBlockingStatus: string }>)
      .filter(({ renderBlockingStatus, transferSize }) => renderBlockingStatus === 'blocking' && transferSize > 0)
    return {
      roundTrips: blocking.length === 0 ? 1 : 2,
      bytes: [navigation!, ...blocking].reduce((sum, { transferSize }) => sum + transferSize, 0),
      paint,
      shift: (globalThis as unknown as { shifted: number }).shifted
    }
  })
