import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import t from 'tap'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { addCandidates } from '../../../db/queries/relevance.js'
import { projectScore } from '../../../src/operations/projects/project-score.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

const shapes = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }
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
      sources: [{ name: 'pubmed', query: '' }]
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

  for (const shape of shapes) {
    await t.test(`on a ${shape.viewport.width === 390 ? 'phone' : 'wide screen'}, ${shape.colorScheme}`, async t => {
      const page = await service.signedIn(user, shape)
      await watchShifts(page)
      for (const path of paths) {
        await page.goto(`${service.address}${path}`)
        t.same(await accessibilityViolations(page), [], `${path} can be read by everybody`)
        t.equal(
          await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted),
          0,
          `${path} stays where it was first drawn`
        )
        t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${path} is no wider than the window`)
        t.equal(await page.locator('h1').count(), 1, `${path} has one title`)
      }
    })
  }
})

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
