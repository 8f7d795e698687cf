import t from 'tap'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { precedenceOf, registerSources } from '../src/papers/source-traits.js'
import { sources } from '../src/sources/index.js'
import { testDatabase } from './support/database.js'
import { extendedInstallation, madeUpStandIn } from './support/extended-installation.js'

t.test('a source, file format, citation format, tool, page and setting added by tables', async t => {
  const root = await extendedInstallation(t)
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  const supportOf = async <T>(name: string) => await import(join(root, 'dist/test/support', name)) as T
  const titles = ['Sleep that nobody slept', 'Memory that nobody has']
  const environment = { MADE_UP_URL: await madeUpStandIn(t, titles), MADE_UP_KEY: 'a key of nobody', MADE_UP_LIMIT: '7' }

  await t.test('are in the settings reference, the sources reference and .env.example', async t => {
    await promisify(execFile)(process.execPath, [join(root, 'dist/docs/generate.js')])
    t.match(text('docs/self-hosting.md'), '| `MADE_UP_URL` | `https://api.made-up.example` | Address of Made Up. |')
    t.match(text('docs/self-hosting.md'), '| `MADE_UP_KEY`, `MADE_UP_KEY_FILE` |  | Your key of Made Up. |')
    t.match(text('docs/self-hosting.md'), '| `MADE_UP_LIMIT` | `4` | Made-up things at once. |')
    t.match(text('docs/api.md'), "| `feed_count` |  | `read` | Returns the number of papers in a project's feed. |")
    t.match(text('docs/feeds.md'), '| Nobody | `nobody` | `.nobody` |')
    t.match(text('docs/feeds.md'), '| `made_up` | Made Up | Any word. |')
    t.match(text('.env.example'), '# Address of Made Up.\nMADE_UP_URL=https://api.made-up.example\n')
    t.match(text('.env.example'), '# Your key of Made Up. Or MADE_UP_KEY_FILE.\n#MADE_UP_KEY=\n')
    t.match(text('.env.example'), '# Made-up things at once.\nMADE_UP_LIMIT=4\n')
  })

  await t.test('are checked by doctor', async t => {
    const { databaseUrl, dataDir } = await testDatabase(t)
    const { run } = (await supportOf<typeof import('./support/command-line.js')>('command-line.js')).commandLine(dataDir, databaseUrl)
    const { checks } = JSON.parse((await run(['doctor', '--json'], environment)).stdout) as { checks: Array<{ name: string }> }
    t.match(
      checks.find(({ name }) => name === 'source Made Up'),
      { ok: true, detail: /^127\.0\.0\.1:\d+ responds with 2 records on the first page$/ }
    )
    const { code, stderr } = await run(['doctor'], { MADE_UP_URL: 'nowhere', MADE_UP_LIMIT: '10' })
    t.equal(code, 2)
    t.match(
      stderr,
      /MADE_UP_LIMIT is "10"; allowed: a whole number from 1 to 9\.\n.*MADE_UP_URL is "nowhere"; allowed: an http or https address/
    )
  })

  await t.test("are a tool, a REST route and a page for the account's own projects", async t => {
    const [{ testService }, { call, callTool }, { formSession }] = await Promise.all([
      supportOf<typeof import('./support/service.js')>('service.js'),
      supportOf<typeof import('./support/mcp.js')>('mcp.js'),
      supportOf<typeof import('./support/forms.js')>('forms.js')
    ])
    const service = await testService(t, environment)
    const [user, stranger] = [await service.user(), await service.user()]
    const browser = await formSession(service.app, user)
    await browser.post('/projects/new', { action: 'create', name: 'Sleep', positive_keywords: 'sleep' })
    const [{ id: project_id }] = (await callTool(service, user.key, 'projects_list')).structuredContent.items
    const route = async ({ key }: { key: string }) =>
      await service.app.inject({ url: `/api/projects/${project_id}/count`, headers: { 'x-api-key': key } })

    const { tools } = (await call(service, user.key, 'tools/list', {}, '?tools=all')).result
    t.match(tools.find(({ name }: { name: string }) => name === 'feed_count'), {
      title: 'Count the papers of a feed',
      inputSchema: { required: ['project_id'] },
      annotations: { readOnlyHint: true }
    })
    const counted = { project_id, papers: 0 }
    t.strictSame((await callTool(service, user.key, 'feed_count', { project_id })).structuredContent, counted)
    t.strictSame((await route(user)).json(), counted)
    t.match((await browser.get(`/projects/${project_id}/count`)).body, 'Papers counted: 0')

    t.match((await callTool(service, stranger.key, 'feed_count', { project_id })).content[0].text, /^project_not_found: /)
    t.match((await route(stranger)).json(), { code: 'project_not_found' })
    t.equal((await (await formSession(service.app, stranger)).get(`/projects/${project_id}/count`)).statusCode, 404)
    t.match(await (await formSession(service.app)).get(`/projects/${project_id}/count`), { statusCode: 303, headers: { location: /^\/login/ } })
    t.equal((await route({ key: 'svcmcp_none_at_all' })).statusCode, 401)
    t.equal((await callTool(service, user.key, 'feed_count', {})).isError, true)
  })

  await t.test('are read by imports, and named where a person chooses a file', async t => {
    const [{ testService }, { formSession }, { sendLibrary, runNextImport }] = await Promise.all([
      supportOf<typeof import('./support/service.js')>('service.js'),
      supportOf<typeof import('./support/forms.js')>('forms.js'),
      supportOf<typeof import('./support/library-imports.js')>('library-imports.js')
    ])
    const service = await testService(t, environment)
    const user = await service.user()
    const browser = await formSession(service.app, user)
    await browser.post('/projects/new', { action: 'create', name: 'Nobody', positive_keywords: 'nobody' })
    const route = async (url: string) =>
      (await service.app.inject({ url, headers: { authorization: `Bearer ${user.key}` } })).json().items
    const [{ id }] = await route('/api/projects')
    await sendLibrary(user, id, `NOBODY\n${titles.join('\n')}\n`, { name: 'library.nobody' })
    t.match(await runNextImport(service), { read: 2, created: 2, rejected: { length: 0 } })
    const feed = await route(`/api/projects/${id}/feed`)
    t.strictSame(feed.map(({ paper_title }: { paper_title: string }) => paper_title).sort(), [...titles].sort())
    const page = (await browser.get(`/projects/${id}/import`)).body
    t.match(page, /accept="[^"]*\.nobody[,"]/)
    t.match(page, /RIS, [^<]*Nobody, [^<]*BibTeX/)
    await t.rejects(sendLibrary(user, id, 'neither fish nor fowl'), { message: /unknown format\. Formats: .*nobody, / })
  })

  await t.test('offer queries for what a project follows, and title notices', async t => {
    const operationOf = async <T>(path: string) => await import(join(root, 'dist/src/operations', path)) as T
    const [{ testService, projectWith }, { noticesCheck }, { feedbackSet }] = await Promise.all([
      supportOf<typeof import('./support/service.js')>('service.js'),
      operationOf<typeof import('../src/operations/papers/notices-check.js')>('papers/notices-check.js'),
      operationOf<typeof import('../src/operations/feed/feedback-set.js')>('feed/feedback-set.js')
    ])
    const service = await testService(t, environment)
    const user = await service.user()
    const authors = [{ name: 'Müller, Ada', orcid: '0000-0002-1825-0097' }, { name: 'Lee, Min' }]
    const project_id = await projectWith(user, [{ title: titles[0]!, doi: '10.1000/a', authors, venue_name: 'Sleep' }])
    const route = async (url: string) =>
      (await service.app.inject({ url, headers: { authorization: `Bearer ${user.key}` } })).json()
    const [{ id: ref }] = (await route(`/api/projects/${project_id}/feed`)).items
    const tuning = await route(`/api/project-papers/${ref}/tuning`)
    const queryOf = ({ queries }: { queries: Array<{ title: string, query: string }> }) =>
      queries.find(({ title }) => title === 'Made Up')?.query
    t.strictSame([...tuning.authors, tuning.journal].map(queryOf), ['person 0000-0002-1825-0097', 'by Lee M', 'in Sleep'])

    await feedbackSet.run(user.context, { paper_id: ref, vote: 'upvote' })
    await noticesCheck.run(service.context, {})
    const { paper } = await route(`/api/project-papers/${ref}`)
    t.match(paper.metadata.notices, [
      { kind: 'retraction', label: 'Reported as retracted by Made Up', confirmed: false },
      { kind: 'correction', label: 'Corrected', confirmed: true, sources: ['made_up'] }
    ])
    const { formSession } = await supportOf<typeof import('./support/forms.js')>('forms.js')
    const page = (await (await formSession(service.app, user)).get(`/papers/${ref}`)).body.replace(/<[^>]*>/g, '')
    t.match(page, 'Corrected (Made Up)')
  })

  await t.test('are in the schema of projects and on the dashboard', async t => {
    const [{ testService }, { formSession }] = await Promise.all([
      supportOf<typeof import('./support/service.js')>('service.js'),
      supportOf<typeof import('./support/forms.js')>('forms.js')
    ])
    const service = await testService(t, environment)
    const user = await service.user()
    const openapi = (await service.app.inject('/api/openapi.json')).json()
    t.match(
      openapi.paths['/api/projects'].post.requestBody.content['application/json'].schema.properties.sources.items.properties.name
        .description,
      / crossref, made_up or feed\.$/
    )

    const browser = await formSession(service.app, user)
    await browser.post('/projects/new', { action: 'create', name: 'Nobody', positive_keywords: 'nobody', keyword_sources: 'made_up' })
    const [project] = (await service.app.inject({ url: '/api/projects', headers: { authorization: `Bearer ${user.key}` } })).json().items
    t.match(project.sources, [{ name: 'made_up', query: '' }])
    t.match((await browser.get(`/projects/${project.id}/settings`)).body, /Made Up[^]*Papers that nobody wrote\./)

    const operation = openapi.paths['/api/project-papers/{ref}/citation'].get
    t.match(operation.parameters.find(({ name }: { name: string }) => name === 'format').schema, {
      enum: ['bibtex', 'ris', 'csl', 'titles', 'text'],
      default: 'bibtex'
    })
    t.ok('text/x-titles' in operation.responses['200'].content)
    t.match((await browser.get(`/projects/${project.id}`)).body, /<a href="[^"]*format=titles">Titles<\/a>/)
    const exported = await browser.get(`/projects/${project.id}/export?format=titles`)
    t.equal(exported.headers['content-type'], 'text/x-titles; charset=utf-8')

    const page = (await browser.get('/administration/service')).body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    t.match(page, 'Made Up key MADE_UP_KEY on')
    t.match(page, 'Made-up limit 7 at once MADE_UP_LIMIT on')
    t.notMatch(page, environment.MADE_UP_KEY)
  })
})

t.test('sources rank as stated in merges, and files above journal feeds', async t => {
  registerSources(sources)
  for (const { name, precedence } of sources) t.equal(precedenceOf(name), precedence, name)
  t.ok(precedenceOf('ris') > precedenceOf('feed'))
})
