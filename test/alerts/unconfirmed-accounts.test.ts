import t from 'tap'
import { dayMs } from '../../schemas/durations.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { passwordResetSend } from '../../src/operations/accounts/password-reset-send.js'
import { invitationCreate } from '../../src/operations/invitations/invitation-create.js'
import { alertService } from '../support/alerts.js'
import { formSession } from '../support/forms.js'
import { decodeMail } from '../support/mail-server.js'
import { addPapers, logIn, projectWith } from '../support/service.js'

t.test('where anyone may register, emails start when their recipient confirms the address', async t => {
  const { mail, service, user, call, send } = await alertService(t, { REGISTRATION: 'open' })
  const { db } = service.context
  /** An account that somebody registered; the operator's are confirmed. */
  const registered = async (email?: string) => {
    const other = await service.user(email)
    await db.updateTable('account').set({ email_confirmed_at: null }).where('email', '=', other.email).execute()
    return other
  }
  await db.updateTable('account').set({ email_confirmed_at: null }).execute()
  const add = async (own: string) => (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: 'Reader@example.org' })).json()
  const confirmedAt = async (email: string) =>
    (await db.selectFrom('account').select('email_confirmed_at').where('email', '=', email).executeTakeFirstOrThrow()).email_confirmed_at
  const linkIn = (text: string) => /https:\/\/litfeed\.example\.org\/lab(\/unsubscribe\/svcun_[\w-]+)/.exec(text)![1]!
  const [first, second] = [await projectWith(user, []), await projectWith(user, [])]
  const alert = await add(first)

  await t.test('the address is asked once, and gets nothing else', async t => {
    t.match(alert, { unsubscribed_at: alert.created_at, last_error: null })
    t.match(await add(second), { unsubscribed_at: alert.created_at, last_error: /^Not sent yet: confirm this address with the link/ })
    t.equal(mail.mails.length, 1)
    const asked = decodeMail(mail.mails[0]!)
    t.match(asked, /^Subject: Confirm your email address\r$/m)
    t.match(asked, /A Litfeed account was created with your address/)
    t.notMatch(asked, /A project|reader@example\.org,/)
    await addPapers(user.context, first, [{ title: 'Not sent yet' }])
    t.strictSame(await send(alert.id), { sent: 0 })
    const tested = (await call('POST', `/api/alerts/${alert.id}/test`)).json()
    t.match(tested, { delivered: false, error: /^The alert waits for the recipient to confirm it/ })
    const { get, post } = await formSession(service.app, user)
    t.match((await get(`/projects/${first}/alerts`)).body, /waits for confirmation by the recipient/)
    const { headers } = await post(`/projects/${await projectWith(user, [])}/alerts`, { action: 'email', target: user.email, frequency: 'daily', hour: '6' })
    t.match((await get(String(headers.location).replace(/^.*\/lab/, ''))).body, /It waits for confirmation\. Not sent yet: confirm this address/)
    t.equal(mail.mails.length, 1)
    t.equal(await confirmedAt(user.email), null)
  })

  await t.test('the page says if the mail was not accepted', async t => {
    const nobody = await registered('nobody@example.org')
    const { get, post } = await formSession(service.app, nobody)
    const form = { action: 'email', target: nobody.email, frequency: 'daily', hour: '6' }
    const { headers } = await post(`/projects/${await projectWith(nobody, [])}/alerts`, form)
    const { body } = await get(String(headers.location).replace(/^.*\/lab/, ''))
    t.match(body, /It waits for confirmation\. The mail server/)
    t.notMatch(body, /was mailed to/)
  })

  await t.test('the link starts the alerts of the account, and later ones need none', async t => {
    await db.updateTable('alert').set({ next_send_at: new Date(Date.now() - dayMs) }).where('project_id', 'in', [first, second]).execute()
    const url = linkIn(decodeMail(mail.mails[0]!))
    const { get, request } = await formSession(service.app)
    t.match((await get(url)).body, /created with the address Reader@example\.org[^]*<button>Confirm/)
    t.equal(await confirmedAt(user.email), null, 'opening the link changes nothing')
    t.match((await request('POST', url, { action: 'subscribe' })).body, /You are subscribed/)
    t.type(await confirmedAt(user.email), Date)
    t.strictSame(await send(alert.id), { sent: 1 })
    const { items } = (await call('GET', `/api/projects/${second}/alerts`)).json()
    t.match(items, [{ unsubscribed_at: null, last_error: null, next_send_at: alert.next_send_at }])
    t.equal((await add(await projectWith(user, []))).unsubscribed_at, null)
  })

  await t.test('what its recipient ends stays ended', async t => {
    const url = linkIn(decodeMail(mail.mails.at(-1)!))
    const { get, request } = await formSession(service.app)
    await request('POST', url, { 'List-Unsubscribe': 'One-Click' })
    t.match((await get(url)).body, /You are unsubscribed[^]*Subscribe again/)
    t.type((await add(await projectWith(user, []))).unsubscribed_at, 'string')
    t.match(decodeMail(mail.mails.at(-1)!), /You unsubscribed from Litfeed emails/)
  })

  await t.test('a password that was set with a mailed link confirms the address', async t => {
    const other = await registered('other@example.org')
    const own = await projectWith(other, [])
    const { post } = await formSession(service.app, other)
    await post(`/projects/${own}/alerts`, { action: 'email', target: other.email, frequency: 'daily', hour: '6' })
    const ended = async () =>
      (await db.selectFrom('alert').select('unsubscribed_at').where('project_id', '=', own).executeTakeFirstOrThrow()).unsubscribed_at
    t.type(await ended(), Date)
    const nextSendAt = async () =>
      (await db.selectFrom('alert').select('next_send_at').where('project_id', '=', own).executeTakeFirstOrThrow()).next_send_at
    const regular = await nextSendAt()
    await db.updateTable('alert').set({ next_send_at: new Date(Date.now() - dayMs) }).where('project_id', '=', own).execute()
    await passwordResetSend.run(service.context, { account_id: other.context.account.id })
    const token = /token=([\w-]+)/.exec(decodeMail(mail.mails.at(-1)!))![1]!
    const payload = { token, new_password: 'another horse battery' }
    t.equal((await service.app.inject({ method: 'POST', url: '/api/auth/password-reset/confirm', payload })).statusCode, 204)
    t.type(await confirmedAt(other.email), Date)
    t.equal(await ended(), null)
    t.strictSame(await nextSendAt(), regular, 'at its hour, not at once')
  })

  await t.test('an account that the operator creates is confirmed', async t => {
    const { email } = await accountCreate.run(service.context, { email: 'lab@example.org' })
    t.type(await confirmedAt(email), Date)
  })

  await t.test('an invitation for one address confirms it', async t => {
    for (const email of ['invited@example.org', undefined]) {
      const { url } = await invitationCreate.run(service.context, email === undefined ? {} : { email })
      const invited = email ?? 'somebody@example.org'
      const payload = { email: invited, password: 'correct horse battery', invitation: /token=(.+)$/.exec(url)![1] }
      t.equal((await service.app.inject({ method: 'POST', url: '/api/auth/register', payload })).statusCode, 201)
      t.equal(await confirmedAt(invited) === null, email === undefined)
    }
  })

  await t.test('the link of a deleted alert confirms the address, which gets one mail a day however often it is registered', async t => {
    const other = await registered()
    const own = await projectWith(other, [])
    const target = other.email
    const headers = { authorization: `Bearer ${(await logIn(service, other)).access_token}` }
    const request = async (method: 'POST' | 'DELETE', url: string, payload?: object) =>
      await service.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const before = mail.mails.length
    const added = (await request('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json()
    t.equal(mail.mails.length, before + 1)
    const url = linkIn(decodeMail(mail.mails.at(-1)!))
    await request('DELETE', `/api/alerts/${added.id}`)
    await db.deleteFrom('unsubscription').where('address', '=', target).execute()
    t.match((await request('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json(), { last_error: /another link/ })
    t.equal(mail.mails.length, before + 1, 'as after the account was deleted and registered again')
    const { asked_at } = await db.selectFrom('unsubscription').select('asked_at').where('address', '=', target).executeTakeFirstOrThrow()
    t.equal(asked_at, null, 'a mail that was not sent delays no other')
    const session = await formSession(service.app)
    t.match((await session.get(url)).body, /<button>Confirm/)
    t.match((await session.request('POST', url, { action: 'subscribe' })).body, /Your address is confirmed/)
    t.type(await confirmedAt(target), Date)
    t.match((await service.app.inject({ url: `/api/projects/${own}/alerts`, headers })).json(), { items: [{ unsubscribed_at: null }] })
  })

  await t.test('the link of a deleted alert unsubscribes as long as another one sends', async t => {
    const other = await registered()
    const own = await projectWith(other, [])
    const headers = { authorization: `Bearer ${(await logIn(service, other)).access_token}` }
    const url = `/api/projects/${own}/alerts`
    // As before anyone might register.
    const addSending = async () => {
      const added = (await service.app.inject({ method: 'POST', url, headers, payload: { kind: 'email', target: other.email } })).json()
      await db.updateTable('alert').set({ unsubscribed_at: null }).where('id', '=', added.id).execute()
      await db.deleteFrom('unsubscription').where('address', '=', other.email).execute()
      return added
    }
    const { id } = await addSending()
    const link = linkIn(decodeMail(mail.mails.at(-1)!))
    await service.app.inject({ method: 'DELETE', url: `/api/alerts/${id}`, headers })
    await addSending()
    t.match((await (await formSession(service.app)).get(link)).body, /<button>Unsubscribe/)
  })
})
