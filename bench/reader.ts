import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { buildApp } from '../src/app.js'
import { feedbackList } from '../src/operations/feed/feedback-list.js'
import { readSettings } from '../src/composition/settings.js'
import type { Context } from '../src/operations/context.js'
import { projectsList } from '../src/operations/projects/projects-list.js'
import { openService } from '../src/service.js'
import { chromiumPath } from '../test/support/chromium.js'
import { offline } from '../test/support/offline.js'
import { projectWith } from '../test/support/service.js'
import type { Publication } from '../test/support/stand-ins/papers.js'
import { pubmedStandIn } from '../test/support/stand-ins/pubmed.js'
import { until } from '../test/support/until.js'
import { temporaryDirectory } from './process.js'
import { setNetwork, timeNext } from './reader-timing.js'
import { reportBound } from './report.js'
import { quantile } from './search/measure.js'
import { dayMs } from '../schemas/durations.js'

const silent = () => {}
const wide = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** Extra time of every answer, in ms. */
const latencies = [0, 150, 500, 1000, 2000]

const papers: Publication[] = Array.from({ length: 60 }, (_, at) => ({
  title: `Sleep spindles and memory consolidation in cohort ${at + 10}`,
  abstract: 'Spindles and slow oscillations go together in a night of sleep, and what was learned by day is kept. '.repeat(12),
  date: new Date(Date.now() - (1 + at % 5) * dayMs).toISOString().slice(0, 10),
  doi: `10.5555/reader.${at}`,
  pmid: String(41_000_000 + at)
}))

/**
 * Measures how a person reads in Chromium: from the first page to a feed, the next paper, triage by keyboard and on a phone, votes at
 * several latencies, weight and first paint. Prints a table row for each.
 */
export async function measureReader (): Promise<void> {
  const pubmed = await pubmedStandIn(undefined, papers)
  const settings = readSettings({
    DATA_DIR: temporaryDirectory(),
    JWT_SECRET: 'x'.repeat(32),
    PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...offline,
    PUBMED_URL: pubmed.url
  })
  const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'bench', share: false })
  const app = await buildApp({ context: service.context, settings, logStream: { write: silent } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  service.setPort(port)
  const origin = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  })
  try {
    const { page, project_id } = await register(browser, origin)
    const account = (await page.locator('body').getAttribute('data-account'))!
    const context: Context = { ...service.context, account: { id: account } }
    const state = await page.context().storageState()
    const newPage = async (options: BrowserContextOptions) =>
      await (await browser.newContext({ ...options, storageState: state, reducedMotion: 'reduce' })).newPage()
    const newFeed = async (name: string) => `${origin}/projects/${await projectWith({ context, email: '', password: '', key: '' }, papers.map(
      ({ title, abstract, doi, date }) => ({ title, abstract: abstract ?? null, doi: doi ?? null, published_date: date })), { name })}`
    const votes = async (feed: string) =>
      (await feedbackList.run(context, { project_id: feed.split('/').at(-1)!, limit: 100 })).items.length

    for (const latency of [0, 150]) {
      const reader = await newPage(wide)
      await reader.goto(await newFeed(`Next ${latency}`))
      await setNetwork(reader, latency)
      const { next, idle } = await timeNext(reader, 50)
      const median = (times: number[]) => quantile(times, 0.5).toFixed(0)
      const name = `j to painted, 50 papers, ${latency} ms of latency (a key without an effect: ${median(idle)} ms): p50 ${median(next)} ms, p95`
      reportBound(name, quantile(next, 0.95), 'ms', 60, 'at most')
      await reader.context().close()
    }
    for (const latency of [0, 150]) {
      const reader = await newPage(wide)
      const feed = await newFeed(`Fifty ${latency}`)
      await reader.goto(feed)
      await setNetwork(reader, latency)
      const began = performance.now()
      for (let count = 0; count < 50; count++) await reader.keyboard.press('udfl'[count % 4]!)
      await until(async () => await votes(feed) === 50)
      reportBound(`50 papers in 50 keystrokes, saved, ${latency} ms of latency`, (performance.now() - began) / 1000, 's', 60, 'at most')
      await reader.context().close()
    }
    for (const latency of latencies) {
      const reader = await newPage(wide)
      const feed = await newFeed(`Kept ${latency}`)
      await reader.goto(feed)
      await setNetwork(reader, latency)
      for (let count = 0; count < 10; count++) await reader.keyboard.press(count % 2 === 0 ? 'u' : 'f')
      const isUnsent = async () => await reader.evaluate(() => Object.keys(localStorage).some(name => name.startsWith('litfeed-outbox')))
      await until(async () => !await isUnsent())
      reportBound(`votes kept of 10, ${latency} ms of latency`, await votes(feed), '', 10, 'at least')
      await reader.context().close()
    }
    const phonePage = await newPage(phone)
    const feed = await newFeed('Phone')
    await phonePage.goto(feed)
    let taps = 0
    const tap = async (selector: string) => { taps++; await phonePage.locator(selector).first().tap() }
    await tap('[data-rows] .row > a')
    for (let count = 0; count < 20; count++) await tap('.triage-bar [data-press=u]')
    await until(async () => await votes(feed) === 20)
    reportBound('taps a paper on a phone, 20 papers', taps / 20, '', 1.1, 'at most')
    await phonePage.context().close()
    for (const latency of [0, 150]) await weigh(await newPage(wide), `${origin}/projects/${project_id}`, latency)
  } finally {
    await browser.close()
    await app.close()
    await service.close()
    await pubmed.close()
  }

  /** From the first page of a new service to a feed with papers. */
  async function register (browser: Browser, origin: string): Promise<{ page: Page, project_id: string }> {
    const page = await (await browser.newContext({ ...wide, reducedMotion: 'reduce' })).newPage()
    const began = performance.now()
    let clicks = 0
    const click = async (name: string) => { clicks++; await page.getByRole('button', { name }).click() }
    await page.goto(origin)
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Confirm password').fill('correct horse battery')
    await click('Create account')
    await page.waitForURL(/\/projects\/new/)
    await page.getByLabel('Name').fill('Sleep')
    await page.getByLabel('Research interest').fill('Sleep spindles and memory consolidation.')
    await click('Create project')
    await page.locator('[data-rows] .row').first().waitFor({ timeout: 120_000 })
    const id = (await page.locator('body').getAttribute('data-account'))!
    const { items } = await projectsList.run({ ...service.context, account: { id } }, {})
    reportBound('clicks from the first page to a feed with papers', clicks, '', 2, 'at most')
    reportBound('from the first page to a feed with papers, without typing time', (performance.now() - began) / 1000, 's', 120, 'at most')
    return { page, project_id: items[0]!.id }
  }
}

/** Bytes of a first visit to a feed, and the time to its first contentful paint. */
async function weigh (page: Page, address: string, latency: number): Promise<void> {
  const network = await setNetwork(page, latency)
  let bytes = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength })
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime)
  reportBound(`a first visit to a feed, fonts included, ${latency} ms of latency`, bytes / 1024, 'kB', 200, 'at most')
  reportBound(`first contentful paint of the same, ${latency} ms of latency`, paint, 'ms', 1000, 'at most')
  await page.context().close()
}
