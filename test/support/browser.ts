import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import type { Test } from 'tap'
import { chromiumPath } from './chromium.js'
import { atEnd } from './end-of-file.js'
import type { TestService, TestUser } from './service.js'
import { testService } from './service.js'
import { until } from './until.js'

/** The reason why browser tests are skipped; false if they can run. */
export const withoutBrowser: string | false =
  process.env.BROWSER_TESTS === 'off'
    ? 'BROWSER_TESTS=off'
    : existsSync(chromiumPath) ? false : `Chromium is missing at ${chromiumPath}; set CHROMIUM to its path`

/** A listening service with a browser. */
export interface Visit extends TestService {
  /** Base address of the service, without a trailing slash. */
  address: string
  browser: Browser
  /** Opens a page in a new browser context, without cookies. */
  newPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Opens a page and signs the user in with the form. */
  signedIn: (user: TestUser, options?: BrowserContextOptions) => Promise<Page>
  /** Requests to other sites, console errors and exceptions of all pages. If there are any, the test fails at its end. */
  complaints: string[]
}

/** Starts the service, listening, and Chromium; stops both when the test ends. */
export async function visit (t: Test, environment: Record<string, string> = {}): Promise<Visit> {
  const service = await testService(t, environment)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as { port: number }
  service.service.setPort(port)
  const address = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    timeout: 120_000,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync'
    ]
  })
  atEnd(t, async () => await browser.close())
  const complaints: string[] = []
  atEnd(t, () => { if (complaints.length > 0) throw new Error(`Pages reported errors: ${complaints.join(' · ')}`) })

  const newPage = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block', ...options })
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    page.on('request', request => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) complaints.push(`requested ${request.url()}`)
    })
    page.on('pageerror', error => complaints.push(`threw ${error.message}`))
    page.on('console', message => {
      // A newer request or another page ends one that is under way: htmx logs that as two errors.
      if (message.text().startsWith('htmx:sendAbort')) {
        if (complaints.at(-1)?.startsWith('htmx:afterRequest') === true) complaints.pop()
        return
      }
      // Chromium logs the status of a rejected form as an error.
      if (message.type() === 'error' && !/Failed to load resource: the server responded with a status of 4/.test(message.text())) {
        complaints.push(message.text())
      }
    })
    return page
  }
  const signedIn = async ({ email, password }: TestUser, options?: BrowserContextOptions) => {
    const page = await newPage(options)
    await page.goto(`${address}/login`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(url => url.pathname !== '/login')
    return page
  }
  return { ...service, address, browser, newPage, signedIn, complaints }
}

/** Opens papers near the end of a feed's list until all its pages are listed. These papers count as seen. */
export async function listAllPages (page: Page): Promise<void> {
  const rows = page.locator('[data-rows] .row')
  const next = page.locator('#next-page')
  while (await next.count() > 0) {
    const listed = await rows.count()
    await rows.nth(listed - 10).locator('a').click()
    await until(async () => await rows.count() > listed || await next.count() === 0)
  }
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose outcome can change with the width of the window. */
export const layoutRules: readonly string[] = [
  'color-contrast', 'target-size', 'scrollable-region-focusable', 'region', 'aria-hidden-focus', 'link-in-text-block'
]

/**
 * Runs axe on a page.
 * @param rules only these; default: all of WCAG 2.2 AA and best practice
 * @returns one line for each violated rule
 */
export async function accessibilityViolations (page: Page, rules?: readonly string[]): Promise<string[]> {
  // After a click, only a part of the page may be there. A frame, which has no context of its own, is waited for by its test.
  if ('context' in page) await page.waitForLoadState()
  // Evaluates through the debugger, which the content security policy does not restrict.
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe)
  const violations = (await page.evaluate(
    // axe would describe every element that passes, too, which takes as long as the checks.
    async runOnly => (await (globalThis as any).axe.run(document, { runOnly, resultTypes: ['violations'] })).violations,
    rules === undefined ? standards : { type: 'rule', values: [...rules] }
  )) as Array<{ id: string, help: string, nodes: Array<{ html: string }> }>
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
