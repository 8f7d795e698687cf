import t from 'tap'
import { sql } from 'kysely'
import { findAccount } from '../../db/queries/accounts.js'
import { createAlert, findAlert } from '../../db/queries/alerts.js'
import { deleteEndedJobs } from '../../db/queries/jobs.js'
import { deleteExpiredSlots } from '../../db/queries/sources.js'
import { changeTimeZone } from '../../db/queries/time-zone.js'
import { residentMemory, memoryProblem } from '../../src/fulltext/sandbox/resident-memory.js'
import { addPapers, logIn, projectWith, testService } from '../support/service.js'

const base = await testService(t)

t.test('an account has a limited number of alerts, in all projects together', async t => {
  const user = await base.user()
  const { context: { db, account } } = user
  const add = async (perAccount: number, accountId = account.id, by = user) => await createAlert(db, accountId, {
    project_id: await projectWith(by, [], { name: 'Alerts', sources: [] }),
    kind: 'webhook',
    target: 'https://example.org/hook',
    frequency: 'immediate',
    next_send_at: new Date()
  }, { perProject: 20, perAccount })
  t.match(await add(2), { id: String })
  t.match(await add(2), { id: String })
  t.equal(await add(2), 'too many')
  const other = await base.user()
  t.match(await add(2, other.context.account.id, other), { id: String })
})

t.test('a change of the time zone changes every digest, or nothing', async t => {
  const user = await base.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Digest', sources: [] })
  const [before, after] = [new Date('2026-12-01T06:00:00Z'), new Date('2026-12-02T05:00:00Z')]
  const created = await createAlert(
    db,
    account.id,
    { project_id, kind: 'email', target: 'a@example.org', frequency: 'daily', next_send_at: before },
    { perProject: 20, perAccount: 20 }
  ) as { id: string }
  const failing = changeTimeZone(db, account.id, 'Europe/Berlin', () => { throw new Error('interrupted') })
  await t.rejects(failing, { message: 'interrupted' })
  t.match(await findAccount(db, account.id), { time_zone: 'UTC' })
  await changeTimeZone(db, account.id, 'Europe/Berlin', (former, changed) => {
    t.strictSame([former.time_zone, changed.time_zone], ['UTC', 'Europe/Berlin'])
    return after
  })
  t.match(await findAlert(db, account.id, created.id), { next_send_at: after })
})

t.test('ended jobs that several accounts share are limited for each that asked for them', async t => {
  const user = await base.user()
  const { context: { db, account } } = user
  await sql`
    insert into job (task, state, requested_by, once_key, run_at, updated_at)
    select 'convert-markdown', 'done', ${account.id}::uuid, 'shared ' || n, now(), now() - n * interval '1 minute'
    from generate_series(1, 30) n`.execute(db)
  await deleteEndedJobs(db, { before: new Date(0), maxKept: 10 })
  const { rows } = await sql<{ once_key: string }>`
    select once_key from job where requested_by = ${account.id}::uuid order by updated_at desc`.execute(db)
  t.strictSame(rows.map(({ once_key }) => once_key), Array.from({ length: 10 }, (_each, at) => `shared ${at + 1}`))
})

t.test('expired slots of outside services are deleted in batches', async t => {
  const { db } = base.context
  await sql`insert into source_slot (name, next_at, set_at)
    select 'host ' || n, timestamptz '2020-01-01', timestamptz '2020-01-01' from generate_series(1, 2500) n`.execute(db)
  t.equal(await deleteExpiredSlots(db, new Date('2021-01-01')), 2500)
})

t.test('an import that changes papers of hundreds of projects changes at most a thousand items in a transaction', async t => {
  const user = await base.user()
  const { context, context: { db, account } } = user
  const inYear = (year: number) => Array.from({ length: 5 }, (_each, at) =>
    ({ title: `Dated ${at}`, doi: `10.1000/dated.${at}`, published_date: `${year}-01-01` }))
  const projectId = await projectWith(user, inYear(2024), { sources: [] })
  await sql`
    with other as (insert into project (account_id, name) select ${account.id}, 'Other ' || n from generate_series(1, 300) n returning id)
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select other.id, item.paper_id, item.relevance_score, item.relevance_class, item.ready_at
    from other cross join project_paper item where item.project_id = ${projectId}`.execute(db)
  t.match(await addPapers(context, projectId, inYear(2025)), { created: 0, updated: 5, unchanged: 0, rejected: { length: 0 } })
  const { rows } = await sql<{ items: number, year: number }>`
    select count(*)::integer as items, extract(year from published_date)::integer as year from project_paper
    where project_id in (select id from project where account_id = ${account.id}) group by xmin::text, year`.execute(db)
  t.ok(rows.every(({ items, year }) => year === 2025 && items <= 1000), JSON.stringify(rows))
  t.equal(rows.reduce((sum, { items }) => sum + items, 0), 5 * 301)
})

t.test('a session refreshes its tokens thirty times a minute', async t => {
  const service = await base.sibling(t)
  let { refresh_token } = await logIn(service, await service.user())
  const refresh = async () => await service.app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })
  for (let at = 0; at < 30; at++) refresh_token = (await refresh()).json().refresh_token
  const refused = await refresh()
  t.match({ code: refused.statusCode, after: refused.headers['retry-after'] }, { code: 429, after: /^\d+$/ })
  t.ok((await logIn(service, await service.user())).access_token, 'others are not limited')
})

t.test('the memory of a process is read, and is null once it has ended', async t => {
  t.ok((await residentMemory(process.pid))! > 1_000_000)
  t.equal(await residentMemory(2 ** 22 + 1), null)
  t.equal(await memoryProblem(), undefined)
})
