import { EventEmitter, once } from 'node:events'
import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { up } from '../../db/migrations/2027-01-06-job-requesters.js'
import { claimJob } from '../../db/queries/job-claims.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { startWorkers } from '../../src/adapters/jobs/worker.js'
import { convertJob, fetchJob, maxWaitingConversions, maxWaitingLookups, scoreJob, summariesJob } from '../../src/jobs/new-jobs.js'
import { paperAdd } from '../../src/operations/papers/paper-add.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { explainUpdates } from '../support/plans.js'
import { until } from '../support/until.js'
import { projectWith, testService, type TestUser } from '../support/service.js'

t.test('conversions', async t => {
  const service = await testService(t)
  const [busy, other] = [await service.user(), await service.user()]
  const { db, queue } = service.context
  const { rows: papers } = await sql<{ id: string }>`
    insert into paper (slug, title, abstract, authors, source_name, metadata, title_key, doi, pdf_url)
    select 'p', 'Paper ' || n, null, '[]', 'crossref', '{}', n::text, '10.5555/turn.' || n, 'https://example.org/' || n || '.pdf'
    from generate_series(1, 60) n returning id`.execute(db)
  const ids = papers.map(({ id }) => id)
  const projects = new Map<TestUser, string>()
  for (const user of [busy, other]) {
    const project_id = await projectWith(user, [{ title: 'Its own' }])
    projects.set(user, project_id)
    await sql`insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
      select ${project_id}, id, 0.5, 'related', now() from paper where doi like '10.5555/turn.%'`.execute(db)
  }
  const ask = async ({ context }: TestUser, at: number) => await paperMarkdown.run(context, { paper_id: ids[at]! })
  const claimPaper = async (skip: string[] = []) => {
    const claimed = await queue.claim('convert-markdown', skip)
    return claimed === undefined ? undefined : ids.indexOf(claimed.paper_id!)
  }
  t.afterEach(async () => { await sql`delete from job`.execute(db) })

  await t.test('of accounts take turns', async t => {
    for (const at of [0, 1, 2, 3]) await ask(busy, at)
    for (const at of [10, 11]) await ask(other, at)
    t.strictSame(
      [await claimPaper(), await claimPaper(), await claimPaper(), await claimPaper(), await claimPaper(), await claimPaper()],
      [0, 10, 1, 11, 2, 3]
    )
  })

  await t.test('that go on in another turn come after those of another account, also one that had a turn before', async t => {
    await ask(other, 9)
    t.equal(await claimPaper(), 9)
    await ask(busy, 0)
    await ask(other, 10)
    const long = (await queue.claim('convert-markdown', []))!
    t.equal(ids.indexOf(long.paper_id!), 0)
    await queue.yieldSlot(long)
    t.strictSame([await claimPaper(), await claimPaper()], [10, 0])
  })

  await t.test('of an account with a running one wait where another account waits', async t => {
    for (const at of [0, 1]) await ask(busy, at)
    await ask(other, 10)
    t.equal(await claimPaper([busy.context.account.id]), 10)
    t.equal(await claimPaper([busy.context.account.id]), undefined)
  })

  await t.test('of an account run two at a time', async t => {
    for (let at = 0; at < 8; at++) await ask(busy, at)
    await ask(other, 10)
    const row = tasks.find(({ task }) => task === 'convert-markdown')!
    const conversion = new EventEmitter()
    const converted = once(conversion, 'end')
    const running: number[] = []
    const workers = startWorkers(service.context, [{
      ...row,
      async run (_context, { paper_id }) {
        running.push(ids.indexOf(paper_id!))
        return await converted
      }
    }])
    t.teardown(async () => await workers.stop(1000))
    await until(async () => running.length === 3)
    t.strictSame([...running].sort((a, b) => a - b), [0, 1, 10])
    conversion.emit('end')
    await until(async () => running.length === 9)
  })

  await t.test('that two accounts ask for take the turn of the one with fewer', async t => {
    for (let at = 0; at < 10; at++) await ask(busy, at)
    t.match(await ask(other, 9), { status: 'queued', created: false })
    t.strictSame([await claimPaper(), await claimPaper(), await claimPaper()], [0, 9, 1])
    await ask(other, 10)
    t.match(await ask(busy, 10), { created: false })
    t.strictSame([await claimPaper(), await claimPaper()], [10, 2], 'still the turn of the other')
  })

  await t.test('wait in a limited number', async t => {
    for (let at = 0; at < maxWaitingConversions; at++) await ask(busy, at)
    await t.rejects(ask(busy, 50), { code: 'rate_limited', retryAfter: 30, message: /50 waiting jobs/ })
    t.match(await ask(busy, 0), { status: 'queued', created: false })
    t.match(await ask(other, 50), { created: true })
    t.equal((await sql`select from job`.execute(db)).rows.length, 51)
    await claimPaper()
    t.match(await ask(busy, 51), { created: true })
  })

  await t.test('that waited before accounts took turns get an account whose feed has the paper', async t => {
    for (const at of [0, 1]) await queue.enqueue(convertJob(ids[at]!))
    await sql`update project_paper set ready_at = ready_at - interval '1 day' where project_id = ${projects.get(other)!}`.execute(db)
    await up(db)
    await up(db)
    const { rows } = await sql`select requested_by, account_id from job`.execute(db)
    t.strictSame(rows.map(row => ({ ...row as object })), Array(2).fill({ requested_by: other.context.account.id, account_id: null }))
  })
})

t.test('jobs of any task', async t => {
  const service = await testService(t)
  const { queue } = service.context
  const users = [await service.user(), await service.user(), await service.user()]
  const projects = new Map<string, string>()
  for (const [at, user] of users.entries()) {
    for (let count = at === 2 ? 1 : 3; count > 0; count--) projects.set(await projectWith(user, []), user.context.account.id)
  }
  const accountIds = users.map(({ context }) => context.account.id)

  for (const newJob of [fetchJob, scoreJob, summariesJob]) {
    const jobs = [...projects].map(([id, account_id]) => newJob({ id, account_id }))
    const { task } = jobs[0]!
    await t.test(`${task}: accounts take turns`, async t => {
      for (const job of jobs) await queue.enqueue(job)
      const claimed: number[] = []
      for (let job = await queue.claim(task); job !== undefined; job = await queue.claim(task)) {
        claimed.push(accountIds.indexOf(job.account_id!))
        await queue.complete(job, {})
      }
      t.strictSame(claimed, [0, 1, 2, 0, 1, 0, 1])
    })
  }
})

t.test('a claim reads a job of each account, however many wait', async t => {
  const service = await testService(t)
  const { db } = service.context
  const accountIds: string[] = []
  for (let count = 0; count < 5; count++) accountIds.push((await service.user()).context.account.id)
  await sql`
    insert into job (task, once_key, account_id, requested_by, run_at)
    select 'add-paper', n::text, id, id, timestamptz '2026-11-20' + n * interval '1 second' from generate_series(1, 8000) n
    join lateral (select (${accountIds}::uuid[])[n % 5 + 1] as id) as account on true`.execute(db)
  const reads = async (t: Test) => {
    for (const skipped of [[], accountIds.slice(0, 2)]) {
      for (let count = 0; count < 3; count++) {
        const statements = await explainUpdates(db, async recorded => await claimJob(recorded, 'add-paper', skipped))
        t.equal(statements.length, 1)
        t.ok(statements[0]!.rows <= 10, `${statements[0]!.rows} rows`)
      }
    }
  }
  // Before the database has statistics, as in a new one.
  await t.test('without statistics', reads)
  await sql`vacuum analyze job`.execute(db)
  await t.test('with statistics', reads)
})

t.test('look-ups of papers wait in a limited number', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'A paper' }])
  const add = async (at: number) => await paperAdd.run(user.context, { project_id, identifier: `10.5555/lookup.${at}` })
  for (let at = 0; at < maxWaitingLookups; at++) t.match(await add(at), { created: true })
  await t.rejects(add(50), { code: 'rate_limited' })
  t.match(await add(0), { created: false })
})
