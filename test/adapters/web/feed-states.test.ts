import t from 'tap'
import { sql } from 'kysely'
import { hourMs } from '../../../schemas/durations.js'
import { addCandidates } from '../../../db/queries/candidates.js'
import { disableSource, enableSource } from '../../../db/queries/disabled-sources.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { projectCreate } from '../../../src/operations/projects/project-create.js'
import { projectUpdate } from '../../../src/operations/projects/project-update.js'
import { shareLinkCreate } from '../../../src/operations/sharing/share-link-create.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'

t.test('states of lists and papers', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { get, post } = await formSession(service.app, user)

  await t.test('an empty filter says nothing about the first fetch', async t => {
    const sources = [{ name: 'arxiv' as const, query: '' }]
    const { id } = await projectCreate.run(user.context, { name: 'New', interest_description: 'Sleep', sources })
    t.match((await get(`/projects/${id}`)).body, /class="fetch-progress"/)
    for (const part of ['filter=starred', 'link=followed', 'q=spindles']) {
      const { body } = await get(`/projects/${id}?${part}`)
      t.match(body, /No papers match this filter|Nothing in this feed matches/, part)
      t.notMatch(body, /class="fetch-progress"/, part)
    }
  })

  await t.test('a feed says that its project is paused, and which sources fail or are disabled', async t => {
    const sources = (['arxiv', 'pubmed', 'crossref'] as const).map(name => ({ name, query: '' }))
    const { id } = await projectCreate.run(user.context, { name: 'Interrupted', interest_description: 'Sleep', sources })
    const settings = `/projects/${id}/settings`
    const stated = async () => {
      const { body } = await get(`/projects/${id}`)
      const [, line = ''] = /<p class="interruptions">(.*?)<\/p>/.exec(body) ?? []
      const [, empty] = /<div class="empty">(.*?)<\/div>/.exec(body)!
      return { line: [...line.matchAll(/<a href="([^"]+)">([^<]+)/g)].map(([, href, text]) => `${text} ${href}`), empty }
    }
    t.match(await stated(), { line: { length: 0 }, empty: 'They appear after the first fetch' })
    await projectUpdate.run(user.context, { project_id: id, matching_state: 'paused' })
    t.match(await stated(), { line: [`Paused ${settings}#pausing`], empty: 'the project was paused before its first fetch ended' })

    await disableSource(service.context.db, 'crossref', new Date())
    await sql`update source_state set failures = 2, last_error = 'No answer' where project_id = ${id} and name = 'pubmed'`
      .execute(service.context.db)
    const others = [`1 source failed ${settings}#sources`, `1 source disabled ${settings}#sources`]
    t.strictSame((await stated()).line, [`Paused ${settings}#pausing`, ...others])
    await projectUpdate.run(user.context, { project_id: id, matching_state: 'active' })
    t.strictSame((await stated()).line, others.slice(1), 'the first fetch states failures itself')
    await sql`update project set created_at = now() - interval '1 day' where id = ${id}`.execute(service.context.db)
    await sql`update source_state set last_fetched_at = now() where project_id = ${id} and name = 'arxiv'`.execute(service.context.db)
    t.strictSame((await stated()).line, others)
    await projectUpdate.run(user.context, { project_id: id, sources: sources.slice(2) })
    t.match((await stated()).empty, 'an administrator of this service disabled all sources')
    await enableSource(service.context.db, 'crossref')
  })

  await t.test('the first page of a list that its reader left hours ago has what is new', async t => {
    const project_id = await projectWith(user, [{ title: 'New' }, { title: 'Newer' }])
    const hoursAgo = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * hourMs).toISOString())
    for (const base of [`/projects/${project_id}`, '/feed']) {
      for (const filter of ['filter=unrated', 'seen=false']) {
        const rowsOf = async (rest: string) => (await get(`${base}?${filter}&${rest}`)).body.match(/<li id="row-/g)?.length ?? 0
        t.equal(await rowsOf(`as_of=${hoursAgo(1)}`), 0, 'a list stays as it was while it is read')
        t.equal(await rowsOf(`as_of=${hoursAgo(20)}`), 2, `${base}?${filter}`)
        t.equal(await rowsOf(`as_of=${hoursAgo(20)}&offset=1`), 0, 'further pages go on with their first one')
      }
    }
  })

  await t.test('a paper states its date as its source did, and pages as such', async t => {
    const other = await projectWith(user, [], { name: 'Other', sources: [] })
    const project_id = await projectWith(user, [
      { title: 'Of a day', published_date: '2026-11-01', venue_name: 'Neuron', metadata: { published: '2026-11-01', pages: '287-314' } },
      {
        title: 'Of a month',
        published_date: '2026-11-01',
        venue_name: 'Neuron',
        metadata: { published: '2026 Nov', volume: '3', pages: '7-9' }
      }
    ])
    const { items } = await feedGet.run(user.context, { project_id })
    const imprintOf = async (title: string) => {
      const { body } = await get(`/papers/${items.find(({ paper }) => paper.title === title)!.paper.id}`)
      return /class="imprint">(.+?)<\/p>/.exec(body)?.[1]?.replace(/<[^>]+>/g, '')
    }
    t.equal(await imprintOf('Of a day'), 'Neuron, pp. 287-314 · 1 Nov 2026')
    t.equal(await imprintOf('Of a month'), 'Neuron 3:7-9 · Nov 2026')

    const { url } = await shareLinkCreate.run(user.context, { project_id })
    await addCandidates(user.context.db, items.map(({ paper }) =>
      ({ project_id: other, paper_id: paper.id, relevance_score: 0.05, found_at: new Date() })))
    for (const list of [`/projects/${project_id}`, '/feed', new URL(url).pathname + new URL(url).search, `/projects/${other}/candidates`]) {
      const text = (await get(list)).body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
      t.match(text, /Of a day [^.]*?Neuron · 1 Nov 2026/, list)
      t.match(text, /Of a month [^.]*?Neuron · Nov 2026/, list)
    }
  })

  await t.test('without scripts, votes and marks on the page of a paper return to it, with its list', async t => {
    const project_id = await projectWith(user, [{ title: 'Sleep & memory' }], { name: 'Back' })
    const [item] = (await feedGet.run(user.context, { project_id })).items
    const url = `/papers/${item!.paper.id}?filter=unrated&q=sleep%20%26%20memory&item=${item!.id}`
    const { body } = await get(url)
    const addressOf = (form: string) =>
      new RegExp(`<form method="post" action="([^"]+)"[^>]* class="${form}"`).exec(body)![1]!.replaceAll('&amp;', '&')
    const sent = { item: item!.id, vote: 'star', saved: 'true', add: 'a tag', note: 'A note', base: '' }
    for (const [action, form] of [['vote', 'vote'], ['mark', 'marks'], ['tag', 'tags'], ['note', 'note-form']] as const) {
      t.match(await post(addressOf(form), { action, ...sent }), { statusCode: 303, headers: { location: url } }, action)
    }
    for (const back of ['//evil.example', '/\\evil.example', 'https://evil.example', '']) {
      const address = `/projects/${project_id}?${new URLSearchParams({ back })}`
      t.match((await post(address, { action: 'vote', ...sent })).headers.location, /^\/projects\/.*#row-/, back)
    }
  })

  await t.test('titles in attributes, window titles and messages have no LaTeX', async t => {
    const other = await projectWith(user, [{ title: 'Fibrils of $\\alpha$-synuclein' }], { name: 'Formulas' })
    const [item] = (await feedGet.run(user.context, { project_id: other })).items
    for (const address of [`/papers/${item!.paper.id}`, `/projects/${other}?item=${item!.id}&alone=true`]) {
      t.match((await get(address)).body, '<title>Fibrils of α-synuclein · Litfeed</title>', address)
    }
    t.match((await get(`/projects/${other}`)).body, 'aria-label="Select Fibrils of α-synuclein"')
    const project_id = await projectWith(user, [], { name: 'Formulas outside', sources: [] })
    await addCandidates(user.context.db, [{ project_id, paper_id: item!.paper.id, relevance_score: 0.05, found_at: new Date() }])
    const address = `/projects/${project_id}/candidates`
    const { body } = await get(address)
    t.match(body, 'aria-label="Add Fibrils of α-synuclein"')
    await post(address, { action: 'add', paper: /<li id="found-([^"]+)"/.exec(body)![1]! })
    t.match((await get(address)).body, 'Added “Fibrils of α-synuclein” to the feed.')
  })

  await t.test('adding a found paper returns to the one below it', async t => {
    const other = await projectWith(user, [{ title: 'One' }, { title: 'Two' }])
    const { items } = await feedGet.run(user.context, { project_id: other })
    const project_id = await projectWith(user, [], { name: 'Found', sources: [] })
    await addCandidates(user.context.db, items.map(({ paper }, at) =>
      ({ project_id, paper_id: paper.id, relevance_score: 0.05 - at / 100, found_at: new Date() })))
    const address = `/projects/${project_id}/candidates`
    const { body } = await get(address)
    const [first, second] = [...body.matchAll(/<li id="found-([^"]+)"/g)].map(([, id]) => id!)
    t.match(body, new RegExp(`name="paper" value="${first}"[^]*?name="next" value="${second}"`))
    t.match(await post(address, { action: 'add', paper: first!, next: second! }), {
      statusCode: 303, headers: { location: new RegExp(`/candidates#found-${second}$`) }
    })
    t.match((await post(address, { action: 'add', paper: second!, next: 'x' })).headers.location, /\/candidates$/)
  })

  await t.test('the title of an error page is its heading', async t => {
    const { body } = await get('/projects/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11')
    t.match(body, '<title>Page not found · Litfeed</title>')
    t.match(body, '<h1>Page not found</h1>')
  })
})
