import { join } from 'node:path'
import t from 'tap'
import { sql } from 'kysely'
import { claimBatch } from '../../db/queries/alert-items.js'
import { findAlertToSend } from '../../db/queries/alerts.js'
import { countFailingAlerts } from '../../db/queries/state.js'
import { dayMs } from '../../schemas/durations.js'
import { papersImport } from '../../src/operations/papers/papers-import.js'
import { alertService } from '../support/alerts.js'
import { formSession } from '../support/forms.js'
import { decodeMail } from '../support/mail-server.js'
import { addPapers, logIn, projectWith } from '../support/service.js'

t.test('alerts', async t => {
  const { mail, hook, service, user, call, project, send, create } = await alertService(t)

  await t.test('a digest contains the new papers once, as text and HTML', async t => {
    const alert = await create({ kind: 'email', target: 'reader@example.org' })
    t.match(alert, { kind: 'email', frequency: 'daily', must_read: false, last_sent_at: null })
    t.notOk('secret' in alert)
    await addPapers(user.context, project, [
      { title: 'A new <b>paper</b> & more', abstract: 'What it says.', authors: [{ name: 'Ada Byron' }], url: 'https://example.org/1' },
      { title: 'Another new paper', published_date: '2026-02-01', metadata: { published: '2026 Feb' } },
      { title: 'A dated paper', published_date: '2026-03-18' }
    ])
    t.strictSame(await send(alert.id), { sent: 3 })
    const digest = decodeMail(mail.mails[0]!)
    t.match(digest, /^Subject: A project: 3 new papers\r$/m)
    t.equal(digest.match(/3 new papers in =E2=80=9CA project=E2=80=9D/g)?.length, 3, 'in the text, and as title and heading of the HTML')
    t.match(digest, /^To: reader@example.org\r$/m)
    t.match(digest, /Message-ID: <[0-9a-f-]{36}@example.org>/)
    t.match(digest, /text\/plain[\s\S]*A new <b>paper<\/b> & more[\s\S]*text\/html[\s\S]*&lt;b>paper&lt;\/b> &amp; more/)
    t.notMatch(digest, /An old paper/)
    t.notMatch(digest, /2026-0[23]|\d %/)
    for (const shown of [/18 Mar 2026/g, /(?<!\d )Feb 2026/g]) t.equal(digest.match(shown)?.length, 2, `${shown} in text and HTML`)
    t.equal(digest.match(/Score \d+ of 100\./g)?.length, 6)
    t.equal(digest.match(/because this project has an alert for your address\./g)?.length, 2)
    t.strictSame(await send(alert.id), { sent: 0 })
    t.equal(mail.mails.length, 1, 'no paper is sent twice, and no empty digest is sent')
    t.not((await call('GET', `/api/alerts/${alert.id}`)).json().last_sent_at, null)
  })

  await t.test('a digest to somebody else names the account that set up the alert', async t => {
    const own = await projectWith(user, [])
    const target = 'colleague@example.org'
    const { id } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target })).json()
    await addPapers(user.context, own, [{ title: 'For a colleague' }])
    await send(id)
    t.equal(decodeMail(mail.mails.at(-1)!).match(/because reader@example\.org set up an alert for your address\./g)?.length, 2)
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

  await t.test('a mail to an address that the server does not know is sent again only with the next digest', async t => {
    const own = await projectWith(user, [])
    const weekly = { kind: 'email', target: 'nobody@example.org', frequency: 'weekly' }
    const alert = (await call('POST', `/api/projects/${own}/alerts`, weekly)).json()
    await addPapers(user.context, own, [{ title: 'For nobody' }])
    await t.rejects(send(alert.id), { message: /rejected the recipient or the sender \(SMTP status 550\)/, isFinal: true })
    t.match((await call('GET', `/api/alerts/${alert.id}`)).json(), { next_send_at: alert.next_send_at, last_error: /status 550/ })
    await call('DELETE', `/api/alerts/${alert.id}`)
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
    t.equal(decodeMail(mail.mails.at(-1)!).split(`/projects/${large}`).length, 3, 'the text and the HTML lead to the feed')
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

  await t.test('sends papers of a former week that entered the feed after the alert was created', async t => {
    const own = await projectWith(user, [{ title: 'In the feed before' }, { title: 'Entered since' }])
    const { id } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email })).json()
    await sql`update project_paper set ready_at = now() - interval '30 days', entered_at = paper.entered from (
        select id, case title when 'Entered since' then now() else now() - interval '1 day' end as entered from paper
      ) as paper where paper.id = paper_id and project_id = ${own}`.execute(user.context.db)
    t.strictSame(await send(id), { sent: 1 })
    t.match(decodeMail(mail.mails.at(-1)!), /1 new paper\r[^]*Entered since/)
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

  await t.test('an alert that is no longer for must-read papers alone sends what failed deliveries left', async t => {
    const own = await projectWith(user, [])
    const { id } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email, must_read: true })).json()
    const { db } = user.context
    const add = async (title: string, age: string, relevance: string) => {
      await addPapers(user.context, own, [{ title }])
      await sql`update project_paper set ready_at = now() - ${age}::interval, relevance_class = ${relevance}
        from paper where paper.id = paper_id and paper.title = ${title} and project_id = ${own}`.execute(db)
    }
    await add('Left out before the outage', '30 days', 'related')
    await add('Must be read since the outage', '3 days', 'must_read')
    const days = (count: number) => new Date(Date.now() + count * dayMs)
    const broken = { created_at: days(-100), last_error: 'broken', next_send_at: days(0.001) }
    const claims = [
      { claimed_through: days(-5) }, { last_sent_at: days(-5), claimed_through: null }, { items_since: days(-5), claimed_through: null },
      { claimed_through: null }
    ]
    for (const claim of claims) {
      await db.updateTable('alert').set({ ...broken, must_read: true, items_since: null, last_sent_at: null, ...claim })
        .where('id', '=', id).execute()
      await call('PATCH', `/api/alerts/${id}`, { must_read: false })
      t.strictSame(await send(id), { sent: 1 }, Object.keys(claim)[0]!)
      t.match(decodeMail(mail.mails.at(-1)!), /Must be read since the outage/)
      await db.deleteFrom('alert_item').where('alert_id', '=', id).execute()
    }
  })

  await t.test('a change of the schedule does not delay a failed delivery', async t => {
    const own = await projectWith(user, [])
    const { id, next_send_at: regular } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'email', target: user.email })).json()
    const retryAt = new Date(Date.now() + 1000)
    const fail = (last_error: string | null) =>
      user.context.db.updateTable('alert').set({ last_error, next_send_at: retryAt }).where('id', '=', id).execute()
    const next = async () => (await call('GET', `/api/alerts/${id}`)).json().next_send_at
    for (const [error, expected] of [['broken', retryAt.toISOString()], [null, regular]] as const) {
      await fail(error)
      await call('PATCH', `/api/alerts/${id}`, { must_read: true })
      t.equal(await next(), expected)
      await fail(error)
      await call('PATCH', '/api/account', { time_zone: 'UTC' })
      t.equal(await next(), expected)
    }
    // No retry follows a failure that would come again.
    const { hour } = (await call('GET', `/api/alerts/${id}`)).json()
    await user.context.db.updateTable('alert').set({ last_error: 'broken', next_send_at: regular }).where('id', '=', id).execute()
    await call('PATCH', `/api/alerts/${id}`, { hour: (hour + 1) % 24 })
    t.not(await next(), regular)
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
      [{ kind: 'email', target: 'a:reader@example.org' }, 400, /not an email address/],
      [{ kind: 'email', target: '(reader)a@example.org' }, 400, /not an email address/],
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
