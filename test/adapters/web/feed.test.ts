import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { readRecords } from '../../support/readings.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

const subjects = ['sleep spindles', 'memory replay', 'slow waves', 'soil moisture']
const papers = Array.from({ length: 90 }, (_, at) => ({
  // Of two digits each: no title is the beginning of another.
  title: `On ${subjects[at % 4]} in cohort ${at + 10}`,
  abstract: `First paragraph about ${subjects[at % 4]}.\n\nSecond paragraph of paper ${at}.`,
  authors: [{ name: 'Zoë Müller' }, { name: 'Jan van der Berg' }],
  venue_name: 'A journal',
  published_date: '2026-02-03',
  doi: `10.5555/feed.${at}`,
  pdf_url: 'https://example.org/a.pdf'
}))

t.test('the feed', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  const user = await visited.user()
  const project_id = await projectWith(user, papers, { name: 'Sleep' })
  const address = `${visited.address}/projects/${project_id}`
  const { items } = await feedPage.run(user.context, { project_id, limit: 100 })
  const storageState = await (await visited.signedIn(user)).context().storageState()
  const open = async (options: BrowserContextOptions = {}) => await visited.newPage({ ...options, storageState })
  const voteOf = async (id: string) => (await projectPaperGet.run(user.context, { ref: id })).feedback
  const rows = (page: Page) => page.locator('[data-rows] li')
  const current = (page: Page) => page.locator('[data-rows] a[aria-current] .row-title').textContent()

  await t.test('lists papers and opens the first beside the list', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    t.equal(await rows(page).count(), 40)
    t.equal(await page.locator('#count').textContent(), '90 papers')
    t.equal(await page.locator('.details h2').textContent(), items[0]!.paper_title)
    t.match(await rows(page).first().textContent(), /Zoë Müller, Jan van der Berg · A journal · 3 Feb 2026/)
    t.equal(await page.locator('.details .prose p').count(), 2)
    t.equal(
      await page.locator('.facts a').first().getAttribute('href'),
      `https://doi.org/${(await projectPaperGet.run(user.context, { ref: items[0]!.id })).paper.doi}`
    )
  })

  await t.test('moves between papers and votes with the keyboard, without reloading', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    for (const at of [1, 2, 3]) {
      await page.keyboard.press('j')
      await page.locator('.details h2', { hasText: items[at]!.paper_title }).waitFor()
    }
    // Faster than papers come: no press is lost.
    for (const key of ['j', 'j', 'k', 'k', 'k']) await page.keyboard.press(key)
    await page.locator('.details h2', { hasText: items[2]!.paper_title }).waitFor()
    t.equal(await current(page), items[2]!.paper_title)
    t.match(page.url(), `item=${items[2]!.short_id}`)
    await page.locator('.list').evaluate(list => { list.scrollTop = 30 })
    await page.keyboard.press('?')
    await page.getByLabel('Open the next paper after a vote by key').uncheck()
    await page.keyboard.press('Escape')
    const hasVote = async (vote: object | null) =>
      await until(async () => isDeepStrictEqual({ ...(await voteOf(items[2]!.id)), updated_at: '' }, { updated_at: '', ...vote }))
    await page.keyboard.press('u')
    await page.locator(`#row-${items[2]!.short_id} .vote-sign`).waitFor()
    t.match(await page.locator('#toast').textContent(), 'Upvoted')
    await hasVote({ vote: 'upvote', downvote_reason: null })
    t.equal(await page.locator('.list').evaluate(list => list.scrollTop), 30, 'the list stays where it is')
    await page.keyboard.press('f')
    await page.locator('.vote-button[aria-pressed=true]', { hasText: 'Star' }).waitFor()
    await hasVote({ vote: 'star', downvote_reason: null })
    await page.locator('.vote summary').click()
    await page.getByRole('button', { name: 'Low quality' }).click()
    await page.locator('.vote-button[aria-pressed=true]', { hasText: 'Low quality' }).waitFor()
    await hasVote({ vote: 'downvote', downvote_reason: 'low_quality' })
    await page.locator('.vote-button', { hasText: 'Low quality' }).click()
    await page.locator('.vote summary', { hasText: 'Downvote' }).waitFor()
    await hasVote(null)
    await page.keyboard.press('j')
    await page.locator('.details h2', { hasText: items[3]!.paper_title }).waitFor()
  })

  await t.test('says which paper Enter has opened, and stays in the list, where keys go on', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    const link = rows(page).nth(4).locator('a')
    await link.focus()
    await page.keyboard.press('Enter')
    await page.locator('.details h2', { hasText: items[4]!.paper_title }).waitFor()
    t.equal(await page.locator('body > [role=status]').textContent(), `Opened: ${items[4]!.paper_title}`)
    t.ok(await link.evaluate(each => each === document.activeElement))
    await page.keyboard.press('j')
    t.equal(await current(page), items[5]!.paper_title)
  })

  await t.test('shortcuts can be listed and disabled, and are ignored while typing', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    await page.keyboard.press('?')
    t.ok(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible())
    t.ok(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).evaluate(heading => heading === document.activeElement))
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('Enable shortcuts').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    const before = await current(page)
    await page.keyboard.press('j')
    t.equal(await current(page), before)
    await page.getByRole('button', { name: 'Shortcuts' }).click()
    await page.getByLabel('Enable shortcuts').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('jus')
    t.equal(await page.getByLabel('Search this feed').inputValue(), 'jus')
  })

  await t.test('searches the whole feed while typing and shows the number of matches', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    await page.getByLabel('Search this feed').pressSequentially('cohort 97')
    await page.waitForURL(/q=cohort(\+|%20)97/)
    await page.locator('#count', { hasText: 'match' }).waitFor()
    await page.locator('.details h2', { hasText: 'cohort 97' }).waitFor()
    t.equal(await current(page), 'On soil moisture in cohort 97')
    t.equal(await page.evaluate(() => document.activeElement!.id), 'q', 'one goes on typing')
    t.strictSame(await rows(page).first().locator('mark').allTextContents(), ['cohort', '97'], 'the words are marked')
    t.match(await page.locator('#export a').first().getAttribute('href'), /q=cohort(\+|%20)97/, 'and exports what was found')
    await page.evaluate(() => { Object.assign(globalThis, { isSamePage: true }) })
    await page.keyboard.press('Enter')
    t.ok(await page.locator('.row a:focus').isVisible(), 'Enter goes on to the results')
    t.ok(await page.evaluate(() => 'isSamePage' in globalThis), 'which are listed already')
    await page.keyboard.press('/')
    await page.getByLabel('Search this feed').fill('xyzzyx')
    await page.getByText('Nothing in this feed matches “xyzzyx”').waitFor()
    t.equal(await page.locator('#count').textContent(), 'No matches')
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('Search this feed').fill('')
    await page.getByText('90 papers').waitFor()
    await page.locator('#list .row').first().waitFor()
    await page.keyboard.press('Escape')
    t.ok(await page.locator('.row a:focus').isVisible(), 'Escape leaves the empty field')
    t.notMatch(await page.locator('#export a').first().getAttribute('href'), /q=/)
    await page.goto(`${visited.address}/feed?q=cohort`)
    t.equal(await page.locator('#export .menu-title').textContent(), 'Up to 1,000 matches', 'an export of all projects has a maximum')
  })

  await t.test('filters, pages and returns to the same position', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    await page.getByRole('link', { name: 'Unrated' }).click()
    await page.waitForLoadState()
    await page.getByText('90 unrated papers').waitFor()
    const first = await page.locator('[data-rows] .row-title').allTextContents()
    await page.keyboard.press('j')
    await page.locator('.details h2', { hasText: first[1]! }).waitFor()
    await page.keyboard.press('u')
    await rows(page).nth(1).locator('.vote-sign').waitFor()
    // Not by the mouse: the page would scroll there, and append the next one.
    await page.getByRole('link', { name: 'Next' }).evaluate((link: HTMLAnchorElement) => { link.click() })
    await page.getByText('41–80 of 90').waitFor()
    const second = await page.locator('[data-rows] .row-title').allTextContents()
    t.equal(new Set([...first, ...second]).size, 80, 'what was rated moved nothing')
    await page.getByRole('link', { name: 'Previous' }).evaluate((link: HTMLAnchorElement) => { link.click() })
    await page.getByText('1–40 of 90').waitFor()
    t.strictSame(await page.locator('[data-rows] .row-title').allTextContents(), first)
    await until(async () => (await feedPage.run(user.context, { project_id, feedback_filter: 'liked' })).items.length === 1)
    await page.getByRole('link', { name: 'Upvoted', exact: true }).click()
    await page.getByText('1 upvoted paper').waitFor()
    await page.getByRole('link', { name: 'Must read' }).click()
    await page.getByText('No papers match this filter').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('j on the last item opens the next page', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    t.equal(await page.locator('.day h2').count(), 1)
    await rows(page).nth(39).locator('a').click()
    await page.keyboard.press('j')
    await page.locator('[data-rows] .row:nth-child(n) >> nth=40').locator('a[aria-current]').waitFor()
    await page.locator('.details h2', { hasText: (await rows(page).nth(40).locator('.row-title').textContent())! }).waitFor()
    const listed = await page.locator('[data-rows] .row').evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.item))
    // Votes rescore the feed, which can move a paper to an earlier page meanwhile.
    t.ok(listed.length >= 80, 'both pages are listed')
    t.equal(new Set(listed).size, listed.length, 'each paper once')
    t.equal((await page.locator('.pager [data-range]').textContent()), '1–80 of 90')
  })

  await t.test('scrolling to the end appends the next pages, also on a phone', async t => {
    for (const [viewport, scroll] of [
      [{ width: 1280, height: 800 }, () => { document.getElementById('list')!.scrollBy(0, 10_000) }],
      [{ width: 390, height: 800 }, () => { scrollBy(0, 10_000) }]
    ] as const) {
      const page = await open({ viewport })
      await page.goto(address)
      t.equal(await page.locator('[data-rows] .row').count(), 40)
      for (const count of [41, 81]) {
        await page.evaluate(scroll)
        await page.waitForFunction(count => document.querySelectorAll('[data-rows] .row').length >= count, count)
      }
      t.equal(await page.getByRole('link', { name: 'Next' }).count(), 0)
    }
  })

  await t.test('a list that begins further down goes on upwards, and what is in view stays there', async t => {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
      const page = await open({ viewport })
      await page.goto(`${address}?offset=50`)
      const first = rows(page).filter({ hasText: items[50]!.paper_title })
      await first.waitFor()
      await page.locator('#earlier-page').click()
      await rows(page).filter({ hasText: items[10]!.paper_title }).waitFor({ state: 'attached' })
      t.ok(await first.evaluate(row => { const { top } = row.getBoundingClientRect(); return top >= 0 && top < innerHeight }))
      await rows(page).first().scrollIntoViewIfNeeded()
      await rows(page).filter({ hasText: items[0]!.paper_title }).waitFor({ state: 'attached' })
      t.strictSame(
        (await rows(page).locator('.row-title').allTextContents()).slice(0, 60), items.slice(0, 60).map(({ paper_title }) => paper_title)
      )
      t.equal(await page.locator('#earlier-page, #previous-page').count(), 0)
    }
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${address}?offset=50`)
    await page.keyboard.press('k')
    await page.locator('.details h2', { hasText: items[49]!.paper_title }).waitFor()
  })

  await t.test('votes since the moment of a list are taken off its number when it is opened again', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${address}?filter=unrated&as_of=${new Date().toISOString()}`)
    const count = async () => Number(/\d+/.exec((await page.locator('#count').textContent())!)![0])
    const before = await count()
    await page.keyboard.press('u')
    await until(async () => await count() === before - 1)
    await page.reload()
    t.equal(await count(), before - 1)
  })

  await t.test('exports references that can be parsed', async t => {
    const page = await open()
    await page.goto(address)
    await page.locator('.summary summary', { hasText: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.summary').getByRole('link', { name: 'RIS' }).click()
    ])
    t.equal(download.suggestedFilename(), 'sleep.ris')
    t.equal((await readRecords('ris', readFileSync(await download.path()))).length, 90)
    await page.goto(`${address}?q=${encodeURIComponent(items[3]!.paper_title)}`)
    await page.locator('.summary summary', { hasText: 'Export' }).click()
    const [found] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.summary').getByRole('link', { name: 'BibTeX' }).click()
    ])
    t.match(await readRecords('bibtex', readFileSync(await found.path())), [{ title: items[3]!.paper_title }])
    await page.goto(address)
    await page.locator('.details').waitFor({ state: 'attached' })
    const [one] = await Promise.all([page.waitForEvent('download'), page.locator('.cite').getByRole('link', { name: 'BibTeX' }).click()])
    t.match(await readRecords('bibtex', readFileSync(await one.path())), [{ title: await page.locator('.details h2').textContent() }])
  })

  await t.test('asks to sign in for an export after the end of the session, instead of saving that page', async () => {
    const exports: Array<[from: string, link: string]> = [
      [address, '.summary a[href*=ris]'],
      [address, '.details .cite a'],
      [`${visited.address}/account`, 'a[href$="/account/export"]'],
      [`${visited.address}/connect`, 'a[href$="/SKILL.md"]']
    ]
    for (const [from, link] of exports) {
      const page = await open({ viewport: { width: 1280, height: 800 } })
      await page.goto(from)
      await page.locator(link).first().waitFor({ state: 'attached' })
      await page.context().clearCookies()
      await page.locator(link).first().dispatchEvent('click')
      await page.waitForURL(/\/login\?next=/)
      await page.context().close()
    }
  })

  await t.test('on a phone, a paper replaces the list, with a back link', async t => {
    const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.goto(address)
    t.notOk(await page.locator('.details').isVisible())
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, 'nothing is wider than the screen')
    t.ok((await page.locator('.search').boundingBox())!.x < 16, 'the tools are one line, from edge to edge')
    t.ok((await rows(page).first().boundingBox())!.y <= 844 / 5, 'the first paper is in the top fifth')
    t.strictSame(await accessibilityViolations(page), [])
    const row = rows(page).nth(7)
    const [title, id] = [await row.locator('.row-title').textContent(), await row.getAttribute('id')]
    await row.locator('a').tap()
    // Its title stands alone until the paper comes.
    await page.locator('.details .cite').waitFor()
    t.equal(await page.locator('.details h2').textContent(), title)
    t.notOk(await page.locator('.list').isVisible())
    for (const button of await page.locator('.triage-bar button, .details .back').all()) {
      t.ok((await button.boundingBox())!.height >= 44, 'a target for a thumb')
    }
    t.equal(await page.evaluate(() => document.activeElement!.id), 'details')
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390)
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByRole('link', { name: 'All papers' }).click()
    await page.locator(`#${id!}`).waitFor()
    // At the row one came from.
    await page.waitForFunction(id => {
      const { top, height } = document.getElementById(id)!.getBoundingClientRect()
      return height > 0 && top >= 0 && top < innerHeight
    }, id!)
  })

  await t.test('works without JavaScript', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
    await page.goto(address)
    const [title, id] = [await rows(page).nth(5).locator('.row-title').textContent(), (await rows(page).nth(5).getAttribute('data-item'))!]
    await rows(page).nth(5).locator('a').click()
    t.equal(await page.locator('.details h2').textContent(), title)
    await page.getByRole('button', { name: 'Star' }).click()
    t.match(await voteOf(id), { vote: 'star' })
    t.equal(await page.locator('.details h2').textContent(), title, 'one is where one was')
    await page.locator('.details summary', { hasText: 'Downvote' }).click()
    await page.getByRole('button', { name: 'Not relevant' }).click()
    t.match(await voteOf(id), { vote: 'downvote', downvote_reason: 'not_relevant' })
    await page.getByLabel('Search this feed').fill('cohort 51')
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]q=cohort/)
    t.equal(await current(page), 'On memory replay in cohort 51')
    await page.getByRole('link', { name: 'Not relevant', exact: true }).click()
    await page.waitForURL(/[?&]filter=not-relevant/)
    t.match(await page.locator('#count').textContent(), /not relevant match/)
  })

  await t.test('is accessible in light and dark mode with everything expanded', async t => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ viewport: { width: 1280, height: 800 }, colorScheme })
      const { items: [unrated] } = await feedPage.run(user.context, { project_id, feedback_filter: 'unrated', limit: 1 })
      await page.goto(`${address}?item=${unrated!.short_id}`)
      t.strictSame(await accessibilityViolations(page), [], colorScheme)
      await page.locator('.vote summary').click()
      await page.locator('.vote .menu-list').waitFor()
      t.strictSame(await accessibilityViolations(page), [], `${colorScheme}, with reasons`)
      await page.locator('.summary summary', { hasText: 'Best by day' }).click()
      t.strictSame(await accessibilityViolations(page), [], `${colorScheme}, with menus`)
    }
  })

  await t.test('does not shift after layout', async t => {
    const page = await open({ viewport: { width: 1280, height: 800 } })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(address)
      const shift = await page.evaluate(
        async () =>
          await new Promise<number>(resolve => {
            let sum = 0
            new PerformanceObserver(list => {
              for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
            }).observe({ type: 'layout-shift', buffered: true })
            setTimeout(() => resolve(sum), 2500)
          })
      )
      t.equal(shift, 0, `at a width of ${width}`)
    }
  })

  await t.test('reports a paper that is not in this feed', async t => {
    const page = await open()
    await page.goto(`${address}?item=ffffffff`)
    t.match(await page.locator('.details').textContent(), 'This paper is no longer in the feed.')
    await page.goto(`${visited.address}/projects/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11`)
    t.equal(await page.locator('h1').textContent(), 'Page not found')
  })
})
