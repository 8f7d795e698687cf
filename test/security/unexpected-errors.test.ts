import { sql } from 'kysely'
import t from 'tap'
import { toJobFailure } from '../../src/operations/job-failure.js'
import { projectsList } from '../../src/operations/projects/projects-list.js'
import { commandLine } from '../support/command-line.js'
import { formSession } from '../support/forms.js'
import { callTool, post } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'

t.test('an unexpected error is logged, and hidden behind the id of the request in every answer', async t => {
  const service = await testService(t)
  const { app, context, logged, settings } = service
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Spindles' }])
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const atom = new URL((await app.inject({ url: `/api/projects/${project_id}/atom-url`, headers })).json().url)
  const browser = await formSession(app, user)
  await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'ping' })
  await context.db.schema.alterTable('project').renameTo('elsewhere').execute()
  t.teardown(async () => await context.db.schema.alterTable('elsewhere').renameTo('project').execute())

  const answers = {
    'a tool': JSON.stringify(await callTool(service, user.key, 'projects_list')),
    'a route': (await app.inject({ url: '/api/projects', headers })).body,
    'an Atom feed': (await app.inject({ url: `${atom.pathname}${atom.search}` })).body,
    'a page': (await browser.get(`/projects/${project_id}`)).body
  }
  for (const [what, answer] of Object.entries(answers)) {
    const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(answer)?.[0]
    t.type(id, 'string', `${what} names its request`)
    t.notMatch(answer, /relation|elsewhere|select |at .*\.js:/, `${what} hides the cause`)
  }
  t.equal(logged.filter(line => line.includes('relation \\"project\\" does not exist')).length >= 4, true, 'each cause is logged')

  // The operator reads the output of commands, so it names the cause.
  const { run } = commandLine(settings.dataDir, settings.databaseUrl)
  t.match(await run(['project', 'list', '--email', user.email]), {
    code: 1,
    stdout: '',
    stderr: /^litfeed: The database reported an error\. \(relation "project" does not exist\)\n$/
  })
})

t.test('a database error has one message, status and delay in every adapter, and none quotes it', async t => {
  const service = await testService(t)
  const { app, context, logged, settings } = service
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Spindles' }])
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }
  const atom = new URL((await app.inject({ url: `/api/projects/${project_id}/atom-url`, headers })).json().url)
  const browser = await formSession(app, user)
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec((await browser.get(`/projects/${project_id}/settings`)).body)![1]!
  const { run } = commandLine(settings.dataDir, settings.databaseUrl)
  const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
  const toolCall = request(1, 'tools/call', { name: 'projects_list', arguments: {} })
  const prompt = request(2, 'prompts/get', { name: 'weekly_brief', arguments: { project_id } })
  const completion = request(3, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'weekly_brief' },
    argument: { name: 'project_id', value: 'S' }
  })

  await context.db.schema.alterTable('project').renameTo('elsewhere').execute()
  t.teardown(async () => {
    await sql`drop view project`.execute(context.db)
    await sql`drop function fail_on_purpose`.execute(context.db)
    await context.db.schema.alterTable('elsewhere').renameTo('project').execute()
  })
  const failWith = async (state: string) => {
    await sql`create or replace function fail_on_purpose() returns boolean language plpgsql as ${sql.raw(
      `$$ begin raise exception 'do-not-leak' using errcode = '${state}'; end $$`
    )}`.execute(context.db)
  }
  await failWith('40001')
  await sql`create view project as select * from elsewhere where fail_on_purpose()`.execute(context.db)

  interface Expected { status: number, code: string, retryAfter: string, message: RegExp, concernsAll: boolean }
  const cases: Array<[state: string, expected: Expected]> = [
    ['40001', { status: 503, code: 'unavailable', retryAfter: '5', message: /^Concurrent changes conflicted/, concernsAll: false }],
    ['57P01', { status: 503, code: 'unavailable', retryAfter: '5', message: /^The database is unreachable/, concernsAll: true }]
  ]
  for (const [state, { status, code, retryAfter, message, concernsAll }] of cases) {
    await failWith(state)
    const route = await app.inject({ url: '/api/projects', headers })
    t.match(route.json(), { code, detail: message }, `${state}: a route`)
    const inMcp = { tool: toolCall, prompt, completion, batch: [toolCall, prompt] }
    const mcp = await Promise.all(Object.values(inMcp).map(async body => await post(service, user.key, body)))
    const error = { error: { code: -32603, message } }
    if (concernsAll) {
      for (const [at, name] of Object.keys(inMcp).entries()) t.match(mcp[at]!.json(), error, `${state}: ${name}`)
    } else {
      // The call alone failed: its own answer says so, and those of a batch arrive.
      const inTool = { result: { isError: true, content: [{ text: new RegExp(`^${code}: ${message.source.slice(1)}`) }] } }
      const expected = [{ id: 1, ...inTool }, { id: 2, ...error }, { id: 3, ...error }, [{ id: 1, ...inTool }, { id: 2, ...error }]]
      t.match(mcp.map(answer => answer.json()), expected, `${state}: in MCP`)
      for (const answer of mcp) {
        t.equal(answer.statusCode, 200, `${state}: in MCP`)
        t.notMatch(answer.body, /do-not-leak/, `${state}: in MCP`)
      }
    }
    const answers = {
      'a route': route,
      'an Atom feed': await app.inject({ url: `${atom.pathname}${atom.search}` }),
      'a page': await browser.get(`/projects/${project_id}`),
      'a form': await browser.request('POST', `/projects/${project_id}/settings`, { csrf_token, action: 'save', name: 'Other' }),
      ...(concernsAll ? Object.fromEntries(Object.keys(inMcp).map((name, at) => [name, mcp[at]!])) : {})
    }
    for (const [name, answer] of Object.entries(answers)) {
      t.match(answer, { statusCode: status, headers: { 'retry-after': retryAfter } }, `${state}: ${name}`)
      t.notMatch(answer.body, /do-not-leak/, `${state}: ${name}`)
    }
    const command = await run(['project', 'list', '--email', user.email])
    t.match(command, { code: 1, stdout: '', stderr: new RegExp(`^litfeed: ${message.source.slice(1)}`) }, `${state}: a command`)
    t.notMatch(command.stderr, /do-not-leak/)
    const failure = await projectsList.run(user.context, {}).then(() => undefined, toJobFailure)
    t.match(failure, { message }, `${state}: a job`)
  }
  t.equal(logged.filter(line => line.includes('do-not-leak')).length >= 2 * 7, true, 'each cause is logged')
})
