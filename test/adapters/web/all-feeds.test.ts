import t from 'tap'
import { feedsGet } from '../../../src/operations/feed/feeds-get.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('the page of all projects', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const user = await service.user()
  const sleep = await projectWith(user, [{ title: 'Sleep spindles', venue_name: 'Neuron', published_date: '2020-01-01' }], {
    name: 'Sleep'
  })
  await projectWith(user, [{ title: 'Retina and sleep', venue_name: 'eLife', published_date: '2024-01-01' }], { name: 'Retina' })
  const page = await service.signedIn(user)
  await page.goto(`${service.address}/projects/${sleep}`)
  await page.locator('.switcher summary').click()
  await page.getByRole('link', { name: 'All projects' }).click()
  await page.getByRole('heading', { name: 'All projects' }).waitFor()
  t.equal(await page.locator('.all-feeds > li').count(), 2)
  t.strictSame(await accessibilityViolations(page), [])

  await page.getByLabel('Search all projects').fill('sleep')
  await page.getByLabel('From year').fill('2021')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('1 match').waitFor()
  t.match(page.url(), /\/feed\?q=sleep&.*year_from=2021/)
  t.equal(await page.locator('.all-feeds mark').first().textContent(), 'sleep', 'marks the words')
  t.strictSame(await accessibilityViolations(page), [])
  await page.getByRole('link', { name: 'Remove filter From 2021' }).click()
  await page.getByText('2 matches').waitFor()
  t.match(page.url(), /\/feed\?q=sleep$/)

  await page.locator('.all-feeds > li').filter({ hasText: 'Retina and sleep' }).getByRole('button', { name: 'Upvote' }).click()
  await until(async () => (await feedsGet.run(user.context, { feedback_filter: 'liked' })).total === 1)
  t.match(page.url(), /\/feed\?q=sleep$/, 'a vote stays on the page')
})
