import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { formSession } from '../support/forms.js'
import { logIn, projectWith, testService } from '../support/service.js'

/** Makes the database read-only, as the embedded one is while its disk is nearly full, and a replica always. */
async function setReadOnly (db: Db, kind: 'embedded' | 'postgresql', readOnly: boolean): Promise<void> {
  const setting = sql.raw(`default_transaction_read_only = ${readOnly ? 'on' : 'off'}`)
  if (kind === 'embedded') {
    await sql`set ${setting}`.execute(db)
    return
  }
  await db.transaction().execute(async transaction => {
    await sql`set transaction read write`.execute(transaction)
    const { rows: [name] } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(transaction)
    await sql`alter database ${sql.raw(name!.name)} set ${setting}`.execute(transaction)
  })
  // Connections that are open have the setting that they began with. Their end is awaited, for at most a minute each.
  await sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid()`.execute(db)
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => {})
  // The pool learns of it connection by connection.
  for (let right = 0; right < 20; await sleep(20)) right = await sql`select 1`.execute(db).then(() => right + 1, () => 0)
}

t.test('a read-only database', async t => {
  let ahead = 0
  const service = await testService(t, {}, () => new Date(Date.now() + ahead))
  const { app, context: { db, installation: { databaseKind } } } = service
  const user = await service.user()
  const project = await projectWith(user, [{ title: 'Sleep spindles and memory' }])
  const { access_token: token } = await logIn(service, user)
  const browser = await formSession(app, user)
  const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await browser.get('/')).body)?.[1] ?? ''
  const call = async (name: string, input: object) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/mcp',
        headers: { authorization: `Bearer ${user.key}` },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
      })
    ).json().result
  const sendRest = async (method: 'GET' | 'PATCH', url: string, payload?: object) =>
    await app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload === undefined ? {} : { payload }) })
  await setReadOnly(db, databaseKind, true)
  // Late enough that sessions and keys would have their use written down.
  ahead = 2 * 60 * 60 * 1000 - 60_000

  await t.test('serves reads by key, browser and search', async t => {
    t.equal((await call('feed_get', { project_id: project })).structuredContent.items.length, 1)
    t.equal((await call('feed_search', { project_id: project, q: 'spindles' })).isError, undefined)
    t.equal((await browser.get(`/projects/${project}`)).statusCode, 200)
  })

  await t.test('rejects writes with the reason and what to do, and changes nothing', async t => {
    ahead = 0
    const refused = await sendRest('PATCH', `/api/projects/${project}`, { name: 'Another' })
    t.equal(refused.statusCode, 503)
    t.equal(refused.headers['retry-after'], '60')
    t.match(refused.json(), {
      code: 'not_writable',
      detail: /^Cannot write: the disk of the database is full.*Nothing was changed.*retry after 60 s\.$/
    })
    const form = await browser.request('POST', '/projects/new', {
      csrf_token: csrfToken,
      action: 'create',
      name: 'Another',
      interest_description: ''
    })
    t.equal(form.statusCode, 503)
    t.match(form.body, /Cannot write: the disk/)
    t.equal((await sendRest('GET', `/api/projects/${project}`)).json().name, 'A project')
    t.match((await app.inject({ url: '/metrics' })).body, /^litfeed_database_writable 0$/m)
  })

  await t.test('accepts writes again without a restart', async t => {
    await setReadOnly(db, databaseKind, false)
    t.equal((await sendRest('PATCH', `/api/projects/${project}`, { name: 'Another' })).statusCode, 200)
  })
})
