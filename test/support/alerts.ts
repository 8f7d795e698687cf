import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { Test } from 'tap'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { mailServer } from './mail-server.js'
import { logIn, projectWith, testService } from './service.js'

/** A webhook receiver that records calls. */
export async function receiver (t: Test) {
  const calls: Array<{ headers: Record<string, string>, body: string }> = []
  const state: { status: number, location?: string, response?: Buffer | 'broken' } = { status: 200 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', piece => { body += piece })
    request.on('end', () => {
      if (state.status === 200) calls.push({ headers: request.headers as Record<string, string>, body })
      response.writeHead(state.status, state.location === undefined ? {} : { location: state.location })
      if (state.response !== 'broken') return response.end(state.response)
      response.write('x', () => setTimeout(() => response.destroy(), 100))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { calls, state, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A service that sends mails and calls a webhook, and a reader with a project that has an old paper. */
export async function alertService (t: Test, environment: Record<string, string> = {}) {
  const [mail, hook] = [await mailServer(t), await receiver(t)]
  const service = await testService(t, {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Litfeed <litfeed@example.org>',
    PRIVATE_ORIGINS: hook.origin,
    BASE_URL: 'https://litfeed.example.org/lab',
    ...environment
  })
  const user = await service.user('reader@example.org')
  const { access_token } = await logIn(service, user)
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    await service.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${access_token}` },
      ...(payload === undefined ? {} : { payload })
    })
  const project = await projectWith(user, [{ title: 'An old paper' }])
  await sql`update project_paper set ready_at = now() - interval '1 day'`.execute(user.context.db)
  const send = async (id: string) => await alertSend.run(service.context, { alert_id: id })
  const create = async (alert: object) => (await call('POST', `/api/projects/${project}/alerts`, alert)).json()
  return { mail, hook, service, user, call, project, send, create }
}
