import { sql } from 'kysely'
import t from 'tap'
import { backupTables } from '../../db/queries/backup.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { followCreate } from '../../src/operations/follows/follow-create.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { keywordsSuggest } from '../../src/operations/projects/keywords-suggest.js'
import { projectUpdate } from '../../src/operations/projects/project-update.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../src/operations/snapshots/snapshot-freeze.js'
import { call, callTool } from '../support/mcp.js'
import { keyCalls } from '../support/key-calls.js'
import { ris, sendLibrary } from '../support/library-imports.js'
import { projectWith, testService, type TestUser } from '../support/service.js'

const missing = 'ffffffff-ffff-4fff-8fff-ffffffffffff'

/** Not changes: uses of keys, sign-ins, conversions, which reading a full text queues, and what a consumer of briefs has seen. */
const unwatched = new Set(['mcp_key', 'session', 'job', 'brief', 'brief_item'])

/** Ids of one item of a project, by the names that arguments have for them. */
async function idsOf (user: TestUser, project_id: string) {
  const { context } = user
  const { items: [item] } = await feedGet.run(context, { project_id })
  const { job_id } = await paperMarkdown.run(context, { paper_id: item!.paper.id }) as { job_id: string }
  const { id: snapshot_id } = await snapshotCreate.run(context, { project_id })
  await snapshotFreeze.run(context, { project_id })
  const { id: follow_id } = await followCreate.run(context, { project_id, kind: 'author', name: 'Grace Hopper' })
  const { import_id } = await sendLibrary(user, project_id, ris('Imported'))
  const { id: paper_id } = item!.paper
  return { project_id, paper_id, ref: item!.id, item: item!.id, id: paper_id, job_id, snapshot_id, follow_id, import_id }
}

const service = await testService(t)

t.test('a read key', async t => {
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep spindles', doi: '10.5555/sleep', pdf_url: 'https://example.org/a.pdf' }])
  const ids = await idsOf(user, project_id)
  const rows = async () =>
    await Promise.all(
      backupTables
        .filter(table => !unwatched.has(table))
        .map(async table => [
          table,
          (await sql<{ row: string }>`select to_jsonb(${sql.table(table)}.*)::text as row from ${sql.table(table)}`.execute(db)).rows
            .map(({ row }) => row)
            .sort()
        ])
    )
  const before = await rows()

  for (const { name, scope, send } of keyCalls(service)) {
    await t.test(`${scope === 'read' ? 'may call' : 'is refused by'} ${name}, without changes`, async t => {
      const { refusal, text } = await send(user.key, ids)
      if (scope === 'read') t.not(refusal, 'forbidden')
      else t.match({ refusal, text }, { refusal: 'forbidden', text: /Connect page/ })
      t.strictSame(await rows(), before)
    })
  }
})

t.test('hides other projects from a key limited to one', async t => {
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep spindles', doi: '10.5555/sleep', pdf_url: 'https://example.org/a.pdf' }], {
    name: 'Seen'
  })
  const hidden = await projectWith(user, [{ title: 'Zebrafish retina', doi: '10.5555/zebrafish', pdf_url: 'https://example.org/b.pdf' }], {
    name: 'Zebrafish',
    positive_keywords: ['zebrafish']
  })
  const own = await idsOf(user, project_id)
  const others = await idsOf(user, hidden)
  const { api_key: key } = await keyCreate.run(user.context, { name: 'Limited', scope: 'act', project_ids: [project_id] })

  for (const { name, idNames, send } of keyCalls(service)) {
    await t.test(name, async t => {
      for (const each of idNames) {
        const foreign = others[each as keyof typeof others]
        for (const id of ['paper_id', 'ref', 'item', 'id'].includes(each) ? [foreign, foreign.slice(0, 8)] : [foreign]) {
          const none = id.length === 8 ? missing.slice(0, 8) : missing
          const [answer, expected] = [await send(key, { ...own, [each]: id }), await send(key, { ...own, [each]: none })]
          t.match(answer.refusal, /_not_found$|^forbidden$/, `${each}: ${answer.text.slice(0, 200)}`)
          t.equal(answer.text.replaceAll(id, 'ID'), expected.text.replaceAll(none, 'ID'), 'the same as for a missing one')
        }
      }
      const { text } = await send(key, own)
      for (const secret of ['Zebrafish', hidden, others.paper_id, others.ref, others.job_id]) t.notMatch(text, secret)
    })
  }

  for (const { name: prompt, arguments: taken } of (await call(service, key, 'prompts/list')).result.prompts) {
    await t.test(`completing the arguments of the prompt ${prompt}`, async t => {
      for (const { name } of taken) {
        for (const value of ['', 'z', hidden.slice(0, 4)]) {
          const { result } = await call(service, key, 'completion/complete', {
            ref: { type: 'ref/prompt', name: prompt },
            argument: { name, value }
          })
          t.notMatch(JSON.stringify(result), new RegExp(`zebrafish|${hidden}`, 'i'))
        }
      }
    })
  }

  await t.test('records a citation in its project alone', async t => {
    const { db } = service.context
    const item = await db.selectFrom('project_paper').selectAll().where('project_id', '=', project_id).executeTakeFirstOrThrow()
    await db.updateTable('project_paper').set({ cited_at: null }).execute()
    await db.updateTable('project_paper').set({ paper_id: item.paper_id }).where('project_id', '=', hidden).execute()
    await callTool(service, key, 'paper_cite', { paper_id: item.paper_id, format: 'text' })
    const cited = await db.selectFrom('project_paper').select('project_id').where('cited_at', 'is not', null).execute()
    t.strictSame(cited, [{ project_id }])
    await db.updateTable('project_paper').set({ paper_id: others.paper_id }).where('project_id', '=', hidden).execute()
  })

  await t.test('its Atom address opens no other feed', async t => {
    const atom = (await service.app.inject({ url: `/api/projects/${project_id}/atom-url`, headers: { 'x-api-key': key } })).json()
      .url as string
    const path = (id: string) => `${new URL(atom).pathname.replace(project_id, id)}${new URL(atom).search}`
    t.equal((await service.app.inject({ url: path(project_id) })).statusCode, 200)
    t.equal((await service.app.inject({ url: path(hidden) })).statusCode, 404)
  })

  await t.test('and cannot create one', async t => {
    const refused = await service.app.inject({
      method: 'POST',
      url: '/api/projects',
      headers: { 'x-api-key': key },
      payload: { name: 'Mine' }
    })
    t.match([refused.statusCode, refused.json()], [403, { code: 'forbidden', detail: /limited to some projects.*Connect page/ }])
  })
})

t.test('a key limited to a project learns of no choice in another one', async t => {
  const { db } = service.context
  const user = await service.user()
  const { context } = user
  const shown = { title: 'Sleep spindles and memory in mice', doi: '10.5555/chosen' }
  const left = { title: 'Sleep stages', doi: '10.5555/left' }
  const project_id = await projectWith(user, [shown], { name: 'Seen' })
  const hidden = await projectWith(user, [shown, left, { title: 'Only hidden' }], { name: 'Hidden' })
  const own = await idsOf(user, project_id)
  const { items } = await feedGet.run(context, { project_id: hidden })
  for (const { id } of items) await feedbackSet.run(context, { paper_id: id, vote: 'star' })
  await sql`
    with stated as (
      insert into paper_notice (paper_id, source, kind, reference, doi, first_seen_at)
      select id, 'crossref', 'expression_of_concern', '', '10.5555/notice', now() from paper where account_id = ${context.account.id}
      returning id
    ) insert into account_notice (account_id, notice_id, found_at, is_warning)
    select ${context.account.id}, id, now(), true from stated`.execute(db)
  const { rows: [candidate] } = await sql<{ paper_id: string }>`
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, 0.5, now() from paper where doi = ${left.doi} returning paper_id`.execute(db)
  const create = async (scope: 'read' | 'act') => (await keyCreate.run(context, { name: scope, scope, project_ids: [project_id] })).api_key
  const [reading, acting] = [await create('read'), await create('act')]
  const concern = /10\.5555\/notice|of concern/i

  for (const { name, send } of keyCalls(service)) {
    await t.test(`${name}, from its notices`, async t => {
      t.notMatch((await send(reading, own)).text, concern)
      // A citation chooses the paper.
      await db.updateTable('project_paper').set({ cited_at: null }).where('project_id', '=', project_id).execute()
    })
  }

  await t.test('nor by changing its own items', async t => {
    for (const [method, url, payload] of [
      ['PATCH', `/api/project-papers/${own.ref}`, { seen: true }],
      ['POST', `/api/projects/${project_id}/papers`, { identifier: shown.doi }],
      ['POST', `/api/projects/${project_id}/papers`, { identifier: shown.title }],
      ['POST', `/api/projects/${project_id}/papers`, { identifier: own.paper_id }],
      ['POST', `/api/projects/${project_id}/candidates`, { candidate_id: candidate!.paper_id }]
    ] as const) {
      const headers = { 'x-api-key': acting }
      const { statusCode, body } = await service.app.inject({ method, url, headers, payload })
      t.ok(statusCode < 300, `${method} ${url}: ${statusCode} ${body.slice(0, 200)}`)
      t.notMatch(body, concern)
    }
    const vote = { paper_id: own.ref, vote: 'downvote', downvote_reason: 'not_relevant' }
    const { content: [{ text }] } = await callTool(service, acting, 'feedback_set', vote)
    t.notMatch(text, concern)
  })

  await t.test('but of those in its own', async t => {
    const paperGet = async (key: string) => (await callTool(service, key, 'paper_get', { paper_id: own.paper_id })).content[0].text
    const noticesList = async () =>
      (await service.app.inject({ url: '/api/notices', headers: { 'x-api-key': reading } })).json().items as Array<{ paper_id: string }>
    t.match(await paperGet(user.key), concern, 'other keys of the account see it')
    t.strictSame(await noticesList(), [])
    await feedbackSet.run(context, { paper_id: own.ref, vote: 'upvote' })
    t.match(await paperGet(reading), concern)
    t.strictSame((await noticesList()).map(({ paper_id }) => paper_id), [own.paper_id])
  })

  await t.test('or from keywords that are suggested', async t => {
    let titles: string[] = []
    const suggest = async (_papers: unknown, background: ReadonlyArray<{ title: string }>) => {
      titles = background.map(({ title }) => title)
      return []
    }
    const relevance = { ...context.relevance, suggest } as typeof context.relevance
    const suggestFor = async (projectIds: string[] | null) => {
      const key = { id: missing, name: 'Limited', scope: 'act', projectIds } as const
      await keywordsSuggest.run({ ...context, relevance, key }, { examples: [shown.doi] })
      return titles
    }
    t.notOk((await suggestFor([project_id])).includes('Only hidden'))
    t.ok((await suggestFor(null)).includes('Only hidden'))
  })
})

t.test('a key limited to a project adds no journal feeds, whose records would match papers of other projects', async t => {
  const user = await service.user()
  const kept = { name: 'feed', query: 'https://kept.example.org/rss' }
  const project_id = await projectWith(user, [], { sources: [kept] })
  const { api_key } = await keyCreate.run(user.context, { name: 'Limited', scope: 'act', project_ids: [project_id] })
  const added = { name: 'feed', query: 'https://added.example.org/rss' }
  const update = async (key: string, sources: object[]) => await callTool(service, key, 'project_update', { project_id, sources })
  const refusal = /^forbidden: This key is limited to some projects and cannot add journal feeds\. Create a key for all projects/
  t.match(await update(api_key, [kept, added]), { isError: true, content: [{ text: refusal }] })
  t.match(await update(api_key, [added]), { isError: true, content: [{ text: refusal }] })
  t.notOk((await update(api_key, [kept, { name: 'pubmed' }])).isError, 'it may change others')
  await projectUpdate.run(user.context, { project_id, sources: [kept, added] })
  t.notOk((await update(api_key, [added])).isError, 'and remove feeds')

  const file = '<?xml version="1.0"?><opml version="2.0"><body><outline type="rss" xmlUrl="https://third.example.org/rss"/></body></opml>'
  const key = { id: missing, name: 'Limited', scope: 'act', projectIds: [project_id] } as const
  await t.rejects(sendLibrary({ ...user, context: { ...user.context, key } }, project_id, file, { name: 'feeds.opml' }), {
    code: 'forbidden', message: /cannot add journal feeds/
  })
  t.match(await sendLibrary(user, project_id, file, { name: 'feeds.opml' }), { created: true })
})
