import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import t from 'tap'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { addCandidates } from '../../../db/queries/candidates.js'
import { projectScore } from '../../../src/operations/projects/project-score.js'
import { snapshotCreate } from '../../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../../src/operations/snapshots/snapshot-freeze.js'
import { snapshotPublish } from '../../../src/operations/snapshots/snapshot-publish.js'
import { shareLinkCreate } from '../../../src/operations/sharing/share-link-create.js'
import { accessibilityViolations, layoutRules, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

/** The window of a page, and the one that it is resized to once it is loaded: its layout does not depend on the color scheme. */
const shapes = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light', resized: { width: 1920, height: 1080 } },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', resized: { width: 768, height: 1024 } }
] as const

t.test('every page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const user = await service.user()
  const abstract = 'Spindles and slow oscillations go together in a night of sleep, and what was learned by day is kept. '.repeat(6)
  const projectId = await projectWith(
    user,
    Array.from({ length: 45 }, (_each, at) => ({
      title: `Sleep spindles and memory, part ${at}`,
      abstract,
      authors: [{ name: 'Ada Müller' }, { name: 'Bo Li' }],
      doi: `10.5555/page.${at}`,
      published_date: '2026-03-19',
      venue_name: 'Journal of Invented Results'
    })),
    {
      name: 'Sleep',
      interest_description: 'How sleep keeps memories',
      positive_keywords: ['spindles'],
      // Longer than a line.
      sources: [{ name: 'pubmed', query: Array.from({ length: 8 }, (_each, at) => `"sleep spindles ${at}"[tiab]`).join(' OR ') }]
    }
  )
  await projectScore.run(user.context, { project_id: projectId })
  const { items: [first, second] } = await feedGet.run(user.context, { project_id: projectId })
  await feedbackSet.run(user.context, { paper_id: first!.id, vote: 'star' })
  await feedbackSet.run(user.context, { paper_id: second!.id, vote: 'downvote', downvote_reason: 'low_quality' })
  const others = await projectWith(user, Array.from({ length: 60 }, (_each, at) => ({
    title: `Outside the feed, part ${at}`,
    authors: Array.from({ length: 1 + at % 5 }, () => ({ name: 'Ada Müller' })),
    ...(at % 2 === 0 ? {} : { url: `https://example.org/${at}`, published_date: '2026-03-19', venue_name: 'Invented Results' })
  })), { name: 'Other', sources: [] })
  const { items: outside } = await feedGet.run(user.context, { project_id: others, limit: 60 })
  await addCandidates(service.context.db, outside.map(({ paper }, at) => ({
    project_id: projectId,
    paper_id: paper.id,
    relevance_score: at / 100,
    found_at: new Date(Date.now() - at * 12 * 60 * 60 * 1000)
  })))
  const { id: snapshotId } = await snapshotCreate.run(user.context, { project_id: projectId })
  const { id: publishedId } = await snapshotCreate.run(user.context, { project_id: projectId })
  await snapshotFreeze.run(user.context, { project_id: projectId })
  const published = await snapshotPublish.run(user.context, { project_id: projectId, snapshot_id: publishedId })
  const project = `/projects/${projectId}`
  const paths = [
    '/',
    project,
    `${project}?q=spindles`,
    `${project}?item=${second!.short_id}`,
    `${project}?filter=starred`,
    `${project}?filter=low-quality&q=nothing`,
    `${project}/settings`,
    `${project}/insights`,
    `${project}/alerts`,
    `${project}/import`,
    `${project}/candidates`,
    `${project}/candidates?offset=50`,
    `${project}/tune?item=${second!.short_id}`,
    `${project}?min_score=0.1&max_score=0.9`,
    `${project}/zotero`,
    `${project}/sharing`,
    `${project}/snapshots`,
    `${project}/snapshots/${snapshotId}`,
    `${project}/snapshots/${publishedId}`,
    '/projects/new',
    '/add',
    '/feed',
    '/offline',
    '/feed?q=spindles&year_from=2020&venue=journal',
    `/papers/${first!.paper.id}`,
    '/connect',
    '/account',
    '/forgot-password',
    '/forgot-password?sent=true',
    '/reset-password',
    '/sign-up',
    '/administration',
    '/administration/users',
    '/administration/jobs',
    '/administration/service',
    '/no-such-page',
    `/projects/${randomUUID()}`
  ]
  const { url: shared } = await shareLinkCreate.run(user.context, { project_id: projectId, title: 'A reading list for guests' })
  const empty = await shareLinkCreate.run(user.context, { project_id: projectId, tag: 'nothing has this tag' })
  const times = { created_at: new Date(), next_send_at: new Date() }
  const alert = await service.context.db.insertInto('alert')
    .values({ project_id: projectId, kind: 'email', target: user.email, frequency: 'daily', ...times })
    .returning('id').executeTakeFirstOrThrow()
  const unsubscribeToken = service.context.alerts.unsubscribeTokens.mint(alert.id)
  const publicPaths = [
    pathOf(shared),
    `${pathOf(shared)}&offset=20`,
    pathOf(empty.url),
    '/shared?token=unknown',
    pathOf(published.public_url!),
    `${pathOf(published.public_url!).slice(0, -1)}x`,
    `/unsubscribe/${unsubscribeToken}`,
    '/login',
    '/forgot-password',
    '/sign-up',
    '/no-such-page'
  ]

  for (const { resized, ...shape } of shapes) {
    await t.test(`on a ${shape.viewport.width === 390 ? 'phone' : 'wide screen'}, ${shape.colorScheme}`, async t => {
      const visitors = [[await service.signedIn(user, shape), paths], [await service.newPage(shape), publicPaths]] as const
      for (const [page, visited] of visitors) {
        await watchShifts(page)
        for (const path of visited) {
          await page.setViewportSize(shape.viewport)
          await page.goto(`${service.address}${path}`)
          t.same(await accessibilityViolations(page), [], `${path} can be read by everybody`)
          const colorScheme = shape.colorScheme === 'light' ? 'dark' : 'light'
          await page.emulateMedia({ colorScheme })
          t.same(await accessibilityViolations(page, ['color-contrast']), [], `${path} has enough contrast in ${colorScheme} mode`)
          await page.emulateMedia({ colorScheme: shape.colorScheme })
          t.equal(
            await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted),
            0,
            `${path} stays where it was first drawn`
          )
          t.equal(await page.locator('h1').count(), 1, `${path} has one title`)
          t.same(await repeatedIds(page), [], `${path} has each id once, so that labels name their fields`)
          t.ok(await fits(page), `${path} is no wider than the window`)
          if (shape.viewport.width === 390) t.same(await smallTargets(page), [], `${path} has targets for fingers`)
          await page.setViewportSize(resized)
          t.same(await accessibilityViolations(page, layoutRules), [], `${path} can be read by everybody at ${resized.width} px`)
          t.ok(await fits(page), `${path} is no wider than a window of ${resized.width} px`)
        }
      }
    })
  }
})

const pathOf = (url: string) => url.slice(new URL(url).origin.length)
const fits = async (page: Page) => await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

const repeatedIds = async (page: Page) =>
  await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) < at))

/** Controls that are lower than 44 px. Links in sentences may be. */
const smallTargets = async (page: Page) =>
  await page.evaluate(() =>
    [...document.querySelectorAll('button, .button, summary, select, input, nav a, .chip')]
      .filter(each => !each.matches('[type=hidden], [type=checkbox], [type=radio]'))
      .filter(each => each.checkVisibility({ visibilityProperty: true }))
      .map(each => ({ each, height: each.getBoundingClientRect().height }))
      .filter(({ height }) => height > 1 && height < 43.5)
      .map(({ each, height }) => `${height} px: ${each.outerHTML.slice(0, 120)}`))

/** Sums what the browser counts as layout shift, from each page's first paint on. */
async function watchShifts (page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = globalThis as unknown as { shifted: number }
    watched.shifted = 0
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) watched.shifted += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
