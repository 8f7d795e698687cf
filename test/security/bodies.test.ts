import t from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import { testService } from '../support/service.js'

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
    t.equal(await answerTo('/api/papers/abcdefgh/pdf', 'application/pdf'), 'HTTP/1.1 401 Unauthorized')
  })

  await t.test('a file in the form of a page that anybody may open, or that one has to sign in for', async t => {
    t.equal(await answerTo('/login', 'multipart/form-data; boundary=x'), 'HTTP/1.1 415 Unsupported Media Type')
    t.equal(await answerTo('/papers/abcdefgh', 'multipart/form-data; boundary=x'), 'HTTP/1.1 303 See Other')
  })
})
