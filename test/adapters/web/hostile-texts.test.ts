import t from 'tap'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { renderInWorker } from '../../../src/adapters/web/markdown/renderer.js'
import { feedPage } from '../../../src/operations/feed/feed-page.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

/** Code that each payload tries to run. */
const run = ['window.ran=1', 'top.ran=1', 'alert(1)', 'self[`ran`]=1', 'globalThis.ran=1']

/** Ways to get out of text, of attributes, of elements, of Markdown and of formulas. */
const forms: Array<(js: string) => string> = [
  js => `<script>${js}</script>`,
  js => `<ScRiPt >${js}</sCrIpT>`,
  js => `<script/x>${js}</script>`,
  js => `</title><script>${js}</script>`,
  js => `</textarea><script>${js}</script>`,
  js => `--><script>${js}</script>`,
  js => `]]><script>${js}</script>`,
  js => `"><script>${js}</script>`,
  js => `'><script>${js}</script>`,
  js => `" autofocus onfocus="${js}`,
  js => `' onmouseover='${js}`,
  js => `" onpointerenter=${js} x="`,
  js => `<img src=x onerror=${js}>`,
  js => `<img src="x" onerror="${js}">`,
  js => `<svg onload=${js}>`,
  js => `<svg><script>${js}</script></svg>`,
  js => `<math><mi//xlink:href="javascript:${js}">`,
  js => `<body onload=${js}>`,
  js => `<details open ontoggle=${js}>`,
  js => `<iframe src="javascript:${js}">`,
  js => `<iframe srcdoc="<script>${js}</script>">`,
  js => `<object data="javascript:${js}">`,
  js => `<a href="javascript:${js}">x</a>`,
  js => `[x](javascript:${js})`,
  js => `[x](<javascript:${js}>)`,
  js => `[x]( javascript:${js} )`,
  js => `![x](javascript:${js})`,
  js => `<javascript:${js}>`,
  js => `[x]: javascript:${js}\n[x]`,
  js => `[a](https://a.b/"onmouseover="${js})`,
  js => `[a](https://a.b "x" onmouseover="${js}")`,
  js => `$\\href{javascript:${js}}{x}$`,
  js => `$\\text{<script>${js}</script>}$`,
  js => `$\\class{"><script>${js}</script>}{x}$`,
  js => `$$\n\\html{<img src=x onerror=${js}>}\n$$`,
  js => `| <script>${js}</script> |\n| --- |`,
  js => `<sub onclick=${js}>x</sub>`,
  js => `<em><script>${js}</script></em>`,
  js => `&lt;script&gt;${js}&lt;/script&gt;`,
  js => `&#x3c;img src=x onerror=${js}&#x3e;`
]
const payloads = forms.flatMap(form => run.map(form))
const together = 10

t.test('hostile texts', { skip: withoutBrowser }, async t => {
  t.equal(payloads.length, 200)
  const visited = await visit(t)
  // Pages wait 5 s for a text, and the thread that renders it takes part of that to start.
  await renderInWorker('start', 'start', { timeoutMs: 120_000 })
  const user = await visited.user()
  const from = (at: number) => payloads.slice(at - at % together, at - at % together + together)
  const project_id = await projectWith(user, payloads.map((payload, at) => ({
    title: `${at} ${payload}`,
    abstract: from(at).join('\n\n'),
    authors: from(at).map(name => ({ name })),
    venue_name: payload,
    url: `javascript:${run[0]}`,
    pdf_url: `javascript:${run[1]}`,
    doi: `10.5555/${at}"onclick=${run[2]}`,
    metadata: { volume: payload, pages: payload, keywords: [payload] }
  })), { name: payloads[0]!, interest_description: payloads.join(' ') })
  const page = await visited.signedIn(user, { viewport: { width: 1280, height: 800 } })
  page.on('dialog', dialog => { visited.complaints.push(`opened a dialog: ${dialog.message()}`); dialog.dismiss().catch(() => {}) })
  // Links and hovers could start scripts too.
  const ran = async () =>
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('main *')) {
        for (const type of ['mouseover', 'pointerenter', 'focus', 'error', 'load', 'toggle']) {
          element.dispatchEvent(new Event(type, { bubbles: true }))
        }
      }
      const links = [...document.querySelectorAll('a')].map(({ href }) => href).filter(href => !/^(?:https?:|mailto:|$)/.test(href))
      return [...links, ...((globalThis as { ran?: unknown }).ran === undefined ? [] : ['a script ran'])]
    })

  await t.test('run no scripts in feeds and searches', async t => {
    for (let offset = 0; offset < payloads.length; offset += 40) {
      await page.goto(`${visited.address}/projects/${project_id}?offset=${offset}`)
      t.equal(await page.locator('[data-rows] li').count(), 40)
      t.strictSame(await ran(), [])
    }
    for (const payload of payloads.filter((_, at) => at % 20 === 0)) {
      await page.goto(
        `${visited.address}/projects/${project_id}?q=${encodeURIComponent(payload)}&item=${encodeURIComponent(payload.slice(0, 30))}`
      )
      t.strictSame(await ran(), [], payload)
    }
  })

  await t.test('run no scripts in papers and full texts', async t => {
    const { items } = await feedPage.run(user.context, { project_id, limit: 100 })
    const more = await feedPage.run(user.context, { project_id, limit: 100, offset: 100 })
    const chosen = [...items, ...more.items].filter(({ paper_title }) => Number(/^\d+/.exec(paper_title)![0]) % together === 0)
    t.equal(chosen.length, payloads.length / together)
    for (const { id, paper_title } of chosen) {
      const { paper } = await projectPaperGet.run(user.context, { ref: id })
      const at = Number(/^\d+/.exec(paper_title)![0])
      await saveMarkdown(visited.context.db, {
        paper_id: paper.id,
        markdown: from(at).join('\n\n'),
        origin: payloads[at]!,
        converter: 'x',
        warnings: from(at)
      })
      await page.goto(`${visited.address}/projects/${project_id}?item=${id}`)
      // Formulas are typeset.
      if (!/^(\$|\\\()/.test(payloads[at]!)) {
        t.match(await page.locator('.details h2').textContent(), payloads[at]!.split('\n')[0]!.slice(0, 12).trim().slice(0, 3))
      }
      t.strictSame(await ran(), [], paper_title)
      await page.goto(`${visited.address}/papers/${paper.id}`)
      t.strictSame(await ran(), [], `${paper_title}, its text`)
    }
  })

  await t.test('run no scripts in one combined text', async t => {
    const { items: [item] } = await feedPage.run(user.context, { project_id, limit: 1 })
    const { paper } = await projectPaperGet.run(user.context, { ref: item!.id })
    await saveMarkdown(visited.context.db, { paper_id: paper.id, markdown: payloads.join('\n\n'), origin: 'pdf', converter: 'x' })
    await page.goto(`${visited.address}/papers/${paper.id}`)
    t.ok((await page.locator('.text').textContent())!.length > 2000)
    t.strictSame(await ran(), [])
  })
})
