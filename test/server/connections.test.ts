import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { allowLongBody, createHttpServer } from '../../src/server/http-server.js'
import { logIn, testService } from '../support/service.js'
import { until } from '../support/until.js'

/** The service, listening, and connections to it. */
async function listening (t: Test) {
  const service = await testService(t)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as { port: number }
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const head = (request: string, ...headers: string[]) => [`${request} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n')
  return { ...service, url: `http://127.0.0.1:${port}`, open, head }
}

const closed = async (socket: Socket) => {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
}

t.test('pipelined requests are answered one after the other, in their order', async t => {
  const { open, head } = await listening(t)
  const socket = await open()
  let received = ''
  socket.on('data', data => { received += data })
  socket.write(head('GET /healthz') + head('GET /api/none') + head('GET /healthz', 'Connection: close'))
  await once(socket, 'end')
  t.strictSame([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status), ['200', '404', '200'])
})

t.test('bytes that are not HTTP get the standard error body', async t => {
  const { open, head } = await listening(t)
  for (const [sent, status] of [
    [head(`GET /${'x'.repeat(20_000)}`), '431 Request Header Fields Too Large'],
    ['not HTTP\r\n\r\n', '400 Bad Request']
  ] as const) {
    const socket = await open()
    let received = ''
    socket.on('data', data => { received += data })
    socket.write(sent)
    await closed(socket)
    const [lines, body] = received.split('\r\n\r\n')
    t.ok(lines!.startsWith(`HTTP/1.1 ${status}\r\n`), status)
    t.match(lines, /cache-control: private, no-store/)
    t.match(JSON.parse(body!), { detail: String, code: 'invalid_arguments' })
  }
})

t.test('a connection that sends very many requests ahead is closed', async t => {
  const { app, open, head, url } = await listening(t)
  const socket = await open()
  let parsed = 0
  app.server.prependListener('request', () => parsed++)
  socket.write(head('GET /healthz').repeat(1000))
  await closed(socket)
  t.ok(parsed < 20, `${parsed} requests were parsed`)
  t.equal((await fetch(`${url}/healthz`)).status, 200, 'others are served')
})

t.test('pipelined requests of a connection that breaks take no slots', async t => {
  const service = await listening(t)
  const { url, open, head } = service
  const { access_token } = await logIn(service, await service.user())
  const requests = { '/shared?token=x': [], '/api/projects': [`Authorization: Bearer ${access_token}`] }
  for (const [path, headers] of Object.entries(requests)) {
    for (let connection = 0; connection < 4; connection++) {
      const socket = await open()
      socket.write(head(`GET ${path}`, ...headers).repeat(12))
      await new Promise(resolve => setTimeout(resolve, 4))
      socket.destroy()
    }
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${access_token}` }, signal: AbortSignal.timeout(10_000) })
    t.not(response.status, 429, path)
    await response.text()
  }
})

t.test('a body that goes on after its response loses its connection', async t => {
  const { open, head } = await listening(t)
  for (const length of ['Content-Length: 900000000', 'Transfer-Encoding: chunked']) {
    const socket = await open()
    socket.write(head('POST /api/auth/login', 'Content-Type: multipart/form-data; boundary=b', length))
    const [answer] = await once(socket, 'data') as [Buffer]
    t.match(String(answer), /^HTTP\/1\.1 415 /)
    let isOpen = true
    socket.on('close', () => { isOpen = false })
    const chunk = Buffer.alloc(16_384, 'x')
    await until(async () => {
      if (isOpen) socket.write(length.startsWith('T') ? Buffer.concat([Buffer.from('4000\r\n'), chunk, Buffer.from('\r\n')]) : chunk)
      return !isOpen
    })
    t.notOk(isOpen, length)
  }
})

t.test('a network that opens many connections in a short time has to wait, others do not', async t => {
  const timeouts = { keepAliveTimeout: 5000, bodyTimeout: 5000, requestTimeout: 60_000, connectionTimeout: 5000 }
  const limits = { total: 100, perNetwork: 100, newPerNetwork: { second: 5, burst: 3 }, isShared: () => false }
  const server = createHttpServer((_request, response) => response.end('read'), {}, timeouts, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const isAnswered = async (localAddress: string) => {
    const socket = connect({ port: (server.address() as { port: number }).port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.destroy()
    return isOpen
  }
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await isAnswered('127.0.0.2')))
  const answered = answers.filter(each => each).length
  t.ok(answered >= 3 && answered < 10, `${answered} of 20`)
  t.ok(await isAnswered('127.0.0.3'))
  await until(async () => await isAnswered('127.0.0.2'))
})

t.test('connections are limited for each network and in all, except those of proxies', async t => {
  const serverWith = async (isShared: boolean) => {
    const timeouts = { keepAliveTimeout: 5000, bodyTimeout: 5000, requestTimeout: 60_000, connectionTimeout: 5000 }
    const limits = { total: 4, perNetwork: 2, newPerNetwork: { second: 1000, burst: 100 }, isShared: () => isShared }
    const server = createHttpServer((_request, response) => response.end('read'), {}, timeouts, limits)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => { server.closeAllConnections(); server.close() })
    /** Sends a request on a new connection. @returns the connection if it is answered */
    return async () => {
      const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
      socket.on('error', () => {})
      t.teardown(() => socket.destroy())
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const isAnswered = await new Promise(resolve => {
        socket.once('data', () => resolve(true))
        socket.once('close', () => resolve(false))
      })
      return isAnswered === true ? socket : undefined
    }
  }
  const request = await serverWith(false)
  const first = await request()
  t.ok(first && await request())
  t.notOk(await request(), 'a third one is closed')
  first!.destroy()
  await until(async () => await request() !== undefined)
  const requestOfProxy = await serverWith(true)
  for (let at = 0; at < 4; at++) t.ok(await requestOfProxy())
  t.notOk(await requestOfProxy(), 'beyond the total')
})

t.test('a small body that was not read keeps its connection', async t => {
  const { open, head } = await listening(t)
  const socket = await open()
  socket.write(head('POST /api/auth/login', 'Content-Type: text/plain', 'Content-Length: 20000'))
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 415 /)
  socket.write('x'.repeat(20_000) + head('GET /healthz'))
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
})

t.test('a body has a minute, and an upload as long as any request', async t => {
  const server = createHttpServer((request, response) => {
    if (request.url === '/upload') allowLongBody(request)
    request.resume().once('end', () => response.end('read'))
  }, {}, { keepAliveTimeout: 5000, bodyTimeout: 200, requestTimeout: 60_000, connectionTimeout: 5000 })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => socket.end(`HTTP/1.1 408 ${error.code}\r\n\r\n`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const send = async (path: string, pieces: number) => {
    const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${pieces}\r\n\r\n`)
    const answer = once(socket, 'data') as Promise<[Buffer]>
    for (let sent = 0; sent < pieces; sent++) {
      socket.write('x')
      await new Promise(resolve => setTimeout(resolve, 40))
    }
    return String((await answer)[0]).split('\r\n')[0]
  }
  t.equal(await send('/form', 2), 'HTTP/1.1 200 OK')
  t.equal(await send('/form', 12), 'HTTP/1.1 408 ERR_HTTP_REQUEST_TIMEOUT')
  t.equal(await send('/upload', 12), 'HTTP/1.1 200 OK')
})
