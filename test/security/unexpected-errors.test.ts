import t from 'tap'
import { formSession } from '../support/forms.js'
import { callTool, post } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'

t.test('an unexpected error is logged, and hidden behind the id of the request in every answer', async t => {
  const service = await testService(t)
  const { app, context, logged } = service
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
})
