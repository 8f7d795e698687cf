import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { guardedClient } from '../../src/http/guarded-client.js'

interface Seen { method: string, headers: IncomingMessage['headers'], body: string }

async function serve (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function clientFor (t: Test, trustedOrigins: readonly string[]) {
  const client = guardedClient({ userAgent: 'litfeed test', trustedOrigins })
  t.teardown(client.close)
  return client
}

/** An origin whose /STATUS redirects to /end, here or at another origin; it shows what arrived there. */
async function redirecting (t: Test, target = ''): Promise<{ origin: string, seen: Seen[] }> {
  const seen: Seen[] = []
  const origin = await serve(t, async (request, response) => {
    const body = await text(request)
    const status = Number(request.url!.slice(1))
    if (Number.isInteger(status)) return response.writeHead(status, { location: `${target}/end` }).end()
    seen.push({ method: request.method!, headers: request.headers, body })
    response.end('end')
  })
  return { origin, seen }
}

t.test('five kinds of redirect are followed, other responses are returned', async t => {
  const { origin } = await redirecting(t)
  const client = clientFor(t, [origin])
  for (const status of [301, 302, 303, 307, 308]) {
    t.match(await client.fetch(`${origin}/${status}`), { status: 200, url: `${origin}/end`, bytes: Buffer.from('end') }, String(status))
  }
  for (const status of [300, 305, 309, 404]) {
    t.match(await client.fetch(`${origin}/${status}`), { status, url: `${origin}/${status}` }, String(status))
  }
  const bare = await serve(t, (_request, response) => {
    response.writeHead(302).end('nowhere')
  })
  t.match(await clientFor(t, [bare]).fetch(bare), { status: 302, bytes: Buffer.from('nowhere') }, 'a redirect without an address')
})

t.test('redirects are returned, not followed, on request', async t => {
  const { origin, seen } = await redirecting(t)
  const client = clientFor(t, [origin])
  for (const status of [301, 302, 303, 307, 308]) {
    t.match(await client.fetch(`${origin}/${status}`, { redirect: 'manual' }), { status, url: `${origin}/${status}` }, String(status))
  }
  t.strictSame(seen, [])
})

t.test('five redirects in a row are followed, a sixth is refused', async t => {
  const origin = await serve(t, (request, response) => {
    const left = Number(request.url!.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  const client = clientFor(t, [origin])
  t.equal(String((await client.fetch(`${origin}/5`)).bytes), 'there')
  await t.rejects(client.fetch(`${origin}/6`), {
    fault: 'refused',
    message: `${origin.slice('http://'.length)} redirects more than 5 times.`
  })
})

t.test('a POST becomes a GET for the same statuses as in browsers', async t => {
  const { origin, seen } = await redirecting(t)
  const client = clientFor(t, [origin])
  const post = { method: 'POST', body: 'a=1', headers: { 'x-api-key': 'k', accept: 'text/plain' } } as const
  for (const [status, method, body] of [
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'a=1'],
    [308, 'POST', 'a=1']
  ] as const) {
    await client.fetch(`${origin}/${status}`, post)
    t.match(seen.pop(), { method, body, headers: { 'x-api-key': 'k', accept: 'text/plain', 'user-agent': 'litfeed test' } }, String(status))
  }
})

t.test('another origin gets neither body nor method, only User-Agent and Accept', async t => {
  const other = await redirecting(t)
  const { origin } = await redirecting(t, other.origin)
  const client = clientFor(t, [origin, other.origin])
  await client.fetch(`${origin}/307`, { method: 'POST', body: 'secret', headers: { 'x-api-key': 'k', accept: 'text/plain' } })
  t.match(other.seen[0], { method: 'GET', body: '', headers: { accept: 'text/plain', 'user-agent': 'litfeed test' } })
  t.notOk('x-api-key' in other.seen[0]!.headers)
  await client.fetch(`${origin}/302`)
  t.not(other.seen[1]!.headers.accept, 'undefined')
})

t.test('credentials and fragments of an address are not sent', async t => {
  const { origin, seen } = await redirecting(t)
  const { url } = await clientFor(t, [origin]).fetch(`${origin.replace('//', '//user:secret@')}/end#part`)
  t.equal(url, `${origin}/end`)
  t.notOk('authorization' in seen[0]!.headers)
})

t.test('bodies of redirects are discarded and release their connections', { timeout: 50_000 }, async t => {
  const origin = await serve(t, (request, response) => {
    if (request.url === '/end') return response.end('end')
    response.writeHead(302, { location: '/end' }).write('x')
  })
  const client = clientFor(t, [origin])
  for (let call = 0; call < 12; call++) t.equal((await client.fetch(origin, { timeoutMs: 60_000 })).status, 200)
})

t.test('a host is no timeout’s cause if the address that it redirects to does not answer', async t => {
  const silent = await serve(t, () => {})
  const { origin } = await redirecting(t, silent)
  const error = await clientFor(t, [origin, silent]).fetch(`${origin}/302`, { timeoutMs: 300 }).catch((error: unknown) => error)
  t.match(error, { fault: 'unreachable', message: /redirects to an address that Litfeed cannot fetch/ })
})
