import t from 'tap'
import type { BrowserContextOptions } from 'playwright-core'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { renderInWorker } from '../../../src/adapters/web/markdown/renderer.js'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { column, writePdf } from '../../support/pdf.js'
import { projectWith } from '../../support/service.js'

const wide = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 } }
const markdown = `# Ready

## Introduction

Energy is $E = mc^2$, and x<sub>2</sub> grows [as told](https://example.org/told).

![Figure 1](https://elsewhere.example/figure.png)

## Methods

$$
${'P(x) = \\prod_{i=1}^{n} \\frac{1}{\\sqrt{2\\pi\\sigma^2}} + '.repeat(8)} 0
$$

### Data

| ${Array.from({ length: 14 }, (_, at) => `Column ${at}`).join(' | ')} |
| ${Array.from({ length: 14 }, () => '---:').join(' | ')} |
| ${Array.from({ length: 14 }, (_, at) => `value_${at}`).join(' | ')} |

## Results

Done.
`

t.test('paper page', { skip: withoutBrowser }, async t => {
  const visited = await visit(t)
  // Pages wait 5 s for a text, and the thread that renders it takes part of that to start.
  await renderInWorker('start', 'start', { timeoutMs: 120_000 })
  const user = await visited.user()
  const storageState = await (await visited.signedIn(user)).context().storageState()
  const open = async (options: BrowserContextOptions) => await visited.newPage({ ...options, storageState })
  const project_id = await projectWith(user, [
    { title: 'Ready', abstract: 'In short.', authors: Array.from({ length: 40 }, (_, at) => ({ name: `Author ${at}` })) },
    { title: 'Without text', abstract: 'One.\n\nTwo.', doi: '10.5555/none' },
    { title: 'Private', pdf_url: 'http://169.254.169.254/a.pdf' }
  ], { name: 'Physics' })
  const { items } = await feedPage.run(user.context, { project_id })
  const paperOf = async (title: string) =>
    (await projectPaperGet.run(user.context, { ref: items.find(({ paper_title }) => paper_title === title)!.id })).paper
  const addressOf = async (title: string) => `${visited.address}/papers/${(await paperOf(title)).id}`
  await saveMarkdown(visited.context.db, {
    paper_id: (await paperOf('Ready')).id,
    markdown,
    origin: 'jats',
    converter: 'litfeed-jats 1',
    warnings: ['A figure was left out.']
  })

  await t.test('shows formulas, tables and contents without external requests', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Ready'))
    t.strictSame(await page.locator(':is(h1, h2, h3):visible').allTextContents(), [
      'Ready', 'Introduction', 'Methods', 'Data', 'Results', 'Identifiers and versions'
    ])
    t.equal(await page.locator('.text math').count(), 2)
    t.equal(await page.locator('.text img').count(), 0)
    t.equal(await page.getByRole('link', { name: 'Figure 1' }).getAttribute('href'), 'https://elsewhere.example/figure.png')
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Results' }).click()
    t.match(page.url(), '#section-4')
    t.match(await page.locator('.made').textContent(), 'converted from the article’s XML')
    t.equal(await page.getByRole('region', { name: 'Table 1' }).getAttribute('tabindex'), '0')
  })

  await t.test('is accessible and fits the screen at any width and color scheme', async t => {
    for (const options of [wide, phone]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open({ ...options, colorScheme })
        for (const title of ['Ready', 'Without text']) {
          await page.goto(await addressOf(title))
          t.strictSame(await accessibilityViolations(page), [], `${title}, ${colorScheme}, ${options.viewport.width}`)
          t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= options.viewport.width)
        }
      }
    }
  })

  await t.test('says why the full text is unavailable', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Without text'))
    t.match(await page.locator('.full-text').textContent(), /queued|Waiting to start|No open full text found/)
    t.strictSame(await page.locator('.prose p').allTextContents(), ['One.', 'Two.'])
  })

  await t.test('shows conversion progress, then the text or the error', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Private'))
    await page.getByText('Waiting to start.').waitFor()
    t.strictSame(await accessibilityViolations(page), [])
    // A conversion can wait for its origin for half an hour. A PDF that is chosen meanwhile stays chosen.
    const upload = page.locator('.upload summary', { hasText: 'Upload a PDF' })
    await upload.click()
    await page.getByLabel('PDF file').setInputFiles({ name: 'chosen.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
    await page.waitForResponse(response => response.url() === page.url())
    t.equal(await page.getByLabel('PDF file').evaluate(field => (field as HTMLInputElement).files![0]?.name), 'chosen.pdf')
    await upload.click()
    await page.getByRole('heading', { level: 1 }).click()
    const workers = startWorkers(visited.context, tasks)
    try {
      await page.getByRole('heading', { name: 'No full text' }).waitFor({ timeout: 180_000 })
      t.match(await page.locator('.full-text .panel').textContent(), /retries after a day/)
    } finally {
      await workers.stop(1000)
    }
  })

  await t.test('accepts a PDF and shows its converted text', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Private'))
    await page.locator('.upload form').evaluate(form => { (form as HTMLFormElement).noValidate = true })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.waitForLoadState()
    const refusal = page.getByRole('alert')
    await refusal.getByText('Choose a PDF file.').waitFor()
    t.ok(await refusal.evaluate(alert => alert === document.activeElement), 'a refusal far below is moved to')
    t.match(await page.getByLabel('PDF file').getAttribute('aria-describedby'), /^refusal /)
    t.strictSame(await accessibilityViolations(page), [])
    await page.getByLabel('PDF file').setInputFiles({ name: 'no.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.waitForLoadState()
    await page.getByText('This file is not a PDF. Choose another one.').waitFor()
    t.ok(await page.getByLabel('PDF file').isVisible(), 'one can choose again')
    const texts = column([
      'These are the words of my own document,',
      'which is long enough to be a text of a paper,',
      'and which nobody else can read.'
    ])
    const pdf = { name: 'mine.pdf', mimeType: 'application/pdf', buffer: Buffer.from(writePdf([{ texts }])) }
    const slow = await open(wide)
    await slow.goto(await addressOf('Private'))
    await slow.clock.install()
    // The page stays, as if no answer had come yet.
    await slow.evaluate(() => {
      addEventListener('submit', event => {
        if (!event.defaultPrevented) document.body.dataset.sent = `${document.body.dataset.sent ?? ''}1`
        event.preventDefault()
      })
    })
    await slow.getByLabel('PDF file').setInputFiles(pdf)
    for (let press = 0; press < 2; press++) {
      await slow.getByRole('button', { name: 'Upload' }).click()
      await slow.clock.runFor(60_000)
      t.ok(await slow.getByText('Uploading…').isVisible())
      t.equal(await slow.locator('body').getAttribute('data-sent'), '1', 'an upload is sent once, however long it takes')
    }
    await slow.context().close()
    await page.getByLabel('PDF file').setInputFiles(pdf)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('PDF uploaded. Converting…').waitFor()
    const workers = startWorkers(visited.context, tasks)
    try {
      await page.getByText('words of my own document').waitFor({ timeout: 180_000 })
    } finally {
      await workers.stop(1000)
    }
    t.match(await page.locator('.made').textContent(), 'converted from your PDF')
  })

  await t.test('offers text and reference as downloads', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Ready'))
    for (const [link, name] of [['Markdown', 'ready.md'], ['BibTeX', 'ready.bib'], ['RIS', 'ready.ris']] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link, exact: true }).click()])
      t.equal(download.suggestedFilename(), name)
    }
  })

  await t.test('links back to its position in the feed', async t => {
    const page = await open(wide)
    await page.goto(await addressOf('Ready'))
    await page.getByRole('link', { name: 'Physics' }).click()
    t.equal(await page.locator('.details h2').textContent(), 'Ready')
  })

  await t.test('is visible only to its owner', async t => {
    const page = await visited.signedIn(await visited.user(), wide)
    await page.goto(await addressOf('Ready'))
    t.equal(await page.locator('h1').textContent(), 'Page not found')
  })
})
