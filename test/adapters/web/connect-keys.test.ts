import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { keysList } from '../../../src/operations/keys/keys-list.js'
import { formSession } from '../../support/forms.js'
import { post } from '../../support/mcp.js'
import { projectWith, testService } from '../../support/service.js'

const wholeKey = /svcmcp_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}/
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '2.1.330' } }
}

t.test('keys on the Connect page', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project = await projectWith(user, [], { name: 'Sleep & memory' })
  const session = await formSession(service.app, user)
  const keys = async () => (await keysList.run(user.context, {})).items

  await t.test('are created with a scope, projects and an expiry, and shown once', async t => {
    const made = await session.post('/connect', {
      action: 'create',
      name: 'My agent',
      scope: 'act',
      projects: project,
      expires_at: '2099-01-01'
    })
    t.equal(made.statusCode, 200)
    const [key] = wholeKey.exec(made.body)!
    t.match((await keys())[1], { name: 'My agent', scope: 'act', project_ids: [project], expires_at: '2099-01-01T00:00:00.000Z' })
    t.equal((await post(service, key, initialize)).statusCode, 200)
    const { body } = await session.get('/connect')
    t.notMatch(body, key)
    for (const shown of ['My agent', 'Read and act', 'Sleep &amp; memory', '1 Jan 2099', 'claude-code 2.1.330']) t.match(body, shown)
    t.notMatch(service.logged.join('\n'), key)
  })

  await t.test('keep the form values on errors', async t => {
    const refused = await session.post('/connect', {
      action: 'create',
      name: 'My agent',
      scope: 'act',
      projects: project,
      expires_at: '2098-01-01'
    })
    t.equal(refused.statusCode, 409)
    t.match(refused.body, 'You already have a key named')
    t.match(refused.body, /<details class="create-key" open/)
    t.match(refused.body, 'value="My agent"')
    t.match(refused.body, 'value="2098-01-01"')
    t.match(refused.body, /<option value="act" selected/)
    t.match(refused.body, new RegExp(`value="${project}" checked`))
    t.equal((await keys()).length, 2)
  })

  await t.test('include all projects if none is selected', async t => {
    t.equal((await session.post('/connect', { action: 'create', name: 'Reader', scope: 'read' })).statusCode, 200)
    t.match((await keys())[2], { name: 'Reader', scope: 'read', project_ids: null, expires_at: null })
  })

  await t.test('get a new secret, shown once', async t => {
    const [, agent] = await keys()
    const made = await session.post('/connect', { action: 'replace', key_id: agent!.id })
    const [key] = wholeKey.exec(made.body)!
    t.equal((await post(service, key, initialize)).statusCode, 200)
    t.match((await keys())[1], { id: agent!.id, name: 'My agent', scope: 'act', project_ids: [project] })
    t.notMatch((await session.get('/connect')).body, key)
    t.equal((await session.post('/connect', { action: 'replace', key_id: project })).statusCode, 404)
  })

  await t.test('cannot be rotated once expired', async t => {
    const expires_at = new Date(Date.now() + 300).toISOString()
    const { id } = await keyCreate.run(user.context, { name: 'Short', expires_at })
    const offers = async () => (await session.get('/connect')).body.includes('Replace <span class="unseen">Short</span>')
    t.ok(await offers())
    await wait(400)
    t.notOk(await offers())
    const refused = await session.post('/connect', { action: 'replace', key_id: id })
    t.equal(refused.statusCode, 400)
    t.match(refused.body, 'This key has expired. Create a new one.')
    t.notMatch(refused.body, wholeKey)
    await session.post('/connect', { action: 'revoke', key_id: id })
  })

  await t.test('are revoked one by one', async t => {
    const [first, , reader] = await keys()
    t.match((await session.post('/connect', { action: 'revoke', key_id: reader!.id })).headers.location, '/connect#keys')
    t.strictSame((await keys()).map(({ name }) => name), ['Default', 'My agent'])
    t.equal((await post(service, user.key, initialize)).statusCode, 200)
    t.equal((await session.post('/connect', { action: 'revoke', key_id: reader!.id })).statusCode, 404)
    await session.post('/connect', { action: 'revoke', key_id: first!.id })
    await wait(1000)
    t.equal((await post(service, user.key, initialize)).statusCode, 401)
  })
})
