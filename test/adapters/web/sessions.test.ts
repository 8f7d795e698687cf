import t from 'tap'
import { brotliDecompressSync } from 'node:zlib'
import { formSession } from '../../support/forms.js'
import { testService } from '../../support/service.js'

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
    }
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

const credentials = ({ email, password }: { email: string, password: string }) => ({ email, password })
