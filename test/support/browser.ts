import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import type { Test } from 'tap'
import type { TestService, TestUser } from './service.js'
import { testService } from './service.js'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Why a test in a browser cannot be run here; false where it can. */
export const withoutBrowser: string | false =
  process.env.BROWSER_TESTS === 'off'
    ? 'BROWSER_TESTS=off'
    : existsSync(executablePath) ? false : `there is no Chromium at ${executablePath} (CHROMIUM names another)`

export interface Visit extends TestService {
  /** Where the service answers, without a slash at its end. */
  address: string
  browser: Browser
  /** A page of a browser of its own: no cookie yet. */
  newPage: (options?: BrowserContextOptions) => Promise<Page>
  /** A page of somebody who has signed in by the form. */
  signedIn: (user: TestUser, options?: BrowserContextOptions) => Promise<Page>
  /** What pages asked for elsewhere, said in the console as an error, or threw. Empty, or the test fails at its end. */
  complaints: string[]
}

/** The whole service, listening, and a real Chromium. */
export async function visit (t: Test, environment: Record<string, string> = {}): Promise<Visit> {
  const service = await testService(t, environment)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as { port: number }
  service.service.listening(port)
  const address = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({
    executablePath,
    timeout: 120_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  })
  t.teardown(async () => await browser.close())
  const complaints: string[] = []
  t.teardown(() => { if (complaints.length > 0) throw new Error(`The pages complained: ${complaints.join(' · ')}`) })

  const newPage = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    page.on('request', request => { if (!request.url().startsWith(address) && !request.url().startsWith('data:')) complaints.push(`asked for ${request.url()}`) })
    page.on('pageerror', error => complaints.push(`threw ${error.message}`))
    page.on('console', message => {
      // A refused form is answered with its status, which Chromium counts as an error.
      if (message.type() === 'error' && !/Failed to load resource: the server responded with a status of 4/.test(message.text())) complaints.push(message.text())
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What of WCAG 2.2 AA axe finds violated on a page, as sentences; empty where nothing is. */
export async function accessibilityViolations (page: Page): Promise<string[]> {
  // By the debugger's way, which the content security policy does not hold up.
  await page.evaluate(axe)
  const { violations } = await page.evaluate(async () => await (globalThis as any).axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })) as { violations: Array<{ id: string, help: string, nodes: Array<{ html: string }> }> }
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
