import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { maxCountedJobs } from '../../schemas/job.js'
import { jobsList } from '../../src/operations/jobs/jobs-list.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

/** Rows that a step of a plan may pass on: the newest conversions of shared papers, and the account's own jobs. */
const maxRows = 1100

t.test('the list of jobs', { timeout: 120_000 }, async t => {
  const service = await testService(t)
  const { db } = service.context
  const [user, other] = [await service.user(), await service.user()]
  const project_id = await projectWith(user, [{ title: 'Own' }])
  const unrelated = await projectWith(user, [])
  await sql`
    with papers as (
      insert into paper (slug, title, authors, source_name, metadata, title_key)
      select 'shared', 'Shared paper ' || n, '[]', 'openalex', '{}', 'shared ' || n from generate_series(1, 3000) n returning id, title
    ), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
      select ${project_id}, id, 0.5, 'related', now() from papers where title in ('Shared paper 1', 'Shared paper 2', 'Shared paper 2999')
    )
    insert into job (account_id, task, once_key, state, paper_id, updated_at)
    select null, 'convert-markdown', title, case title when 'Shared paper 2' then 'failed' else 'done' end, id,
      timestamptz '2026-11-20' - substr(title, 14)::integer * interval '1 minute' from papers`.execute(db)
  await sql`
    insert into job (account_id, task, once_key, state, project_id, updated_at)
    select case when n <= 30 then ${user.context.account.id}::uuid else ${other.context.account.id}::uuid end, 'score-project', 'job ' || n,
      case when n % 10 = 0 then 'failed' else 'done' end, case when n <= 30 then ${project_id}::uuid end,
      timestamptz '2026-11-20' + n * interval '1 second' from generate_series(1, 20000) n`.execute(db)

  const reads = async (t: Test) => {
    const limited = { ...user.context, key: { projectIds: [project_id] } } as unknown as typeof user.context
    for (const context of [user.context, limited]) {
      for (const input of [{}, { state: 'failed' }, { state: 'waiting' }, { limit: 20, offset: 20 }] as const) {
        const statements = await explainSelects(db, async recorded => await jobsList.run({ ...context, db: recorded }, input))
        t.equal(statements.length, 2)
        for (const { rows, sql } of statements) t.ok(rows <= maxRows, `${JSON.stringify(input)}: ${rows} rows in ${sql.slice(0, 60)}`)
      }
    }
  }
  // Before the database has statistics, as in a new one.
  await t.test('reads the jobs of its account and the newest that accounts share', reads)
  await sql`vacuum analyze`.execute(db)
  await t.test('does so with statistics, too', reads)

  await t.test('has own and shared jobs, last changed first, each once', async t => {
    const all = []
    for (let offset = 0; ; offset += 10) {
      const { items, total, has_more } = await jobsList.run(user.context, { offset })
      t.equal(total, 32)
      all.push(...items)
      if (!has_more) break
    }
    t.equal(new Set(all.map(({ id }) => id)).size, 32)
    t.strictSame(all.map(({ updated_at }) => updated_at), all.map(({ updated_at }) => updated_at).sort().reverse())
    t.strictSame(all.map(({ task }) => task).slice(-3), ['score-project', 'convert-markdown', 'convert-markdown'])
    t.match(await jobsList.run(user.context, { state: 'failed' }), { total: 4, has_more: false })
    const key = (projectIds: string[]) => ({ ...user.context, key: { projectIds } }) as unknown as typeof user.context
    t.match(await jobsList.run(key([project_id]), {}), { total: 32, has_more: true })
    t.match(await jobsList.run(key([unrelated]), {}), { items: { length: 0 }, total: 0, has_more: false })
  })

  await t.test('has shared jobs that the account asked for, and those of a state, behind many newer ones', async t => {
    const ids = await sql<{ id: string }>`
      with items as (
        insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
        select ${project_id}, id, 0.5, 'related', now() from paper where title in ('Shared paper 2997', 'Shared paper 2998')
      )
      update job set state = 'waiting', requested_by = case once_key when 'Shared paper 2998' then ${user.context.account.id}::uuid
        else ${other.context.account.id}::uuid end
      where once_key in ('Shared paper 2997', 'Shared paper 2998') returning id`.execute(db)
    const waiting = await jobsList.run(user.context, { state: 'waiting' })
    t.match(waiting, { total: 2, has_more: false })
    t.strictSame(waiting.items.map(({ id }) => id).sort(), ids.rows.map(({ id }) => id).sort())
    t.match(await jobsList.run(user.context, {}), { total: 33 }, 'the one that the account asked for')
    await sql`update job set requested_by = ${user.context.account.id} where once_key = 'Shared paper 1'`.execute(db)
    t.match(await jobsList.run(user.context, {}), { total: 33 }, 'each once')
    await sql`delete from project_paper where paper_id in (select id from paper where title = 'Shared paper 2998')`.execute(db)
    t.match(await jobsList.run(user.context, { state: 'waiting' }), { total: 1 }, 'of papers in the feeds of the account')
  })

  await t.test('counts up to a limit', async t => {
    t.match(await jobsList.run(other.context, { offset: maxCountedJobs - 10 }), { total: maxCountedJobs, has_more: true })
    t.equal((await jobsList.run(other.context, { offset: maxCountedJobs })).items.length, 10)
    await t.rejects(jobsList.run(other.context, { offset: maxCountedJobs + 1 }), { code: 'invalid_arguments', message: /10,000/ })
    t.match(await jobsList.run(service.context, { state: 'failed' }), { total: 2001, has_more: true }, 'also for the operator')
  })
})
