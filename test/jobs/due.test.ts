import t from 'tap'
import { sql } from 'kysely'
import { listDueAlerts } from '../../db/queries/alerts.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { testService, type TestUser } from '../support/service.js'

const projectTasks = ['fetch-project', 'freeze-snapshot', 'score-project', 'sync-zotero']
const allTasks = ['fetch-project', 'freeze-snapshot', 'score-project', 'send-alert', 'sync-zotero']

t.test('more due rows of one account than a tick enqueues', async t => {
  const service = await testService(t)
  const { db } = service.context
  const [busy, other] = [await service.user(), await service.user()]
  /** Adds projects of which everything has been due for some hours. */
  const addDue = async ({ context: { account: { id } } }: TestUser, projects: number, hours: number) => {
    const dueAt = sql`now() - make_interval(hours => ${hours})`
    await sql`insert into zotero_account (account_id, api_key, user_id, username) values (${id}, '', '1', 'reader')`.execute(db)
    await sql`
      with added as (
        insert into project (account_id, name, sources, scoring_due_at, snapshot_schedule, next_snapshot_at)
        select ${id}, 'Project ' || n, '[]', ${dueAt}, 'monthly', ${dueAt} from generate_series(1, ${projects}) n returning id
      ), with_sources as (
        insert into source_state (project_id, name, query, next_fetch_at)
        select id, 'arxiv', query, ${dueAt} from added, unnest(array['first', 'second']) query
      ), with_zotero as (
        insert into zotero_sync (project_id, library, library_name, collections, next_sync_at)
        select id, 'users/1', 'My library', '[]', ${dueAt} from added
      )
      insert into alert (project_id, kind, target, frequency, next_send_at)
      select id, 'webhook', 'https://hooks.example.org/' || id, 'immediate', ${dueAt} from added`.execute(db)
  }
  const tasksOf = async ({ context: { account: { id } } }: TestUser) => {
    const { rows } = await sql<{ task: string, jobs: number }>`
      select task, count(*)::int as jobs from job where account_id = ${id} group by task order by task`.execute(db)
    return rows.map(({ task, jobs }) => [task, jobs] as const)
  }
  await addDue(busy, 201, 2)
  await addDue(other, 1, 1)

  await t.test('do not delay those of another', async t => {
    t.match(await queueDue.run(service.context, {}), { queued: 1000 })
    t.strictSame(await tasksOf(other), allTasks.map(task => [task, 1]))
    t.strictSame(await tasksOf(busy), allTasks.map(task => [task, 199]), 'of a project with two due sources once')
  })

  await t.test('are enqueued by later ticks while the jobs of the first wait or run', async t => {
    for (const task of projectTasks) await service.context.queue.claim(task as 'fetch-project')
    t.match(await queueDue.run(service.context, {}), { queued: 10 })
    t.strictSame(await tasksOf(busy), allTasks.map(task => [task, 201]))
    t.match(await queueDue.run(service.context, {}), { queued: 0 })
  })

  await t.test('are listed again once their jobs have ended', async t => {
    await sql`update job set state = 'failed'`.execute(db)
    await sql`update alert set next_send_at = now() - interval '3 hours'
      where target = (select max(target) from alert where project_id in (
        select id from project where account_id = ${busy.context.account.id}))`.execute(db)
    const due = await listDueAlerts(db, new Date())
    t.equal(due.length, 200)
    const [first, second] = due
    const { rows } = await sql`select id from alert where next_send_at < now() - interval '150 minutes'`.execute(db)
    t.match(rows, [{ id: first!.id }], 'the one that has been due for the longest time first')
    t.equal(second!.account_id, other.context.account.id)
  })
})
