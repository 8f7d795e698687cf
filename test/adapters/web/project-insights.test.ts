import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { projectScore } from '../../../src/operations/projects/project-score.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { addPapers, projectWith, testService } from '../../support/service.js'
import { json, standIn } from '../../support/stand-ins/server.js'

t.test('insights and alerts', { skip: withoutBrowser }, async t => {
  const hook = await standIn(t, () => json({}))
  const { address, user, signedIn } = await visit(t, { PRIVATE_ORIGINS: hook.url })
  const owner = await user()
  const { context } = owner
  const project_id = await projectWith(owner, [], { name: 'Sleep', interest_description: 'Sleep and memory', sources: [] })
  const page = await signedIn(owner, { colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  await t.test('an empty feed has no charts', async t => {
    await page.goto(`${address}/projects/${project_id}/insights`)
    t.match(await page.locator('main').textContent(), /Charts appear once the feed has papers/)
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('charts show new papers, scores and learned words', async t => {
    await addPapers(context, project_id, Array.from({ length: 12 }, (_, at) => at % 2 === 0
      ? { title: `Sleep spindles and memory ${at}`, abstract: 'Thalamic bursts couple to slow waves.' }
      : { title: `Airway pressure in the clinic ${at}`, abstract: 'Masks were worn by patients.' }))
    const { items } = await feedGet.run(context, { project_id })
    const about = (subject: string) => items.filter(({ paper_title }) => paper_title.includes(subject)).slice(0, 3)
    for (const { id } of about('spindles')) await feedbackSet.run(context, { paper_id: id, vote: 'upvote' })
    for (const { id } of about('Airway')) {
      await feedbackSet.run(context, { paper_id: id, vote: 'downvote', downvote_reason: 'not_relevant' })
    }
    await projectScore.run(context, { project_id })
    await page.goto(`${address}/projects/${project_id}/insights`)
    t.match(await page.getByText(/^Papers added in each/).textContent(), '12 in total')
    await page.getByText('Show as table').first().click()
    t.match(await page.locator('.plain-table').first().locator('tr').last().textContent(), /12$/)
    t.match(await page.getByRole('region', { name: 'Scores', exact: true }).textContent(), /a score of 10 and are marked must-read from 60, of 100/)
    await page.getByText('Show as table').nth(1).click()
    t.match(await page.locator('.plain-table').nth(1).locator('tr').last().textContent(), /^95 to 100/)
    t.match(await page.getByRole('table', { name: 'Raises the score' }).textContent(), /spindles|thalamic|sleep/)
    t.match(await page.getByRole('table', { name: 'Lowers the score' }).textContent(), /airway|masks|clinic/)
    t.same(await accessibilityViolations(page), [])
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'and fit a phone')
    await page.locator('.columns').nth(1).locator('svg a').last().click({ force: true })
    await page.waitForLoadState()
    await page.getByRole('link', { name: /^Remove filter Match from/ }).waitFor()
    const listed = await page.locator('.row .figure').allTextContents()
    t.ok(listed.length > 0 && listed.length < 12, 'a bar opens its papers')
    const from = Number(new URL(page.url()).searchParams.get('min_score')) * 100
    t.ok(listed.every(score => Number(score) >= Math.floor(from)))
    const exported = await page.request.get(new URL((await page.locator('#export a').first().getAttribute('href'))!, address).href)
    t.equal((await exported.text()).match(/^@/gm)?.length, listed.length, 'which can be exported')
    await page.goto(`${address}/projects/${project_id}/insights`)
    await page.getByText('Show as table').first().click()
    await page.locator('.plain-table').first().getByRole('link').last().click()
    await page.getByText('12 papers').waitFor()
    t.match(page.url(), /since=\d{4}-\d\d-\d\d&until=/, 'so does a week')
  })

  await t.test('a chart shows how reliable scores are, once there are votes', async t => {
    t.match(await page.request.get(`${address}/projects/${project_id}/insights`).then(answer => answer.text()), /Rate 20 papers of the feed/)
    await addPapers(context, project_id, Array.from({ length: 20 }, (_, at) => ({ title: `Spindles ${at}`, abstract: 'Sleep and slow waves.' })))
    for (const [at, { id }] of (await feedGet.run(context, { project_id, limit: 100 })).items.entries()) {
      await feedbackSet.run(context, { paper_id: id, vote: at % 3 === 0 ? 'upvote' : 'downvote' })
    }
    await projectScore.run(context, { project_id })
    await page.goto(`${address}/projects/${project_id}/insights`)
    const section = page.getByRole('region', { name: 'Can you trust the scores?' })
    t.match(await section.textContent(), /Scores are .*: over 3\d votes, they differ/)
    t.ok(await section.locator('circle').count() >= 2)
    await section.getByText('Show as table').click()
    t.equal(await section.getByRole('row').count(), 1 + await section.locator('circle').count())
    t.same(await accessibilityViolations(page), [])
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  })

  await t.test('a webhook is added, its secret shown, and deleted', async t => {
    await page.goto(`${address}/projects/${project_id}/alerts`)
    t.match(await page.locator('main').textContent(), /Email is not set up/)
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('URL').fill(`${hook.url}/new`)
    await page.getByLabel('Must-read papers only').check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Signing secret', { exact: true }).click()
    t.match(await page.getByLabel(`the signing secret of ${hook.url}/new`, { exact: true }).inputValue(), /^whsec_/)
    t.match(await page.locator('.alert-list').textContent(), /must-read papers only/)
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('URL').fill(`${hook.url}/new`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    t.match(await page.getByRole('alert').textContent(), /already/)
    await page.locator('summary', { hasText: 'Delete' }).click()
    await page.getByText('Its signing secret is deleted too.').waitFor()
    await page.getByRole('button', { name: 'Delete the alert' }).click()
    await page.getByText('No alerts yet').waitFor()
  })
})

const service = await testService(t, { SMTP_URL: 'smtp://127.0.0.1:2', MAIL_FROM: 'litfeed@example.org' })

t.test('insights say why upvotes alone show no reliability', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, Array.from({ length: 22 }, (_, at) => ({ title: `Spindles ${at}` })), { sources: [] })
  const { get } = await formSession(service.app, user)
  const { items } = await feedGet.run(user.context, { project_id, limit: 30 })
  const reliability = async () =>
    /<section aria-labelledby="reliability">.*?<\/section>/s.exec((await get(`/projects/${project_id}/insights`)).body)![0]
  for (const { id } of items.slice(0, 20)) await feedbackSet.run(user.context, { paper_id: id, vote: 'upvote' })
  await projectScore.run(user.context, { project_id })
  t.match(await reliability(), /Upvotes alone do not show which papers you passed over/)
  await feedbackSet.run(user.context, { paper_id: items[20]!.id, vote: 'downvote' })
  await projectScore.run(user.context, { project_id })
  t.match(await reliability(), /Scores are .*: over 21 votes/)
})

t.test('insights state figures of an estimate only once votes bound them', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, Array.from({ length: 30 }, (_, at) => ({ title: `Spindles ${at}` })), { sources: [] })
  const { get } = await formSession(service.app, user)
  const { items } = await feedGet.run(user.context, { project_id, limit: 30 })
  const seenAfter = async (vote: 'upvote' | 'downvote', papers: typeof items) => {
    for (const { id } of papers) await feedbackSet.run(user.context, { paper_id: id, vote })
    return /<section aria-labelledby="seen">.*?<\/section>/s.exec((await get(`/projects/${project_id}/insights`)).body)![0]
  }
  const early = await seenAfter('upvote', items.slice(0, 2))
  t.match(early, /About \d+ more votes/)
  t.notMatch(early, /Most likely, .*2 found/s)
  t.match(await seenAfter('downvote', items.slice(2, 22)), /Most likely, .*2 found, at most \d missing among 8 unrated/s)
})

t.test('insights with too few votes state no figures, and ask for no more votes than there are papers', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, Array.from({ length: 140 }, (_, at) => ({ title: `Spindles ${at}` })), { sources: [] })
  const { items: [first, second] } = await feedGet.run(user.context, { project_id, limit: 2 })
  await feedbackSet.run(user.context, { paper_id: first!.id, vote: 'upvote' })
  await feedbackSet.run(user.context, { paper_id: second!.id, vote: 'downvote', downvote_reason: 'not_relevant' })
  const { body } = await (await formSession(service.app, user)).get(`/projects/${project_id}/insights`)
  const [seen] = /<section aria-labelledby="seen">.*?<\/section>/s.exec(body)!
  const [, votes] = /Not enough votes for an estimate: about (\d+) more votes/.exec(seen)!
  t.ok(Number(votes) > 100 && Number(votes) <= 138, `${votes} votes`)
  t.notMatch(seen, /Most likely/)
})

t.test('email alerts are offered if the service sends mail', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [], { sources: [] })
  const { get, post } = await formSession(service.app, user)
  t.match((await get(`/projects/${project_id}/alerts`)).body, new RegExp(`value="${user.email}"`))
  t.equal(
    (await post(`/projects/${project_id}/alerts`, { action: 'email', target: user.email, frequency: 'weekly', must_read: 'on' }))
      .statusCode,
    303
  )
  t.match((await get(`/projects/${project_id}/alerts`)).body, /Once a week, Monday at 06:00, must-read papers only/)
})

t.test('a new webhook states when its digests are sent, in which time zone', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [], { sources: [] })
  const { get, post } = await formSession(service.app, user)
  const address = `/projects/${project_id}/alerts`
  const form = /name="action" value="webhook"[^]*?<\/form>/.exec((await get(address)).body)![0]
  t.match(form, /id="webhook-weekday"[^]*id="webhook-hour"[^]*Time zone: UTC/)
  const schedule = { frequency: 'weekly', weekday: 'friday', hour: '17' }
  await post(address, { action: 'webhook', target: 'https://hooks.example/', ...schedule })
  t.match((await get(address)).body, 'Once a week, Friday at 17:00')
})

t.test("only the owner can open a project's pages", async t => {
  const project_id = await projectWith(await service.user(), [], { name: 'Secret project', sources: [] })
  const { get, post } = await formSession(service.app, await service.user())
  for (const page of ['settings', 'insights', 'alerts']) {
    const answer = await get(`/projects/${project_id}/${page}`)
    t.equal(answer.statusCode, 404, page)
    t.notMatch(answer.body, /Secret project/)
  }
  t.equal((await post(`/projects/${project_id}/settings`, { action: 'delete', typed_name: 'Secret project' })).statusCode === 303, false)
  for (const page of ['settings', 'insights', 'alerts', 'new']) {
    t.match(
      (
        await service.app.inject({
          url: page === 'new' ? '/projects/new' : `/projects/${project_id}/${page}`,
          headers: { accept: 'text/html' }
        })
      ).headers.location,
      /^\/login\?next=/
    )
  }
})
