import t from 'tap'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { projectCreate } from '../../../src/operations/projects/project-create.js'
import { projectMarkSample } from '../../../src/operations/projects/project-mark-sample.js'
import { projectsList } from '../../../src/operations/projects/projects-list.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { testService } from '../../support/service.js'
import { arxivStandIn } from '../../support/stand-ins/arxiv.js'
import type { Publication } from '../../support/stand-ins/papers.js'
import { pubmedStandIn } from '../../support/stand-ins/pubmed.js'
import { until } from '../../support/until.js'

const days = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const papers: Publication[] = [
  {
    title: 'Base editing restores vision in adult mice',
    abstract: 'Lipid nanoparticles carried base editors to photoreceptors.',
    date: days(1),
    doi: '10.1000/vision.1',
    pmid: '41000001'
  },
  { title: 'Base editing in zebrafish', abstract: 'Larvae were edited.', date: days(2), doi: '10.1000/fish.1', pmid: '41000002' },
  { title: 'Photoreceptors after gene transfer', abstract: 'Cells survived.', date: '2015-03-01', pmid: '41000003' }
]
const interest = 'Base editing as a therapy of inherited retinal disease, above all its delivery with lipid nanoparticles.'

t.test('first project', { skip: withoutBrowser }, async t => {
  const [arxiv, pubmed] = await Promise.all([arxivStandIn(t, papers), pubmedStandIn(t, papers)])
  const { address, user, signedIn, context } = await visit(t, { ARXIV_URL: arxiv.url, PUBMED_URL: pubmed.url })
  const workers = startWorkers(context, tasks.filter(({ task }) => task === 'fetch-project'))
  t.teardown(async () => await workers.stop(0))
  const owner = await user()
  const page = await signedIn(owner)
  await page.goto(`${address}/projects/new?first=true`)

  await t.test('preselects the default sources', async t => {
    t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Your first project')
    t.ok(await page.getByLabel('PubMed', { exact: true }).isChecked())
    t.notOk(await page.getByLabel('Crossref', { exact: true }).isChecked())
    t.match(await page.locator('#interest_description-hint').textContent(), 'inclusion criteria as sentences, one per line.')
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('suggests keywords and keeps entered ones', async t => {
    await page.getByLabel('Research interest').fill(interest)
    await page.getByLabel('Name').fill('Editing')
    await page.getByRole('textbox', { name: 'Keywords', exact: true }).fill('retina')
    await page.getByRole('button', { name: 'Suggest keywords' }).click()
    await page.getByText('3 added').waitFor()
    t.same((await page.getByRole('textbox', { name: 'Keywords', exact: true }).inputValue()).split('\n'), [
      'retina',
      'base editing',
      'inherited retinal disease',
      'lipid nanoparticles'
    ])
    t.equal(await page.getByLabel('Name').inputValue(), 'Editing')
  })

  await t.test('suggests keywords from example papers as chips', async t => {
    await page.getByLabel('Example papers').fill('PMID 41000003\n10.1000/never')
    await page.getByRole('button', { name: 'Suggest keywords' }).click()
    await page.getByText('suggested from your examples').waitFor()
    t.match(await page.locator('#keywords').textContent(), /10\.1000\/never: /, 'the other one has a reason')
    await page.locator('.suggestion', { hasText: 'photoreceptors' }).locator('label').first().click()
    t.ok(await page.getByLabel('Include photoreceptors').isChecked())
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('shows a preview and the failed source', async t => {
    await page.getByLabel('Excluded keywords').fill('zebrafish')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('1 paper would be added').waitFor()
    t.match(await page.locator('#preview').textContent(), /PubMed 1 of 2/)
    t.match(await page.locator('#preview').textContent(), /Europe PMC did not (?:respond|finish within 8 seconds)/)
    t.equal(await page.locator('.paper-title').textContent(), 'Base editing restores vision in adult mice')
    t.same(await accessibilityViolations(page), [])
    t.equal((await projectsList.run(owner.context, {})).total, 0, 'and saves nothing')
  })

  await t.test('shows the reason and keeps the entered values', async t => {
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Create project' }).click()
    const isMissing = await page.getByLabel('Name').evaluate(field => (field as HTMLInputElement).validity.valueMissing)
    t.ok(isMissing, 'the browser asks for the name first')
    await page.locator('form.guided').evaluate(form => { (form as HTMLFormElement).noValidate = true })
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('alert').waitFor()
    await page.waitForLoadState()
    t.match(await page.getByRole('alert').textContent(), 'Name must not be empty.')
    t.strictSame(await page.locator('[aria-invalid]').evaluateAll(fields => fields.map(({ id }) => id)), ['name'], 'marks its field')
    t.equal(await page.getByLabel('Research interest').inputValue(), interest)
    t.ok(await page.getByLabel('Include photoreceptors').isChecked())
    t.ok(await page.getByLabel('PubMed', { exact: true }).isChecked())
    t.notOk(await page.getByLabel('Crossref', { exact: true }).isChecked())
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('is created', async t => {
    await page.getByLabel('Name').fill('Retinal base editing')
    await page.getByLabel('arXiv', { exact: true }).uncheck()
    await page.locator('summary', { hasText: 'Custom query for arXiv' }).click()
    await page.getByLabel('Custom queries for arXiv').fill('cat:q-bio.GN AND abs:"base editing"\n')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/)
    await page.getByText('Example papers:').waitFor()
    const { items: [made] } = await projectsList.run(owner.context, {})
    t.match(made, {
      name: 'Retinal base editing',
      interest_description: interest,
      positive_keywords: ['retina', 'base editing', 'inherited retinal disease', 'lipid nanoparticles', 'photoreceptors'],
      negative_keywords: ['zebrafish'],
      sources: [
        { name: 'arxiv', query: 'cat:q-bio.GN AND abs:"base editing"' },
        { name: 'pubmed', query: '' },
        { name: 'europepmc', query: '' }
      ]
    })

    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    t.equal(await page.locator('.progress-sources li').count(), 3)
    t.same(await accessibilityViolations(page), [])
    await page.locator('.row', { hasText: 'Base editing restores vision' }).waitFor()
    await page.getByText('First fetch complete: 1 paper added, 1 source failed').waitFor()
    t.match(await page.locator('.progress-sources li', { hasText: 'PubMed' }).textContent(), /Done.*2 found/)
    t.match(await page.locator('.progress-sources li', { hasText: 'Europe PMC' }).textContent(), /Failed.*did not respond/)
    const notAdded = 'Found papers that were not added are already in the feed, or are listed under Not in the feed'
    await page.locator('#progress', { hasText: notAdded }).waitFor({ state: 'attached' })
    const feed = page.url().split('?')[0]!
    t.match((await (await page.request.get(`${feed}/settings`)).text()).replace(/<[^>]+>|\n/g, ''), notAdded, 'as the settings do')
    await page.locator('#details h2', { hasText: 'Base editing restores vision' }).waitFor()
    t.ok(await page.evaluate(() => 'isSamePage' in globalThis), 'without a reload')
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('a sample is removed with one click', async t => {
    const { id } = await projectCreate.run(owner.context, { name: 'Sample', sources: [] })
    await projectMarkSample.run(owner.context, { project_id: id })
    await page.goto(`${address}/projects/${id}`)
    t.same(await accessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Remove sample' }).click()
    await page.getByText('Sample removed.').waitFor()
    t.strictSame((await projectsList.run(owner.context, {})).items.map(({ name }) => name), ['Retinal base editing'])
  })

  await t.test('without a source that answers never looks like one without new papers', async t => {
    await page.goto(`${address}/projects/new`)
    await page.getByLabel('Research interest').fill(interest)
    await page.getByLabel('Name').fill('Unanswered')
    for (const source of ['arXiv', 'PubMed']) await page.getByLabel(source, { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('No papers found, but some sources failed.').waitFor()
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByText('First fetch failed: all sources failed').waitFor()
    await page.getByText('No papers yet: all sources failed.').waitFor()
    t.match(await page.locator('#progress').textContent(), /Failed sources are retried automatically\./)
  })

  await t.test('is created with its keywords while others are being suggested', async t => {
    await page.goto(`${address}/projects/new`)
    await page.getByLabel('Research interest').fill(interest)
    await page.getByLabel('Name').fill('Suggesting')
    const fields = ['Keywords', 'Excluded keywords'].map(name => page.getByRole('textbox', { name, exact: true }))
    for (const [at, field] of fields.entries()) await field.fill(['retina', 'zebrafish'][at]!)
    let answer = () => {}
    const answering = new Promise<void>(resolve => { answer = resolve })
    await page.route(/projects\/new/, async route => {
      if (route.request().headers()['hx-request'] !== undefined) await answering
      // The browser has left the page.
      await route.continue().catch(() => {})
    })
    await page.getByRole('button', { name: 'Suggest keywords' }).click()
    for (const field of fields) await until(async () => await field.evaluate(({ readOnly }: HTMLTextAreaElement) => readOnly))
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/)
    answer()
    const { items } = await projectsList.run(owner.context, {})
    t.match(items.find(({ name }) => name === 'Suggesting'), { positive_keywords: ['retina'], negative_keywords: ['zebrafish'] })

    await page.goto(`${address}/projects/new`)
    await page.getByLabel('Research interest').fill(interest)
    await page.getByRole('button', { name: 'Suggest keywords' }).click()
    await page.getByText('3 added').waitFor()
    for (const field of fields) t.ok(await field.isEditable(), 'they take input again afterwards')
  })
})

const served: Publication[] = [...papers]
const pubmed = await pubmedStandIn(t, served)
const service = await testService(t, { PUBMED_URL: pubmed.url })

t.test('a project can be set up without scripts', async t => {
  const { post } = await formSession(service.app, await service.user())
  const fields = { interest_description: interest, name: 'Editing', keyword_sources: 'pubmed', feed_threshold: '20' }

  const suggested = await post('/projects/new', { ...fields, action: 'suggest' })
  t.equal(suggested.statusCode, 200)
  t.match(suggested.body, />base editing\ninherited retinal disease\nlipid nanoparticles<\/textarea>/)

  const examples = { positive_keywords: 'Adult Mice', examples: 'PMID 41000001', action: 'suggest' }
  const chips = await post('/projects/new', { ...fields, ...examples })
  const terms = [...chips.body.matchAll(/name="include" value="([^"]*)"/g)].map(([, term]) => term!.toLowerCase())
  t.ok(terms.includes('vision'), terms.join())
  for (const term of ['base editing', 'lipid nanoparticles', 'adult mice']) t.notOk(terms.includes(term), `${term} is a keyword already`)

  const previewed = await post('/projects/new', { ...fields, action: 'preview' })
  t.match(previewed.body, /would be added/)
  t.match(previewed.body, />Base editing restores vision in adult mice/)

  const learned = await post('/projects/new', { ...fields, examples: 'PMID 41000001\nA short title', action: 'preview' })
  t.match(learned.body, /Learned from 1 of 2 example papers\. “A short title”: /)
  t.match(learned.body, />PMID 41000001\nA short title<\/textarea>/)
  t.notMatch(previewed.body, /Learned from/)

  const nothing = await post('/projects/new', { ...fields, keyword_sources: '', action: 'preview' })
  t.equal(nothing.statusCode, 400)
  t.match(nothing.body, /Sources must be selected to preview the feed\./)

  const empty = await post('/projects/new', { ...fields, interest_description: ' ', action: 'create' })
  t.equal(empty.statusCode, 400)
  t.match(empty.body, /Research interest must say what the sources are searched for, unless you enter keywords\./)
  for (const searchable of [{ positive_keywords: 'base editing' }, { custom_queries_pubmed: 'editing[ti]' }, { keyword_sources: '' }]) {
    const answer = await post('/projects/new', { ...fields, interest_description: '', ...searchable, action: 'create' })
    t.equal(answer.statusCode, 303, Object.keys(searchable).join())
  }

  const made = await post('/projects/new', { ...fields, action: 'create' })
  t.equal(made.statusCode, 303)
  t.match(made.headers.location, /^\/projects\/[0-9a-f-]{36}$/)
})

t.test('a sample opens with its best papers and can be removed', async t => {
  const owner = await service.user()
  const { get, post } = await formSession(service.app, owner)
  const [sample, own] = await Promise.all(
    ['Sample', 'Own'].map(async name => (await projectCreate.run(owner.context, { name, sources: [] })).id)
  )
  await projectMarkSample.run(owner.context, { project_id: sample! })
  const stranger = await service.user()
  await t.rejects(projectMarkSample.run(stranger.context, { project_id: own! }), { code: 'project_not_found' })
  const { body } = await get(`/projects/${sample!}`)
  t.match(body, /Sample with invented papers/)
  t.notMatch(body, /<details class="ask"/, 'no second click')
  t.match(body, /Sort: <\/span>Best</)
  t.match(body, /sort=day/, 'with the other orders')
  t.notMatch((await get(`/projects/${own!}`)).body, /Sample with invented papers/)
  t.equal((await post(`/projects/${own!}`, { action: 'remove-sample' })).statusCode, 404)
  t.equal((await post(`/projects/${sample!}`, { action: 'remove-sample' })).headers.location, '/')
  t.strictSame((await projectsList.run(owner.context, {})).items.map(({ name }) => name), ['Own'])
})

t.test('text of a source is never interpreted as HTML', async t => {
  served.push({ title: 'Base editing <script>alert(1)</script>', abstract: 'Base editing.', date: days(1), pmid: '41000009' })
  const { post } = await formSession(service.app, await service.user())
  const { body } = await post('/projects/new', { action: 'preview', positive_keywords: 'base editing', keyword_sources: 'pubmed' })
  t.notMatch(body, /<script>alert/)
  t.match(body, /&lt;script/)
})

t.test('projects are listed in pages, there and back', async t => {
  const service = await testService(t)
  const user = await service.user()
  for (let at = 0; at < 51; at++) await projectCreate.run(user.context, { name: `Project ${at}`, sources: [] })
  const { get } = await formSession(service.app, user)
  t.match((await get('/')).body, /1 to 50 of 51.*href="\/\?offset=50" rel="next">Older projects/)
  t.match((await get('/?offset=50')).body, /href="\/" rel="prev">Newer projects<.*51 to 51 of 51/)
  const beyond = (await get('/?offset=100')).body
  t.match(beyond, 'This page is past the end.')
  t.notMatch(beyond, 'No projects yet')
})
