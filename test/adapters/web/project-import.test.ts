import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { maxLibraryBytes } from '../../../schemas/library-import.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('the import page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Grid cells' }])
  const page = await service.signedIn(user)
  await page.goto(`${service.address}/projects/${project_id}/settings`)
  t.ok(await page.getByRole('link', { name: 'Import files' }).isVisible())
  await page.goto(`${service.address}/projects/${project_id}`)
  await page.locator('#add summary').click()
  t.strictSame(await accessibilityViolations(page), [])
  t.strictSame(await page.locator('#add a').allTextContents(), ['Add a paper', 'Import files', 'Paste papers', 'Sync with Zotero'])
  await page.getByRole('link', { name: 'Import files' }).click()
  t.strictSame(await accessibilityViolations(page), [])

  const send = async (name: string, content: string) => {
    await page.getByLabel('File').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  }

  await t.test('shows the waiting job, then its result', async t => {
    await page.getByLabel('Upvote these papers').check()
    await page.getByLabel('Papers', { exact: true }).fill('10.1000/typed')
    await send('library.bib', '@article{one, title={Place cells}, year={2024}}\n@article{two, year={2024}}')
    await page.getByText('Waiting to start.').waitFor()
    t.ok(await page.getByText('library.bib is being imported.').isVisible())
    t.equal(await page.locator('#content > .notice:focus').textContent(), 'library.bib is being imported.', 'it is read aloud')
    t.equal(await page.getByLabel('Papers', { exact: true }).inputValue(), '10.1000/typed', 'what is typed stays')
    t.strictSame(await accessibilityViolations(page), [])
    await page.evaluate(() => { (globalThis as unknown as { stayed: boolean }).stayed = true })
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'import-library'))
    t.teardown(async () => await workers.stop(0))
    const outcome = page.locator('#imports').getByText('records read:')
    t.match(await outcome.textContent(), '2 records read: 1 added, 0 updated, 0 unchanged, 1 rejected.')
    t.ok(await page.evaluate(() => (globalThis as unknown as { stayed?: boolean }).stayed), 'without a reload')
    t.equal(
      await page.locator('body > [role=status]').textContent(),
      'library.bib: 2 records read: 1 added, 0 updated, 0 unchanged, 1 rejected.',
      'and it is read aloud'
    )
    await page.getByText('Rejected records').click()
    t.match(await page.getByText('Record 2:').textContent(), /two/, 'says what was rejected and why')
    t.strictSame(await accessibilityViolations(page), [])
  })

  await t.test('warns on the feed of what was rejected, until that is dismissed', async t => {
    const feed = await service.signedIn(user, { viewport: { width: 390, height: 844 } })
    await feed.goto(`${service.address}/projects/${project_id}`)
    const warning = feed.locator('#import-state')
    t.match(await warning.textContent(), 'library.bib: 1 of 2 records not added.')
    const [why] = await Promise.all([feed.waitForNavigation(), warning.getByRole('link', { name: '1 of 2 records not added' }).click()])
    t.match(why!.url(), /\/import\/[0-9a-f-]{36}\/rejected$/)
    t.match(await feed.locator('main li').textContent(), /^Record 2: /)
    await feed.goBack()
    t.strictSame(await accessibilityViolations(feed), [])
    const dismiss = warning.getByRole('button', { name: 'Dismiss' })
    t.ok((await dismiss.boundingBox())!.height >= 44)
    await dismiss.click()
    t.notOk(await warning.isVisible())
    t.equal(await feed.evaluate(() => document.activeElement!.id), 'list')
    await feed.reload()
    t.notOk(await warning.isVisible(), 'also after a reload')
    await feed.context().close()
  })

  await t.test('takes a file that is dropped anywhere on the page', async t => {
    const url = page.url()
    /** Drops files on the page. @returns whether the two events are left to the browser */
    const drop = async (names: string[]) => await page.locator('main').evaluate((main, names) => {
      const dataTransfer = new DataTransfer()
      for (const name of names) dataTransfer.items.add(new File(['TY  - JOUR'], name))
      return ['dragover', 'drop'].map(type =>
        main.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer })))
    }, names)
    const field = page.getByLabel('File')
    const chosen = async () => await field.evaluate(input => [...(input as HTMLInputElement).files!].map(({ name }) => name))
    t.ok(await page.getByText('You can drop several files anywhere on this page.').isVisible())
    t.strictSame(await drop(['first.ris', 'second.ris']), [false, false])
    t.strictSame(await chosen(), ['first.ris', 'second.ris'])
    t.strictSame(await drop(['dropped.ris']), [false, false])
    t.strictSame(await chosen(), ['dropped.ris'])
    t.equal(await page.getByRole('alert').count(), 0)
    t.equal(page.url(), url)
    t.ok(await page.evaluate(() => (globalThis as unknown as { stayed?: boolean }).stayed), 'the page stays')
    await page.goto(`${service.address}/projects/${project_id}/settings`)
    t.strictSame(await drop(['dropped.ris']), [true, true], 'pages without a file field leave it to the browser')
    const withoutScripts = await service.signedIn(user, { javaScriptEnabled: false })
    await withoutScripts.goto(url)
    t.notOk(await withoutScripts.getByText('You can drop several files anywhere on this page.').isVisible())
    await page.goto(url)
  })

  await t.test('rejects other files immediately', async t => {
    await send('notes.docx', 'just text')
    await page.getByText('The file has an unknown format.').waitFor()
    await page.getByText('Not accepted: notes.docx').waitFor()
    t.equal(await page.locator('#imports').getByText('notes.docx').count(), 0)
  })

  await t.test('imports several files, each by itself, and reports them together', async t => {
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'import-library'))
    t.teardown(async () => await workers.stop(0))
    const other = await projectWith(user, [], { name: 'Several' })
    await page.goto(`${service.address}/projects/${other}/import`)
    await page.getByLabel('File').setInputFiles(['first', 'notes', 'second'].map(name => ({
      name: name === 'notes' ? 'notes.docx' : `${name}.bib`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(name === 'notes' ? 'just text' : `@article{${name}, title={The ${name} file}, year={2024}}`)
    })))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const report = page.locator('#import-report')
    await report.waitFor()
    t.equal(await report.locator('p').textContent(), '2 of 3 files are being imported. Not imported:')
    t.match(await report.locator('li').allTextContents(), [/^notes\.docx: The file has an unknown format\./])
    t.strictSame(await accessibilityViolations(page), [])
    t.strictSame((await page.locator('#imports li.panel b').allTextContents()).sort(), ['first.bib', 'second.bib'])
    await page.locator('#imports').getByText('1 record read: 1 added').nth(1).waitFor()
    await page.goto(`${service.address}/projects/${project_id}/import`)
  })

  await t.test('waits with the next of several files while too many imports are waiting', async t => {
    const other = await service.signedIn(user)
    const waiting = await projectWith(user, [], { name: 'Waiting' })
    await other.goto(`${service.address}/projects/${waiting}/import`)
    let posts = 0
    await other.route('**/import', async route => {
      if (route.request().method() !== 'POST' || ++posts !== 2) return await route.continue()
      await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, contentType: 'text/html', body: '<p role="alert">Too many.</p>' })
    })
    await other.getByLabel('File').setInputFiles(['first', 'second'].map(name => ({
      name: `${name}.bib`, mimeType: 'application/octet-stream', buffer: Buffer.from(`@article{${name}, title={The ${name} file}}`)
    })))
    await other.getByRole('button', { name: 'Import', exact: true }).click()
    /** Whether the page may be left without a question. */
    const mayBeLeft = async () => await other.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
    await other.getByText('Uploading 2 of 2, waiting for earlier imports… Keep this page open.').waitFor()
    t.notOk(await mayBeLeft(), 'the rest would be lost')
    await other.getByText('2 files are being imported.').waitFor()
    t.ok(await mayBeLeft())
    t.equal(posts, 3)
    await other.close()
  })

  await t.test('keeps what was opened and the focus while it refreshes itself, until the session ends', async t => {
    const running = await projectWith(user, [], { name: 'Running' })
    const other = await service.signedIn(user)
    await other.goto(`${service.address}/projects/${running}/import`)
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'import-library'))
    const add = async (name: string) => {
      await other.getByLabel('File').setInputFiles({
        name, mimeType: 'application/octet-stream', buffer: Buffer.from('@article{one, title={Place cells}}\n@article{two, year={2024}}')
      })
      await other.getByRole('button', { name: 'Import', exact: true }).click()
      await other.getByText(`${name} is being imported.`).waitFor()
    }
    await add('first.bib')
    await other.getByText('Rejected records').waitFor()
    await workers.stop(0)
    await add('second.bib')
    let polls = 0
    other.on('response', response => { if (response.request().method() === 'GET') polls++ })
    const refreshed = async () => {
      const before = polls
      await until(async () => polls > before + 1)
    }
    const rejected = other.locator('summary', { hasText: 'Rejected records' })
    await rejected.focus()
    await other.keyboard.press('Enter')
    await refreshed()
    t.ok(await other.getByText('Record 2:').isVisible())
    t.ok(await rejected.evaluate(summary => summary === document.activeElement))
    await other.context().clearCookies()
    const ended = other.getByRole('alert').filter({ hasText: 'Your session has ended.' })
    await ended.waitFor()
    t.match(await ended.getByRole('link', { name: 'Sign in' }).getAttribute('href'), `/login?next=${encodeURIComponent(`/projects/${running}/import`)}`)
    const last = polls
    await wait(5000)
    t.equal(polls, last, 'nothing is asked for again')
    t.equal(await ended.count(), 1)
    t.ok(await ended.isVisible())
    t.strictSame(await accessibilityViolations(other), [])
    await other.context().close()
  })

  await t.test('says why none of several files was uploaded, and keeps them', async t => {
    const other = await service.signedIn(user)
    await other.goto(page.url())
    await other.getByLabel('File').setInputFiles(['first', 'second'].map(name => ({
      name: `${name}.bib`, mimeType: 'application/octet-stream', buffer: Buffer.from(`@article{${name}, title={The ${name} file}}`)
    })))
    const report = other.locator('#import-report')
    const refusals = async () => {
      await other.getByRole('button', { name: 'Import', exact: true }).click()
      await report.waitFor()
      t.equal(await report.locator('p').textContent(), '0 of 2 files are being imported. Not imported:')
      t.equal(await other.getByLabel('File').evaluate(field => (field as HTMLInputElement).files!.length), 2)
      return await report.locator('li').allTextContents()
    }
    await other.locator('.upload [name=csrf_token], [data-imports] [name=csrf_token]').first()
      .evaluate(field => { (field as HTMLInputElement).value = 'stale' })
    t.match((await refusals())[0], /^first\.bib: .*reload/i)
    await other.context().clearCookies()
    await report.evaluate(each => each.remove())
    t.strictSame(await refusals(), ['first.bib', 'second.bib'].map(name => `${name}: Your session has ended. Sign in again.`))
  })

  await t.test('names a file that is too large, before it is sent, and also without scripts', async t => {
    const large = { name: 'large.bib', mimeType: 'application/octet-stream', buffer: Buffer.alloc(maxLibraryBytes + 1, 'T') }
    const small = { ...large, name: 'small.bib', buffer: Buffer.from('@article{small, title={A small file}, year={2024}}') }
    const other = await service.signedIn(user)
    await other.goto(`${service.address}/projects/${await projectWith(user, [], { name: 'Large files' })}/import`)
    const field = other.getByLabel('File', { exact: true })
    const posts: string[] = []
    other.on('request', request => { if (request.method() === 'POST') posts.push(request.url()) })
    await field.setInputFiles(large)
    await other.getByRole('button', { name: 'Import', exact: true }).click()
    const problem = async () => await field.evaluate(input => (input as HTMLInputElement).validationMessage)
    t.equal(await problem(), 'The file “large.bib” exceeds the maximum of 20 MiB. Choose a smaller one.')
    await field.setInputFiles([small, large])
    t.equal(await problem(), '')
    t.equal(posts.length, 0)
    await other.getByRole('button', { name: 'Import', exact: true }).click()
    await other.locator('#import-report').waitFor()
    t.strictSame(await other.locator('#import-report li').allTextContents(), [
      'large.bib: The file exceeds the maximum of 20 MiB. Choose a smaller one.'
    ])
    t.equal(posts.length, 1)

    const withoutScripts = await service.signedIn(user, { javaScriptEnabled: false })
    await withoutScripts.goto(other.url())
    await withoutScripts.getByLabel('File', { exact: true }).setInputFiles(large)
    await withoutScripts.getByRole('button', { name: 'Import', exact: true }).click()
    await withoutScripts.getByText('The file “large.bib” exceeds the maximum of 20 MiB. Send a smaller one.').waitFor()
  })

  await t.test('lists older imports on further pages', async t => {
    await page.goto(`${service.address}/projects/${project_id}/import?offset=1`)
    t.match(await page.getByRole('navigation', { name: 'Pages of imports' }).textContent(), 'PreviousThis page is past the end.')
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByRole('heading', { name: 'Imports' }).waitFor()
    t.equal(await page.getByRole('navigation', { name: 'Pages of imports' }).count(), 0)
  })

  await t.test('undoes an import', async t => {
    await page.getByText('Undo', { exact: true }).click()
    t.ok(await page.getByText('Papers stay if you rated, saved, tagged or annotated them').isVisible())
    await page.getByRole('button', { name: 'Undo the import of library.bib' }).click()
    await page.getByText('Import undone: 1 paper removed.').waitFor()
    t.equal(await page.getByText('Undo', { exact: true }).count(), 0)
  })

  await t.test('adds journal feeds of an OPML file, and removes them', async t => {
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'import-library'))
    t.teardown(async () => await workers.stop(0))
    await send(
      'feeds.opml',
      '<opml><body><outline xmlUrl="https://journal.example.org/rss"/><outline xmlUrl="http://10.0.0.1/rss"/></body></opml>'
    )
    const outcome = page.locator('#imports').getByText('journal feeds read:')
    t.match(await outcome.textContent(), '2 journal feeds read: 1 added, 0 updated, 0 unchanged, 1 rejected.')
    await page.getByText('Undo', { exact: true }).click()
    await page.getByRole('button', { name: 'Undo the import of feeds.opml' }).click()
    await page.getByText('Import undone: 1 journal feed removed.').waitFor()
  })
})
