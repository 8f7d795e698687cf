import t from 'tap'
import { randomUUID } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { pages } from '../../../src/adapters/web/pages.js'
import { alertCreate } from '../../../src/operations/alerts/alert-create.js'
import { feedGet } from '../../../src/operations/feed/feed-get.js'
import { projectsList } from '../../../src/operations/projects/projects-list.js'
import { formSession } from '../../support/forms.js'
import { projectWith, testService } from '../../support/service.js'

const { app, user, sibling } = await testService(t)

t.test('signing in', async t => {
  const ada = await user()

  await t.test('asks visitors to sign in, and redirects to the requested page', async t => {
    const visitor = await formSession(app)
    const asked = await visitor.get('/?since=2026-01-01')
    t.equal(asked.statusCode, 303)
    t.equal(asked.headers.location, '/login?next=%2F%3Fsince%3D2026-01-01')
    const signedIn = await visitor.post('/login', { action: 'sign-in', ...credentials(ada), next: '/?since=2026-01-01' })
    t.equal(signedIn.statusCode, 303)
    t.equal(signedIn.headers.location, '/?since=2026-01-01')
    t.equal((await visitor.get('/')).statusCode, 200)
  })

  await t.test('leads from a download to the page that offers it', async t => {
    const visitor = await formSession(app)
    const downloads = pages.filter(({ isDownload }) => isDownload)
    t.ok(downloads.length > 5)
    for (const { url } of downloads) {
      const { headers: { location } } = await visitor.get(`${url.replaceAll(/:\w+/g, randomUUID())}?format=ris`)
      const next = new URLSearchParams(location!.split('?')[1]).get('next')!
      t.ok(pages.some(page => !page.isDownload && new RegExp(`^${page.url.replaceAll(/:\w+/g, '[^/]+')}$`).test(next)), `${url}: ${next}`)
    }
  })

  await t.test('does not redirect to other sites', async t => {
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/login?next=/login'
    ]) {
      const visitor = await formSession(app)
      t.equal((await visitor.post('/login', { action: 'sign-in', ...credentials(ada), next })).headers.location, '/', next)
    }
  })

  await t.test('responds equally to a wrong password and an unknown address, and keeps the address', async t => {
    const visitor = await formSession(app)
    for (const email of [ada.email, 'nobody@example.org']) {
      const refused = await visitor.post('/login', { action: 'sign-in', email, password: 'wrong password' })
      t.equal(refused.statusCode, 401)
      t.match(refused.body, 'The email address or password is wrong.')
      t.match(refused.body, `value="${email}"`)
      t.notMatch(refused.body, 'wrong password')
      t.equal(visitor.cookies.size, 0)
      t.match(refused.body, /<input[^>]* name="password"[^>]* autofocus/, 'the password is what is left to enter')
      t.notMatch(refused.body, /<input[^>]* name="email"[^>]* autofocus/)
    }
  })

  await t.test('signing in on a page of a time without a session goes on with the one that has begun since', async t => {
    const session = await formSession(app, ada)
    const cookie = session.cookies.get('litfeed')!
    const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      await session.request('POST', '/login', { action: 'sign-in', csrf_token: '', next: '/connect', ...fields }, headers)
    for (const fields of [credentials(ada), credentials(await user()), { ...credentials(ada), password: 'wrong password' }]) {
      const answer = await send(fields, { 'sec-fetch-site': 'same-origin' })
      t.equal(answer.statusCode, 303)
      t.equal(answer.headers.location, '/connect')
      t.match((await session.get('/connect')).body, `You are already signed in as ${ada.email}.`)
    }
    t.equal((await send({ ...credentials(ada), next: 'https://evil.example/' })).headers.location, '/')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      t.equal((await send(credentials(ada), headers)).statusCode, 403)
    }
    t.equal(session.cookies.get('litfeed'), cookie, 'whatever is sent')
  })

  await t.test('signing out invalidates the cookie', async t => {
    const session = await formSession(app, ada)
    const cookie = [...session.cookies][0]!
    const out = await session.post('/', {})
    t.equal(out.statusCode, 404, 'the page of projects has no form')
    const page = await session.get('/')
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(page.body)![1]!
    t.equal((await session.request('POST', '/login', { action: 'sign-out', csrf_token: csrfToken })).headers.location, '/login')
    t.notOk(session.cookies.has(cookie[0]))
    session.cookies.set(...cookie)
    t.equal((await session.get('/')).statusCode, 303)
  })

  await t.test('signing out on a page of an earlier session ends the present one of the account', async t => {
    const session = await formSession(app, ada)
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec((await session.get('/')).body)![1]!
    session.cookies.delete('litfeed')
    await session.post('/login', { action: 'sign-in', ...credentials(ada) })
    const cookie = session.cookies.get('litfeed')!
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    t.equal((await session.request('POST', '/login', { action: 'sign-out', csrf_token }, crossSite)).statusCode, 403)
    t.equal((await session.get('/')).statusCode, 200)
    const out = await session.request('POST', '/login', { action: 'sign-out', csrf_token })
    t.equal(out.headers.location, '/login')
    t.notOk(session.cookies.has('litfeed'))
    session.cookies.set('litfeed', cookie)
    t.equal((await session.get('/')).statusCode, 303)
  })
})

t.test('the cookie', async t => {
  await t.test('is HttpOnly and SameSite', async t => {
    const visitor = await formSession(app)
    const { cookies: [cookie] } = await visitor.post('/login', { action: 'sign-in', ...credentials(await user()) })
    t.match(cookie, { name: 'litfeed', httpOnly: true, sameSite: 'Lax', path: '/' })
    t.notOk(cookie!.secure, 'a browser would not send it over http')
  })

  await t.test('is restricted to this host and https if the service has an https address', async t => {
    const { app, user } = await sibling(t, { BASE_URL: 'https://litfeed.example.org' })
    const visitor = await formSession(app)
    const { cookies: [cookie] } = await visitor.post('/login', { action: 'sign-in', ...credentials(await user()) })
    t.match(cookie, { name: '__Host-litfeed', httpOnly: true, secure: true, path: '/' })
    t.equal((cookie as { domain?: string }).domain, undefined)
  })

  await t.test('is not accepted as an access token, refresh token or key', async t => {
    const session = await formSession(app, await user())
    const token = session.cookies.get('litfeed')!
    t.equal((await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode, 401)
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token: token } })).statusCode, 401)
    t.equal(
      (await app.inject({ method: 'POST', url: '/api/mcp', headers: { authorization: `Bearer ${token}` }, payload: {} })).statusCode,
      401
    )
  })

  await t.test('expires thirty days after the last use', async t => {
    let now = new Date('2026-11-21T08:00:00Z')
    const { app, user } = await sibling(t, {}, () => now)
    const session = await formSession(app, await user())
    for (const day of [20, 40, 60]) {
      now = new Date(Date.UTC(2026, 10, 21 + day))
      t.equal((await session.get('/')).statusCode, 200, `day ${day}`)
    }
    now = new Date(Date.UTC(2026, 10, 21 + 91))
    t.equal((await session.get('/')).statusCode, 303)
  })
})

t.test('cross-site forms are rejected', async t => {
  const [ada, bob] = [await user(), await user()]
  const session = await formSession(app, ada)

  await t.test('without the CSRF token, with one of another session, or from another site', async t => {
    const foreign = await formSession(app, bob)
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec((await foreign.get('/')).body)![1]!
    for (const fields of [{}, { csrf_token: '' }, { csrf_token: csrfToken }, { csrf_token: 'A'.repeat(43) }]) {
      const refused = await session.request('POST', '/login', { action: 'sign-out', ...fields })
      t.equal(refused.statusCode, 403)
    }
    const own = /name="csrf_token" value="([^"]+)"/.exec((await session.get('/')).body)![1]!
    t.equal(
      (await session.request('POST', '/login', { action: 'sign-out', csrf_token: own }, { 'sec-fetch-site': 'cross-site' })).statusCode,
      403
    )
    t.equal(
      (await session.request('POST', '/login', { action: 'sign-out', csrf_token: own }, { origin: 'https://evil.example' })).statusCode,
      403
    )
    t.equal((await session.get('/')).statusCode, 200, 'and the session goes on')
  })

  await t.test('also when signing in', async t => {
    const visitor = await formSession(app)
    t.equal((await visitor.post('/login', { action: 'sign-in', ...credentials(ada) }, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  })
})

t.test('a form that is sent after the end of its session', async t => {
  const [ada, bob] = [await user(), await user()]
  const interest = 'Sleep and memory, “replay”\nand 睡眠 & 50 % <b>'
  const entered = { action: 'create', name: 'Sleep & memory', interest_description: interest, positive_keywords: 'spindles\nreplay' }
  const keptIn = (html: string) => decodeHtml(/name="kept" value="([^"]*)"/.exec(html)?.[1] ?? '')
  const projects = async () => (await projectsList.run(ada.context, {})).items

  /** Sends a form after the session has ended. */
  const interrupted = async (url: string, fields: Record<string, string>, headers?: Record<string, string>) => {
    const session = await formSession(app, ada)
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec((await session.get(url)).body)![1]!
    session.cookies.delete('litfeed')
    const answer = await session.request('POST', url, { csrf_token, ...fields }, headers)
    return { session, answer, csrf_token, kept: keptIn(answer.body) }
  }

  await t.test('asks to sign in, and then shows what was typed, which can be sent', async t => {
    const { session, answer, kept } = await interrupted('/projects/new?first=true', entered)
    t.equal(answer.statusCode, 200)
    t.match(answer.body, 'Your session has ended. Sign in to continue: what you typed is kept')
    const url = '/projects/new?first=true'
    const wrong = await session.request('POST', url, { action: 'sign-in', kept, email: ada.email, password: 'wrong password' })
    t.equal(wrong.statusCode, 401)
    t.match(wrong.body, `value="${ada.email}"`)
    t.equal(keptIn(wrong.body), kept, 'also after a wrong password')
    const again = await session.request('POST', url, { action: 'sign-in', kept, ...credentials(ada) })
    t.equal(again.statusCode, 200)
    t.match(again.body, 'Your session had ended, so this was not sent.')
    t.match(again.body, 'value="Sleep &amp; memory"')
    t.ok(decodeHtml(again.body).includes(`>${interest}</textarea>`))
    t.match(again.body, 'spindles')
    t.strictSame(await projects(), [], 'nothing was done yet')
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(again.body)![1]!
    t.equal((await session.request('POST', url, { ...entered, csrf_token })).statusCode, 303)
    t.match(await projects(), [{ name: 'Sleep & memory' }])
  })

  await t.test('is not shown to another account', async t => {
    const { session, kept } = await interrupted('/projects/new', entered)
    const other = await session.request('POST', '/projects/new', { action: 'sign-in', kept, ...credentials(bob) })
    t.equal(other.statusCode, 303)
    t.equal(other.headers.location, '/projects/new')
    const { body } = await session.get('/projects/new')
    t.match(body, 'You signed in with another account.')
    t.notMatch(body, 'spindles')
  })

  await t.test('is shown again if its account has signed in elsewhere in the browser', async t => {
    const session = await formSession(app, ada)
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec((await session.get('/projects/new')).body)![1]!
    session.cookies.delete('litfeed')
    const asked = await session.request('POST', '/projects/new', { csrf_token, ...entered, name: 'Elsewhere' })
    await session.post('/login', { action: 'sign-in', ...credentials(ada) })
    for (const fields of [
      { csrf_token, ...entered, name: 'Elsewhere' },
      { csrf_token: '', action: 'sign-in', kept: keptIn(asked.body), ...credentials(ada) }
    ]) {
      const again = await session.request('POST', '/projects/new', fields)
      t.equal(again.statusCode, 403)
      t.match(again.body, 'value="Elsewhere"')
    }
    t.notOk((await projects()).some(({ name }) => name === 'Elsewhere'))
  })

  await t.test('is kept without its passwords', async t => {
    const password = 'a secret password'
    const fields = { action: 'change-password', current_password: password, new_password: password, repeated: password, revoke_keys: 'on' }
    const { session, answer, kept } = await interrupted('/account', fields)
    t.match(kept, 'revoke_keys=on')
    t.notMatch(answer.body, /secret(\+|%20| )password/)
    const again = await session.request('POST', '/account', { action: 'sign-in', kept, ...credentials(ada) })
    t.match(again.body, /name="revoke_keys"[^>]* checked/)
  })

  await t.test('keeps a note', async t => {
    const project_id = await projectWith(ada, [{ title: 'Sleep spindles' }])
    const [item] = (await feedGet.run(ada.context, { project_id })).items
    const url = `/projects/${project_id}?item=${item!.id}`
    const fields = { action: 'note', item: item!.id, base: 'a base', note: 'A long thought' }
    const { session, kept } = await interrupted(url, fields)
    const { body } = await session.request('POST', url, { action: 'sign-in', kept, ...credentials(ada) })
    t.match(body, />A long thought<\/textarea>/)
    t.match(body, 'name="base" value="a base"')
  })

  await t.test('fills only the form of its alert, and opens it', async t => {
    const project_id = await projectWith(ada, [])
    const create = async (host: string) => await alertCreate.run(ada.context, {
      project_id, kind: 'webhook', target: `https://${host}.example/`, frequency: 'daily', weekday: 'monday', hour: 6, must_read: false
    })
    const [first, second] = [await create('a'), await create('b')]
    const url = `/projects/${project_id}/alerts`
    const fields = { action: 'update', alert_id: first.id, frequency: 'weekly', weekday: 'friday', hour: '17', must_read: 'on' }
    const { session, kept } = await interrupted(url, fields)
    const { body } = await session.request('POST', url, { action: 'sign-in', kept, ...credentials(ada) })
    const changeOf = ({ id }: { id: string }) =>
      body.match(/<details class="fold"[^]*?<\/details>/g)!.find(fold => fold.includes(`id="${id}-hour"`))!
    const filled = (fold: string) => [...fold.matchAll(/<option value="(\w+)" selected|<details [^>]*(open)|(checked)/g)]
      .map(([, chosen, isOpen, checked]) => chosen ?? isOpen ?? checked)
    t.strictSame(filled(changeOf(first)), ['open', 'weekly', 'friday', '17', 'checked'])
    t.strictSame(filled(changeOf(second)), ['daily', 'monday', '6'])
  })

  await t.test('is not kept for another site, a script, a file or without the token of a page', async t => {
    const token = { csrf_token: 'x'.repeat(87) }
    for (const [fields, headers] of [
      [token, { 'sec-fetch-site': 'cross-site' }],
      [token, { origin: 'https://evil.example' }],
      [token, { accept: 'application/json' }],
      [token, { 'hx-request': 'true' }],
      [{ csrf_token: '' }, {}],
      [{ ...token, interest_description: 'x'.repeat(300_000) }, {}],
      [{ ...token, interest_description: 'x'.repeat(600_000) }, {}]
    ] as Array<[Record<string, string>, Record<string, string>]>) {
      const visitor = await formSession(app)
      const { statusCode, headers: { location } } = await visitor.request('POST', '/projects/new?first=true', fields, headers)
      if (headers.origin !== undefined) {
        t.equal(statusCode, 403)
        continue
      }
      t.equal(statusCode, 303)
      t.equal(location, '/login?next=%2Fprojects%2Fnew&ended=true')
      t.match((await visitor.get(location!)).body, 'Your session has ended. What you sent was not saved')
    }
  })
})

t.test('every page', async t => {
  const { app, user } = await sibling(t, { BASE_URL: 'https://litfeed.example.org/papers' })
  const session = await formSession(app, await user())
  const page = await session.get('/')

  t.test('allows only own scripts and no framing', async t => {
    t.match(page.headers['content-security-policy'], /^default-src 'none';script-src 'self';/)
    t.match(page.headers, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'private, no-store'
    })
    t.notMatch(page.body, /<script>|<script [^>]*>[^<]| style=| on\w+=|(src|href)="(https?:)?\/\//)
  })

  t.test('works behind a path prefix', async t => {
    const addresses = [...page.body.matchAll(/(?:href|src|action)="([^"#]+)/g)].map(([, address]) => address!)
    t.ok(addresses.length > 5)
    for (const address of addresses) t.match(address, /^\/papers\//)
    t.equal((await app.inject({ url: '/' })).headers.location, '/papers/login?next=%2F')
  })

  t.test('has compressed, immutably cached assets', async t => {
    for (const [, address] of page.body.matchAll(/(?:href|src)="\/papers(\/assets\/[^"]+)"/g)) {
      const { statusCode, headers, rawPayload } = await app.inject({ url: address!, headers: { 'accept-encoding': 'gzip, br' } })
      t.equal(statusCode, 200)
      t.match(headers, { 'cache-control': /immutable/, 'x-content-type-options': 'nosniff' })
      t.match(headers.vary, /accept-encoding/)
      const isFont = address!.endsWith('.woff2')
      t.ok(rawPayload.length < (isFont ? 30_000 : 20_000), `${address} has ${rawPayload.length} bytes`)
      // Fonts and pictures are compressed already.
      if (isFont) t.match(headers, { 'content-type': 'font/woff2', 'content-encoding': undefined })
      if (isFont || address!.endsWith('.png')) continue
      t.equal(headers['content-encoding'], 'br')
      const plain = await app.inject({ url: address! })
      t.equal(plain.headers['content-encoding'], undefined)
      t.strictSame(brotliDecompressSync(rawPayload), plain.rawPayload, 'the compressed form is that of the file')
    }
    for (const missing of ['litfeed-000000000000.css', '..%2F..%2Fpackage.json']) {
      t.equal((await app.inject({ url: `/assets/${missing}` })).statusCode, 404, missing)
    }
  })

  t.test('is 404 as HTML for browsers and JSON for programs', async t => {
    const missing = await session.get('/nothing')
    t.equal(missing.statusCode, 404)
    t.match(missing.headers['content-type'], 'text/html')
    t.match((await app.inject({ url: '/api/nothing', headers: { accept: 'text/html' } })).json(), { code: 'not_found' })
  })
})

t.test('reports an unavailable database', async t => {
  const { app, context, user } = await sibling(t)
  const session = await formSession(app, await user())
  await context.db.destroy()
  const away = await session.get('/')
  t.ok(away.statusCode >= 500)
  t.match(away.headers['content-type'], 'text/html')
})

const decodeHtml = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

const credentials = ({ email, password }: { email: string, password: string }) => ({ email, password })
