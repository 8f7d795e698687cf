import t from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import { logIn, testService } from '../support/service.js'
import { until } from '../support/until.js'

t.test('a body is not read for somebody who may not send it', async t => {
  const { app } = await testService(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  /** What is answered to a head that promises 60 MB, of which nothing comes. */
  const answerTo = async (path: string, type: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\nContent-Length: 60000000\r\n\r\n`)
    const [first] = await once(socket, 'data') as [Buffer]
    socket.destroy()
    return first.toString().split('\r\n', 1)[0]
  }

  await t.test('a PDF of nobody', async t => {
    t.equal(await answerTo('/api/papers/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11/pdf', 'application/pdf'), 'HTTP/1.1 401 Unauthorized')
  })

  await t.test('a file in the form of a page that anybody may open, or that one has to sign in for', async t => {
    t.equal(await answerTo('/login', 'multipart/form-data; boundary=x'), 'HTTP/1.1 415 Unsupported Media Type')
    t.equal(await answerTo('/papers/abcdefgh', 'multipart/form-data; boundary=x'), 'HTTP/1.1 303 See Other')
  })
})

t.test('an account sends two files at once and no more, and others send theirs', async t => {
  const service = await testService(t)
  const { app } = service
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const [one, other] = await Promise.all([await service.user(), await service.user()].map(async user => (await logIn(service, user)).access_token))
  /** A head that promises 60 MB, and the first bytes of it. */
  const begin = (token: string) => {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(`POST /api/papers/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11/pdf HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/pdf\r\nContent-Length: 60000000\r\n\r\n%PDF-1.7`)
    return socket
  }
  /** The answer to a whole one, which is refused for what it says alone. */
  const send = async (token: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/papers/0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11/pdf`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' }, body: '%PDF-1.7' })
    return { status: response.status, ...await response.json() as { detail: string } }
  }
  const [first, second] = [begin(one!), begin(one!)]
  await until(async () => (await send(one!)).status === 429)
  t.match(await send(one!), { detail: /2 files of your account are on their way/ })
  t.match(await send(other!), { status: 404 })
  first!.destroy()
  await until(async () => (await send(one!)).status === 404)
  second!.destroy()
})
