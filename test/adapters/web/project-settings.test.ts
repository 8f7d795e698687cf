import type { Dialog, Page, Request } from 'playwright-core'
import t from 'tap'
import { tasks } from '../../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../../src/adapters/jobs/worker.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { paperTuning } from '../../../src/operations/feed/paper-tuning.js'
import { feedbackClear } from '../../../src/operations/feed/feedback-clear.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { projectPaperGet } from '../../../src/operations/papers/project-paper-get.js'
import { projectDelete } from '../../../src/operations/projects/project-delete.js'
import { projectFetch } from '../../../src/operations/projects/project-fetch.js'
import { projectScore } from '../../../src/operations/projects/project-score.js'
import { projectThresholds } from '../../../src/operations/projects/project-thresholds.js'
import { projectUpdate } from '../../../src/operations/projects/project-update.js'
import { projectsGet } from '../../../src/operations/projects/projects-get.js'
import { projectsList } from '../../../src/operations/projects/projects-list.js'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { formSession } from '../../support/forms.js'
import { projectWith } from '../../support/service.js'
import type { Publication } from '../../support/stand-ins/papers.js'
import { pubmedStandIn } from '../../support/stand-ins/pubmed.js'
import { until } from '../../support/until.js'

const perWeekField = (page: Page) => page.getByLabel('Papers per week', { exact: true })
const days = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const papers: Publication[] = [
  {
    title: 'Base editing restores vision in adult mice',
    abstract: 'Base editors reached photoreceptors.',
    date: days(1),
    doi: '10.1000/vision.1',
    pmid: '41000001'
  },
  { title: 'Base editing of maize', abstract: 'Kernels were edited in the field.', date: days(2), doi: '10.1000/maize.1', pmid: '41000002' }
]

t.test('project settings', { skip: withoutBrowser }, async t => {
  const pubmed = await pubmedStandIn(t, papers)
  const { address, app, user, newPage, signedIn, complaints, context: serviceContext } = await visit(t, { PUBMED_URL: pubmed.url })
  const workers = startWorkers(serviceContext, tasks.filter(({ task }) => task === 'fetch-project'))
  t.teardown(async () => await workers.stop(0))
  const owner = await user()
  const { context } = owner
  const project_id = await projectWith(owner, [], {
    name: 'Editing',
    interest_description: 'Base editing of the retina',
    positive_keywords: ['base editing'],
    sources: [
      { name: 'pubmed', query: '' },
      { name: 'europepmc', query: '' }
    ]
  })
  await projectFetch.run(context, { project_id })
  /** The paper about maize, which a change of settings takes out of the feed and brings back. */
  const maizeInFeed = async () => {
    await projectScore.run(context, { project_id })
    const { items } = await feedGet.run(context, { project_id })
    return items.find(({ paper_title }) => paper_title.includes('maize'))
  }
  const page = await signedIn(owner)
  await page.goto(`${address}/projects/${project_id}/settings`)

  await t.test('have one gap between sections', async t => {
    const gaps = await page.locator('.guided > section').evaluateAll(sections =>
      sections.slice(1).map((each, at) => each.getBoundingClientRect().top - sections[at]!.getBoundingClientRect().bottom))
    t.ok(gaps.length > 1)
    t.ok(gaps.every(gap => Math.abs(gap) < 1), `which is their padding: ${gaps.join()}`)
  })

  await t.test('show source status', async t => {
    const rows = page.locator('#sources tbody tr')
    t.match(await rows.nth(0).textContent(), /PubMed.*keywords or interest.*OK/)
    t.match(await rows.nth(1).textContent(), /Europe PMC.*failed.*never/)
    t.match(await rows.nth(2).textContent(), /Europe PMC did not respond/)
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('preview a change before it is saved', async t => {
    await page.getByLabel('Excluded keywords').fill('maize')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('1 removed').waitFor()
    t.match(await page.locator('#preview').textContent(), /Base editing of maize/)
    t.same(await accessibilityViolations(page), [])
    t.same((await projectsGet.run(context, { project_id })).negative_keywords, [], 'nothing is saved yet')
  })

  await t.test('say what a threshold adds, and preview while the form changes', async t => {
    await page.goto(`${address}/projects/${project_id}/settings`)
    t.match(await page.locator('#threshold-result').textContent(), /^About \S+ papers? a week$/)
    await page.getByRole('slider').fill('100')
    t.equal(await page.getByLabel('Minimum score', { exact: true }).inputValue(), '100')
    t.equal(await page.locator('#threshold-result').textContent(), 'About 0 papers a week')
    await page.locator('#preview').getByText(/[1-9] removed/).waitFor()
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('Minimum score', { exact: true }).fill('0')
    t.not(await page.locator('#threshold-result').textContent(), 'About 0 papers a week')
    await page.locator('.threshold').evaluate(({ dataset }: HTMLElement) => {
      dataset.weeks = String(dataset.threshold!.split(' ').reduce((sum, each) => sum + Number(each), 0))
    })
    await page.getByLabel('Minimum score', { exact: true }).fill('00')
    t.equal(await page.locator('#threshold-result').textContent(), 'About 1 paper a week')
    t.equal(await page.getByRole('slider').getAttribute('aria-valuetext'), '0, about 1 paper a week')
    const problem = page.locator('#must-read-problem')
    t.notOk(await problem.isVisible())
    await page.getByLabel('Must-read score').fill('40')
    await page.getByRole('slider').fill('40')
    t.ok(await problem.isVisible(), 'before it is saved')
    t.match(await page.locator('#must_read_threshold-hint').textContent(), 'marked must-read. Every fetched paper')
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('Must-read score').fill('41')
    t.notOk(await problem.isVisible())
    await page.getByLabel('Minimum score', { exact: true }).fill('0')
    t.match(await page.locator('.threshold').textContent(), /at this score, based on the last 30 days \(2 papers\)/)
    await page.goto(`${address}/projects/${project_id}/settings`)
    await page.getByLabel('Excluded keywords').fill('maize')
  })

  await t.test('add all papers from a score, or the best of each week, and keep the value of the other', async t => {
    const limit = async () => (await projectThresholds.run(context, { project_id })).weekly_limit
    const perWeek = perWeekField(page)
    await page.goto(`${address}/projects/${project_id}/settings`)
    t.ok(await page.getByLabel('All above the minimum score').isChecked())
    t.notOk(await perWeek.isVisible())
    await page.getByLabel('Best of each week').check()
    await perWeek.fill('7')
    t.same(await accessibilityViolations(page), [])
    await page.getByLabel('All above the minimum score').check()
    await page.getByLabel('Best of each week').check()
    t.equal(await perWeek.inputValue(), '7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The feed will be rescored').waitFor()
    t.equal(await limit(), 7)
    t.equal(await perWeek.inputValue(), '7')
    t.equal(await page.getByLabel('Minimum score', { exact: true }).inputValue(), '10')
    await page.getByLabel('All above the minimum score').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('#preview').getByText(/removed/).first().waitFor()
    t.equal(await perWeek.inputValue(), '7', 'also after a preview')
    // The message of the former change is still there.
    const saved = page.waitForEvent('framenavigated')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved
    t.equal(await limit(), 0)
  })

  await t.test('ask before another form of the page discards what was entered', async t => {
    await page.goto(`${address}/projects/${project_id}/settings`)
    await page.getByLabel('Name', { exact: true }).fill('Entered')
    const asked: string[] = []
    const stay = async (dialog: Dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    }
    page.on('dialog', stay)
    await page.getByRole('button', { name: 'Pause project' }).click()
    await until(async () => asked.length > 0)
    page.off('dialog', stay)
    t.strictSame(asked, ['beforeunload'])
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Entered')
    await page.getByLabel('Best of each week').check()
    await perWeekField(page).fill('0')
    await page.getByLabel('All above the minimum score').check()
    t.ok(await perWeekField(page).isVisible(), 'the browser does not send it, and shows the reason')
    await page.goto(`${address}/projects/${project_id}/settings`)
    await page.getByLabel('Excluded keywords').fill('maize')
  })

  await t.test('are sent once, and not without a connection', async t => {
    const sent = await projectWith(owner, [], { name: 'Sent' })
    await page.goto(`${address}/projects/${sent}/settings`)
    const name = page.getByLabel('Name', { exact: true })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const previewed = page.waitForResponse(response => response.request().method() === 'POST')
    await name.fill('Sent later')
    await (await previewed).finished()
    await page.context().setOffline(true)
    await save.click()
    await page.getByText('You are offline. Nothing was sent').waitFor()
    t.equal(await name.inputValue(), 'Sent later', 'no error page takes the place of the form')
    await page.context().setOffline(false)
    await page.route('**/readyz', async route => await route.abort('connectionrefused'))
    await save.click()
    await page.getByText('The service does not answer. Nothing was sent').waitFor()
    t.equal(await name.inputValue(), 'Sent later', 'neither while the browser does not know that the service is down')
    await page.unroute('**/readyz')
    let posts = 0
    const count = (request: Request) => { if (request.method() === 'POST') posts++ }
    page.on('request', count)
    await save.dblclick()
    await page.locator('.notice.good').waitFor()
    page.off('request', count)
    complaints.splice(0, Infinity, ...complaints.filter(each => !/net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED)/.test(each)))
    t.equal(posts, 1)
    t.equal((await projectsGet.run(context, { project_id: sent })).name, 'Sent later')
    await projectDelete.run(context, { project_id: sent })
    await page.goto(`${address}/projects/${project_id}/settings`)
    await page.getByLabel('Excluded keywords').fill('maize')
  })

  await t.test('are tuned from a paper, and the change can be taken back', async t => {
    const excluded = (await maizeInFeed())!
    const tuned = await signedIn(owner)
    await tuned.goto(`${address}/projects/${project_id}?item=${excluded.short_id}`)
    await tuned.locator('#details').getByRole('link', { name: 'Tune' }).click()
    await tuned.getByRole('heading', { name: 'Tune the feed' }).waitFor()
    t.same(await accessibilityViolations(tuned), [])
    const settings = async () => await projectsGet.run(context, { project_id })
    const exclude = tuned.getByRole('region', { name: 'Exclude a word' })
    await exclude.getByRole('radio', { name: 'maize', exact: true }).check()
    const previewed = tuned.getByText('Excluding “maize”')
    await previewed.waitFor()
    // The choice was previewed already. The button does so again, and replaces the form.
    const former = await tuned.locator('#preview-exclude').elementHandle()
    await exclude.getByRole('button', { name: 'Preview' }).click()
    await former!.waitForElementState('hidden')
    await previewed.waitFor()
    t.match(await exclude.textContent(), /1 removed/)
    t.same((await settings()).negative_keywords, [], 'a preview saves nothing')
    await exclude.getByRole('button', { name: 'Exclude' }).click()
    await tuned.getByText('“maize” is excluded').waitFor()
    t.same((await settings()).negative_keywords, ['maize'])
    t.equal(await maizeInFeed(), undefined, 'the paper leaves the feed')
    await tuned.goto(`${address}/projects/${project_id}/tune?item=${excluded.id}&done=exclude&value=maize`)
    await tuned.getByText('“maize” is excluded').waitFor()
    await tuned.getByText('The paper is no longer in the feed. If you undo').waitFor()
    t.same(await accessibilityViolations(tuned), [])
    await tuned.getByRole('button', { name: 'Undo' }).click()
    await tuned.getByText('Undone').waitFor()
    t.same((await settings()).negative_keywords, [])

    const maize = (await maizeInFeed())!
    await tuned.goto(`${address}/projects/${project_id}/tune?item=${maize.short_id}`)
    const include = tuned.getByRole('region', { name: 'Add a keyword' })
    await include.getByRole('radio', { name: 'maize', exact: true }).check()
    await include.getByRole('button', { name: 'Add' }).click()
    await tuned.getByText('“maize” was added to the keywords').waitFor()
    await tuned.getByRole('button', { name: 'Undo' }).first().click()
    await tuned.getByText('Undone').waitFor()

    const { sources } = await settings()
    const follow = tuned.getByRole('region', { name: 'Follow an author, the journal or an institution' })
    await follow.getByRole('radio', { name: 'PubMed' }).first().check()
    await follow.getByRole('button', { name: 'Preview' }).click()
    await follow.getByText('No papers found').waitFor()
    await follow.getByRole('button', { name: 'Follow' }).click()
    await tuned.getByText('PubMed is searched for').waitFor()
    const followed = (await settings()).sources
    const { item_id, authors, journal } = await paperTuning.run(context, { ref: maize.id })
    const offered = [...authors, ...(journal === null ? [] : [journal])].flatMap(({ queries }) => queries)
    t.notOk(offered.some(({ query }) => query === followed.at(-1)!.query), 'existing queries are not offered')
    const session = await formSession(app, owner)
    const refused = await session.post(`/projects/${project_id}/tune?item=${item_id}`, {
      action: 'preview', item: item_id, kind: 'exclude', word: 'x'.repeat(300)
    })
    t.match(refused.body, /id="preview-exclude"[^>]*><div class="notice bad" data-refusal/, 'in the part that scripts replace')
    t.equal(refused.body.split('data-refusal').length, 2, 'and nowhere else')
    const { name, query } = followed.at(-1)!
    const again = await session.post(`/projects/${project_id}/tune?item=${item_id}`, { action: 'follow', item: item_id, follow: `${name} ${query}` })
    t.notMatch(again.headers.location, /done/, 'nor can following it again be taken back')
    t.match((await session.get(again.headers.location as string)).body, /Already followed/)
    t.same((await settings()).sources, followed)
    t.match((await settings()).sources.at(-1), { name: 'pubmed', query: /\[(Author|Journal)\]$/ })
    await tuned.getByRole('button', { name: 'Undo' }).first().click()
    await tuned.getByText('Undone').waitFor()
    t.same((await settings()).sources, sources)
    await tuned.close()
  })

  await t.test('are tuned over the list by keyboard, with the preview in place', async t => {
    const excluded = (await maizeInFeed())!
    const tuned = await signedIn(owner)
    const open = async ({ id, short_id }: { id: string, short_id: string }) => {
      await tuned.goto(`${address}/projects/${project_id}?item=${short_id}`)
      await tuned.locator(`.details[data-item="${id}"] .vote`).waitFor()
      await tuned.keyboard.press('T')
    }
    await open(excluded)
    const dialog = tuned.getByRole('dialog', { name: 'Tune the feed' })
    const exclude = dialog.getByRole('region', { name: 'Exclude a word' })
    await exclude.getByRole('radio', { name: 'maize', exact: true }).check()
    await dialog.getByText('Excluding “maize”').waitFor()
    t.match(await exclude.textContent(), /1 removed/)
    t.same(await accessibilityViolations(tuned), [])
    await tuned.route('**/tune?*', async route => await route.abort('connectionrefused'))
    await exclude.getByRole('button', { name: 'Exclude' }).click()
    await dialog.getByRole('alert').getByText('There was no answer.').waitFor()
    await tuned.unroute('**/tune?*')
    const expected = /net::ERR_CONNECTION_REFUSED|^htmx:(?:sendError|afterRequest)/
    complaints.splice(0, Infinity, ...complaints.filter(each => !expected.test(each)))
    await exclude.getByRole('button', { name: 'Exclude' }).click()
    await dialog.getByText('“maize” is excluded').waitFor()
    t.equal(await dialog.getByText('There was no answer.').count(), 0)
    t.same((await projectsGet.run(context, { project_id })).negative_keywords, ['maize'])
    t.equal(await maizeInFeed(), undefined, 'the paper leaves the feed')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('Undone.').waitFor()
    await dialog.getByText('The paper is no longer in the feed. It returns').waitFor()
    t.same((await projectsGet.run(context, { project_id })).negative_keywords, [])

    const { id, short_id } = (await maizeInFeed())!
    await open({ id, short_id })
    const like = dialog.getByRole('region', { name: 'More or less like this' })
    await like.getByRole('radio', { name: 'More like this (upvote)', exact: true }).check()
    await like.getByText(/^Of the newest 1 paper besides it/).waitFor()
    await like.getByRole('button', { name: 'Preview' }).click()
    await until(async () => await like.evaluate(part => part.querySelector('.tune-preview') === document.activeElement))
    t.ok(await like.locator('.tune-preview').evaluate(part => part.getBoundingClientRect().top < innerHeight), 'the preview is in sight')
    await like.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('Your vote: upvoted').waitFor()
    await tuned.keyboard.press('Escape')
    t.notOk(await dialog.isVisible())
    t.notMatch(await tuned.title(), 'Tune', 'the window keeps its name')
    t.equal(await tuned.locator(`[data-rows] .row[data-item="${id}"]`).getAttribute('data-vote'), 'upvote', 'the list shows the vote')
    t.match(tuned.url(), /\/projects\/[^/]+\?item=/, 'the address stays')
    await tuned.keyboard.press('c')
    await until(async () => (await projectPaperGet.run(context, { ref: id })).feedback === null)
    await tuned.keyboard.press('o')
    await tuned.waitForURL('**/papers/**')
    await tuned.keyboard.press('T')
    await dialog.getByRole('heading', { name: 'Tune the feed' }).waitFor()
    t.same(await accessibilityViolations(tuned), [])
    await projectUpdate.run(context, { project_id, negative_keywords: ['maize'] })
    t.equal(await maizeInFeed(), undefined)
    await exclude.getByRole('radio', { name: 'editing', exact: true }).check()
    // The choice is previewed, and the failure moves what is below it.
    await dialog.getByRole('alert').getByText('This paper doesn’t exist or isn’t in your feeds.').waitFor()
    await exclude.getByRole('button', { name: 'Exclude' }).click()
    // The message takes the place of the forms.
    await dialog.locator('.tune-body > .lead', { hasText: 'This paper doesn’t exist or isn’t in your feeds.' }).waitFor()
    await projectUpdate.run(context, { project_id, negative_keywords: [] })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await tuned.context().close()
  })

  await t.test('learn from a vote after its preview, and undo restores the former vote with its reason', async t => {
    const { id, short_id } = (await maizeInFeed())!
    const vote = async () => (await projectPaperGet.run(context, { ref: id })).feedback
    await feedbackSet.run(context, { paper_id: id, vote: 'downvote', downvote_reason: 'low_quality' })
    const tuned = await signedIn(owner)
    await tuned.goto(`${address}/projects/${project_id}/tune?item=${short_id}`)
    const like = tuned.getByRole('region', { name: 'More or less like this' })
    t.ok(await like.getByRole('radio', { name: 'low quality' }).isChecked())
    await like.getByRole('radio', { name: 'More like this (upvote)', exact: true }).check()
    await like.getByRole('button', { name: 'Preview' }).click()
    await like.getByText(/^Of the newest 1 paper besides it/).waitFor()
    t.match(await vote(), { vote: 'downvote' }, 'a preview saves nothing')
    t.same(await accessibilityViolations(tuned), [])
    await like.getByRole('button', { name: 'Apply' }).click()
    await tuned.getByText('Your vote: upvoted').waitFor()
    t.match(await vote(), { vote: 'upvote', downvote_reason: null })
    await like.getByRole('button', { name: 'Apply' }).click()
    await tuned.getByText('You already voted this way').waitFor()
    await tuned.goBack()
    await tuned.getByRole('button', { name: 'Undo' }).first().click()
    await tuned.getByText('Undone').waitFor()
    t.match(await vote(), { vote: 'downvote', downvote_reason: 'low_quality' })

    const session = await formSession(app, owner)
    const send = async (fields: Record<string, string>) => {
      const { headers } = await session.post(`/projects/${project_id}/tune?item=${id}`, { item: id, ...fields })
      return headers.location as string
    }
    await feedbackClear.run(context, { paper_id: id })
    const done = new URL(await send({ action: 'vote', vote: 'not_relevant' }), address).searchParams
    t.match(await vote(), { vote: 'downvote', downvote_reason: 'not_relevant' })
    const undo = { action: 'undo_vote', value: done.get('value')!, former: done.get('former')! }
    await send(undo)
    t.equal(await vote(), null, 'undo removes a first vote')
    await feedbackSet.run(context, { paper_id: id, vote: 'star' })
    t.match((await session.get(await send(undo))).body, /Could not undo: the vote has changed/)
    t.match(await vote(), { vote: 'star' })
    await feedbackClear.run(context, { paper_id: id })
    await tuned.close()
  })

  await t.test('are saved', async t => {
    await page.getByLabel('Name', { exact: true }).fill('Editing of eyes')
    await page.getByLabel('Must-read score').fill('80')
    await page.getByLabel('Europe PMC', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('The feed will be rescored').waitFor()
    t.match(await projectsGet.run(context, { project_id }), {
      name: 'Editing of eyes',
      negative_keywords: ['maize'],
      must_read_threshold: 0.8,
      feed_threshold: 0.1,
      sources: [{ name: 'pubmed', query: '' }]
    })
    t.equal(await page.getByLabel('Must-read score').inputValue(), '80')
  })

  await t.test('reject an invalid custom query and keep the entry', async t => {
    await page.locator('summary', { hasText: 'Custom query for PubMed' }).click()
    await page.getByLabel('Custom queries for PubMed').fill('("base editing"')
    await page.getByRole('button', { name: 'Save' }).click()
    t.match(await page.getByRole('alert').textContent(), /parenthesis/)
    t.equal(await page.getByLabel('Custom queries for PubMed').inputValue(), '("base editing"')
    await page.goto(`${address}/projects/${project_id}/settings`)
  })

  await t.test('give the Atom address', async t => {
    const url = await page.getByLabel('the address of the Atom feed', { exact: true }).inputValue()
    t.equal((await fetch(url)).status, 200)
  })

  await t.test('share the feed with a link until it is revoked', async t => {
    await page.goto(`${address}/projects/${project_id}/settings`)
    await page.getByRole('link', { name: 'Share links' }).click()
    await page.getByLabel('Title').fill('Reading group')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('it is shown only once').waitFor()
    t.same(await accessibilityViolations(page), [])
    const link = await page.getByLabel('the address of the page', { exact: true }).inputValue()
    const reader = await newPage()
    await reader.goto(link)
    await reader.getByRole('heading', { name: 'Reading group' }).waitFor()
    t.match(await reader.locator('main').textContent(), /Base editing restores vision/)
    t.same(await accessibilityViolations(reader), [])
    await page.locator('summary', { hasText: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke Reading group' }).click()
    await page.getByText('Link revoked.').waitFor()
    t.equal((await reader.goto(link))!.status(), 404)
    await reader.getByText('This link does not work.').waitFor()
    await page.goto(`${address}/projects/${project_id}/settings`)
  })

  await t.test('pause, resume and check sources now', async t => {
    await page.getByRole('button', { name: 'Pause project' }).click()
    await page.getByText('Project paused').waitFor()
    t.equal((await projectsGet.run(context, { project_id })).matching_state, 'paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause project' }).waitFor()
    await page.getByRole('button', { name: 'Fetch now' }).click()
    await page.locator('#sources').getByText(/^Fetch(ing from the sources|ed \d+ papers)/).waitFor()
    t.same(await accessibilityViolations(page), [])
  })

  await t.test('delete the project only after its name is typed', async t => {
    const name = page.getByLabel('Project name')
    await name.fill('Editing')
    await page.getByRole('button', { name: 'Delete project' }).click()
    t.match(await page.getByRole('alert').textContent(), /does not match/)
    await name.fill('Editing of eyes')
    await page.getByRole('button', { name: 'Delete project' }).click()
    await page.waitForURL(`${address}/`)
    t.equal((await projectsList.run(context, {})).total, 0)
  })
})
