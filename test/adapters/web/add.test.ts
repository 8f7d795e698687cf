import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { libraryImport } from '../../../src/operations/papers/library-import.js'
import { paperNotInSources } from '../../../src/operations/papers/paper-lookup.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'
import { withReceivedFile } from '../../support/uploads.js'

const base = await testService(t)

t.test('the manifest supports installation and sharing on phones', async t => {
  const { app } = base
  const answer = await app.inject({ url: '/manifest.webmanifest' })
  t.match([answer.statusCode, answer.headers['content-type']], [200, /^application\/manifest\+json/])
  const manifest = answer.json()
  t.match(manifest, {
    name: 'Litfeed',
    start_url: '/',
    theme_color: /^#/,
    share_target: { action: '/add', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } }
  })
  for (const { src, type, sizes } of manifest.icons) {
    const icon = await app.inject({ url: src })
    t.match([icon.statusCode, icon.headers['content-type']], [200, type])
    if (type === 'image/png') t.equal(`${icon.rawPayload.readUInt32BE(16)}x${icon.rawPayload.readUInt32BE(20)}`, sizes)
  }
})

t.test('the form, without scripts', async t => {
  const service = await base.sibling(t, { BASE_URL: 'https://litfeed.example.org/papers' })
  const user = await service.user()
  const session = await formSession(service.app, user)

  await t.test('offers every project', async t => {
    const names = Array.from({ length: 105 }, (_, at) => `Project number ${at}.`)
    for (const name of names) await projectWith(user, [], { name })
    for (const address of ['/add', '/feed']) {
      const { body } = await session.get(address)
      for (const name of names) if (!body.includes(`>${name}</option>`)) t.fail(`${address} lacks ${name}`)
    }
  })

  await t.test('accepts digits alone as a PubMed id', async t => {
    for (const [shared, identifier] of [
      [{ identifier: '41000001' }, 'PMID 41000001'],
      [{ identifier: '41000001', url: 'https://journal.example.org/doi/10.5555/page' }, 'DOI 10.5555/page'],
      [{ title: '1984', url: 'https://journal.example.org/doi/10.5555/page' }, 'DOI 10.5555/page'],
      [{ title: '1984' }, ''],
      [{ text: '2024' }, ''],
      [{ text: '2024', url: 'https://example.org/' }, 'https://example.org/']
    ] as const) {
      const { body } = await session.get(`/add?${new URLSearchParams(shared)}`)
      t.equal(/<input[^>]*name="identifier"[^>]*>/.exec(body)?.[0].match(/ value="([^"]*)"/)?.[1] ?? '', identifier, JSON.stringify(shared))
    }
  })

  await t.test('refreshes the progress of a job and of an import under the path of BASE_URL', async t => {
    const project_id = await projectWith(user, [])
    const added = await session.post('/add', { action: 'add', project_id, identifier: '41000001' })
    const address = String(added.headers.location).replace(/^\/papers/, '')
    t.match(address, /^\/add\?job=.*&identifier=PMID\+41000001$/)
    await withReceivedFile(user.context, Buffer.from('TY  - JOUR\nTI  - A title\nER  -\n'), async file =>
      await libraryImport.run(user.context, { project_id, file }))
    for (const page of [address, `/projects/${project_id}/import`]) {
      const { body } = await session.get(page)
      t.match(body, `hx-get="/papers${page.replaceAll('&', '&amp;')}"`)
      t.match(body, `<a href="/papers${page.replaceAll('&', '&amp;')}">reload it</a>`)
      t.notMatch(body, / (?:href|hx-get|hx-post)="\/(?!papers)/)
    }
  })

  await t.test('says why a paper was not added', async t => {
    const project_id = await projectWith(user, [])
    const { headers } = await session.post('/add', { action: 'add', project_id, identifier: '41000002' })
    const address = String(headers.location).replace(/^\/papers/, '')
    const id = new URLSearchParams(address.split('?')[1]).get('job')!
    await service.context.db.updateTable('job').set({ state: 'failed', error: 'No source knows this identifier.' })
      .where('id', '=', id).execute()
    const { body } = await session.get(address)
    t.match(body, /PMID 41000002 was not added\. No source knows this identifier\./)
    t.notMatch(body, 'hx-trigger="every 2s"')
    t.match(body, `href="/papers/projects/${project_id}/import#paste-title">look it up by its title</a>`)
  })

  await t.test('takes a title, which is not offered to be looked up again', async t => {
    const project_id = await projectWith(user, [])
    const identifier = 'Slow oscillations and the spindles of sleep'
    const { headers } = await session.post('/add', { action: 'add', project_id, identifier })
    const address = String(headers.location).replace(/^\/papers/, '')
    t.match((await session.get(address)).body, `Looking up ${identifier} at the sources.`)
    await service.context.db.updateTable('job').set({ state: 'failed', error: paperNotInSources([], { kind: 'title' }) })
      .where('id', '=', new URLSearchParams(address.split('?')[1]).get('job')!).execute()
    const { body } = await session.get(address)
    t.match(body, 'was not added. No source has a paper with exactly this title. Check the title, or use the DOI or PMID.')
    t.match(body, /You can also <a href="[^"]+\/import">import a file<\/a> with its record\./)
  })

  await t.test('says where an unknown DOI was looked up, and what else to do, also the second time', async t => {
    const project_id = await projectWith(user, [])
    const fields = { action: 'add', project_id, identifier: '10.5555/unknown' }
    const { headers } = await session.post('/add', fields)
    const address = String(headers.location).replace(/^\/papers/, '')
    const error = paperNotInSources([])
    await service.context.db.updateTable('job').set({ state: 'failed', error, updated_at: service.context.now() })
      .where('id', '=', new URLSearchParams(address.split('?')[1]).get('job')!).execute()
    for (const { body } of [await session.get(address), await session.post('/add', fields)]) {
      t.match(body, error)
      t.match(body, /Looked up in [^.]*Crossref[^.]*\. You can also <a href="[^"]+\/import">import a file<\/a> with its record/)
      t.match(body, `href="/papers/projects/${project_id}/import#paste-title">look it up by its title</a>`)
    }
  })
})

t.test('adding a paper from another page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const user = await service.user()
  await projectWith(user, [{ title: 'Sleep spindles', doi: '10.5555/spindles' }], { name: 'Sleep' })
  const memory = await projectWith(user, [], { name: 'Memory' })
  const total = async () => (await feedGet.run(user.context, { project_id: memory })).total
  const shared = `/add?${new URLSearchParams({ title: 'Sleep spindles', text: 'Sleep spindles https://doi.org/10.5555/spindles' })}`

  await t.test('continues after the sign-in', async t => {
    const page = await service.newPage()
    await page.goto(`${service.address}${shared}`)
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Add a paper' }).waitFor()
    t.equal(await page.getByLabel('Identifier').inputValue(), 'DOI 10.5555/spindles')
    t.equal(await total(), 0, 'opening the page adds nothing')
    await page.context().close()
  })

  const page = await service.signedIn(user)
  await t.test('adds it to the chosen project and opens it', async t => {
    await page.goto(`${service.address}${shared}`)
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Memory' })
    await page.getByRole('button', { name: 'Add paper' }).click()
    await page.getByText('The paper is in this feed.').waitFor()
    t.match(page.url(), new RegExp(`/projects/${memory}\\?item=`))
    t.equal(await total(), 1)
  })

  await t.test('asks for an identifier if none and no page is shared', async t => {
    await page.goto(`${service.address}/add?title=A+blog`)
    await page.getByText('No identifier or page was shared').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('Identifier').fill('nothing')
    await page.getByRole('button', { name: 'Add paper' }).click()
    await page.getByText('This is not a DOI, PMID, PMCID or arXiv id, the address of a page, or a title of at least five words.').waitFor()
  })

  await t.test('takes a page whose address names no paper, and says why it cannot be read', async t => {
    await page.goto(`${service.address}/add?url=https%3A%2F%2Fexample.org%2Fblog&title=A+blog`)
    await page.getByText('Litfeed will read the page').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    t.equal(await page.getByLabel('Identifier, page or title').inputValue(), 'https://example.org/blog')
    await page.getByLabel('Identifier, page or title').fill('http://127.0.0.1:9/blog')
    await page.getByRole('button', { name: 'Add paper' }).click()
    await page.getByText('This address is not on the public Internet.').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('shows the lookup job of an unknown paper', async t => {
    await page.goto(`${service.address}/add?identifier=10.5555%2Funknown`)
    await page.getByRole('button', { name: 'Add paper' }).click()
    await page.getByText('Looking up DOI 10.5555/unknown').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test("has a bookmarklet that passes the page's identifier", async t => {
    await page.goto(`${service.address}/add`)
    t.strictSame(await accessibilityViolations(page), [])
    t.match(await page.locator('section:has(#phone)').textContent(), /On an iPhone, bookmark any page/)
    const script = await page.getByRole('link', { name: 'Add to Litfeed' }).getAttribute('href')
    const other = await service.newPage()
    await other.goto(`${service.address}/login`)
    const code = decodeURIComponent(script!.slice('javascript:'.length))
    await other.evaluate(() => {
      document.head.append(Object.assign(document.createElement('meta'), { name: 'citation_doi', content: '10.5555/tagged' }))
    })
    // As the browser evaluates it, with a stand-in for the new window.
    const opened = await other.evaluate(`(() => { let address; const open = url => { address = url }; ${code}; return address })()`)
    t.ok(String(opened).startsWith(`${service.address}/add?identifier=10.5555%2Ftagged&url=`), String(opened))
    for (const [content, identifier] of [['41000001', ''], ['doi:10.5555/core', 'doi%3A10.5555%2Fcore']]) {
      await other.evaluate(content => {
        document.querySelectorAll('meta[name]').forEach(each => each.remove())
        document.head.append(Object.assign(document.createElement('meta'), { name: 'DC.Identifier', content }))
      }, content)
      const opened = await other.evaluate(`(() => { let address; const open = url => { address = url }; ${code}; return address })()`)
      t.ok(String(opened).startsWith(`${service.address}/add?identifier=${identifier}&url=`), String(opened))
    }
  })
})
