import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { smtpMailer } from '../../src/alerts/mail.js'
import { until } from '../support/until.js'

/** A mail server that greets, and then says nothing. */
async function silentServer (t: Test) {
  const sockets = new Set<Socket>()
  const state = { connections: 0 }
  const server = createServer(socket => {
    sockets.add(socket)
    state.connections++
    socket.on('error', () => {}).on('close', () => sockets.delete(socket)).resume().write('220 ready\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, state }
}

t.test('a mail that the server does not take is given up at the deadline, with its connection', async t => {
  // Otherwise its import takes part of the time.
  await import('nodemailer')
  const { url, sockets, state } = await silentServer(t)
  const mailer = smtpMailer({ url, from: 'Litfeed <feed@example.org>' })
  const mail = { to: 'reader@example.org', subject: 'Papers', text: 'Papers', html: '<p>Papers</p>', id: '1' }
  await t.rejects(mailer.send(mail, AbortSignal.timeout(2000)), { message: 'The mail server did not respond in time.', isFinal: false })
  t.equal(state.connections, 1)
  await until(async () => sockets.size === 0)
})
