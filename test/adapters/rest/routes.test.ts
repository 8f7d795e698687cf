import t from 'tap'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { saveMarkdown } from '../../../db/queries/markdown.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { callTool } from '../../support/mcp.js'
import { logIn, projectWith, testService } from '../../support/service.js'

t.test('REST', async t => {
  const service = await testService(t)
  const { app, context } = service
  const user = await service.user()
  const { access_token } = await logIn(service, user)
  const headers = { authorization: `Bearer ${access_token}` }
  const project_id = await projectWith(user, [
    { title: 'Sleep spindles', pdf_url: 'https://example.org/a.pdf', doi: '10.5555/r.1' },
    { title: 'Another' }
  ])
  const { items } = await feedGet.run(user.context, { project_id })
  const item = items.find(({ paper_title }) => paper_title === 'Sleep spindles')!
  const get = async (url: string) => await app.inject({ url, headers })

  t.test('returns the same object as the tool', async t => {
    const pairs: Array<[string, string, object]> = [
      ['/api/projects', 'projects_list', {}],
      [`/api/projects/${project_id}`, 'projects_get', { project_id }],
      [`/api/projects/${project_id}/feed?limit=1&must_read=false`, 'feed_get', { project_id, limit: 1, must_read: false }],
      [
        `/api/projects/${project_id}/feed/search?q=slee&feedback_filter=unrated&offset=0`,
        'feed_search',
        { project_id, q: 'slee', feedback_filter: 'unrated', offset: 0 }
      ],
      [`/api/projects/${project_id}/atom-url`, 'feed_atom_url', { project_id }],
      [`/api/papers/${item.paper.short_id}`, 'paper_get', { paper_id: item.paper.short_id }],
      ['/api/papers/ffffffff', 'paper_get', { paper_id: 'ffffffff' }]
    ]
    for (const [url, tool, args] of pairs) {
      const response = await get(url)
      const result = await callTool(service, user.key, tool, args)
      if (result.isError === true) t.equal(`${response.json().code}: ${response.json().detail}`, result.content[0].text)
      else {
        t.strictSame(response.json(), result.structuredContent, tool)
        t.strictSame(JSON.parse(result.content[0].text), result.structuredContent)
      }
    }
  })

  t.test('projects are created, changed and deleted', async t => {
    const created = await app.inject({
      method: 'POST',
      url: '/api/projects',
      headers,
      payload: { name: 'New', interest_description: 'x', positive_keywords: ['a'], sources: [{ name: 'arxiv', query: 'cat:q-bio' }] }
    })
    t.equal(created.statusCode, 201)
    t.match(created.json(), {
      name: 'New',
      positive_keywords: ['a'],
      negative_keywords: { length: 0 },
      sources: [{ name: 'arxiv' }],
      mode: 'auto',
      visibility: 'private',
      matching_state: 'active',
      last_fetched_at: null,
      counts: { papers: 0, must_read: 0, unrated: 0 }
    })
    const url = `/api/projects/${created.json().id}`
    const changed = await app.inject({ method: 'PATCH', url, headers, payload: { matching_state: 'paused' } })
    t.match(changed.json(), { name: 'New', matching_state: 'paused', positive_keywords: ['a'] })
    t.equal((await app.inject({ method: 'DELETE', url, headers })).statusCode, 204)
    t.match((await get(url)).json(), { code: 'project_not_found' })
    t.equal((await app.inject({ method: 'DELETE', url, headers })).statusCode, 404)
  })

  t.test('lists the newest project first', async t => {
    const { items: [first] } = (await get('/api/projects')).json()
    const created = (await app.inject({ method: 'POST', url: '/api/projects', headers, payload: { name: 'Newest' } })).json()
    const after = (await get('/api/projects')).json()
    t.strictSame(after.items.slice(0, 2).map(({ id }: { id: string }) => id), [created.id, first.id])
    t.equal(after.total, after.items.length)
  })

  t.test('sets, shows and removes feedback', async t => {
    const url = `/api/project-papers/${item.short_id}/feedback`
    const set = await app.inject({ method: 'PUT', url, headers, payload: { vote: 'downvote', downvote_reason: 'not_relevant' } })
    t.match(set.json().item, { id: item.id, feedback: { vote: 'downvote', downvote_reason: 'not_relevant', updated_at: /Z$/ } })
    t.match((await app.inject({ method: 'PUT', url, headers, payload: { vote: 'upvote' } })).json().item, {
      feedback: { vote: 'upvote', downvote_reason: null }
    })
    t.match((await get(`/api/project-papers/${item.id}`)).json(), { feedback: { vote: 'upvote' } })
    t.match((await app.inject({ method: 'DELETE', url, headers })).json(), {
      item: { id: item.id, feedback: null },
      learning: { pending: true }
    })
    t.match((await get(`/api/project-papers/${item.id}`)).json(), { feedback: null })
    t.match((await app.inject({ method: 'PUT', url, headers, payload: { vote: 'upvote', downvote_reason: 'low_quality' } })).json(), {
      code: 'invalid_arguments',
      detail: /downvote_reason/
    })
    t.match((await app.inject({ method: 'PUT', url, headers, payload: { vote: 'maybe' } })).json(), {
      code: 'invalid_arguments',
      detail: 'vote is "maybe"; allowed: upvote, downvote, star.'
    })
  })

  t.test('returns Markdown as text, or as JSON on request', async t => {
    const url = `/api/papers/${item.paper.id}/markdown`
    const queued = await get(url)
    t.equal(queued.statusCode, 202)
    t.match(queued.json(), { status: 'queued', code: 'markdown_queued', created: true })
    t.match((await get(`/api/jobs/${queued.json().job_id}`)).json(), { state: 'waiting' })
    const none = await get(`/api/papers/${items.find(({ paper_title }) => paper_title === 'Another')!.paper.id}/markdown`)
    t.equal(none.statusCode, 404)
    t.strictSame(none.json(), { status: 'unavailable', detail: 'Markdown source unavailable', code: 'markdown_source_unavailable' })
    await saveMarkdown(context.db, { paper_id: item.paper.id, markdown: '# Title\n' })
    const ready = await get(url)
    t.equal(ready.statusCode, 200)
    t.equal(ready.headers['content-type'], 'text/markdown; charset=utf-8')
    t.equal(ready.body, '# Title\n')
    t.equal(ready.headers.vary, 'Origin, Accept', 'as all responses, by the origin')
    t.match((await app.inject({ url, headers: { ...headers, accept: 'application/json' } })).json(), {
      status: 'ready',
      markdown: '# Title\n'
    })
  })

  t.test('names invalid arguments and the allowed values', async t => {
    const feed = `/api/projects/${project_id}/feed`
    const wrong: Array<[string, RegExp]> = [
      [`${feed}?limit=0`, /^limit must be at least 1, not 0\./],
      [`${feed}?limit=101`, /^limit must be at most 100/],
      [`${feed}?limit=ten`, /^limit must be an integer/],
      [`${feed}?offset=Infinity`, /^offset is not a valid number\. Items to skip/],
      [`${feed}?offset=1e999`, /^offset is not a valid number/],
      [`${feed}?offset=-1`, /^offset must be at least 0/],
      [`${feed}?must_read=maybe`, /^must_read must be a boolean/],
      [`${feed}?limit=1&limit=2`, /^limit is in the query more than once\. Send it once\.$/],
      [
        `${feed}?surprise=1`,
        /^surprise is not an argument of this operation\. Allowed arguments: project_id, must_read, since, until, feedback_filter, seen, saved, tag, link, sort, detail, limit, offset\./
      ],
      [`${feed}?project_id=${project_id}`, /^project_id belongs in the path\. Omit it from the query\.$/],
      [`${feed}/search`, /^q is required/],
      [`${feed}/search?q=abc&feedback_filter=good`, /^feedback_filter is "good"; allowed: all, unrated, liked/]
    ]
    for (const [url, detail] of wrong) {
      const response = await get(url)
      t.equal(response.statusCode, 400, url)
      t.match(response.json(), { code: 'invalid_arguments', detail }, url)
      t.strictSame(Object.keys(response.json()).sort(), ['code', 'detail'])
    }
    for (const [method, url, payload] of [
      ['GET', 'feed', undefined], ['GET', 'feedback', undefined], ['GET', 'feed/export', undefined],
      ['DELETE', `follows/${item.id}`, undefined], ['PUT', 'snapshots/schedule', { schedule: null }]
    ] as const) {
      const sent = { method, url: `/api/projects/${project_id.slice(1)}/${url}`, headers, ...(payload === undefined ? {} : { payload }) }
      const response = await app.inject(sent)
      t.match([response.statusCode, response.json()], [404, { code: 'project_not_found', detail: /Your projects: .* is / }], url)
    }
    const unknown = await get('/api/papers/nonsense')
    t.equal(unknown.statusCode, 404)
    t.match(unknown.json(), { code: 'paper_not_found', detail: /DOI, PMID or arXiv id/ })
  })

  t.test('takes no arguments from the query of a route with a body', async t => {
    const wrong: Array<[method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload: object | undefined, detail: RegExp]> = [
      ['POST', `/api/brief?project_id=${project_id}&limit=50`, {}, /^project_id belongs in the body\./],
      ['POST', '/api/brief?limit=50', undefined, /^limit belongs in the body\./],
      ['PUT', `/api/project-papers/${item.id}/feedback?vote=star`, { vote: 'upvote' }, /^vote belongs in the body\./],
      ['PATCH', `/api/projects/${project_id}?surprise=1`, { name: 'Other' }, /^surprise is not an argument of this operation\./],
      ['PATCH', `/api/projects/${project_id}?project_id=1`, { name: 'Other' }, /^project_id belongs in the path\./],
      ['DELETE', `/api/projects/${project_id}?dry_run=true`, undefined, /^dry_run is not an argument of this operation\./],
      ['POST', '/api/auth/login?email=a', { email: user.email, password: user.password }, /^email belongs in the body\./]
    ]
    for (const [method, url, payload, detail] of wrong) {
      const response = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
      t.match([response.statusCode, response.json()], [400, { code: 'invalid_arguments', detail }], `${method} ${url}`)
    }
    const upload = await app.inject({
      method: 'POST',
      url: `/api/papers/${item.paper.id}/pdf?paper_id=x`,
      headers: { ...headers, 'content-type': 'application/pdf' },
      payload: '%PDF-1.7'
    })
    t.match([upload.statusCode, upload.json()], [400, { code: 'invalid_arguments' }])
    const byAddress = await app.inject({ method: 'POST', url: `/api/projects/${project_id}/feed/seen?key=${user.key}`, payload: {} })
    t.equal(byAddress.json().code, 'forbidden', 'the key may be in the address')
    t.match((await get(`/api/projects/${project_id}`)).json(), { name: 'A project' })
  })

  t.test('takes null for an absent member of a list, and a number for an identifier, in a body', async t => {
    const other = await service.user()
    const { api_key } = await keyCreate.run(other.context, { name: 'Act', scope: 'act' })
    const send = async (url: string, payload: object) =>
      await app.inject({ method: 'POST', url, headers: { 'x-api-key': api_key }, payload })
    const created = await send('/api/projects', { name: 'Strict', sources: [{ name: 'pubmed', query: null }] })
    t.match([created.statusCode, created.json()], [201, { sources: [{ name: 'pubmed', query: '' }] }])
    const added = await send(`/api/projects/${created.json().id}/papers`, { identifier: 12345678 })
    t.match([added.statusCode, added.json()], [202, { job_id: String }])
  })

  t.test('takes "" for an absent project in a body', async t => {
    const payload = { project_id: '' }
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/brief', headers, payload })
    t.equal(statusCode, 200)
  })

  t.test('describes a violated limit of a body', async t => {
    const wrong: Array<[object, RegExp]> = [
      [{ name: '' }, /^name must have at least 1 character, not ""\./],
      [{ name: 'x'.repeat(300) }, /^name must have at most 200 characters, not "x/],
      [
        { name: 'x', interest_description: 'x', positive_keywords: Array.from({ length: 101 }, (_, at) => `k${at}`) },
        /^positive_keywords must have at most 100 items\. /
      ]
    ]
    for (const [payload, detail] of wrong) {
      t.match(
        (
          await app.inject({ method: 'POST', url: '/api/projects', headers: { ...headers, 'content-type': 'application/json' }, payload })
        ).json(),
        { detail }
      )
    }
  })

  t.test('any body gets a status below 500 with a reason', async t => {
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{"__proto__":{"a":1},"name":"x"}',
      '{"name":"\\u0000"}',
      '{"name":7}',
      '{"name":""}',
      '{"name":"x","positive_keywords":"a"}',
      '{"name":"x","project_id":"y"}',
      '['.repeat(10_000),
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      '{"name":"' + 'x'.repeat(300) + '"}'
    ]
    for (const payload of bodies) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/projects',
        headers: { ...headers, 'content-type': 'application/json' },
        payload
      })
      t.equal(response.statusCode, 400, payload.slice(0, 30))
      t.match(response.json(), { code: 'invalid_arguments', detail: String })
    }
    t.match(
      (
        await app.inject({ method: 'POST', url: '/api/projects', headers: { ...headers, 'content-type': 'text/plain' }, payload: 'x' })
      ).json(),
      { code: 'unsupported_media_type' }
    )
    t.match(
      (
        await app.inject({
          method: 'POST',
          url: '/api/projects',
          headers: { ...headers, 'content-type': 'application/json' },
          payload: ' '.repeat(1024 * 1024 + 1)
        })
      ).json(),
      { code: 'payload_too_large' }
    )
  })

  t.test('an unknown address is a 404 error object', async t => {
    for (const url of ['/api/nothing', '/api/projects/', '/favicon.ico', '/api/projects/%ff', `/api/papers/${'x'.repeat(500)}`]) {
      const response = await get(url)
      t.ok([400, 404].includes(response.statusCode), url)
      t.match(response.json(), { code: String, detail: String })
    }
  })

  t.test('a method that an address of the API does not have is a 405 with those that it has', async t => {
    const request = async (method: 'PUT' | 'GET', url: string) => await app.inject({ method, url, headers })
    const list = await request('PUT', '/api/projects?limit=1')
    t.equal(list.statusCode, 405)
    t.strictSame(list.headers.allow?.toString().split(', ').sort(), ['GET', 'HEAD', 'POST'])
    t.match(list.json(), { code: 'method_not_allowed', detail: /^\/api\/projects does not support PUT\. Use / })
    const login = await request('GET', '/api/auth/login')
    t.equal(login.statusCode, 405)
    t.equal(login.headers.allow, 'POST')
    t.equal((await request('PUT', '/api/openapi.json')).statusCode, 405)
    t.equal((await request('PUT', '/api/openapi-json')).statusCode, 404)
    for (const method of ['GET', 'PUT'] as const) {
      const unknown = await request(method, '/api/nothing')
      t.equal(unknown.statusCode, 404)
      t.match(unknown.json(), { code: 'not_found', detail: `No route ${method} /api/nothing. GET /api/openapi.json lists all routes.` })
      const doi = await app.inject({ method, url: '/api/papers/10.5555/abc/markdown', headers })
      t.match(doi.json(), { code: 'not_found', detail: /Write each slash of a DOI in a path as %2F\.$/ })
    }
  })

  t.test('the description of the API states the errors that routes answer with', async t => {
    const { paths } = (await get('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: { 'application/json': { schema: object } } }> }>>
    }
    const statuses = (method: string, url: string) => Object.keys(paths[url]![method]!.responses)
    for (const [method, url, stated] of [
      ['get', '/api/papers/{paper_id}', ['404', '409']],
      ['put', '/api/project-papers/{paper_id}/feedback', ['404', '409', '413', '415']],
      ['post', '/api/projects', ['409', '413', '415']],
      ['post', '/api/keys', ['403', '404', '409', '413', '415']],
      ['delete', '/api/keys/{key_id}', ['404', '409']],
      ['post', '/api/auth/login', ['401', '413', '415']],
      ['post', '/api/auth/refresh', ['401']],
      ['get', '/api/papers/{paper_id}/markdown', ['202', '404', '413']],
      ['get', '/api/fetch/{id}', ['404', '409']]
    ] as const) {
      const found = statuses(method, url)
      for (const status of [...stated, '400', '429', '500', '503']) t.ok(found.includes(status), `${method} ${url} ${status}`)
    }
    t.notOk(statuses('get', '/api/projects').includes('413'))
    const operationOf = (method: string, url: string) => paths[url]![method]! as {
      requestBody?: { required: boolean, content: object }
      responses: Record<string, { content?: object, headers?: object }>
    }
    t.match(operationOf('post', '/api/papers/{paper_id}/pdf').requestBody, {
      required: true, content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }
    })
    t.match(operationOf('post', '/api/brief').requestBody, { required: false })
    t.match(operationOf('post', '/api/projects').requestBody, { required: true })
    t.notOk('text/csv' in operationOf('get', '/api/project-papers/{ref}/citation').responses[200]!.content!)
    t.ok('text/csv' in operationOf('get', '/api/feed/export').responses[200]!.content!)
    for (const status of [429, 503]) t.ok('Retry-After' in operationOf('get', '/api/projects').responses[status]!.headers!)
    t.match(paths['/readyz']!.get!.responses, {
      200: { content: { 'application/json': { schema: { properties: { ready: {}, migrations: {} } } } } },
      503: { content: { 'application/json': { schema: { properties: { ready: {} } } } } }
    })
    const liveness = paths['/healthz']!.get!.responses[200]!.content!['application/json'].schema
    t.match(liveness, { properties: { status: {}, version: {} } })
    const answered = [
      ['delete', '/api/keys/{key_id}', await app.inject({ method: 'DELETE', url: `/api/keys/${project_id}`, headers })],
      ['post', '/api/projects', await app.inject({
        method: 'POST', url: '/api/projects', headers: { ...headers, 'content-type': 'text/plain' }, payload: 'x'
      })],
      ['post', '/api/auth/login', await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'x'.repeat(100_000) } })],
      ['post', '/api/auth/login', await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'x', password: 'x' } })],
      ['post', '/api/auth/refresh', await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token: 'x' } })],
      ['post', '/api/auth/password-reset', await app.inject({
        method: 'POST', url: '/api/auth/password-reset', payload: { email: 'a@example.org' }
      })],
      ['get', '/api/zotero/libraries', await app.inject({ url: '/api/zotero/libraries', headers })],
      ['get', '/api/zotero/collections', await app.inject({ url: '/api/zotero/collections?library=users/1', headers })],
      ['get', '/api/feed/atom/{project_id}', await app.inject({ url: '/api/feed/atom/x' })],
      ['get', '/api/shared/atom', await app.inject({ url: '/api/shared/atom' })]
    ] as const
    t.strictSame(answered.map(([, , { statusCode }]) => statusCode), [404, 415, 413, 401, 401, 404, 404, 404, 404, 404])
    for (const [method, url, { statusCode }] of answered) t.ok(statuses(method, url).includes(String(statusCode)), `${method} ${url}`)
  })

  t.test('a 401 says whether the token or the key is missing or no longer valid', async t => {
    const detail = async (url: string, sent: object = {}) => (await app.inject({ url, headers: { ...sent } })).json().detail
    const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
    for (const url of ['/api/projects', '/api/auth/me']) {
      t.match(await detail(url), /^Send the access token of POST \/api\/auth\/login/)
      t.match(await detail(url, bearer('x')), /^The access token is not valid: it may have expired, .* Send the access token/)
    }
    t.match(await detail('/api/projects', bearer('svcmcp_a_b')), /^The key is not valid: it may have been replaced or revoked/)
    t.match(await detail('/api/projects', { 'x-api-key': 'svcmcp_a_b' }), /^The key is not valid/)
    t.match(await detail('/api/auth/me', bearer(user.key)), /^Send the access token .* An MCP key is not accepted here\.$/)
  })

  t.test('every route except public ones is 401 without credentials', async t => {
    const { routes } = await import('../../../src/adapters/rest/routes.js')
    for (const { method, url, access } of routes) {
      const response = await app.inject({
        method,
        url: url.replace(/:\w+/g, project_id),
        ...(method === 'GET' || method === 'DELETE' ? {} : { payload: {} })
      })
      if (access === 'anyone') t.not(response.statusCode, 404, url)
      else t.equal(response.statusCode, 401, `${method} ${url}`)
    }
  })
})
