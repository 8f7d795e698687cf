import { randomUUID } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import { listDueAlerts } from '../../db/queries/alerts.js'
import { countFailingAlerts } from '../../db/queries/state.js'
import { alertService } from '../support/alerts.js'
import { formSession } from '../support/forms.js'
import { decodeMail } from '../support/mail-server.js'
import { addPapers, projectWith } from '../support/service.js'

t.test('unsubscribing', async t => {
  const { mail, service, user, call, send, create } = await alertService(t)

  await t.test('a recipient who subscribes again gets no papers of the time without emails', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: 'away@example.org' })).json()
    await sql`update alert set created_at = now() - interval '100 days' where id = ${alert.id}`.execute(user.context.db)
    const { request } = await formSession(service.app)
    const url = `/unsubscribe/${service.context.alerts.unsubscribeTokens.mint(alert.id)}`
    await request('POST', url, { 'List-Unsubscribe': 'One-Click' })
    await addPapers(user.context, own, [{ title: 'Meanwhile' }])
    await sql`update project_paper set ready_at = now() - interval '30 days' where project_id = ${own}`.execute(user.context.db)
    await addPapers(user.context, own, [{ title: 'Since then' }])
    await request('POST', url, { action: 'subscribe' })
    t.strictSame(await send(alert.id), { sent: 1 })
    t.match(decodeMail(mail.mails.at(-1)!), /Since then/)
  })

  await t.test('the recipient ends the mails with one click, without signing in', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: 'colleague@example.org' })).json()
    await addPapers(user.context, own, [{ title: 'For a colleague' }])
    await send(alert.id)
    const [header, body] = decodeMail(mail.mails.at(-1)!).split('\r\n\r\n', 2)
    const unfolded = `${header!.replace(/\r\n +/g, ' ')}\r`
    const url = /^List-Unsubscribe: <https:\/\/litfeed.example.org\/lab(\/unsubscribe\/svcun_[^>]+)>\r$/m.exec(unfolded)![1]!
    t.match(header, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    t.ok(decodeMail(mail.mails.at(-1)!).includes(`Unsubscribe: https://litfeed.example.org/lab${url}`))
    t.ok(body !== undefined)
    const { get, request } = await formSession(service.app)
    t.match((await get(url)).body, /Stop the emails with new papers of “A project” to colleague@example.org/)
    t.equal((await call('GET', `/api/alerts/${alert.id}`)).json().unsubscribed_at, null, 'opening the link ends nothing')
    t.match(await get(`${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`), { statusCode: 404 })
    t.match(await get('/unsubscribe/nothing'), { statusCode: 404 })
    const boundary = { 'content-type': 'multipart/form-data; boundary=part' }
    const payload = '--part\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--part--\r\n'
    const oneClick = await service.app.inject({ method: 'POST', url, headers: boundary, payload })
    t.match(oneClick, { statusCode: 200, body: /You are unsubscribed/ })
    const { unsubscribed_at } = (await call('GET', `/api/alerts/${alert.id}`)).json()
    t.type(unsubscribed_at, 'string')
    t.match(await request('POST', url, { 'List-Unsubscribe': 'One-Click' }), { statusCode: 200 }, 'in the other format, again')
    t.equal((await call('GET', `/api/alerts/${alert.id}`)).json().unsubscribed_at, unsubscribed_at)
    await addPapers(user.context, own, [{ title: 'Not for the colleague' }])
    t.strictSame(await send(alert.id), { sent: 0 })
    t.match((await call('POST', `/api/alerts/${alert.id}/test`)).json(), { delivered: false, error: /has unsubscribed/ })
    t.notOk((await listDueAlerts(service.context.db, new Date('2100-01-01'))).some(({ id }) => id === alert.id))
    t.match((await (await formSession(service.app, user)).get(`/projects/${own}/alerts`)).body, /unsubscribed by the recipient/)
    await call('DELETE', `/api/alerts/${alert.id}`)
    t.match((await get(url)).body, /You are unsubscribed/)
  })

  await t.test('an address that unsubscribed gets no mails of a new alert until it subscribes again', async t => {
    const [first, second] = [await projectWith(user, []), await projectWith(user, [])]
    const add = async (own: string, target: string) => (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json()
    const urlIn = (text: string) => /https:\/\/litfeed\.example\.org\/lab(\/unsubscribe\/svcun_\S+)/.exec(text)![1]!.replace(/[<>"].*$/, '')
    const { request, get } = await formSession(service.app)
    const ended = await add(first, 'former@example.org')
    await addPapers(user.context, first, [{ title: 'The last one' }])
    await send(ended.id)
    await request('POST', urlIn(decodeMail(mail.mails.at(-1)!)), { 'List-Unsubscribe': 'One-Click' })
    await call('DELETE', `/api/alerts/${ended.id}`)

    const again = await add(first, 'Former@example.org')
    t.type(again.unsubscribed_at, 'string')
    t.equal(again.last_error, null)
    const asked = decodeMail(mail.mails.at(-1)!)
    t.match(asked, /^Subject: Get emails with new papers again\?\r$/m)
    t.match(asked, /You unsubscribed from Litfeed emails of reader@example\.org/)
    await addPapers(user.context, first, [{ title: 'Not wanted' }])
    const mails = mail.mails.length
    t.strictSame(await send(again.id), { sent: 0 })
    t.notOk((await listDueAlerts(service.context.db, new Date('2100-01-01'))).some(({ id }) => id === again.id))

    const failing = await countFailingAlerts(service.context.db)
    t.match(await add(second, 'former@example.org'), { unsubscribed_at: String, last_error: /^Not sent: the recipient unsubscribed, .*after 24 hours\.$/ })
    t.equal(mail.mails.length, mails, 'the recipient is asked once a day')
    t.equal(await countFailingAlerts(service.context.db), failing, 'which is not a failure')
    const other = await service.user('neighbor@example.org')
    const { post } = await formSession(service.app, other)
    await post(`/projects/${await projectWith(other, [])}/alerts`, { action: 'email', target: 'former@example.org', frequency: 'daily', hour: '6' })
    t.equal((await service.context.db.selectFrom('alert').innerJoin('project', 'project.id', 'alert.project_id').select('unsubscribed_at')
      .where('account_id', '=', other.context.account.id).executeTakeFirstOrThrow()).unsubscribed_at, null, 'other accounts may ask once')

    const url = urlIn(asked)
    t.match((await get(url)).body, /You are unsubscribed[^]*Subscribe again/)
    t.type((await call('GET', `/api/alerts/${again.id}`)).json().unsubscribed_at, 'string', 'opening the link changes nothing')
    t.match((await request('POST', url, { action: 'subscribe' })).body, /You are subscribed/)
    t.match((await call('GET', `/api/alerts/${again.id}`)).json(), { unsubscribed_at: null })
    t.strictSame(await send(again.id), { sent: 1 })
    t.equal((await add(await projectWith(user, []), 'former@example.org')).unsubscribed_at, null, 'and is remembered no longer')
  })

  await t.test('remembers the newest thousand deleted alerts of an account', async t => {
    const { db } = service.context
    const own = await projectWith(user, [])
    const account_id = user.context.account.id
    await db.insertInto('deleted_alert').values(Array.from({ length: 1000 }, (_each, at) => ({
      id: randomUUID(), account_id, project_id: own, address: `former${at}@example.org`, deleted_at: new Date(Date.now() - 60_000)
    }))).execute()
    const { id } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: 'newest@example.org' })).json()
    await call('DELETE', `/api/alerts/${id}`)
    const remembered = await db.selectFrom('deleted_alert').select('id').where('account_id', '=', account_id).execute()
    t.equal(remembered.length, 1000)
    t.ok(remembered.some(alert => alert.id === id))
    await db.deleteFrom('deleted_alert').where('account_id', '=', account_id).execute()
  })

  await t.test('the link in a mail of a deleted alert unsubscribes its recipient', async t => {
    const { request, get } = await formSession(service.app)
    const urlOf = (id: string) => `/unsubscribe/${service.context.alerts.unsubscribeTokens.mint(id)}`
    const isEnded = async (own: string, target: string) => {
      const { id, unsubscribed_at } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json()
      await call('DELETE', `/api/alerts/${id}`)
      return unsubscribed_at !== null
    }
    const [own, other] = [await projectWith(user, []), await projectWith(user, [])]
    const add = async (target: string) => (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json().id
    const first = await add('Deleted@example.org')
    await call('DELETE', `/api/alerts/${first}`)
    t.match((await get(urlOf(first))).body, /Stop the emails with new papers to deleted@example.org\?[^]*<button>Unsubscribe/)
    t.notOk(await isEnded(own, 'deleted@example.org'), 'opening the link changes nothing')
    const again = await add('deleted@example.org')
    t.match((await request('POST', urlOf(first), { 'List-Unsubscribe': 'One-Click' })).body, /These emails will no longer be sent to deleted@example/)
    t.type((await call('GET', `/api/alerts/${again}`)).json().unsubscribed_at, 'string', 'also the alert that took its place')
    t.ok(await isEnded(other, 'deleted@example.org'))
    const ended = (await get(urlOf(first))).body
    t.match(ended, /You are unsubscribed/)
    t.notMatch(ended, /Subscribe again/)

    const ofProject = await add('left@example.org')
    await call('DELETE', `/api/projects/${own}`)
    await request('POST', urlOf(ofProject), { 'List-Unsubscribe': 'One-Click' })
    t.ok(await isEnded(other, 'left@example.org'), 'also if its project was deleted')
    t.match((await get(urlOf('00000000-0000-4000-8000-000000000000'))).body, /You are unsubscribed/, 'an alert that no account has')
  })

  await t.test('to subscribe again to one alert does not take back that another was ended', async t => {
    const { request } = await formSession(service.app)
    const urlOf = (id: string) => `/unsubscribe/${service.context.alerts.unsubscribeTokens.mint(id)}`
    const alert = { kind: 'email', target: 'Two@example.org' }
    const add = async () => (await call('POST', `/api/projects/${await projectWith(user, [])}/alerts`, alert)).json()
    const [one, two] = [await add(), await add()]
    for (const { id } of [one, two]) await request('POST', urlOf(id), { 'List-Unsubscribe': 'One-Click' })
    t.match((await request('POST', urlOf(one.id), { action: 'subscribe' })).body, /You are subscribed/)
    t.type((await add()).unsubscribed_at, 'string')
    t.match((await request('POST', urlOf(two.id), { action: 'subscribe' })).body, /You are subscribed/)
    t.equal((await add()).unsubscribed_at, null)
  })

  await t.test('to subscribe again to one alert does not take back what a mail of a deleted alert ended', async t => {
    const { request } = await formSession(service.app)
    const post = async (id: string, body: Record<string, string>) =>
      (await request('POST', `/unsubscribe/${service.context.alerts.unsubscribeTokens.mint(id)}`, body)).body
    const end = async (id: string) => await post(id, { 'List-Unsubscribe': 'One-Click' })
    const add = async (target: string, own?: string) =>
      (await call('POST', `/api/projects/${own ?? await projectWith(user, [])}/alerts`, { kind: 'email', target })).json()
    for (const isDeletedFirst of [true, false]) {
      const target = `deleted-${isDeletedFirst ? 'before' : 'after'}@example.org`
      const [own, other] = [await projectWith(user, []), await projectWith(user, [])]
      const [deleted, kept] = [await add(target, own), await add(target, other)]
      if (!isDeletedFirst) await end(deleted.id)
      await call('DELETE', `/api/alerts/${deleted.id}`)
      await end(kept.id)
      if (isDeletedFirst) await end(deleted.id)
      t.match(await post(kept.id, { action: 'subscribe' }), /You are subscribed/)
      const again = await add(target, own)
      t.type(again.unsubscribed_at, 'string', 'a new alert waits for its recipient')
      t.match(await post(again.id, { action: 'subscribe' }), /You are subscribed/)
      t.equal((await add(target)).unsubscribed_at, null, 'who subscribes to it takes back what was ended before')
    }
  })

  await t.test('a confirmation that the mail server rejects is an error of the alert', async t => {
    const own = await projectWith(user, [])
    const row = { account_id: user.context.account.id, address: 'rejected@example.org', unsubscribed_at: new Date() }
    await service.context.db.insertInto('unsubscription').values(row).execute()
    mail.state.refuse = 1
    const { post } = await formSession(service.app, user)
    await post(`/projects/${own}/alerts`, { action: 'email', target: 'rejected@example.org', frequency: 'daily', hour: '6' })
    const { items: [alert] } = (await call('GET', `/api/projects/${own}/alerts`)).json()
    t.match(alert, { unsubscribed_at: String, last_error: 'The mail server rejected the mail (SMTP status 451).' })
    const mails = mail.mails.length
    const next = await create({ kind: 'email', target: 'rejected@example.org' })
    t.match(next, { unsubscribed_at: String, last_error: null })
    t.equal(mail.mails.length, mails + 1, 'the recipient was not asked yet, so the next alert asks')
  })
})
