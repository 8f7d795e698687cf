import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { SMTPServer } from 'smtp-server'

/** A mail server that records mail, can reject it, and has no mailbox of somebody with the name "nobody". */
export async function mailServer (t: Test) {
  const mails: string[] = []
  const state = { refuse: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo ({ address }, _session, done) {
      if (address.startsWith('nobody@')) done(Object.assign(new Error('no such user'), { responseCode: 550 }))
      else done()
    },
    onData (stream, _session, done) {
      let mail = ''
      stream.on('data', (piece: Buffer) => { mail += piece.toString() })
      stream.on('end', () => {
        if (state.refuse-- > 0) return done(Object.assign(new Error('try later'), { responseCode: 451 }))
        mails.push(mail)
        done()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))
  return { mails, state, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

/** Undoes the quoted-printable encoding of a mail, which breaks lines wherever they are too long. */
export const decodeMail = (mail: string): string => mail.replace(/=\r\n/g, '').replaceAll('=3D', '=')
