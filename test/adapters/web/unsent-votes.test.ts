import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { addCandidates } from '../../../db/queries/candidates.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedbackList } from '../../../src/operations/feed/feedback-list.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'
import { currentItem, papers, triageSession, unsent, wide } from '../../support/triage.js'
import { until } from '../../support/until.js'

t.test('votes that are not saved yet', { skip: withoutBrowser }, async t => {
  const { visited, user, triage } = await triageSession(t)

  await t.test('keeps every vote at any latency, also with repeated keys', async t => {
    const { page, votes, setNetwork } = await triage('Latencies')
    let given = 0
    for (const latency of [0, 150, 500, 2000]) {
      await setNetwork(latency)
      for (let count = 0; count < 10; count++, given++) await page.keyboard.press(count % 2 === 0 ? 'u' : 'f')
      await until(async () => (await votes()).length === given && await unsent(page) === 0)
      t.equal((await votes()).length, given, `10 of 10 at ${latency} ms`)
    }
    await page.keyboard.press('k')
    const item = await currentItem(page)
    const { feedback } = await projectPaperGet.run(user.context, { ref: item })
    const key = feedback!.vote === 'star' ? 'f' : 'u'
    await page.keyboard.press('?')
    await page.getByLabel('Open the next paper after a vote by key').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press(key)
    await page.keyboard.press(key)
    await page.keyboard.press('j')
    t.match((await projectPaperGet.run(user.context, { ref: item })).feedback, { vote: feedback!.vote })
  })

  await t.test('sends votes although the browser has no space left for them', async () => {
    const { page, votes } = await triage('Full storage')
    await page.keyboard.press('u')
    await until(async () => (await votes()).length === 1 && await unsent(page) === 0)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }
    })
    for (let count = 0; count < 5; count++) await page.keyboard.press('u')
    await until(async () => (await votes()).length === 6)
  })

  await t.test('keeps votes while another account is signed in', async t => {
    const { page, votes } = await triage('Other account')
    const context = page.context()
    const own = await context.cookies()
    const others = await (await visited.signedIn(await visited.user(), wide)).context().cookies()
    const become = async (cookies: typeof own) => {
      await context.clearCookies()
      await context.addCookies(cookies)
    }
    await become(others)
    await page.keyboard.press('u')
    await page.locator('#unsent', { hasText: /sign in/i }).waitFor()
    t.equal(await unsent(page), 1)
    await become(own)
    await page.reload()
    await until(async () => (await votes()).length === 1 && await unsent(page) === 0)
  })

  await t.test('shows unsent votes and keeps them offline and across a reload', async t => {
    const { page, votes, setNetwork } = await triage('Offline')
    const status = await page.locator('#unsent').elementHandle()
    t.not(await status!.evaluate(each => getComputedStyle(each).display), 'none', 'screen readers know it before its first text')
    await page.locator('#unsent').waitFor({ state: 'hidden' })
    await setNetwork(0, true)
    for (let count = 0; count < 5; count++) await page.keyboard.press('u')
    await page.getByText('No connection: 5 votes not saved yet.').waitFor()
    t.equal(await page.locator('[data-rows] [data-unsent]').count(), 5)
    t.equal((await votes()).length, 0)
    await setNetwork(0)
    await until(async () => (await votes()).length === 5)
    await page.locator('#unsent').waitFor({ state: 'hidden' })

    await page.route(/projects/, async route => { route.request().method() === 'POST' ? await route.abort() : await route.continue() })
    for (let count = 0; count < 3; count++) await page.keyboard.press('f')
    await page.getByText('3 votes not saved yet.').waitFor()
    await page.reload()
    await page.getByText('3 votes not saved yet.').waitFor()
    t.equal(await page.locator('[data-rows] .vote-sign').count(), 8, 'shown before they are saved')
    await page.unroute(/projects/)
    await until(async () => (await votes()).length === 8)
    await page.locator('#unsent').waitFor({ state: 'hidden' })
    // Chromium logs requests without a connection as errors.
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('keeps a newer vote from elsewhere over one that waited for a connection', async t => {
    const { page, setNetwork } = await triage('Elsewhere')
    const rows = page.locator('[data-rows] .row[data-item]')
    const [first, second] = await rows.evaluateAll(rows => rows.map(row => row.getAttribute('data-item')!))
    await setNetwork(0, true)
    for (const key of ['u', 'u']) await page.keyboard.press(key)
    await page.getByText('No connection: 2 votes not saved yet.').waitFor()
    await page.evaluate(() => {
      const [name, changes] = Object.entries(localStorage).find(([name]) => name.startsWith('litfeed-outbox'))!
      const earlier = JSON.parse(changes as string).map((each: { at: number }) => ({ ...each, at: each.at - 60_000 }))
      localStorage.setItem(name, JSON.stringify(earlier))
    })
    await feedbackSet.run(user.context, { paper_id: first!, vote: 'star' })
    await setNetwork(0)
    await page.getByText('You have voted on this paper elsewhere since. That vote is kept.').waitFor()
    await until(async () => await unsent(page) === 0)
    t.equal((await projectPaperGet.run(user.context, { ref: first! })).feedback?.vote, 'star')
    t.equal((await projectPaperGet.run(user.context, { ref: second! })).feedback?.vote, 'upvote')
    t.equal(await rows.first().getAttribute('data-vote'), 'star', 'the row shows it')
    visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
  })

  await t.test('sends what was seen after a vote', async t => {
    const { page } = await triage('Seen')
    await page.locator('.details h2').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('u')
    await until(async () => await unsent(page) === 0)
    await page.keyboard.press('j')
    await until(async () => await page.locator('[data-rows] .row:has(a[aria-current])').getAttribute('data-seen') === 'true')
    await until(async () => await unsent(page) === 0)
    const { seen_at } = await projectPaperGet.run(user.context, { ref: await currentItem(page) })
    t.ok(seen_at)
  })

  await t.test('repeats votes whose answer is cut off or is that of a proxy', async t => {
    const { page, votes } = await triage('Answers')
    let answers = 0
    await page.route(/projects/, async route => {
      if (route.request().method() !== 'POST' || answers++ > 2) await route.continue()
      else if (answers === 3) await route.fulfill({ status: 404, body: '<p>No such server' })
      else await route.fulfill({ status: 200, body: answers === 1 ? '{"refused": [' : '<p>Log in to the network' })
    })
    await page.keyboard.press('u')
    await page.keyboard.press('f')
    await until(async () => (await votes()).length === 2 && await unsent(page) === 0)
    t.ok(answers > 3)
  })

  await t.test('keeps votes that are tapped while the next page of the list is on its way', async t => {
    const { page, votes } = await triage('Waiting', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    let release = () => {}
    const released = new Promise<void>(resolve => { release = resolve })
    await page.route(/offset=40/, async route => { await released; await route.continue() })
    await page.locator('[data-rows] .row > a').first().tap()
    // The browser makes a click of the tap, which would open the first paper again if keys came before it.
    await page.locator('#details[data-chosen]').waitFor()
    for (let count = 0; count < 40; count++) await page.keyboard.press('u')
    const upvote = page.locator('.triage-bar').getByRole('button', { name: 'Upvote' })
    await upvote.tap()
    // Faster, it would be a double tap.
    await wait(400)
    await upvote.tap()
    release()
    await until(async () => (await votes()).length === 42)
    t.equal((await votes()).length, 42)
  })

  await t.test('saves votes after the session has ended and the user signs in again', async t => {
    const { page, votes } = await triage('Sessions')
    await page.context().clearCookies()
    await page.keyboard.press('u')
    await page.getByText('Sign in again to save 1 vote.').waitFor()
    await page.locator('#unsent').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await until(async () => (await votes()).length === 1)
    t.match((await votes())[0], { feedback: { vote: 'upvote' } })
  })
})

t.test('a vote that waited for a connection brings a paper back that left the feed', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { db } = user.context
  const project_id = await projectWith(user, [{ title: 'Sleep spindles' }])
  const { id, paper } = (await feedGet.run(user.context, { project_id })).items[0]!
  const now = new Date()
  await addCandidates(db, [{ project_id, paper_id: paper.id, item_id: id, relevance_score: 0.05, found_at: now, left_at: now }])
  await db.deleteFrom('project_paper').where('id', '=', id).execute()
  const { post } = await formSession(service.app, user)
  const changes = new URLSearchParams({ item: id, vote: 'upvote', age: '60000' }).toString()
  t.strictSame((await post(`/projects/${project_id}`, { action: 'change', changes })).json(), { refused: [] })
  t.match(await projectPaperGet.run(user.context, { ref: id }), { feedback: { vote: 'upvote' } })
})

t.test('signing in again to save votes returns to the list behind a path prefix', { skip: withoutBrowser }, async t => {
  let port = 0
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request
    request.pipe(httpRequest({ port, method, headers, path: url.replace(/^\/papers/, '') }, answer => {
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
    }))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => { proxy.closeAllConnections(); proxy.close() })
  const origin = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
  const visited = await visit(t, { BASE_URL: `${origin}/papers` })
  port = Number(new URL(visited.address).port)
  const user = await visited.user()
  const project_id = await projectWith(user, papers.slice(0, 3))
  const page = await visited.newPage(wide)
  const signIn = async () => {
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const feed = `${origin}/papers/projects/${project_id}`
  await page.goto(feed)
  await signIn()
  // With its scripts.
  await page.waitForURL(url => url.href.startsWith(feed))
  await page.context().clearCookies()
  await page.keyboard.press('u')
  await page.locator('#unsent').getByRole('link', { name: 'Sign in' }).click()
  await signIn()
  await page.waitForURL(url => url.href.startsWith(feed))
  await until(async () => (await feedbackList.run(user.context, { project_id })).items.length === 1)
  // What it fetches ahead comes later.
  await page.context().close()
  visited.complaints.splice(0, Infinity, ...visited.complaints.filter(each => !each.startsWith(`requested ${origin}/papers/`)))
})
