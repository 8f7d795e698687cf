import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { smtpMailer } from '../../src/alerts/mail.js'
import { until } from '../support/until.js'

/** A mail server that greets, and then says nothing. */
async function silentServer (t: Test) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket)).resume().write('220 ready\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

t.test('a mail that the server does not take is given up at the deadline, with its connection', async t => {
  const { url, sockets } = await silentServer(t)
  const mailer = smtpMailer({ url, from: 'Litfeed <feed@example.org>' })
  const mail = { to: 'reader@example.org', subject: 'Papers', text: 'Papers', html: '<p>Papers</p>', id: '1' }
  await t.rejects(mailer.send(mail, AbortSignal.timeout(500)), { message: 'The mail server did not respond in time.', isFinal: false })
  await until(async () => sockets.size === 0)
})
