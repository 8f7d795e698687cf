import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { feedAtomUrl } from '../../src/operations/feed/feed-atom-url.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { keysList } from '../../src/operations/keys/keys-list.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { tools } from '../../src/adapters/mcp/tools.js'
import { routes as restRoutes } from '../../src/adapters/rest/routes.js'
import { pages } from '../../src/adapters/web/pages.js'
import { followCreate } from '../../src/operations/follows/follow-create.js'
import { shareLinkCreate } from '../../src/operations/sharing/share-link-create.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../src/operations/snapshots/snapshot-freeze.js'
import { snapshotGet } from '../../src/operations/snapshots/snapshot-get.js'
import { ris, sendLibrary } from '../support/library-imports.js'
import { call, callTool } from '../support/mcp.js'
import { browserOf, keys, sessions } from '../support/callers.js'
import { type TestService, type TestUser, projectWith, testService } from '../support/service.js'
import { access, type Caller, type Row } from './access-table.js'

/** Objects of one account, by the names that routes and tools have for their ids. Another account's call with any of them finds nothing. */
type Owned = Record<string, string[]>

/** Parts of addresses that name no object of an account. */
const noIds = new Set(['*', 'name'])

const missing = 'ffffffff-ffff-4fff-8fff-ffffffffffff'

interface Route { method: string, url: string }

const routes: Route[] = []
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  if (routes.length > 0) return
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, url })
  })
})

const nameOf = ({ method, url }: Route) => `${method} ${url}`
const parametersOf = (url: string) => [...url.matchAll(/:(\w+)|\*/g)].map(([whole, name]) => name ?? whole)
const rowOf = ({ method, url }: Route): Row | undefined => {
  const row = access[`${method} ${url}`] ?? access[`* ${url}`]
  return typeof row === 'string' ? { may: row } : row
}

t.test('every route', async t => {
  const service = await testService(t)
  const { app } = service
  const [owner, stranger] = [await service.user(), await service.user()]
  const { api_key: actKey } = await keyCreate.run(stranger.context, { name: 'Agent', scope: 'act' })
  const [browser, ownerBrowser] = [browserOf(service, stranger), browserOf(service, owner)]

  const as = {
    nobody: async () => ({}),
    key: keys(service, stranger),
    actKey: async () => ({ 'x-api-key': actKey }),
    session: sessions(service, stranger),
    owner: sessions(service, owner),
    ownerKey: async () => ({ 'x-api-key': owner.key }),
    browser: async () => ({ cookie: (await browser()).cookie }),
    ownerBrowser: async () => ({ cookie: (await ownerBrowser()).cookie })
  }
  const ask = async (route: Route, row: Row, who: keyof typeof as, ids: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    await request(service, route, row, await as[who](), ids)
  const status = async (route: Route, row: Row, who: keyof typeof as) => (await ask(route, row, who)).statusCode
  const sentToLogin = ({ statusCode, headers: { location } }: LightMyRequestResponse) =>
    [302, 303].includes(statusCode) && /^(\.\.\/|\.\/|\/)*login\b/.test(String(location))

  await t.test('is in the access table, which has no others', async t => {
    for (const route of routes) {
      t.ok(
        rowOf(route),
        `Who may call ${nameOf(route)}? Add a row to test/security/access-table.ts: '${nameOf(route)}': 'anyone' | 'session' | 'reader' | 'administrator' | 'key' | 'feed token' | 'page' | 'administration page', with the body of a right call where it has one.`
      )
    }
    const served = new Set(routes.flatMap(({ method, url }) => [`${method} ${url}`, `* ${url}`]))
    for (const name of Object.keys(access)) {
      t.ok(served.has(name), `${name} is in the table of test/security/access-table.ts and is not served: remove its row.`)
    }
  })

  const check: Record<Caller, (t: Test, route: Route, row: Row) => Promise<void>> = {
    async anyone (t, route, row) {
      const answer = await ask(route, row, 'nobody')
      t.notOk([401, 403].includes(answer.statusCode), `${answer.statusCode} to nobody`)
    },
    async session (t, route, row) {
      t.equal(await status(route, row, 'nobody'), 401, 'nobody')
      t.equal(await status(route, row, 'key'), 401, 'a key')
      t.notOk([401, 403].includes(await status(route, row, 'session')), 'a session')
    },
    async reader (t, route, row) {
      t.equal(await status(route, row, 'nobody'), 401, 'nobody')
      const scope = restRoutes.find(({ method, url }) => method === route.method && url === route.url)?.operation.scope
      // A brief is a read that records what its consumer was given.
      t.equal(scope === 'read', route.method === 'GET' || route.url === '/api/brief', 'read keys may GET, and nothing else')
      const [byKey, byActKey] = [await status(route, row, 'key'), await status(route, row, 'actKey')]
      if (scope === 'read') t.notOk([401, 403].includes(byKey), 'a key reads')
      else t.equal(byKey, 403, 'a read key changes nothing')
      if (scope === undefined) t.equal(byActKey, 403, 'no key may')
      else t.notOk([401, 403].includes(byActKey), 'a key that may act')
      t.notOk([401, 403].includes(await status(route, row, 'session')), 'a session')
    },
    async administrator (t, route, row) {
      t.equal(await status(route, row, 'nobody'), 401, 'nobody')
      for (const who of ['key', 'actKey', 'ownerKey', 'browser', 'ownerBrowser'] as const) t.equal(await status(route, row, who), 401, who)
      t.equal(await status(route, row, 'session'), 403, 'the session of an ordinary account')
      t.notOk([401, 403].includes(await status(route, row, 'owner')), 'a session of the first account, which administers')
    },
    async key (t, route, row) {
      t.equal(await status(route, row, 'nobody'), 401, 'nobody')
      t.equal(await status(route, row, 'session'), 401, 'a session')
      t.not(await status(route, row, 'key'), 401, 'a key')
    },
    async 'feed token' (t, route, row) {
      for (const who of ['nobody', 'key', 'session'] as const) t.equal(await status(route, row, who), 404, who)
    },
    async page (t, route, row) {
      for (const who of ['nobody', 'key', 'session'] as const) t.ok(sentToLogin(await ask(route, row, who)), `${who} is sent to /login`)
      const answer = await ask(route, row, 'browser')
      if (route.method === 'GET') t.notOk([401, 403].includes(answer.statusCode) || sentToLogin(answer), 'a browser that has signed in')
      else t.equal(answer.statusCode, 403, 'a browser that has signed in, without the CSRF token')
    },
    async 'administration page' (t, route, row) {
      for (const who of ['nobody', 'key', 'session', 'owner'] as const) {
        t.ok(sentToLogin(await ask(route, row, who)), `${who} is sent to /login`)
      }
      t.equal(await status(route, row, 'browser'), 403, 'the browser of an ordinary account')
      if (route.method === 'POST') await refusesActions(t, route)
      if (route.method === 'GET') t.equal(await status(route, row, 'ownerBrowser'), 200, 'the browser of an administrator')
    }
  }

  /** An ordinary account's form has its valid CSRF token, and names every action. */
  async function refusesActions (t: Test, { url }: Route): Promise<void> {
    const { cookie, csrfToken } = await browser()
    for (const name of Object.keys(pages.find(page => page.url === url)!.actions)) {
      const { statusCode } = await app.inject({
        method: 'POST',
        url,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ action: name, csrf_token: csrfToken }).toString()
      })
      t.equal(statusCode, 403, `the form ${name} of an ordinary account`)
    }
  }

  await t.test('admits exactly the callers of the access table', async t => {
    for (const route of routes) {
      const row = rowOf(route)
      if (row !== undefined) await t.test(`${nameOf(route)}: ${row.may}`, async t => await check[row.may](t, route, row))
    }
  })

  await t.test("treats another account's ids as missing and changes nothing", async t => {
    const owned = await objectsOf(service, owner)
    const before = await everythingOf(service, owner)
    for (const route of routes) {
      const row = rowOf(route)
      if (
        row === undefined ||
        row.may === 'anyone' ||
        row.may === 'administrator' ||
        row.may === 'administration page' ||
        (row.may === 'page' && route.method !== 'GET')
      ) { continue }
      const operation = restRoutes.find(({ method, url }) => method === route.method && url === route.url)?.operation
      const inBody = Object.keys(operation?.input.properties ?? {}).filter(name => name in owned)
      const names = [...new Set([...parametersOf(route.url), ...inBody])].filter(name => !noIds.has(name))
      for (const name of names) {
        const ids = owned[name]
        if (ids === undefined) {
          t.fail(
            `What is ${name} in ${nameOf(route)}? Add the ids that one account has of it to objectsOf in test/security/access.test.ts, or the name to noIds.`
          )
          continue
        }
        for (const id of ids) {
          const who = row.may === 'page' ? 'browser' as const : 'session' as const
          const answer = await ask(route, row, who, { [name]: id })
          const other = await ask(route, row, who, { [name]: id.length === 8 ? missing.slice(0, 8) : missing })
          t.equal(answer.statusCode, 404, `${nameOf(route)} with another's ${name}: ${answer.body.slice(0, 200)}`)
          t.equal(
            answer.body.replaceAll(id, 'ID'),
            other.body.replaceAll(missing, 'ID').replaceAll(missing.slice(0, 8), 'ID'),
            'the same as for a missing one'
          )
          if (row.may === 'reader' && route.method === 'GET') {
            t.equal((await ask(route, row, 'key', { [name]: id })).statusCode, 404, 'with a key too')
          }
        }
      }
    }
    const mine = await projectWith(stranger, [])
    const { cookie, csrfToken } = await browser()
    for (const { url, access, actions } of pages) {
      for (const [action, { fields }] of access === 'account' ? Object.entries(actions) : []) {
        const sent = Object.fromEntries(Object.entries(fields.properties).map(([name, schema]) => [name, sampleOf(schema)]))
        const foreign = Object.keys(sent).filter(name => name in owned)
        const theirs = url.replace(/:(\w+)/g, (_whole, name: string) => owned[name]![0]!)
        const tries: Array<[string, Record<string, string>]> = [
          ...(url.includes(':') ? [[theirs, sent] as [string, Record<string, string>]] : []),
          ...foreign.flatMap(name =>
            owned[name]!.map((id): [string, Record<string, string>] => [url.replace(':project_id', mine), { ...sent, [name]: id }])
          )
        ]
        for (const [address, values] of tries) {
          const { statusCode } = await app.inject({
            method: 'POST',
            url: address,
            headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
            payload: new URLSearchParams({ ...values, csrf_token: csrfToken, action }).toString()
          })
          t.ok([400, 404].includes(statusCode), `${statusCode} to the form ${action} of ${url} with another's id`)
        }
      }
    }
    for (const { operation } of tools) {
      const example = JSON.parse(/Example: (\{.*\})$/.exec(operation.description)![1]!)
      for (const name of Object.keys(operation.input.properties).filter(name => name in owned)) {
        for (const id of owned[name]!) {
          const { 'x-api-key': key } = await as.actKey()
          const result = await callTool(service, key, operation.name, { ...example, [name]: id })
          const other = await callTool(service, key, operation.name, {
            ...example,
            [name]: id.length === 8 ? missing.slice(0, 8) : missing
          })
          t.match(result, { isError: true, content: [{ text: /^(project|paper)_not_found: / }] }, operation.name)
          t.equal(
            result.content[0].text.replaceAll(id, 'ID'),
            other.content[0].text.replaceAll(missing, 'ID').replaceAll(missing.slice(0, 8), 'ID')
          )
        }
      }
    }
    const { result: { completion } } = await call(service, (await as.key())['x-api-key'], 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'feed_title_filter' },
      argument: { name: 'project_id', value: '' }
    })
    t.strictSame(
      completion.values.filter((value: string) => owned.project_id!.includes(value)),
      [],
      'completion offers none of theirs'
    )
    t.strictSame(await everythingOf(service, owner), before)
  })

  await t.test("of a feed requires the token of the project's account", async t => {
    const project_id = await projectWith(owner, [])
    const url = new URL((await feedAtomUrl.run(owner.context, { project_id })).url)
    const theirs = new URL((await feedAtomUrl.run(stranger.context, { project_id: await projectWith(stranger, []) })).url)
    t.equal((await app.inject({ url: `${url.pathname}${url.search}` })).statusCode, 200)
    t.equal((await app.inject({ url: `${url.pathname}${theirs.search}` })).statusCode, 404)
  })
})

async function request (
  { app }: TestService,
  { method, url }: Route,
  { body, type = 'application/json' }: Row,
  credentials: Record<string, string>,
  ids: Record<string, string>
): Promise<LightMyRequestResponse> {
  const inPath = parametersOf(url)
  const address = url.replace(/:(\w+)|\*/g, (_whole, name: string | undefined) => name === undefined ? 'x' : ids[name] ?? missing)
  const others = Object.fromEntries(Object.entries(ids).filter(([name]) => !inPath.includes(name)))
  const sent = typeof body === 'string' ? body : { ...body, ...others }
  if (method === 'GET') {
    return await app.inject({
      method,
      url: address,
      headers: credentials,
      ...(typeof sent === 'object' ? { query: sent as Record<string, string> } : {})
    })
  }
  return await app.inject({
    method: method as 'POST',
    url: address,
    headers: { ...credentials, ...(body === undefined && Object.keys(sent).length === 0 ? {} : { 'content-type': type }) },
    ...(body === undefined && Object.keys(sent).length === 0 ? {} : { payload: sent })
  })
}

/** A value of a schema, as short as can be. */
function sampleOf (schema: unknown): string {
  const { enum: words, format, type, minimum = 1 } = schema as { enum?: string[], format?: string, type?: string, minimum?: number }
  if (words !== undefined) return words[0]!
  if (format === 'email') return 'a@example.org'
  return type === 'integer' || type === 'number' ? String(minimum) : type === 'boolean' ? 'true' : 'sleep'
}

/** One of everything that an account can have. */
async function objectsOf ({ context: { db } }: TestService, user: TestUser): Promise<Owned> {
  const { context } = user
  const project_id = await projectWith(user, [
    { title: 'Sleep spindles', pdf_url: 'https://example.org/a.pdf' },
    { title: 'From a source', doi: '10.5555/shared' }
  ])
  // Papers that came from a source are nobody's, and seen by those alone who have them in a feed.
  await sql`update paper set account_id = null where doi = '10.5555/shared'`.execute(db)
  const { items } = await feedGet.run(context, { project_id })
  const references = items.flatMap(({ id, short_id, paper }) => [id, short_id, paper.id, paper.short_id])
  const { job_id } = (await paperMarkdown.run(context, {
    paper_id: items.find(({ paper_title }) => paper_title === 'Sleep spindles')!.paper.id
  })) as { job_id: string }
  const { id: alert_id } = await alertCreate.run(context, { project_id, kind: 'webhook', target: 'https://example.org/theirs' })
  const { id: follow_id } = await followCreate.run(context, { project_id, kind: 'author', name: 'Grace Hopper' })
  const { id: link_id } = await shareLinkCreate.run(context, { project_id })
  const { id: snapshot_id } = await snapshotCreate.run(context, { project_id })
  await snapshotFreeze.run(context, { project_id })
  const { sha256 } = await snapshotGet.run(context, { project_id, snapshot_id })
  const { import_id } = await sendLibrary(user, project_id, ris('Imported'))
  const session = await db.selectFrom('session').select('id').where('account_id', '=', context.account.id).executeTakeFirstOrThrow()
  const key_id = (await keysList.run(context, {})).items.map(({ id }) => id)
  return {
    project_id: [project_id],
    key_id,
    paper_id: references,
    id: references,
    ref: references,
    item: references,
    job_id: [job_id],
    alert_id: [alert_id],
    alert: [alert_id],
    follow_id: [follow_id],
    import_id: [import_id],
    link_id: [link_id],
    snapshot_id: [snapshot_id],
    // Of a snapshot that is not published.
    sha256: [sha256!],
    session_id: [session.id]
  }
}

/** Rows of the tables that an account's things are in. */
async function everythingOf ({ context: { db } }: TestService, { context: { account: { id } } }: TestUser): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(p) as row from project p where account_id = ${id}
    union all select to_jsonb(i) from project_paper i join project p on p.id = i.project_id where p.account_id = ${id}
    union all select to_jsonb(a) from alert a join project p on p.id = a.project_id where p.account_id = ${id}
    union all select to_jsonb(s) from snapshot s join project p on p.id = s.project_id where p.account_id = ${id}
    union all select to_jsonb(f) from project_follow f join project p on p.id = f.project_id where p.account_id = ${id}
    union all select to_jsonb(s) from share_link s join project p on p.id = s.project_id where p.account_id = ${id}
    union all select to_jsonb(j) from job j`.execute(db)
  return rows.map(({ row }) => JSON.stringify(row)).sort()
}
