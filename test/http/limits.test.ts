import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { LookupFunction } from 'node:net'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { isAddress, isPublicAddress, publicLookup } from '../../src/http/addresses.js'
import { HttpError } from '../../src/http/client.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import { metered } from '../../src/http/metered-client.js'

async function serve (t: Test, listener: RequestListener) {
  const server = createServer({ maxHeaderSize: 256 * 1024 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`
  const client = guardedClient({ userAgent: 'litfeed test', trustedOrigins: [`http://${host}`] })
  t.teardown(client.close)
  return { server, host, client, origin: `http://${host}` }
}

t.test('a response may have 32 MiB by default, and the error names the limit', async t => {
  const { client, origin, host } = await serve(t, (request, response) => { response.end(Buffer.alloc(Number(request.url!.slice(1)))) })
  t.equal((await client.fetch(`${origin}/1000`, { maxBytes: 1000 })).bytes.byteLength, 1000)
  await t.rejects(client.fetch(`${origin}/1001`, { maxBytes: 1000 }), { fault: 'too_large', message: /sent more/ })
  await t.rejects(client.fetch(`${origin}/2000000`, { maxBytes: 1.5 * 1024 * 1024 }), {
    fault: 'too_large',
    message: `${host} sent more than 1.5 MiB.`
  })
  const most = 32 * 1024 * 1024
  t.equal((await client.fetch(`${origin}/${most}`)).bytes.byteLength, most)
  await t.rejects(client.fetch(`${origin}/${most + 1}`), { fault: 'too_large', message: `${host} sent more than 32 MiB.` })
})

t.test('the caller can read the body of a successful response, within the limit', async t => {
  const { client, origin } = await serve(t, (request, response) => {
    response.statusCode = request.url === '/missing' ? 404 : 200
    response.end(Buffer.alloc(3000))
  })
  let size = 0
  const readBody = async (body: AsyncIterable<Uint8Array>) => { for await (const { length } of body) size += length }
  t.match(await client.fetch(origin, { readBody }), { status: 200, bytes: { length: 0 } })
  t.equal(size, 3000)
  t.match(await client.fetch(`${origin}/missing`, { readBody }), { status: 404, bytes: { length: 0 } })
  t.equal(size, 3000)
  await t.rejects(client.fetch(origin, { readBody, maxBytes: 1000 }), { fault: 'too_large', message: /sent more/ })
})

t.test('a response in many small pieces is refused before it is read, compressed or not', async t => {
  const { client, origin, host } = await serve(t, async (request, response) => {
    const { searchParams } = new URL(request.url!, origin)
    const [pieces, size] = [Number(searchParams.get('pieces')), Number(searchParams.get('size'))]
    const isCompressed = searchParams.has('gzip')
    const body = isCompressed ? gzipSync(randomBytes(pieces * size)) : Buffer.alloc(pieces * size)
    if (isCompressed) response.setHeader('content-encoding', 'gzip')
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    for (let at = 0; at < body.length && !response.destroyed; at += size) {
      if (!response.write(body.subarray(at, at + size))) await once(response, 'drain', { signal: closed.signal }).catch(() => {})
    }
    response.end()
  })
  for (const gzip of ['', '&gzip']) {
    for (const [pieces, size] of [[20_000, 1], [20_000, 100]]) {
      await t.rejects(client.fetch(`${origin}?pieces=${pieces}&size=${size}${gzip}`, { timeoutMs: 20_000 }), {
        fault: 'fragmented',
        message: `${host} sent its response in too many small pieces.`
      }, `${pieces} of ${size} bytes${gzip}`)
    }
    for (const [pieces, size] of [[4000, 1], [12_000, 512]] as const) {
      const { bytes } = await client.fetch(`${origin}?pieces=${pieces}&size=${size}${gzip}`)
      t.equal(bytes.length, pieces * size, `${pieces} of ${size} bytes${gzip}`)
    }
  }
})

t.test('a compressed response may have no more bytes than a decoded one, whatever they decode to', async t => {
  // Blocks without content.
  const nothing = Buffer.concat([gzipSync('').subarray(0, 10), Buffer.from('000000ffff'.repeat(50_000), 'hex')])
  const { client, origin } = await serve(t, (_request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(nothing)
  })
  await t.rejects(client.fetch(origin, { maxBytes: 100_000 }), { fault: 'too_large', message: /sent more than/ })
})

t.test('allows responses slower than a second', async t => {
  const { client, origin } = await serve(t, (_request, response) => { setTimeout(() => response.end('late'), 2_500) })
  t.equal((await client.fetch(origin)).status, 200)
})

t.test('headers of 64 KB are accepted, larger ones refused', async t => {
  const { client, origin } = await serve(t, (request, response) => {
    response.setHeader('x-long', 'x'.repeat(Number(request.url!.slice(1)))).end()
  })
  t.equal((await client.fetch(`${origin}/60000`)).status, 200)
  await t.rejects(client.fetch(`${origin}/70000`), { fault: 'unreachable', message: /UND_ERR_HEADERS_OVERFLOW/ })
})

t.test('opens at most eight connections per service', async t => {
  let open = 0
  let most = 0
  const { server, client, origin } = await serve(t, (_request, response) => { setTimeout(() => response.end(), 200) })
  server.on('connection', socket => {
    most = Math.max(most, ++open)
    socket.on('close', () => { open-- })
  })
  await Promise.all(Array.from({ length: 24 }, async () => await client.fetch(origin)))
  t.equal(most, 8)
})

t.test('errors are one sentence', async t => {
  const { client, origin, host } = await serve(t, (request, response) => { if (request.url === '/cut') response.destroy() })
  await t.rejects(client.fetch(origin, { timeoutMs: 300 }), { fault: 'timeout', message: `${host} did not answer within 0.3 s.` })
  await t.rejects(client.fetch(`${origin}/cut`), { fault: 'unreachable', message: `${host} cannot be reached: the connection broke (UND_ERR_SOCKET).` })
  await t.rejects(client.fetch('nothing'), { fault: 'refused', message: '"nothing" is not a valid address.' })
  await t.rejects(client.fetch('x'.repeat(150)), { fault: 'refused', message: `"${'x'.repeat(100)}" is not a valid address.` })
  await t.rejects(client.fetch('ftp://example.org'), { fault: 'refused', message: /http:\/\/ or https:\/\/, not ftp:\./ })
  await t.rejects(client.fetch(`${'x'.repeat(30)}:`), { fault: 'refused', message: new RegExp(`not ${'x'.repeat(20)}\\.`) })
  await t.rejects(client.fetch('http://[::1]/'), { fault: 'refused', message: '[::1] is not on the public Internet.' })
  await t.rejects(client.fetch(origin, { headers: { 'x-broken': 'line\nbreak' } }), {
    fault: 'unreachable',
    message: /cannot be reached: the connection failed\.$/
  })
  // Nothing listens there.
  const closed = guardedClient({ userAgent: 'litfeed test', trustedOrigins: ['http://127.0.0.1:2'] })
  t.teardown(closed.close)
  await t.rejects(closed.fetch('http://127.0.0.1:2/'), {
    fault: 'unreachable',
    message: '127.0.0.1:2 cannot be reached: it refuses connections (ECONNREFUSED).'
  })
})

t.test('unknown and internal host names have the same error', async t => {
  const lookup = ((_name: string, _options: object, done: (error: Error) => void) => {
    done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  }) as unknown as LookupFunction
  const client = guardedClient({ userAgent: 'litfeed test', lookup })
  t.teardown(client.close)
  await t.rejects(client.fetch('http://papers.example/'), { fault: 'unreachable', message: 'papers.example cannot be found on the public Internet.' })
})

t.test('a closed client sends nothing more', async t => {
  const { client, origin } = await serve(t, (_request, response) => { response.end() })
  await client.fetch(origin)
  await client.close()
  await t.rejects(client.fetch(origin), { fault: 'unreachable', message: /UND_ERR_(DESTROYED|CLOSED)/ })
})

t.test('an aborted request is not reported as a timeout', async t => {
  const { client, origin } = await serve(t, () => {})
  const stop = new AbortController()
  const work = client.fetch(origin, { signal: stop.signal, timeoutMs: 60_000 })
  stop.abort()
  const error = await work.catch((error: Error) => error) as Error
  t.equal(error.name, 'AbortError')
  t.notOk(error instanceof HttpError)
  await t.rejects(client.fetch(origin, { signal: new AbortController().signal, timeoutMs: 300 }), {
    fault: 'timeout',
    message: /did not answer/
  })
})

t.test('text, bytes and forms arrive unchanged', async t => {
  const { client, origin } = await serve(t, async (request, response) => {
    response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'] ?? null, body: await text(request) }))
  })
  const send = async (body?: string | Uint8Array | FormData) =>
    JSON.parse(String((await client.fetch(origin, body === undefined ? {} : { method: 'POST', body })).bytes))
  t.strictSame(await send(), { method: 'GET', type: null, body: '' })
  t.match(await send('plain'), { method: 'POST', body: 'plain' })
  t.match(await send(Buffer.from('bytes')), { body: 'bytes' })
  const form = new FormData()
  form.set('field', 'value')
  t.match(await send(form), { type: /^multipart\/form-data; boundary=/, body: /name="field"\r\n\r\nvalue/ })
})

t.test('a name resolves only to its public addresses', async t => {
  const resolve = async (found: string[] | Error, options = {}) =>
    await new Promise((resolve, reject) =>
      publicLookup(((_name: string, given: { all?: boolean }, done: (error: Error | null, found: unknown) => void) => {
        t.equal(given.all, true, 'asks for every address')
        if (found instanceof Error) done(found, [])
        else {
          done(
            null,
            found.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
          )
        }
      }) as unknown as LookupFunction)('host.example', options, (error, address, family) =>
        error === null ? resolve([address, family]) : reject(error)
      )
    )
  t.strictSame(await resolve(['10.0.0.1', '8.8.8.8', '2606:4700:4700::1111']), ['8.8.8.8', 4])
  t.strictSame(await resolve(['10.0.0.1', '8.8.8.8', '2606:4700:4700::1111'], { all: true }), [
    [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 }
    ],
    undefined
  ])
  const message = 'host.example cannot be found on the public Internet.'
  await t.rejects(resolve(['10.0.0.1', '::1']), { fault: 'unreachable', message })
  await t.rejects(resolve(new Error('no such host')), { message, cause: { message: 'no such host' } })
  await t.rejects(
    new Promise((resolve, reject) =>
      publicLookup()('localhost', {}, (error, address) => error === null ? resolve(address) : reject(error))
    ),
    { fault: 'unreachable', message: /public Internet/ },
    'by default, the system resolves'
  )
})

t.test('addresses are distinguished from names', async t => {
  for (const host of ['8.8.8.8', '[::1]', '::1']) t.ok(isAddress(host), host)
  for (const host of ['example.org', '', '[example]']) t.notOk(isAddress(host), host)
  t.equal(isPublicAddress('example.org'), false)
  t.equal(isPublicAddress('10.0.0.1'), false)
  for (const address of ['2606:4700:4700::1111', '8.8.8.8']) t.ok(isPublicAddress(address))
  for (const address of [
    '::8.8.8.8', '64:ff9b:1::8.8.8.8', 'fec0::8', '5f00::8', '3fff::8', '64:ff9b:1:8000::8', 'fee0::8', '5f00:8000::8', '3fff:800::8',
    '::8000:8'
  ]) { t.notOk(isPublicAddress(address), address) }
  for (const address of ['2a00::8', '2600::8', '3ff0::8']) t.ok(isPublicAddress(address), address)
})

t.test('a metered client reports the outcome and duration of each request', async t => {
  const reports: Array<[string, number]> = []
  const began = performance.now()
  const answers = [200, 204, 301, 404, 429, 500, new HttpError('timeout', 'slow'), new Error('stopped')]
  const client = metered({
    async fetch () {
      const answer = answers.shift()!
      await wait(20)
      if (answer instanceof Error) throw answer
      return { status: answer, headers: new Headers(), url: '', bytes: Buffer.of() }
    }
  }, (outcome, seconds) => { reports.push([outcome, seconds]) })
  for (const status of [200, 204, 301, 404, 429, 500]) t.equal((await client.fetch('x')).status, status)
  await t.rejects(client.fetch('x'), { fault: 'timeout', message: 'slow' })
  await t.rejects(client.fetch('x'), { message: 'stopped' })
  t.strictSame(reports.map(([outcome]) => outcome), ['2xx', '2xx', '3xx', '4xx', '429', '5xx', 'timeout', 'aborted'])
  const durations = reports.map(([, seconds]) => seconds)
  t.ok(durations.every(seconds => seconds > 0.015), durations.join())
  t.ok(durations.reduce((sum, seconds) => sum + seconds) <= (performance.now() - began) / 1000, 'together no longer than they took')
})
