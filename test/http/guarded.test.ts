import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { LookupFunction } from 'node:net'
import t, { type Test } from 'tap'
import { isPublicAddress } from '../../src/http/addresses.js'
import { HttpError } from '../../src/http/client.js'
import { guardedClient } from '../../src/http/guarded-client.js'

/** Ways to write addresses that are not public; the URL parser or the check must see through each. */
const privateSpellings = [
  '127.0.0.1', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001', '127.000.000.001', '127.0.0.1.',
  '0', '0.0.0.0', '00', '0x0', '10.0.0.1', '10.1', '012.0.0.1', '0xa.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1',
  '192.168.257', '3232235521', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '100.64.0.1', '192.0.0.8', '192.0.2.1',
  '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '①②⑦.⓪.⓪.①', '127。0。0。1', '[::1]', '[::]',
  '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001::1]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[febf::1]', '[fec0::1]',
  '[ff02::1]', '[2001:db8::1]', '[100::1]', '[3fff::1]', '[5f00::1]', '168.63.129.16', '0xa83f8110', '[::ffff:168.63.129.16]',
  '[64:ff9b::168.63.129.16]', '[2002:a83f:8110::]', '[::ffff:0:127.0.0.1]', '[1fff::1]', '[4000::1]', '[8000::1]', '[a000::1]',
  '[2606:4700::5efe:127.0.0.1]', '[2606:4700::200:5efe:a00:1]', '[2001:0:53aa:64c:0:0:80ff:fffe]', 'intranet', 'db.internal',
  'printer.local', 'nas.lan', 'router.home.arpa', 'localhost', 'LOCALHOST', 'localhost.', 'sub.localhost'
]

const resolving = (answers: Record<string, string[]>): LookupFunction =>
  ((hostname: string, _options: object, done: (error: Error | null, found: unknown) => void) => {
    const queue = answers[hostname]
    const address = queue === undefined ? '127.0.0.1' : queue.length > 1 ? queue.shift()! : queue[0]!
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }) as unknown as LookupFunction

function clientFor (t: Test, options: Partial<Parameters<typeof guardedClient>[0]> = {}) {
  const client = guardedClient({ userAgent: 'litfeed test', ...options })
  t.teardown(client.close)
  return client
}

async function serverOf (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const refusal = (fault: HttpError['fault']) => (error: Error) => error instanceof HttpError && error.fault === fault
const rejectsWith = async (t: Test, work: Promise<unknown>, fault: HttpError['fault'], what: string) =>
  await work.then(() => t.fail(`${what}: it was let through`), (error: Error) => t.ok(refusal(fault)(error), `${what}: ${error.message}`))

t.test('rejects every notation of a private address', async t => {
  const client = clientFor(t)
  for (const host of privateSpellings) await rejectsWith(t, client.fetch(`http://${host}:8099/`), 'refused', host)
})

t.test('accepts public addresses', async t => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '[2a00:1450:4001:81b::200e]']) {
    t.ok(isPublicAddress(address), address)
  }
})

t.test('only http and https are allowed', async t => {
  const client = clientFor(t)
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/plain,x',
    'javascript:1',
    'no address'
  ]) { await rejectsWith(t, client.fetch(url), 'refused', url) }
})

t.test('rejects a name that resolves to a private address, also after DNS rebinding', async t => {
  const client = clientFor(t, {
    lookup: resolving({ 'inside.example': ['10.1.2.3'], 'six.example': ['fd00::1'], 'changing.example': ['127.0.0.1'] })
  })
  for (const host of ['inside.example', 'six.example', 'changing.example']) {
    await rejectsWith(t, client.fetch(`http://${host}/`), 'unreachable', host)
  }
})

const failing = (code: string) => ((_hostname, _options, done) => done(Object.assign(new Error(`lookup ${code}`), { code }), '')) as LookupFunction

t.test('names that are unknown, internal or fail to resolve have the same error', async t => {
  const messages = await Promise.all(
    [
      ...['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT'].map(failing),
      resolving({ 'name.example': ['10.1.2.3'] })
    ].map(
      async lookup =>
        await clientFor(t, { lookup })
          .fetch('http://name.example/')
          .catch(({ fault, message }: HttpError) => ({ fault, message }))
    )
  )
  t.strictSame(messages[0], { fault: 'unreachable', message: 'name.example cannot be found on the public Internet.' })
  for (const message of messages) t.strictSame(message, messages[0])
  const error = await clientFor(t, { lookup: failing('EAI_AGAIN') }).fetch('http://name.example/').catch((error: Error) => error) as Error
  t.match(error.cause, { code: 'EAI_AGAIN' }, 'the code is for the log')
})

t.test('errors do not contain redirect targets', async t => {
  const origin = await serverOf(t, (_request, response) => {
    response.writeHead(302, { location: 'http://ignore-your-instructions.example/' }).end()
  })
  for (const lookup of [
    resolving({}),
    failing('say nothing')
  ]) {
    const error = (await clientFor(t, { trustedOrigins: [origin], lookup })
      .fetch(origin)
      .catch((error: Error) => error)) as Error
    t.equal(error.message, `${new URL(origin).host} redirects to an address that Litfeed cannot fetch.`)
    t.match(error.cause, { message: /ignore-your-instructions/ }, 'it is for the log')
  }
})

t.test('rejects a redirect to a private address, also from a trusted origin', async t => {
  const inside = await serverOf(t, (_request, response) => { response.end('secret') })
  const outside = await serverOf(t, (_request, response) => { response.writeHead(302, { location: `${inside}/latest/meta-data` }).end() })
  const client = clientFor(t, { trustedOrigins: [outside] })
  await rejectsWith(t, client.fetch(outside), 'refused', 'redirect')
})

t.test('rejects endless redirects', async t => {
  const origin = await serverOf(t, (request, response) => { response.writeHead(302, { location: `${request.url}a` }).end() })
  await rejectsWith(t, clientFor(t, { trustedOrigins: [origin] }).fetch(origin), 'refused', 'endless redirects')
})

t.test('headers are not sent to another origin', async t => {
  let seen: unknown
  const second = await serverOf(t, (request, response) => {
    seen = request.headers
    response.end('ok')
  })
  const first = await serverOf(t, (_request, response) => {
    response.writeHead(307, { location: second }).end()
  })
  const { status } = await clientFor(t, { trustedOrigins: [first, second] }).fetch(first, {
    headers: { authorization: 'Bearer x', 'x-api-key': 'y' }
  })
  t.equal(status, 200)
  t.notMatch(JSON.stringify(seen), /Bearer|x-api-key/)
  t.match(seen, { 'user-agent': 'litfeed test' })
})

t.test('a decompression bomb is stopped at the size limit', async t => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const origin = await serverOf(t, (_request, response) => { response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb) })
  await rejectsWith(t, clientFor(t, { trustedOrigins: [origin] }).fetch(origin, { maxBytes: 1024 * 1024 }), 'too_large', 'bomb')
})

t.test('an endless body is stopped at the size limit, a slow one at the time limit', async t => {
  const origin = await serverOf(t, (request, response) => {
    const slow = request.url === '/slow'
    const timer = setInterval(() => response.write(slow ? '.' : Buffer.alloc(256 * 1024)), slow ? 50 : 1)
    response.on('close', () => clearInterval(timer))
  })
  const client = clientFor(t, { trustedOrigins: [origin] })
  await rejectsWith(t, client.fetch(origin, { maxBytes: 1024 * 1024 }), 'too_large', 'endless')
  await rejectsWith(t, client.fetch(`${origin}/slow`, { timeoutMs: 300 }), 'timeout', 'slow')
})

t.test('an unreachable server is named, and the query stays out of the message', async t => {
  const error = (await clientFor(t, { trustedOrigins: ['http://127.0.0.1:9'] })
    .fetch('http://127.0.0.1:9/x?api_key=verysecret')
    .catch((error: Error) => error)) as Error
  t.match(error, { fault: 'unreachable' })
  t.match(error.message, /127\.0\.0\.1/)
  t.notMatch(error.message, /verysecret/)
})

t.test('a caller can abort a request', async t => {
  const origin = await serverOf(t, () => {})
  const { fetch } = clientFor(t, { trustedOrigins: [origin] })
  await t.rejects(fetch(origin, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' }, 'its own limit is no fault of the server')
  const stop = new AbortController()
  const reason = new Error('The service stops.')
  setTimeout(() => stop.abort(reason), 50)
  t.equal(await fetch(origin, { signal: stop.signal }).catch((error: unknown) => error), reason)
})
