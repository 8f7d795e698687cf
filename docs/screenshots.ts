import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Page, chromium } from 'playwright-core'
import { chromiumPath } from '../test/support/chromium.js'

/* make screenshots: takes pictures of the main pages with the sample project, at two widths, in light and dark mode. */

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const litfeed = fileURLToPath(new URL('../src/cli/index.js', import.meta.url))
const variants = [
  { name: 'light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'dark-phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'light-phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' }
] as const
/** Pictures that the documentation uses; ALL=on takes all of them. */
const documented = [
  'feed-light', 'feed-dark-phone', 'insights-light', 'connect-light', 'settings-dark', 'paper-light', 'paper-light-phone', 'import-light',
  'all-projects-light', 'administration-light'
]

const dataDir = mkdtempSync(join(tmpdir(), 'litfeed-screenshots-'))
const service = spawn(process.execPath, [litfeed, 'serve', '--sample'], {
  env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit']
})
try {
  const { address, email, password } = await readAnnouncement(service)
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  })
  for (const { name, ...shape } of variants) {
    const page = await (await browser.newContext({ ...shape, reducedMotion: 'reduce' })).newPage()
    await signIn(page, address, email, password)
    const project = await page.locator('.project-list a').first().getAttribute('href')
    if (name === 'light') await vote(page, `${address}${project}`)
    const item = (await mustReadIds(page, `${address}${project}`))[1]
    const paths = {
      projects: '/',
      feed: `${project}?item=${item}`,
      paper: `/papers/${item}`,
      import: `${project}/import`,
      'all-projects': '/feed',
      administration: '/administration',
      settings: `${project}/settings`,
      insights: `${project}/insights`,
      alerts: `${project}/alerts`,
      connect: '/connect',
      account: '/account',
      service: '/administration/service'
    }
    for (const [subject, path] of Object.entries(paths)) {
      const file = `${subject}-${name}`
      if (!documented.includes(file) && process.env.ALL !== 'on') continue
      // A phone shows either the list or a paper; take the list.
      await page.goto(`${address}${subject === 'feed' && name.endsWith('phone') ? project : path}`)
      await page.screenshot({ path: join(folder, `${file}.png`) })
      process.stdout.write(`docs/images/${file}.png\n`)
    }
  }
  await browser.close()
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  rmSync(dataDir, { recursive: true })
}

/** Waits for the address and the account that the service prints. */
async function readAnnouncement (child: ChildProcess): Promise<{ address: string, email: string, password: string }> {
  const lines: string[] = []
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line)
    const text = lines.join('\n')
    const [address, email, password] = [/Litfeed is at (\S+?)\/? /, /Account: +(\S+)/, /Password: +(\S+)/].map(
      pattern => pattern.exec(text)?.[1]
    )
    if (address !== undefined && email !== undefined && password !== undefined) return { address, email, password }
  }
  throw new Error(`The service did not start: ${lines.join('\n')}`)
}

async function signIn (page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(`${address}/login`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(url => url.pathname !== '/login')
}

/** Votes on some papers, so the pictures show votes and what the project learned. */
async function vote (page: Page, feed: string): Promise<void> {
  const items = await mustReadIds(page, feed)
  for (const [at, button] of ['Upvote', 'Star', 'Upvote', 'Star', 'Upvote'].entries()) {
    await page.goto(`${feed}?item=${items[at]}`)
    await page.getByRole('button', { name: button }).first().click()
    await page.waitForLoadState('networkidle')
  }
}

/** Ids of the must-read items. */
async function mustReadIds (page: Page, feed: string): Promise<string[]> {
  await page.goto(`${feed}?must_read=true`)
  const addresses = await page
    .locator('.feed-list a[href*="item="]')
    .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
  return [...new Set(addresses.map(address => new URL(address).searchParams.get('item')!))]
}
