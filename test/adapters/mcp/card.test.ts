import t from 'tap'
import { briefCards } from '../../../src/adapters/mcp/resources.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { feedBrief } from '../../../src/operations/feed/feed-brief.js'
import { type Showing, appsHost } from '../../support/apps-host.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('the card in the reference host', { skip: withoutBrowser }, async t => {
  const host = await appsHost(t)
  const service = await visit(t, { ALLOWED_ORIGINS: host.origin })
  const show = async (showing: Showing) => await host.show(service.browser, showing)
  const user = await service.user()
  const { api_key: act } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const project_id = await projectWith(user, [
    {
      title: '<img src=x onerror=alert(1)> Sleep spindles',
      abstract: 'Spindles are bursts. '.repeat(60),
      doi: '10.1234/spindles',
      url: 'https://example.org/spindles',
      authors: [{ name: 'A. Rechtschaffen' }],
      published_date: '2026-11-01',
      venue_name: 'Sleep'
    },
    { title: 'Slow waves', url: 'javascript:alert(1)' },
    { title: 'النوم والذاكرة', abstract: 'Memory.', doi: '10.1234/memory' }
  ])
  const url = `${service.address}/api/mcp?key=${act}`
  const storedVotes = async () => {
    const { items } = await feedBrief.run(user.context, { project_id, consumer: 'test' })
    return Object.fromEntries(items.map(({ paper_title, feedback }) => [paper_title.slice(-8), feedback?.vote ?? null]))
  }
  const themes = [['light', 'modern'], ['dark', 'legacy']] as const

  for (const [theme, era] of themes) {
    t.test(`${theme}, ${era}`, async t => {
      const { page, card, facts } = await show({ url, era, theme, args: { project_id } })
      t.match(facts, { uri: briefCards.act.uri, mimeType: 'text/html;profile=mcp-app' })
      await card.getByRole('article').nth(2).waitFor()
      t.equal(await card.locator('#count').textContent(), '3 papers')
      t.strictSame(await accessibilityViolations(card as any), [], 'axe')
      t.equal(await card.evaluate(() => getComputedStyle(document.documentElement).colorScheme), theme)
      await until(async () =>
        await page.locator('iframe').evaluate(frame => frame.clientHeight >= (frame as any).scrollHeight && frame.clientHeight > 200))
      t.pass('the host gives it its height')
    })
  }

  t.test('reads, stars, dismisses and opens by keyboard', async t => {
    const { page, card } = await show({ url, theme: 'light', args: { project_id } })
    const papers = card.getByRole('article')
    const spindles = papers.filter({ hasText: 'Sleep spindles' })
    await spindles.waitFor()
    t.match(await spindles.getByRole('heading').textContent(), '<img src=x onerror=alert(1)> Sleep spindles', 'titles are text')
    t.equal(await card.locator('img').count(), 0)
    t.equal(
      await papers.filter({ hasText: 'Slow waves' }).getByRole('button', { name: 'Open' }).count(),
      0,
      'no address that is none of the web'
    )

    await spindles.focus()
    await page.keyboard.press('r')
    t.equal(await spindles.getByRole('button', { name: 'Read' }).getAttribute('aria-expanded'), 'true')
    await spindles.getByText('Spindles are bursts. Spindles are bursts. Spindles are bursts. Spindles').waitFor()
    t.strictSame(await accessibilityViolations(card as any), [], 'axe with an abstract')

    await page.keyboard.press('s')
    await spindles.getByRole('button', { name: 'Starred', pressed: true }).waitFor()
    await until(async () => (await storedVotes())['spindles'] === 'star')
    await page.keyboard.press('o')
    await until(async () => await page.evaluate(() => (globalThis as any).opened.length) === 1)
    t.match(await page.evaluate(() => (globalThis as any).opened), [/^https:\/\/(doi\.org\/10\.1234\/spindles|example\.org\/spindles)$/])

    const focused = async () => await card.evaluate(() => document.activeElement!.querySelector('h2')?.textContent)
    const titles = await card.getByRole('heading', { level: 2 }).allTextContents()
    await papers.first().focus()
    for (const [key, place] of [['ArrowDown', 1], ['j', 2], ['j', 2], ['k', 1], ['ArrowUp', 0]] as const) {
      await page.keyboard.press(key)
      t.equal(await focused(), titles[place], key)
    }
    await papers.filter({ hasText: 'Slow waves' }).focus()
    await page.keyboard.press('x')
    await until(async () => (await storedVotes())['ow waves'] === 'downvote')
    t.match(await page.evaluate(() => (globalThis as any).calls.filter(({ name }: { name: string }) => name.startsWith('feedback'))), [
      { name: 'feedback_set', arguments: { vote: 'star', detail: 'brief' } },
      { name: 'feedback_set', arguments: { vote: 'downvote', downvote_reason: 'not_relevant' } }
    ])
    await until(async () => /: star\n.*: downvote/.test(await page.evaluate(() => (globalThis as any).told ?? '')))
    t.notMatch(await page.evaluate(() => (globalThis as any).told), /spindles/, 'the assistant gets ids, not titles')
  })

  t.test('the last of several presses wins, and a failure is shown', async t => {
    const { page, card } = await show({ url, theme: 'dark', args: { project_id } })
    const spindles = card.getByRole('article').filter({ hasText: 'Sleep spindles' })
    await spindles.getByRole('button', { name: 'Starred' }).waitFor()
    await page.evaluate(() => { (globalThis as any).delay = new Promise(resolve => setTimeout(resolve, 300)) })
    await spindles.focus()
    for (const key of ['s', 's', 'x', 's', 'x']) await page.keyboard.press(key)
    await spindles.getByRole('button', { name: 'Dismissed', pressed: true }).waitFor()
    await until(async () => (await storedVotes())['spindles'] === 'downvote')
    await until(async () => await spindles.getByRole('button', { name: 'Dismissed' }).getAttribute('aria-busy') === 'false')
    await page.evaluate(() => { (globalThis as any).delay = Promise.reject(new Error('offline')) })
    await page.keyboard.press('x')
    await spindles.getByRole('alert').filter({ hasText: 'The vote was not saved.' }).waitFor()
    t.equal(await spindles.getByRole('button', { name: 'Dismissed' }).getAttribute('aria-pressed'), 'true', 'shows what is stored')
    t.equal((await storedVotes())['spindles'], 'downvote')
  })

  t.test('shows no vote buttons without permission to vote', async t => {
    const readOnly = await show({ url: `${service.address}/api/mcp?tools=all&key=${user.key}`, theme: 'light', args: { project_id } })
    t.equal(readOnly.facts.uri, briefCards.read.uri)
    await readOnly.card.getByRole('article').first().waitFor()
    t.equal(await readOnly.card.getByRole('button', { name: /Star|Dismiss/ }).count(), 0, 'a read key')
    t.ok(await readOnly.card.getByRole('button', { name: 'Read' }).count() > 0)
    const silent = await show({ url, theme: 'light', args: { project_id }, capabilities: { serverTools: null, openLinks: null } })
    await silent.card.getByRole('article').first().waitFor()
    t.strictSame([...new Set(await silent.card.getByRole('button').allTextContents())], ['Read'], 'a host that passes nothing on')
  })

  t.test('explains empty, incomplete and failed briefs', async t => {
    const coverage = {
      complete: false,
      as_of: null,
      failing: [{ source: 'arXiv', since: '2026-11-20T00:00:00Z', message: 'The source does not answer (unavailable).' }]
    }
    const empty = { items: [], remaining: 0, coverage }
    const { card } = await show({ url, theme: 'light', result: { content: [{ type: 'text', text: JSON.stringify(empty) }] } })
    await card.getByText('No new papers from the sources that were checked.').waitFor()
    t.match(await card.getByRole('note').textContent(), /Papers may be missing\.Since Nov 20, 2026: The source does not answer/)
    t.strictSame(await accessibilityViolations(card as any), [])
    const complete = { ...empty, coverage: { complete: true, as_of: '2026-11-22T00:00:00Z', failing: [] } }
    const checked = await show({ url, theme: 'light', result: { content: [{ type: 'text', text: JSON.stringify(complete) }] } })
    await checked.card.getByText('Nothing new since the last acknowledged brief.').waitFor()
    const failed = await show({
      url,
      theme: 'light',
      result: { isError: true, content: [{ type: 'text', text: 'rate_limited: Retry after 3 s.' }] }
    })
    await failed.card.getByText('rate_limited: Retry after 3 s.').waitFor()
  })
})
