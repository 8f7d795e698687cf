import t from 'tap'
import { feedsGet } from '../../../src/operations/feed/feeds-get.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
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
  t.equal(await page.locator('.row').count(), 2)
  t.match(await page.locator('.row', { hasText: 'Retina and sleep' }).locator('.row-project').textContent(), 'Retina')
  t.strictSame(await accessibilityViolations(page), [])

  await page.getByLabel('Search all projects').fill('sleep')
  await page.getByText('2 matches').waitFor()
  await page.getByText('More filters').click()
  await page.getByLabel('From year').fill('2021')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 match').waitFor()
  t.match(page.url(), /\/feed\?q=sleep&.*year_from=2021/)
  t.equal(await page.locator('.row mark').first().textContent(), 'sleep', 'marks the words')
  t.strictSame(await accessibilityViolations(page), [])
  await page.getByRole('link', { name: 'Remove filter From 2021' }).click()
  await page.getByText('2 matches').waitFor()
  t.match(page.url(), /\/feed\?q=sleep$/)

  await t.test('is triaged by keyboard, and each vote goes to its project', async t => {
    await page.goto(`${service.address}/feed`)
    const current = async () => (await page.locator('.row:has(a[aria-current])').getAttribute('data-item'))!
    const first = await current()
    await page.keyboard.press('u')
    await until(async () => await current() !== first)
    await page.keyboard.press('s')
    const second = await current()
    await until(async () => (await feedsGet.run(user.context, { feedback_filter: 'liked' })).items[0]?.id === first)
    await until(async () => (await feedsGet.run(user.context, { saved: true })).items[0]?.id === second)
    t.match(await page.locator('#details .overline a').textContent(), /^(Sleep|Retina)$/, 'the open paper names its project')
    await page.keyboard.press('z')
    await until(async () => (await feedsGet.run(user.context, { saved: true })).total === 0)
    await page.keyboard.press('k')
    t.equal(await current(), first)
    await page.keyboard.press('d')
    await until(async () => (await feedsGet.run(user.context, { feedback_filter: 'not-relevant' })).items[0]?.id === first)
  })

  await t.test('filters by marks and votes', async () => {
    const { items: [item] } = await feedsGet.run(user.context, {})
    await itemUpdate.run(user.context, { ref: item!.id, saved: true, tags: ['later'] })
    await page.goto(`${service.address}/feed`)
    await page.locator('#mark-links').getByRole('link', { name: 'Saved' }).click()
    await page.getByText('1 saved paper').waitFor()
    await page.locator('#mark-links').getByRole('link', { name: 'Saved' }).click()
    await page.getByText('2 papers').waitFor()
    await page.locator('#tag-menu summary').click()
    await page.locator('#tag-menu').getByRole('link', { name: 'later' }).click()
    await page.getByText('1 paper tagged “later”').waitFor()
    await page.goto(`${service.address}/feed?seen=false&filter=liked`)
    await page.getByText('No papers match these filters').waitFor()
  })

  await t.test('works on a phone, and without scripts', async t => {
    const storageState = await page.context().storageState()
    const phone = await service.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', storageState })
    await phone.goto(`${service.address}/feed`)
    await phone.locator('.row a').first().click()
    await phone.locator('.triage-bar').getByRole('button', { name: 'Star' }).click()
    await until(async () => (await feedsGet.run(user.context, { feedback_filter: 'starred' })).total === 1)
    t.strictSame(await accessibilityViolations(phone), [])
    const plain = await service.newPage({ javaScriptEnabled: false, storageState })
    await plain.goto(`${service.address}/feed?q=retina`)
    await plain.getByRole('link', { name: 'Retina and sleep' }).first().click()
    await plain.locator('#details').getByRole('button', { name: 'Upvote' }).click()
    await until(async () => (await feedsGet.run(user.context, { q: 'retina', feedback_filter: 'liked' })).items.length === 1)
    t.match(plain.url(), /\/feed\?q=retina&item=/, 'a vote stays on the page')
  })
})
