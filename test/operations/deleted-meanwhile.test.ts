import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { me } from '../../src/operations/accounts/me.js'
import { feedAtomUrls } from '../../src/operations/feed/feed-atom-urls.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { scoreJob } from '../../src/jobs/new-jobs.js'
import { errorOfRequest } from '../../src/server/errors.js'
import { post } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { until } from '../support/until.js'

t.test('additions to a project during its deletion', async t => {
  const service = await testService(t)
  const { app, logged } = service
  const user = await service.user()
  const { api_key: actKey } = await keyCreate.run(user.context, { name: 'Agent', scope: 'act' })
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const papers = Array.from({ length: 12 }, (_each, at) => ({ title: `Paper ${at}` }))
  const file = join(t.testdir(), 'papers.jsonl')
  writeFileSync(
    file,
    Array.from({ length: 40 }, (_each, at) =>
      JSON.stringify({ title: at < 20 ? `Paper ${at}` : `Another ${at}`, abstract: 'Words.' })
    ).join('\n')
  )

  t.test('succeed or report the deletion', async t => {
    const refusals = new Set<string>()
    for (let milliseconds = 0; milliseconds < 24; milliseconds += 4) {
      const id = await projectWith(user, papers)
      const items = (await app.inject({ url: `/api/projects/${id}/feed?limit=50`, headers })).json().items as Array<{ id: string }>
      t.equal(items.length, papers.length)
      const call = async (method: 'POST' | 'PUT' | 'PATCH' | 'GET', url: string, payload?: object) =>
        await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
      const vote = async (ref: string) =>
        await post(service, actKey, {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'feedback_set', arguments: { paper_id: ref, vote: 'star' } }
        })
      const calls = [
        ...items.map(async item => await call('PUT', `/api/project-papers/${item.id}/feedback`, { vote: 'upvote' })),
        ...items.slice(0, 4).map(async item => await vote(item.id)),
        ...[1, 2, 3, 4, 5, 6].flatMap(at => [
          call('POST', `/api/projects/${id}/alerts`, { kind: 'webhook', target: `https://example.org/${at}` }),
          call('POST', `/api/projects/${id}/fetch`),
          call('PATCH', `/api/projects/${id}`, { name: `Name ${at}`, sources: [{ name: 'arxiv', query: 'all:sleep' }] })
        ])
      ]
      const importing = papersImport.run(user.context, { project_id: id, files: [file] }).then(({ rejected }) => rejected, error => error)
      await sleep(milliseconds)
      t.equal((await app.inject({ method: 'DELETE', url: `/api/projects/${id}`, headers })).statusCode, 204)
      for (const { statusCode, body } of await Promise.all(calls)) {
        t.ok(statusCode < 500, body)
        t.notMatch(body, /The service failed|-32603/)
        if (statusCode >= 400) refusals.add(JSON.parse(body).code)
      }
      const imported = await importing
      if (!(imported instanceof Error && t.match(imported, { status: 404 }))) t.strictSame(imported, [])
    }
    t.ok([...refusals].every(code => /(not_found|deleted_meanwhile)$/.test(code)), [...refusals].join())
    t.notMatch(logged.join('\n'), /A request failed/)
  })

  t.test('conflict and ask for a retry', async t => {
    for (const code of ['40001', '40P01']) {
      const error = await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}'; end $$`)}`
        .execute(service.context.db)
        .catch(error => error)
      const warned: string[] = []
      t.match(errorOfRequest(error, { log: { warn: (_data: object, message: string) => warned.push(message) } } as never), {
        status: 503,
        retryAfter: 5,
        message: /rolled back\. Retry after 5 s/
      })
      t.equal(warned.length, 1)
    }
  })

  t.test('end without an error in jobs', async t => {
    const id = await projectWith(user, papers)
    await user.context.queue.enqueue(scoreJob({ id, account_id: user.context.account.id }))
    let runs = 0
    const workers = startWorkers(service.context, [{
      task: 'score-project',
      deadlineSeconds: 30,
      retries: 3,
      retryDelaySeconds: 0,
      concurrency: 1,
      async run ({ db }) {
        runs++
        await projectDelete.run(user.context, { project_id: id })
        await db.insertInto('candidate').values({ project_id: id, paper_id: id, relevance_score: 0.5, found_at: new Date() }).execute()
        return {}
      }
    }])
    try {
      await until(async () => logged.some(line => /The project or paper of a job was deleted/.test(line)))
    } finally {
      await workers.stop(1000)
    }
    t.equal(runs, 1)
    t.notMatch(logged.join('\n'), /A job failed/)
  })
})

t.test('an account that is deleted during its own request gets a clear error', async t => {
  const service = await testService(t)
  const { context } = await service.user()
  const deleted = { ...context, account: { id: randomUUID() } }
  await t.rejects(me.run(deleted, {}), { code: 'deleted_meanwhile' })
  await t.rejects(feedAtomUrls.run(deleted, {}), { code: 'deleted_meanwhile' })
})
