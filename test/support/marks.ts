import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import { dayMs } from '../../schemas/durations.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectPaperGet } from '../../src/operations/papers/project-paper-get.js'
import { visit } from './browser.js'
import { projectWith } from './service.js'
import { wide } from './triage.js'

/** Papers of a project, with titles and DOIs of its own. */
export const papersOf = (name: string, length = 12) => Array.from({ length }, (_, at) => ({
  title: `On ${name} spindles in cohort ${at + 10}`,
  abstract: 'Spindles. '.repeat(80),
  doi: `10.5555/${name.replace(/\W/g, '')}.${at}`
}))

/** A phone, which shows either the list or a paper. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A service with a signed-in user. `feedOf` opens a project of its own, with 12 papers: half of them of yesterday. */
export async function marksSession (t: Test) {
  const visited = await visit(t)
  const user = await visited.user()
  const storageState = await (await visited.signedIn(user, wide)).context().storageState()
  const { db } = visited.context
  const feedOf = async (name: string, options: BrowserContextOptions = {}) => {
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
  return { visited, user, storageState, feedOf, itemOf }
}

/** The row of an item. */
export const row = (page: Page, id: string) => page.locator(`[data-rows] .row[data-item="${id}"]`)
