import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { claimBatch } from '../../db/queries/alert-items.js'
import { findAlertToSend, listDueAlerts } from '../../db/queries/alerts.js'
import { countFailingAlerts } from '../../db/queries/state.js'
import { type Schedule, nextSendAt, nextSendAtAfterFailure, previousSendAt } from '../../src/alerts/schedule.js'
import { localTimeAt, readTimeZone } from '../../src/papers/time-zones.js'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { ServiceStops } from '../../src/jobs/failures.js'
import { formSession } from '../support/forms.js'
import { decodeMail, mailServer } from '../support/mail-server.js'
import { until } from '../support/until.js'
import { addPapers, logIn, projectWith, testService } from '../support/service.js'

/** A webhook receiver that records calls. */
async function receiver (t: Test) {
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

t.test('digests are sent at their hour in the time zone of the account, weekly ones on their day', async t => {
  const schedule = { frequency: 'daily', weekday: 'monday', hour: 6, time_zone: 'UTC' } as const
  const next = (given: Partial<Schedule>, after: string) => nextSendAt({ ...schedule, ...given }, new Date(after)).toISOString()
  t.equal(next({}, '2026-11-21T05:59:59Z'), '2026-11-21T06:00:00.000Z')
  t.equal(next({}, '2026-11-21T06:00:00Z'), '2026-11-22T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly' }, '2026-11-21T12:00:00Z'), '2026-11-23T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly' }, '2026-11-23T06:00:00Z'), '2026-11-30T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly', weekday: 'sunday', hour: 23, time_zone: 'Pacific/Kiritimati' }, '2026-11-21T12:00:00Z'),
    '2026-11-22T09:00:00.000Z', 'of the local week')
  t.equal(
    nextSendAtAfterFailure({ ...schedule, frequency: 'immediate' }, new Date('2026-11-21T06:00:00Z')).toISOString(),
    '2026-11-21T07:00:00.000Z',
    'an immediate alert is retried after an hour'
  )
  const berlin = { time_zone: 'Europe/Berlin' }
  t.equal(next(berlin, '2026-03-28T12:00:00Z'), '2026-03-29T04:00:00.000Z', 'summer time begins')
  t.equal(next(berlin, '2026-10-24T12:00:00Z'), '2026-10-25T05:00:00.000Z', 'summer time ends')
  t.equal(next({ ...berlin, hour: 2 }, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z', 'an hour that is skipped is the next one')
  t.equal(next({ ...berlin, hour: 2 }, '2026-10-24T12:00:00Z'), '2026-10-25T00:00:00.000Z', 'of an hour that comes twice, the first')
  t.equal(next({ ...berlin, hour: 2 }, '2026-10-25T00:00:00Z'), '2026-10-26T01:00:00.000Z', 'and not the second')
  t.equal(next({ time_zone: 'Australia/Lord_Howe', hour: 2 }, '2026-10-03T12:00:00Z'), '2026-10-03T15:30:00.000Z', 'by half an hour')
})

t.test('an alert knows when it was last due', async t => {
  const schedule = { frequency: 'daily', weekday: 'monday', hour: 6, time_zone: 'UTC' } as const
  const previous = (given: Partial<Schedule>, before: string) => previousSendAt({ ...schedule, ...given }, new Date(before)).toISOString()
  t.equal(previous({}, '2026-11-21T05:59:59Z'), '2026-11-20T06:00:00.000Z')
  t.equal(previous({}, '2026-11-21T06:00:00Z'), '2026-11-21T06:00:00.000Z')
  t.equal(previous({ frequency: 'weekly' }, '2026-11-21T12:00:00Z'), '2026-11-16T06:00:00.000Z')
  t.equal(previous({ frequency: 'weekly' }, '2026-11-23T05:59:59Z'), '2026-11-16T06:00:00.000Z')
  const berlin = { time_zone: 'Europe/Berlin' }
  t.equal(previous({ ...berlin, frequency: 'weekly' }, '2026-10-26T04:59:59Z'), '2026-10-19T04:00:00.000Z', 'summer time ends')
  t.equal(previous({ ...berlin, hour: 2 }, '2026-03-29T02:00:00Z'), '2026-03-29T01:00:00.000Z', 'a skipped hour')
  t.equal(previous({ frequency: 'immediate' }, '2026-11-21T06:00:00Z'), '2026-11-21T05:00:00.000Z')
})

t.test('a digest goes out once on every day of a year, at its hour, in every kind of time zone', async t => {
  const zones = [
    'UTC', 'America/St_Johns', 'America/Santiago', 'Africa/Casablanca', 'Asia/Kathmandu', 'Asia/Gaza', 'Pacific/Chatham', 'Antarctica/Troll'
  ]
  for (const time_zone of zones) {
    for (const hour of [0, 2, 23]) {
      let time = new Date('2026-01-01T12:00:00Z')
      const hours: number[] = []
      const days = new Set<string>()
      for (let sent = 0; sent < 366; sent++) {
        time = nextSendAt({ frequency: 'daily', weekday: 'monday', hour, time_zone }, time)
        const local = localTimeAt(time, time_zone)
        hours.push(local.hour)
        days.add(`${local.year}-${local.month}-${local.day}`)
      }
      t.equal(days.size, 366, `${time_zone} at ${hour}`)
      t.ok(hours.filter(each => each !== hour).length <= 2, 'but for hours that clocks skip')
    }
  }
  t.strictSame(
    ['Europe/Berlin', 'europe/berlin', 'Asia/Kolkata', 'UTC'].map(readTimeZone),
    ['Europe/Berlin', 'Europe/Berlin', 'Asia/Kolkata', 'UTC']
  )
  t.strictSame(['+02:00', 'Europe/Atlantis', '', 'x'.repeat(100), '../etc/passwd'].map(readTimeZone), Array(5).fill(undefined))
})

t.test('alerts', async t => {
  const [mail, hook] = [await mailServer(t), await receiver(t)]
  const service = await testService(t, {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Litfeed <litfeed@example.org>',
    PRIVATE_ORIGINS: hook.origin,
    BASE_URL: 'https://litfeed.example.org/lab'
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

  await t.test('a digest contains the new papers once, as text and HTML', async t => {
    const alert = await create({ kind: 'email', target: 'reader@example.org' })
    t.match(alert, { kind: 'email', frequency: 'daily', must_read: false, last_sent_at: null })
    t.notOk('secret' in alert)
    await addPapers(user.context, project, [
      { title: 'A new <b>paper</b> & more', abstract: 'What it says.', authors: [{ name: 'Ada Byron' }], url: 'https://example.org/1' },
      { title: 'Another new paper' }
    ])
    t.strictSame(await send(alert.id), { sent: 2 })
    const digest = decodeMail(mail.mails[0]!)
    t.match(digest, /^Subject: A project: 2 new papers\r$/m)
    t.match(digest, /^To: reader@example.org\r$/m)
    t.match(digest, /Message-ID: <[0-9a-f-]{36}@example.org>/)
    t.match(digest, /text\/plain[\s\S]*A new <b>paper<\/b> & more[\s\S]*text\/html[\s\S]*&lt;b>paper&lt;\/b> &amp; more/)
    t.notMatch(digest, /An old paper/)
    t.strictSame(await send(alert.id), { sent: 0 })
    t.equal(mail.mails.length, 1, 'no paper is sent twice, and no empty digest is sent')
    t.not((await call('GET', `/api/alerts/${alert.id}`)).json().last_sent_at, null)
  })

  await t.test('a rejected mail is sent with the next attempt', async t => {
    const { items: [alert] } = (await call('GET', `/api/projects/${project}/alerts`)).json()
    await addPapers(user.context, project, [{ title: 'A third paper' }])
    mail.state.refuse = 1
    await t.rejects(send(alert.id), { message: 'The mail server rejected the mail (SMTP status 451).', cause: /try later/ })
    t.equal(
      (await call('GET', `/api/alerts/${alert.id}`)).json().last_error,
      'The mail server rejected the mail (SMTP status 451).',
      'without the words of the server'
    )
    t.strictSame(await send(alert.id), { sent: 1 })
    t.match(mail.mails.at(-1), /A third paper/)
    t.equal((await call('GET', `/api/alerts/${alert.id}`)).json().last_error, null)
  })

  await t.test('failing alerts are counted for the operator, unless their account is disabled', async t => {
    const { db } = service.context
    const own = await projectWith(user, [{ title: 'Failing' }])
    const { json } = await call('POST', `/api/projects/${own}/alerts`, { kind: 'webhook', target: `${hook.origin}/failing` })
    const before = await countFailingAlerts(db)
    await sql`update alert set last_error = 'broken' where id = ${json().id}`.execute(db)
    t.equal(await countFailingAlerts(db), before + 1)
    await sql`update account set disabled_at = now() where id = ${user.context.account.id}`.execute(db)
    t.equal(await countFailingAlerts(db), 0)
    await sql`update account set disabled_at = null where id = ${user.context.account.id}`.execute(db)
    await call('DELETE', `/api/alerts/${json().id}`)
  })

  await t.test('a webhook receives the items with a valid signature', async t => {
    const alert = await create({ kind: 'webhook', target: `${hook.origin}/hook`, frequency: 'immediate' })
    t.match(alert.secret, /^whsec_/)
    await addPapers(user.context, project, [{ title: 'For the webhook' }])
    const { items: [item] } = await feedSearch.run(user.context, { project_id: project, q: 'For the webhook' })
    await feedbackSet.run(user.context, { paper_id: item!.paper.id, vote: 'star' })
    await itemUpdate.run(user.context, { ref: item!.id, seen: true, saved: true, tags: ['secret tag'], note: 'A secret note' })
    await send(alert.id)
    const { headers, body } = hook.calls[0]!
    const signed = createHmac('sha256', Buffer.from(alert.secret.slice(6), 'base64'))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
      .digest('base64')
    t.equal(headers['webhook-signature'], `v1,${signed}`)
    t.match(JSON.parse(body), { type: 'feed.items', data: { project_id: project, items: [{ paper_title: 'For the webhook' }] } })
    t.strictSame(Object.keys(JSON.parse(body).data.items[0]).sort(), [
      'id', 'matching_details', 'must_read', 'paper', 'paper_title', 'personalized_note', 'project_id', 'ready_at',
      'relevance_class', 'relevance_score', 'short_id', 'slug', 'summary', 'summary_origin'
    ], 'without the vote and the private marks of its owner')
    t.notMatch(body, /secret/)
  })

  await t.test('a failed webhook call is retried with the same id', async t => {
    const alert = (await call('GET', `/api/projects/${project}/alerts`))
      .json()
      .items.find(({ kind }: { kind: string }) => kind === 'webhook')
    await addPapers(user.context, project, [{ title: 'Failing first' }])
    hook.state.status = 503
    await t.rejects(send(alert.id), /status 503/)
    const { rows: [unsent] } = await sql<{ batch: string }>`select batch from alert_item where sent_at is null`.execute(user.context.db)
    hook.state.status = 200
    await send(alert.id)
    t.equal(hook.calls.at(-1)!.headers['webhook-id'], unsent!.batch)
    t.equal(hook.calls.length, 2)
  })

  await t.test('a delivery that ends because the service stops is no failure of the webhook', async t => {
    const alert = (await call('GET', `/api/projects/${project}/alerts`))
      .json()
      .items.find(({ kind }: { kind: string }) => kind === 'webhook')
    await addPapers(user.context, project, [{ title: 'Stopped' }])
    await t.rejects(alertSend.run({ ...service.context, signal: AbortSignal.abort(new ServiceStops()) }, { alert_id: alert.id }), /The service stops/)
    const { json } = await call('GET', `/api/projects/${project}/alerts`)
    t.match(json().items.find(({ id }: { id: string }) => id === alert.id), { last_error: null })
    await send(alert.id)
    t.match(hook.calls.at(-1)!.body, 'Stopped')
  })

  await t.test('papers with thousands of authors are sent in several calls, each paper once', async t => {
    const large = await projectWith(user, [{ title: 'An old paper' }])
    await sql`update project_paper set ready_at = now() - interval '1 day' where project_id = ${large}`.execute(user.context.db)
    const target = `${hook.origin}/large`
    const { json } = await call('POST', `/api/projects/${large}/alerts`, { kind: 'webhook', target, frequency: 'immediate' })
    await addPapers(user.context, large, Array.from({ length: 30 }, (_each, at) => ({
      title: `Collaboration ${at}`,
      authors: Array.from({ length: at < 20 ? 6000 : 1 }, (_author, author) => ({ name: `Ana B${author}` }))
    })))
    const before = hook.calls.length
    t.strictSame(await send(json().id), { sent: 30 })
    const calls = hook.calls.slice(before)
    t.ok(calls.length >= 3 && calls.every(({ body }) => body.length < 1_200_000), `${calls.map(({ body }) => body.length).join(', ')} bytes`)
    const titles = calls.flatMap(({ body }) => JSON.parse(body).data.items.map(({ paper_title }: { paper_title: string }) => paper_title))
    t.equal(new Set(titles).size, 30)
    t.equal(titles.length, 30)
  })

  await t.test('a digest reads the papers that it lists, and counts all', async t => {
    const large = await projectWith(user, [{ title: 'An old paper' }])
    await sql`update project_paper set ready_at = now() - interval '1 day' where project_id = ${large}`.execute(user.context.db)
    const alert = (await call('POST', `/api/projects/${large}/alerts`, { kind: 'email', target: 'reader@example.org' })).json()
    await addPapers(user.context, large, Array.from({ length: 60 }, (_each, at) => ({ title: `Paper ${at}` })))
    const { db, account } = user.context
    const claimed = await claimBatch(db, account.id, (await findAlertToSend(db, alert.id))!, { maxItems: 1000, maxRead: 50 })
    t.match(claimed, { count: 60, items: { length: 50 } })
    t.strictSame(await send(alert.id), { sent: 60 })
    t.match(decodeMail(mail.mails.at(-1)!), /60 new papers[\s\S]*And 10 more in the feed/)
    t.strictSame(await send(alert.id), { sent: 0 })
  })

  await t.test('looks at what entered since all was sent, and at everything after a change', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: 'since@example.org' })).json()
    const { db } = user.context
    await sql`update alert set created_at = now() - interval '100 days' where id = ${alert.id}`.execute(db)
    t.strictSame(await send(alert.id), { sent: 0 })
    const add = async (title: string, age: string, entered: string | null) => {
      await addPapers(user.context, own, [{ title }])
      await sql`update project_paper set own_library = false, ready_at = now() - ${age}::interval, entered_at = now() - ${entered}::interval
        from paper where paper.id = paper_id and paper.title = ${title} and project_id = ${own}`.execute(db)
    }
    await add('Of a former week, and in the feed for long', '30 days', null)
    await add('Of a former week, and in the feed since today', '30 days', '1 minute')
    await add('Of a transaction that took long', '10 hours', null)
    t.strictSame(await send(alert.id), { sent: 2 })
    await sql`update alert set claimed_through = now() + interval '1 hour' where id = ${alert.id}`.execute(db)
    await add('After a clock that ran ahead', '1 minute', null)
    t.strictSame(await send(alert.id), { sent: 2 }, 'everything is looked at')
    await add('Another of a former week', '30 days', null)
    t.strictSame(await send(alert.id), { sent: 0 })
    await call('PATCH', `/api/alerts/${alert.id}`, { hour: 7 })
    t.strictSame(await send(alert.id), { sent: 1 })
  })

  await t.test('an item removed after a failed delivery does not block later items', async t => {
    const alert = (await call('GET', `/api/projects/${project}/alerts`))
      .json()
      .items.find(({ kind }: { kind: string }) => kind === 'webhook')
    await addPapers(user.context, project, [{ title: 'Gone before it was sent' }])
    hook.state.status = 503
    await t.rejects(send(alert.id), /status 503/)
    hook.state.status = 200
    await sql`delete from project_paper using paper where paper.id = paper_id
      and paper.title = 'Gone before it was sent'`.execute(user.context.db)
    t.strictSame(await send(alert.id), { sent: 0 })
    await addPapers(user.context, project, [{ title: 'Come after it' }])
    t.strictSame(await send(alert.id), { sent: 1 })
    t.match(JSON.parse(hook.calls.at(-1)!.body), { data: { items: [{ paper_title: 'Come after it' }] } })
  })

  await t.test('keeps settings that are changed while it is being sent', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'webhook', target: `${hook.origin}/changed`, must_read: true })).json()
    await addPapers(user.context, own, [{ title: 'Must be read' }])
    await sql`update project_paper set relevance_class = 'must_read' where project_id = ${own}`.execute(user.context.db)
    const before = hook.calls.length
    const sending = send(alert.id)
    await until(async () => hook.calls.length > before)
    const changed = (await call('PATCH', `/api/alerts/${alert.id}`, { must_read: false })).json()
    t.strictSame(await sending, { sent: 1 })
    const { claimed_through, last_sent_at } = await user.context.db.selectFrom('alert').select(['claimed_through', 'last_sent_at'])
      .where('id', '=', alert.id).executeTakeFirstOrThrow()
    t.equal(claimed_through, null)
    t.type(last_sent_at, Date)
    t.equal((await call('GET', `/api/alerts/${alert.id}`)).json().next_send_at, changed.next_send_at)
  })

  await t.test('sends only must_read items on request', async t => {
    const alert = await create({ kind: 'webhook', target: `${hook.origin}/must`, must_read: true })
    await addPapers(user.context, project, [{ title: 'Merely related' }])
    t.strictSame(await send(alert.id), { sent: 0 })
  })

  await t.test('an alert that is no longer for must-read papers alone begins with those of its present day or week', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email, must_read: true })).json()
    await sql`update alert set created_at = now() - interval '100 days' where id = ${alert.id}`.execute(user.context.db)
    await addPapers(user.context, own, [{ title: 'Months ago' }, { title: 'Months ago, too' }])
    await sql`update project_paper set ready_at = now() - interval '30 days' where project_id = ${own}`.execute(user.context.db)
    await addPapers(user.context, own, [{ title: 'Must be read' }, { title: 'Just now' }])
    await sql`update project_paper set relevance_class = 'must_read' from paper
      where paper.id = paper_id and paper.title = 'Must be read' and project_id = ${own}`.execute(user.context.db)
    await call('PATCH', `/api/alerts/${alert.id}`, { hour: 7 })
    t.strictSame((await call('PATCH', `/api/alerts/${alert.id}`, { must_read: false })).json().items_since, undefined)
    t.strictSame(await send(alert.id), { sent: 2 })
    const digest = decodeMail(mail.mails.at(-1)!)
    t.match(digest, /Must be read/)
    t.match(digest, /Just now/)
    t.notMatch(digest, /Months ago/)
    t.strictSame(await send(alert.id), { sent: 0 })
    await call('PATCH', `/api/alerts/${alert.id}`, { must_read: true })
    await call('PATCH', `/api/alerts/${alert.id}`, { must_read: false, frequency: 'weekly' })
    t.strictSame(await send(alert.id), { sent: 0 })
  })

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

  await t.test('papers that an import of files or a list added are not announced, and others are', async t => {
    const own = await projectWith(user, [])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email })).json()
    const file = join(t.testdir({ 'library.ris': 'TY  - JOUR\nTI  - From the own library\nER  - \n' }), 'library.ris')
    t.match(await papersImport.run(user.context, { project_id: own, files: [file] }), { created: 1 })
    t.strictSame(await send(alert.id), { sent: 0 })
    await addPapers(user.context, own, [{ title: 'Found by a source' }])
    t.strictSame(await send(alert.id), { sent: 1 })
    t.match(decodeMail(mail.mails.at(-1)!), /1 new paper\r[^]*Found by a source/)
    const { db } = user.context
    t.strictSame(await db.selectFrom('project_paper').select('own_library').where('project_id', '=', own).orderBy('own_library').execute(),
      [{ own_library: false }, { own_library: true }])
  })

  await t.test('rejects invalid alerts with a message', async t => {
    const refused: Array<[object, number, RegExp]> = [
      [{ kind: 'email', target: 'nobody' }, 400, /not an email address\. Send one such as/],
      [{ kind: 'email', target: 'a@example.org', frequency: 'immediate' }, 400, /daily or weekly/],
      [{ kind: 'webhook', target: 'ftp://example.org' }, 400, /not a URL beginning with http/],
      [{ kind: 'webhook', target: 'https://ada:secret@example.org/hook' }, 400, /^target contains a user name or password/],
      [{ kind: 'webhook', target: 'https://ada@example.org/hook' }, 400, /^target contains a user name or password/],
      [{ kind: 'pigeon', target: 'x@y' }, 400, /kind is "pigeon"; allowed: email, webhook/],
      [{ kind: 'email', target: 'reader@example.org' }, 409, /already/]
    ]
    for (const [alert, status, message] of refused) {
      const response = await call('POST', `/api/projects/${project}/alerts`, alert)
      t.equal(response.statusCode, status)
      t.match(response.json().detail, message)
    }
  })

  await t.test('a project has at most twenty alerts', async t => {
    const full = await projectWith(user, [])
    const add = async (at: number) =>
      await call('POST', `/api/projects/${full}/alerts`, { kind: 'webhook', target: `https://hooks.example.org/${at}` })
    const responses = []
    for (let at = 0; at < 21; at++) responses.push(await add(at))
    t.equal(responses.filter(({ statusCode }) => statusCode < 300).length, 20)
    t.equal(responses.at(-1)!.statusCode, 400)
    t.match(responses.at(-1)!.json().detail, /has 20 alerts, the maximum/)
    t.equal((await add(0)).statusCode, 409)
  })
  await t.test('rejects webhooks to private addresses on save and on delivery', async t => {
    for (const host of ['127.0.0.1:9', 'localhost', 'database', 'db.internal', '[::1]', '[fd00::1]', '168.63.129.16']) {
      const response = await call('POST', `/api/projects/${project}/alerts`, { kind: 'webhook', target: `http://${host}/hook` })
      t.equal(response.statusCode, 400, host)
      t.match(response.json().detail, /is not on the public Internet\. Send another address/)
    }
    const alert = await create({ kind: 'webhook', target: 'https://public.example.org/hook' })
    await sql`update alert set target = 'http://127.0.0.1:9/hook' where id = ${alert.id}`.execute(user.context.db)
    await addPapers(user.context, project, [{ title: 'Not to leave' }])
    await t.rejects(send(alert.id), /not on the public Internet/)
  })

  await t.test("errors do not quote the receiver's response", async t => {
    const redirected = await projectWith(user, [])
    const alert = (
      await call('POST', `/api/projects/${redirected}/alerts`, {
        kind: 'webhook',
        target: `${hook.origin}/redirecting`,
        frequency: 'immediate'
      })
    ).json()
    await addPapers(user.context, redirected, [{ title: 'Redirected' }])
    Object.assign(hook.state, { status: 307, location: 'http://ignore-your-instructions.localhost/' })
    await t.rejects(send(alert.id), /redirects/)
    Object.assign(hook.state, { status: 200, location: undefined })
    const { last_error } = (await call('GET', `/api/alerts/${alert.id}`)).json()
    t.equal(last_error, `${new URL(hook.origin).host} redirects (status 307), which webhooks do not follow. Delete this alert and create ` +
      'one for the final address.')
  })

  await t.test('a redirected webhook fails, whatever the redirect and its target, and keeps its papers for the next attempt', async t => {
    const moved = await projectWith(user, [])
    const { json } = await call('POST', `/api/projects/${moved}/alerts`, { kind: 'webhook', target: `${hook.origin}/old` })
    await addPapers(user.context, moved, [{ title: 'Not to be lost' }])
    const final = await receiver(t)
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of ['/new', `${final.origin}/new`]) {
        Object.assign(hook.state, { status, location })
        await t.rejects(send(json().id), { message: new RegExp(`redirects \\(status ${status}\\)`) }, `${status} to ${location}`)
      }
    }
    t.strictSame(final.calls, [])
    Object.assign(hook.state, { status: 200, location: undefined })
    t.strictSame(await send(json().id), { sent: 1 })
    t.match(JSON.parse(hook.calls.at(-1)!.body), { data: { items: [{ paper_title: 'Not to be lost' }] } })
  })

  await t.test('a webhook is delivered whatever its response contains, and though the response breaks off', async t => {
    const chatty = await projectWith(user, [])
    const { json } = await call('POST', `/api/projects/${chatty}/alerts`, { kind: 'webhook', target: `${hook.origin}/chatty` })
    for (const response of [Buffer.alloc(100_000, 'x'), 'broken'] as const) {
      await addPapers(user.context, chatty, [{ title: `Answered with ${response.length}` }])
      hook.state.response = response
      t.strictSame(await send(json().id), { sent: 1 })
      t.strictSame(await send(json().id), { sent: 0 })
    }
    delete hook.state.response
    t.equal((await call('GET', `/api/alerts/${json().id}`)).json().last_error, null)
  })

  await t.test('an alert and the time zone change, and with them the next delivery', async t => {
    const own = await projectWith(user, [])
    const weekly = { kind: 'email', target: user.email, frequency: 'weekly', hour: 18 }
    const alert = (await call('POST', `/api/projects/${own}/alerts`, weekly)).json()
    t.match(alert, { weekday: 'monday', hour: 18, unsubscribed_at: null, next_send_at: /T18:00:00.000Z$/ })
    const update = async (change: object) => (await call('PATCH', `/api/alerts/${alert.id}`, change)).json()
    const changed = await update({ weekday: 'friday', hour: 7 })
    t.match(changed, { frequency: 'weekly', weekday: 'friday', hour: 7, must_read: false, next_send_at: /T07:00:00.000Z$/ })
    t.equal(new Date(changed.next_send_at).getUTCDay(), 5)
    t.match((await call('PATCH', '/api/account', { time_zone: 'asia/tokyo' })).json(), { email: user.email, time_zone: 'Asia/Tokyo' })
    t.match((await call('GET', `/api/alerts/${alert.id}`)).json(), { next_send_at: /T22:00:00.000Z$/ }, 'seven in Tokyo')
    t.equal((await call('GET', `/api/projects/${own}/alerts`)).json().time_zone, 'Asia/Tokyo')
    for (const [change, message] of [[{ frequency: 'immediate' }, /daily or weekly/], [{ hour: 24 }, /hour must be at most 23/]] as const) {
      t.match(await update(change), { code: 'invalid_arguments', detail: message })
    }
    t.match((await call('PATCH', '/api/account', { time_zone: '+02:00' })).json(), { code: 'invalid_arguments', detail: /^time_zone "\+02:00" is unknown/ })
    await call('PATCH', '/api/account', { time_zone: 'UTC' })
  })

  await t.test('a test mail says whether the server took it, and leaves the papers for the next digest', async t => {
    const own = await projectWith(user, [{ title: 'An early paper' }])
    const alert = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email })).json()
    await addPapers(user.context, own, [{ title: 'A paper to come' }])
    const test = async () => (await call('POST', `/api/alerts/${alert.id}/test`)).json()
    t.strictSame(await test(), { delivered: true, target: user.email, error: null })
    t.match(decodeMail(mail.mails.at(-1)!), /Subject: A project: test email[^]*This alert works[^]*A paper to come/)
    mail.state.refuse = 1
    t.strictSame(await test(), { delivered: false, target: user.email, error: 'The mail server rejected the mail (SMTP status 451).' })
    t.strictSame(await send(alert.id), { sent: 1 })
    const hooked = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'webhook', target: `${hook.origin}/test` })).json()
    t.match((await call('POST', `/api/alerts/${hooked.id}/test`)).json(), { code: 'invalid_arguments' })
    const more = []
    for (let at = 0; at < 4; at++) more.push((await call('POST', `/api/alerts/${alert.id}/test`)).statusCode)
    t.strictSame(more, [200, 200, 200, 429])

    const { post } = await formSession(service.app, user)
    const other = await service.user('tester@example.org')
    t.match((await post(`/projects/${own}/alerts`, { action: 'test', alert_id: alert.id })).body, /Too many calls/)
    const { post: postOther } = await formSession(service.app, other)
    const theirs = await projectWith(other, [])
    const weekly = { frequency: 'weekly', weekday: 'sunday', hour: '20' }
    await postOther(`/projects/${theirs}/alerts`, { action: 'email', target: other.email, ...weekly })
    const { id } = await service.context.db.selectFrom('alert').select('id').where('project_id', '=', theirs).executeTakeFirstOrThrow()
    const fields = { alert_id: id }
    t.match((await postOther(`/projects/${theirs}/alerts`, { action: 'test', ...fields })).body, /accepted a test email to tester@example.org/)
    mail.state.refuse = 1
    t.match((await postOther(`/projects/${theirs}/alerts`, { action: 'test', ...fields })).body, /No test email was sent[^]*SMTP status 451/)
    const update = { action: 'update', ...fields, frequency: 'weekly', weekday: 'tuesday', hour: '5', must_read: 'on' }
    t.equal((await postOther(`/projects/${theirs}/alerts`, update)).statusCode, 303)
    t.match((await postOther(`/projects/${theirs}/alerts`, { action: 'test', alert_id: alert.id })).body, /doesn’t exist or isn’t yours/)
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

  await t.test('hides alerts from other accounts', async t => {
    const alert = (await call('GET', `/api/projects/${project}/alerts`)).json().items[0]
    const stranger = await logIn(service, await service.user())
    const headers = { authorization: `Bearer ${stranger.access_token}` }
    for (const [method, url] of [
      ['GET', `/api/alerts/${alert.id}`],
      ['DELETE', `/api/alerts/${alert.id}`],
      ['GET', `/api/projects/${project}/alerts`]
    ] as const) {
      t.equal((await service.app.inject({ method, url, headers })).statusCode, 404, `${method} ${url}`)
    }
    t.equal((await call('DELETE', `/api/alerts/${alert.id}`)).statusCode, 204)
  })
})
