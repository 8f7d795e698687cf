import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import { feedbackList } from '../../src/operations/feed/feedback-list.js'
import { visit } from './browser.js'
import { projectWith } from './service.js'

/** Papers of a feed with two pages. */
export const papers = Array.from({ length: 60 }, (_, at) => ({
  title: `On sleep spindles in cohort ${at + 10}`,
  abstract: 'Spindles. '.repeat(80),
  authors: [],
  doi: `10.5555/triage.${at}`,
  published_date: '2026-02-03'
}))

/** A screen that shows the list beside the paper. */
export const wide = { viewport: { width: 1280, height: 800 } }

/** A service with a signed-in user. `triage` opens a project of its own, with 60 papers. */
export async function triageSession (t: Test) {
  const visited = await visit(t)
  const user = await visited.user()
  const storageState = await (await visited.signedIn(user, wide)).context().storageState()
  const triage = async (name: string, options: BrowserContextOptions = {}) => {
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
  return { visited, user, storageState, triage }
}

/** The item of the current row. */
export const currentItem = async (page: Page): Promise<string> =>
  (await page.locator('[data-rows] .row:has(a[aria-current])').getAttribute('data-item'))!

/** The number of accounts with unsent changes in the browser of a page. */
export const unsent = async (page: Page): Promise<number> =>
  await page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('litfeed-outbox')).length)
