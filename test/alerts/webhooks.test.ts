import { createHmac } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import { alertSend } from '../../src/operations/alerts/alert-send.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import type { HttpClient } from '../../src/http/client.js'
import { ServiceStops } from '../../src/jobs/failures.js'
import { alertJob } from '../../src/jobs/new-jobs.js'
import { alertService, receiver } from '../support/alerts.js'
import { formSession } from '../support/forms.js'
import { until } from '../support/until.js'
import { addPapers, projectWith } from '../support/service.js'

t.test('webhooks', async t => {
  const { hook, service, user, call, project, send, create } = await alertService(t)

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

  await t.test('a cooldown of the host, which another alert caused, does not count as an attempt for a day', async t => {
    const { db } = service.context
    const own = await projectWith(user, [])
    const { json } = await call('POST', `/api/projects/${own}/alerts`, { kind: 'webhook', target: `${hook.origin}/paused` })
    await addPapers(user.context, own, [{ title: 'To wait' }])
    const before = (await call('GET', `/api/alerts/${json().id}`)).json()
    await sql`insert into source_slot (name, next_at) values (${`rest ${new URL(hook.origin).host}`}, now() + interval '100 seconds')`.execute(db)
    const { id } = await service.context.queue.enqueue(alertJob({ id: json().id, project_id: own, account_id: user.context.account.id }))
    const job = async () =>
      await db.selectFrom('job').select(['state', 'attempts', 'run_at', 'error']).where('id', '=', id).executeTakeFirstOrThrow()
    const due = (await job()).run_at
    const workers = startWorkers(service.context, tasks.filter(({ task }) => task === 'send-alert'))
    await until(async () => (await job()).run_at > due)
    t.match(await job(), { state: 'waiting', attempts: 0, error: null })
    const paused = (await call('GET', `/api/alerts/${json().id}`)).json()
    t.match(paused.last_error, /did not respond in time/)
    t.strictSame({ ...paused, last_error: null }, before, 'and changes nothing else')
    await sql`update job set run_at = now(), created_at = now() - interval '25 hours' where id = ${id}`.execute(db)
    await until(async () => (await job()).attempts === 1 && (await job()).state === 'waiting')
    t.match(await job(), { error: /did not respond in time/ })
    await sql`delete from source_slot`.execute(db)
    await sql`update job set run_at = now() where id = ${id}`.execute(db)
    await until(async () => (await job()).state === 'done')
    t.match(hook.calls.at(-1)!.body, /To wait/)
    await workers.stop(1000)
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

  await t.test('keeps the next delivery of a time zone that is changed while it is being sent', async t => {
    const own = await projectWith(user, [])
    const daily = { kind: 'webhook', target: `${hook.origin}/zone`, frequency: 'daily', hour: 7 }
    const alert = (await call('POST', `/api/projects/${own}/alerts`, daily)).json()
    await addPapers(user.context, own, [{ title: 'While the time zone changes' }])
    const fetch: HttpClient['fetch'] = async (...request) => {
      await call('PATCH', '/api/account', { time_zone: 'Asia/Tokyo' })
      return await service.context.alerts.webhooks.fetch(...request)
    }
    const alerts = { ...service.context.alerts, webhooks: { fetch } }
    t.strictSame(await alertSend.run({ ...service.context, alerts }, { alert_id: alert.id }), { sent: 1 })
    t.match((await call('GET', `/api/alerts/${alert.id}`)).json(), { next_send_at: /T22:00:00.000Z$/, last_sent_at: String })
    await call('PATCH', '/api/account', { time_zone: 'UTC' })
  })

  await t.test('a test says whether the webhook accepted it, and leaves the papers for the next delivery', async t => {
    const own = await projectWith(user, [])
    const target = `${hook.origin}/test`
    const { id, secret } = (await call('POST', `/api/projects/${own}/alerts`, { kind: 'webhook', target })).json()
    await addPapers(user.context, own, [{ title: 'A paper to come' }])
    const test = async () => (await call('POST', `/api/alerts/${id}/test`)).json()
    t.strictSame(await test(), { delivered: true, target, error: null })
    const { headers, body } = hook.calls.at(-1)!
    const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')
    t.equal(headers['webhook-signature'], `v1,${signed}`)
    t.match(JSON.parse(body), { type: 'feed.test', data: { project_id: own, items: [{ paper_title: 'A paper to come' }] } })
    hook.state.status = 503
    t.strictSame(await test(), { delivered: false, target, error: `${new URL(target).host} responded with status 503.` })
    const { post } = await formSession(service.app, user)
    const press = async () => (await post(`/projects/${own}/alerts`, { action: 'test', alert_id: id })).body
    t.match(await press(), /did not accept a test\. [^<]* responded with status 503\./)
    hook.state.status = 200
    t.match(await press(), /accepted a test\./)
    t.strictSame(await send(id), { sent: 1 })
    t.match(JSON.parse(hook.calls.at(-1)!.body), { type: 'feed.items' })
    t.strictSame((await call('GET', `/api/alerts/${id}`)).json().last_error, null)
    t.strictSame([(await test()).delivered, (await test()).code], [true, 'rate_limited'])
  })

  await t.test('sends only must_read items on request', async t => {
    const alert = await create({ kind: 'webhook', target: `${hook.origin}/must`, must_read: true })
    await addPapers(user.context, project, [{ title: 'Merely related' }])
    t.strictSame(await send(alert.id), { sent: 0 })
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
})
