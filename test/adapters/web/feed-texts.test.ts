import t from 'tap'
import { withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { triageSession, wide } from '../../support/triage.js'

t.test('texts of a feed', { skip: withoutBrowser }, async t => {
  const { visited, user, storageState } = await triageSession(t)

  const project_id = await projectWith(
    user,
    [
      {
        title: 'Search for $B^0 \\to K^{*0}\\mu^+\\mu^-$ with \\textit{LHCb}',
        abstract: 'At $\\sqrt{s}=13$ TeV.',
        authors: [{ name: 'Ada Lovelace' }],
        doi: '10.5555/tex'
      },
      { title: 'دراسة النوم والذاكرة', abstract: 'النوم.', authors: [], doi: '10.5555/rtl' },
      { title: '睡眠と記憶の固定化', abstract: '睡眠。', authors: [], doi: '10.5555/cjk' }
    ],
    { name: 'Texts' }
  )
  const address = `${visited.address}/projects/${project_id}`
  const page = await visited.newPage({ ...wide, storageState })

  await t.test('typesets formulas and aligns right-to-left titles', async t => {
    await page.goto(address)
    const tex = page.locator('[data-rows] .row', { hasText: 'LHCb' })
    t.equal(await tex.locator('math').count(), 1)
    t.notMatch(await tex.locator('.row-title').innerText(), /[$\\]/)
    await tex.locator('a').click()
    await page.locator('.details h2 math').waitFor()
    await page.locator('.details .prose math').waitFor()
    t.equal(await page.locator('.row-title', { hasText: 'النوم' }).evaluate(title => getComputedStyle(title).direction), 'rtl')
  })

  await t.test('searches for two Chinese or Japanese characters', async t => {
    await page.goto(address)
    await page.getByLabel('Search this feed').fill('記')
    await page.locator('#count', { hasText: '3 papers. Type at least 2 characters to search.' }).waitFor()
    await page.getByLabel('Search this feed').fill('me')
    await page.locator('#count', { hasText: '3 papers. Type at least 3 characters to search.' }).waitFor()
    await page.getByLabel('Search this feed').fill('記憶')
    await page.locator('#count', { hasText: '1 match' }).waitFor()
    t.ok(await page.locator('.details h2', { hasText: '睡眠と記憶の固定化' }).isVisible())
  })

  await t.test('pages keep form values and explain errors', async t => {
    await page.goto(`${visited.address}/projects/new`)
    await page.getByLabel('Research interest').fill('Sleep and memory')
    for (const source of await page.locator('input[name=keyword_sources]').all()) await source.uncheck()
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.locator('#preview', { hasText: 'Sources must be selected to preview the feed.' })
    await preview.waitFor()
    await page.getByRole('button', { name: 'Create project' }).click()
    t.ok(await preview.isVisible(), 'a missing name does not remove the preview')
    t.equal(await page.getByLabel('Name').evaluate(field => field === document.activeElement), true)
    for (const path of [`/projects/${project_id}?offset=-3`, '/projects/x?filter=y', '/papers/x']) {
      await page.goto(`${visited.address}${path}`)
      t.notMatch(await page.locator('main').textContent(), /[a-z]_[a-z]|UUID|undefined|offset|argument/i, path)
    }
  })

  await t.test('the header is full width, and an empty feed keeps its margins', async t => {
    await page.goto(`${visited.address}/connect`)
    t.equal(
      await page.locator('.head').evaluate(head => Math.round(head.getBoundingClientRect().width)),
      await page.evaluate(() => document.documentElement.clientWidth)
    )
    t.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter), 'auto')
    await page.goto(`${address}?q=xyzzyx`)
    t.ok(await page.locator('.details > .empty').evaluate(empty => parseFloat(getComputedStyle(empty).paddingLeft) >= 16))
  })
})
