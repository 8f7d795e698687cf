import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { backup } from '../../src/operations/administration/backup.js'
import { passwordReset } from '../../src/operations/accounts/password-reset.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { secretsIn } from '../support/leaks.js'
import { post, postModern } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'

t.test('secrets', async t => {
  const service = await testService(t, { LOG_LEVEL: 'trace' })
  const { app, context } = service
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep' }])
  const { access_token, refresh_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const made = async (url: string, payload?: object) =>
    (await app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })).json()
  const { api_key } = await made('/api/auth/mcp-key/rotate')
  const { feed_token } = await made('/api/auth/feed-token/rotate')
  const { secret: webhook } = await made(`/api/projects/${project_id}/alerts`, { kind: 'webhook', target: 'https://example.org/hook' })
  const { refresh_token: newest } = (await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })).json()
  const { password } = await passwordReset.run(context, { email: (await service.user()).email })
  const secrets: string[] = [user.key, api_key, feed_token, webhook, access_token, refresh_token, newest, user.password, password!]
  t.ok(secrets.every(secret => typeof secret === 'string' && secret.length > 10))
  /** Finds the part of a secret that must appear nowhere. (The signature of a JWT may have an underscore.) */
  const parts = secrets.map(secret => secret.split(secret.includes('.') ? '.' : '_').at(-1)!)

  await t.test('are not usable in backups and tables', async t => {
    const file = join(t.testdir(), 'a.backup')
    await backup.run(context, { file })
    const { rows: tables } = await sql<{
      name: string
    }>`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`.execute(context.db)
    const dumps = await Promise.all(
      tables.map(async ({ name }) => JSON.stringify((await sql`select to_jsonb(t) from ${sql.raw(name)} t`.execute(context.db)).rows))
    )
    t.ok(tables.length > 20)
    for (const dump of [gunzipSync(readFileSync(file)).toString(), ...dumps]) {
      t.strictSame(secretsIn(dump, ['a hash of a secret']), [])
      for (const part of parts) t.notOk(dump.includes(part))
    }
  })

  await t.test('are never repeated in errors', async t => {
    const answers: LightMyRequestResponse[] = []
    // Passwords have no form by which to know them; the address of a call is no place for one.
    for (const secret of [api_key, feed_token, webhook, access_token, newest]) {
      const coded = encodeURIComponent(secret)
      for (const { method, url, operation } of routes) {
        const address = url.replace(/:\w+/g, coded)
        const names = Object.keys(operation.input.properties)
        // Those that take nothing end a session or a key of this test; people name projects and keys, and note invitations, as they like.
        if (names.length === 0 || ['project_create', 'key_create', 'invitation_create'].includes(operation.name)) continue
        for (const name of [...names, secret]) {
          // It would be asked of every source.
          if (operation.name === 'new_project_preview' && name === 'interest_description') continue
          const sent = { [name]: secret }
          const inQuery = method === 'GET'
          answers.push(
            await app.inject({
              method,
              url: address,
              headers: { 'x-api-key': user.key, ...headers, ...(inQuery ? {} : { 'content-type': 'application/json' }) },
              ...(inQuery ? { query: sent } : { payload: sent })
            })
          )
        }
      }
      for (const url of [
        `/${coded}`,
        `/api/${coded}?key=${coded}`,
        `/api/mcp/${coded}`,
        `/.well-known/${coded}?key=${coded}`,
        `/api/feed/atom/${coded}?token=${coded}`
      ]) { answers.push(await app.inject({ url })) }
      for (const message of [
        { method: secret },
        { method: 'tools/call', params: { name: secret } },
        { method: 'tools/call', params: { name: 'projects_get', arguments: { project_id: secret, [secret]: secret } } },
        { method: 'prompts/get', params: { name: secret } },
        {
          method: 'completion/complete',
          params: { ref: { type: 'ref/prompt', name: 'feed_title_filter' }, argument: { name: secret, value: secret } }
        }
      ]) {
        answers.push(await post(service, api_key, { jsonrpc: '2.0', id: 1, ...message }))
        answers.push(await post(service, api_key, { jsonrpc: '2.0', id: 1, ...message }, { 'mcp-protocol-version': secret }))
        answers.push(
          await postModern(
            service,
            api_key,
            message.method,
            { _meta: { 'io.modelcontextprotocol/protocolVersion': secret, 'io.modelcontextprotocol/clientCapabilities': {} } },
            { 'mcp-protocol-version': secret }
          )
        )
      }
    }
    t.ok(answers.length > 400)
    for (const { statusCode, body } of answers.filter(({ statusCode, body }) => statusCode >= 400 || /"error"|"isError"/.test(body))) {
      const part = parts.find(part => body.includes(part))
      if (part !== undefined) t.fail(`${statusCode} ${body.slice(0, 300)}`)
    }
  })

  await t.test('are not in logs, metrics or descriptions', async t => {
    const others = await Promise.all(
      ['/metrics', '/readyz', '/healthz', '/api/openapi.json', '/'].map(async url => (await app.inject({ url })).body)
    )
    for (const text of [...service.logged, ...others]) {
      const part = parts.find(part => text.includes(part))
      if (part !== undefined) t.fail(text.slice(0, 300))
      t.strictSame(secretsIn(text), [])
    }
  })
})
