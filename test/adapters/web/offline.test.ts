import t from 'tap'
import type { Page } from 'playwright-core'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { pageVersions } from '../../../src/adapters/web/pages/offline/versions.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('versions of pages change with the paper and the marks on it', async t => {
  const service = await testService(t)
  const owner = await service.user()
  const project_id = await projectWith(owner, [{ title: 'Sleep spindles' }, { title: 'Grid cells' }])
  const { items } = await feedGet.run(owner.context, { project_id })
  const { id: ref, paper } = items[0]!
  for (const { id } of items) await itemUpdate.run(owner.context, { ref: id, saved: true })
  const session = await formSession(service.app, owner)
  const versions = async () => new Map([...(await session.get('/offline')).body.matchAll(/data-paper="([^"]+)"[^>]* data-version="([^"]+)"/g)]
    .map(([, id, version]) => [id!, version!]))
  const seen = [await versions()]
  t.equal(seen[0]!.size, 2)
  t.strictSame(await versions(), seen[0])
  for (const change of [
    async () => await itemUpdate.run(owner.context, { ref, note: 'Read again' }),
    async () => await itemUpdate.run(owner.context, { ref, tags: ['sleep'] }),
    async () => await feedbackSet.run(owner.context, { paper_id: paper.id, vote: 'upvote' }),
    async () => await owner.context.db.updateTable('paper').set({ abstract: 'An abstract' }).where('id', '=', paper.id).execute(),
    async () => await saveMarkdown(owner.context.db, { paper_id: paper.id, markdown: 'Text' })
  ]) {
    await change()
    seen.push(await versions())
  }
  t.equal(new Set(seen.map(each => each.get(paper.id))).size, seen.length, 'each change gives another version')
  t.equal(new Set(seen.map(each => each.get(items[1]!.paper.id))).size, 1, 'of this paper alone')
})

t.test('hashing many long papers lets other requests run', async t => {
  const owner = await (await testService(t)).user()
  const project_id = await projectWith(owner, [{ title: 'Grid cells' }])
  const [item] = (await feedGet.run(owner.context, { project_id })).items
  const authors = Array.from({ length: 3000 }, (_each, at) => ({ name: `Author ${at}`, affiliations: ['An institute of particle physics'] }))
  const long = { ...item!, project_name: '', paper: { ...item!.paper, authors } }
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  t.equal((await pageVersions(Array.from({ length: 100 }, () => [long]))).length, 100)
  isDone = true
  t.ok(turns >= 3, `${turns} turns`)
})

t.test('reading saved papers without a connection', { skip: withoutBrowser }, async t => {
  const { address, complaints, signedIn, user } = await visit(t)
  const owner = await user()
  const project_id = await projectWith(
    owner,
    Array.from({ length: 12 }, (_each, at) => ({ title: `Sleep spindles, part ${at}`, abstract: `Abstract of part ${at}.`, doi: `10.5555/o.${at}` })),
    { sources: [] }
  )
  const { items } = await feedGet.run(owner.context, { project_id })
  const page = await signedIn(owner, { viewport: { width: 1280, height: 800 }, serviceWorkers: 'allow' })
  const cached = async (on: Page) => await on.evaluate(async () => {
    const names = (await caches.keys()).filter(name => name.startsWith('litfeed-papers-'))
    return (await Promise.all(names.map(async name => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat()
  })
  const feed = `${address}/projects/${project_id}`
  await page.goto(feed)

  await t.test('shows nine rows in a window of 800 px, in our own type', async t => {
    await page.evaluate(async () => await document.fonts.ready)
    const rows = await page.locator('.row').evaluateAll(all => all.map(row => {
      const { height, bottom } = row.getBoundingClientRect()
      return { height, bottom }
    }))
    t.ok(rows.every(({ height }) => height === 64))
    t.ok(rows.filter(({ bottom }) => bottom <= 800).length >= 9, String(rows.filter(({ bottom }) => bottom <= 800).length))
    t.equal((await page.locator('.head').boundingBox())!.height, 48)
    t.strictSame(
      await page.evaluate(() => ['400 17px "Litfeed Sans"', '400 17px "Litfeed Serif"'].map(font => document.fonts.check(font))),
      [true, true]
    )
    const digits = await page.locator('.row .figure').first().evaluate(figure => ['1111', '8888'].map(text => {
      const copy = Object.assign(figure.cloneNode() as HTMLElement, { textContent: text })
      figure.append(copy)
      const { width } = copy.getBoundingClientRect()
      copy.remove()
      return width
    }))
    t.equal(digits[0], digits[1], 'figures are as wide as each other')
  })

  await t.test('keeps nothing until a paper is saved', async t => {
    await page.goto(`${address}/offline`)
    await page.getByText('No saved papers yet.').waitFor()
    t.strictSame(await cached(page), [])
    t.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
  })

  await t.test('opens a saved paper, and names the saved ones in place of other pages', async t => {
    await page.goto(feed)
    const saved = items[4]!
    await page.locator(`.row[data-item="${saved.id}"] a`).click()
    await page.locator('.details h2', { hasText: saved.paper_title }).waitFor()
    await page.keyboard.press('s')
    // The last of its ids to be kept.
    await until(async () => (await cached(page)).includes(`${address}/papers/${saved.short_id}`))
    await page.evaluate(async () => await navigator.serviceWorker.ready)
    const kept = await page.evaluate(async url => await (await caches.match(url))!.text(), `${address}/papers/${saved.paper.id}`)
    t.notMatch(kept, /name="csrf_token" value="[^"]/, 'no token of a form is kept')
    t.ok((await cached(page)).every(url => /\/papers\/|\/offline$/.test(url)), 'and nothing else')
    const policies = await page.evaluate(async url => [await fetch(url), (await caches.match(url))!].map(({ headers }) =>
      ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'].map(name => headers.get(name))
    ), `${address}/papers/${saved.paper.id}`)
    t.match(policies[0]![0], /default-src 'none'/)
    t.strictSame(policies[1], policies[0], 'under the same restrictions')
    await page.goto(`${address}/offline`)
    await page.getByText('Stored in this browser', { exact: true }).waitFor()
    t.strictSame(await accessibilityViolations(page), [])

    await page.context().setOffline(true)
    for (const ref of [saved.paper.id, saved.id]) {
      await page.goto(`${address}/papers/${ref}`)
      await page.getByRole('heading', { level: 1, name: saved.paper_title }).waitFor()
      await page.getByText(/Abstract of part \d+\./).waitFor()
    }
    t.equal(await page.locator('.head').evaluate(head => head.getBoundingClientRect().height), 48, 'with its style')
    await page.goto(feed)
    await page.getByText('No connection. You can read the papers stored in this browser.').waitFor()
    await page.getByRole('link', { name: saved.paper_title }).click()
    await page.getByRole('heading', { level: 1, name: saved.paper_title }).waitFor()
    await page.context().setOffline(false)

    await itemUpdate.run(owner.context, { ref: saved.id, saved: false })
    await page.goto(`${address}/offline`)
    await until(async () => (await cached(page)).length === 1)
    await itemUpdate.run(owner.context, { ref: saved.id, saved: true })
    await page.goto(`${address}/offline`)
    // The list, and the paper by each of its ids.
    await until(async () => (await cached(page)).length === 5)
  })

  await t.test('keeps the ids of a paper that are missing, because a page was left before they were kept', async () => {
    const { paper, ...item } = items[4]!
    const missing = [paper.short_id, item.id, item.short_id].map(ref => `${address}/papers/${ref}`)
    await page.evaluate(async urls => {
      for (const name of await caches.keys()) for (const url of urls) await (await caches.open(name)).delete(url)
    }, missing)
    await page.goto(`${address}/offline`)
    await until(async () => {
      const kept = await cached(page)
      return missing.every(url => kept.includes(url))
    })
  })

  await t.test('keeps what it has over error pages, which may not know who is signed in', async t => {
    const kept = await cached(page)
    t.equal((await page.goto(`${address}/no-such-page`))!.status(), 404)
    // Deleting would be done by then.
    await page.waitForTimeout(300)
    t.strictSame(await cached(page), kept)
  })

  await t.test('keeps a paper again that was retracted, and says so in the list', async () => {
    const { id, paper } = items[4]!
    await itemUpdate.run(owner.context, { ref: id, saved: true })
    await owner.context.db.updateTable('paper').set({ metadata: JSON.stringify({ retracted: true }) }).where('id', '=', paper.id).execute()
    await page.goto(`${address}/offline`)
    await page.locator('#offline-papers').getByText('Reported as retracted').waitFor()
    const keptPage = async () => await page.evaluate(async url => await (await caches.match(url))?.text(), `${address}/papers/${paper.id}`)
    await until(async () => (await keptPage())?.includes('Reported as retracted') === true)
  })

  await t.test('forms of a kept page can be sent when there is a connection again', async t => {
    await page.context().setOffline(true)
    await page.goto(`${address}/papers/${items[4]!.paper.id}`)
    t.ok(await page.evaluate(() => [...document.querySelectorAll('[name=csrf_token]')].every(field => field.getAttribute('value') === '')))
    await page.context().setOffline(false)
    await page.locator('.upload').evaluate(upload => {
      (upload as HTMLDetailsElement).open = true
      upload.querySelector('form')!.noValidate = true
    })
    await page.getByRole('button', { name: 'Upload' }).click()
    t.match(await page.getByRole('alert').textContent(), 'Choose a PDF file.', 'the token is accepted')
  })

  await t.test('signs out on a kept page, and deletes what it kept', async t => {
    await page.context().setOffline(true)
    await page.goto(`${address}/papers/${items[4]!.paper.id}`)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.goto(feed)
    t.match(page.url(), /\/login\?next=/)
    await until(async () => (await cached(page)).length === 0)
    await page.context().setOffline(true)
    await t.rejects(page.goto(`${address}/papers/${items[0]!.paper.id}`))
    await page.context().setOffline(false)
  })

  await t.test('deletes what it kept for another account', async () => {
    await page.goto(`${address}/login`)
    await page.evaluate(async () => await (await caches.open('litfeed-papers-another')).put('/papers/1', new Response('private')))
    const other = await user()
    await page.getByLabel('Email address').fill(other.email)
    await page.getByLabel('Password').fill(other.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(url => url.pathname !== '/login')
    await until(async () => !(await cached(page)).includes(`${address}/papers/1`))
  })
  // Chromium logs requests without a connection as errors.
  complaints.splice(0, Infinity, ...complaints.filter(each => !/net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(each)))
})
