import t from 'tap'
import { sql } from 'kysely'
import { listDueAlerts } from '../../db/queries/alerts.js'
import { zoteroGet } from '../../src/operations/zotero/zotero-get.js'
import { zoteroSyncQueue } from '../../src/operations/zotero/zotero-sync-queue.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { projectWith, testService, type TestUser } from '../support/service.js'

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
    await sql`update job set state = 'failed', updated_at = now() - interval '61 minutes'`.execute(db)
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

t.test('work that is due again because its job failed', async t => {
  const service = await testService(t)
  const { db, queue } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, [])
  const { id: account_id } = user.context.account
  await sql`insert into zotero_account (account_id, api_key, user_id, username) values (${account_id}, '', '1', 'reader')`.execute(db)
  await sql`insert into zotero_sync (project_id, library, library_name, collections)
    values (${project_id}, 'users/1', 'My library', '[]')`.execute(db)
  await sql`
    insert into alert (project_id, kind, target, frequency, next_send_at)
    values (${project_id}, 'webhook', 'https://hooks.example.org/', 'immediate', now())`.execute(db)
  const makeAllDue = async () => {
    await sql`delete from job`.execute(db)
    await sql`delete from source_state`.execute(db)
    await sql`insert into source_state (project_id, name, query, next_fetch_at)
      values (${project_id}, 'arxiv', '', now() - interval '10 minutes')`.execute(db)
    await sql`update project set scoring_due_at = now() - interval '10 minutes', settings_changed_at = null,
      snapshot_schedule = 'monthly', next_snapshot_at = now() - interval '10 minutes'`.execute(db)
    await sql`update alert set next_send_at = now() - interval '10 minutes'`.execute(db)
    await sql`update zotero_sync set next_sync_at = now() - interval '10 minutes'`.execute(db)
  }
  const enqueue = async () => {
    await queueDue.run(service.context, {})
    const rows = await db.selectFrom('job').select('task').where('state', 'in', ['waiting', 'running']).orderBy('task').execute()
    return rows.map(({ task }) => task)
  }
  const failAll = async () => {
    for (const task of allTasks as Array<'fetch-project'>) {
      const { retries, retryDelaySeconds } = tasks.find(each => each.task === task)!
      const job = (await queue.claim(task))!
      await queue.fail({ ...job, attempts: retries + 1 }, new Error('broken'), { retries, retryDelaySeconds })
    }
  }
  const fail = async (hours: number) => await sql`update job set updated_at = now() - make_interval(hours => ${hours})`.execute(db)

  await t.test('waits for an hour after its process has ended five times', async t => {
    await makeAllDue()
    for (let crash = 1; crash <= 5; crash++) {
      t.strictSame(await enqueue(), allTasks, `before crash ${crash}`)
      for (const task of allTasks) t.ok(await queue.claim(task as 'fetch-project'), task)
      await sql`update job set alive_at = now() - interval '10 minutes'`.execute(db)
    }
    t.strictSame(await enqueue(), [])
    const failed = await db.selectFrom('job').select(['state', 'attempts']).execute()
    t.strictSame(failed, allTasks.map(() => ({ state: 'failed', attempts: 5 })))
    await fail(1)
    t.strictSame(await enqueue(), allTasks)
  })

  await t.test('waits for an hour after its last attempt, unless it became due again since', async t => {
    await makeAllDue()
    await enqueue()
    await failAll()
    t.strictSame(await enqueue(), [])
    await sql`update job set updated_at = updated_at - interval '1 minute'`.execute(db)
    await sql`update source_state set next_fetch_at = now()`.execute(db)
    await sql`update alert set next_send_at = now()`.execute(db)
    await sql`update zotero_sync set next_sync_at = now()`.execute(db)
    await sql`update project set next_snapshot_at = now(), scoring_due_at = now()`.execute(db)
    t.strictSame(await enqueue(), allTasks.filter(task => task !== 'score-project'), 'votes move the due time of scoring, but end no wait')
    await sql`update project set settings_changed_at = now()`.execute(db)
    t.strictSame(await enqueue(), allTasks, 'a change of settings does')
  })

  await t.test('does not wait for a failure that the clock dated later than now', async t => {
    await makeAllDue()
    await enqueue()
    await failAll()
    await fail(-2)
    t.strictSame(await enqueue(), allTasks)
  })
})

t.test('an immediate alert that has sent everything is due', async t => {
  const service = await testService(t)
  const { db } = service.context
  const project_id = await projectWith(await service.user(), [{ title: 'Old' }, { title: 'New' }])
  await sql`update project_paper set relevance_class = 'related'`.execute(db)
  const isDue = async ({ since = '30 minutes', must_read = false, frequency = 'immediate' }) => {
    await sql`delete from alert`.execute(db)
    await sql`insert into alert (project_id, kind, target, frequency, must_read, next_send_at, claimed_through)
      values (${project_id}, 'webhook', 'https://hooks.example.org/', ${frequency}, ${must_read}, now() - ${since}::interval + interval '1 minute',
        now() - ${since}::interval)`.execute(db)
    return (await listDueAlerts(db, new Date())).length === 1
  }
  const setItems = async (ready: string, entered: string | null = null, title = '%') => await sql`
    update project_paper set ready_at = now() - ${ready}::interval, entered_at = now() - ${entered}::interval
    from paper where paper.id = paper_id and title like ${title}`.execute(db)

  await t.test('not without news, only once an hour', async t => {
    await setItems('2 hours')
    t.equal(await isDue({}), false)
    t.equal(await isDue({ since: '61 minutes' }), true)
    t.equal(await isDue({ since: '-2 hours' }), true, 'after a clock was set back')
    t.equal(await isDue({ frequency: 'daily' }), true, 'a digest at its time')
  })

  await t.test('when items were added since, or by a transaction that began somewhat earlier', async t => {
    for (const ready of ['10 minutes', '40 minutes']) {
      await setItems(ready, null, 'New')
      t.equal(await isDue({}), true, ready)
    }
    await setItems('50 minutes', null, 'New')
    t.equal(await isDue({}), false)
    await setItems('50 days', '10 minutes', 'New')
    t.equal(await isDue({}), true, 'from an earlier week')
  })

  await t.test('to must-reads when one was added, or the feed was rescored', async t => {
    await setItems('10 minutes', null, 'New')
    t.equal(await isDue({ must_read: true }), false)
    await sql`update project_paper set relevance_class = 'must_read' from paper where paper.id = paper_id and title = 'New'`.execute(db)
    t.equal(await isDue({ must_read: true }), true)
    await setItems('2 hours')
    t.equal(await isDue({ must_read: true }), false)
    await sql`update project set learned_at = now() - interval '10 minutes'`.execute(db)
    t.equal(await isDue({ must_read: true }), true)
    t.equal(await isDue({}), false)
  })
})

t.test('due times that a clock set which ran ahead', async t => {
  const service = await testService(t)
  const { db } = service.context
  const user = await service.user()
  const project_id = await projectWith(user, [])
  await db.updateTable('project').set({ scoring_due_at: null }).execute()
  const dueTasks = async () => {
    await sql`delete from job`.execute(db)
    await queueDue.run(service.context, {})
    return (await db.selectFrom('job').select('task').orderBy('task').execute()).map(({ task }) => task)
  }

  await t.test('do not keep a source from being fetched', async t => {
    const setTimes = async (attempt: string | null, next: string) => {
      await sql`delete from source_state`.execute(db)
      await sql`insert into source_state (project_id, name, query, last_attempt_at, next_fetch_at)
        values (${project_id}, 'arxiv', '', now() + ${attempt}::interval, now() + ${next}::interval)`.execute(db)
    }
    await setTimes('-1 minute', '30 days')
    t.strictSame(await dueTasks(), [], 'the source asked for a pause')
    await setTimes('2 hours', '14 hours')
    t.strictSame(await dueTasks(), ['fetch-project'])
    await setTimes(null, '2 hours')
    t.strictSame(await dueTasks(), ['fetch-project'], 'of a source that was added meanwhile')
    await sql`delete from source_state`.execute(db)
  })

  await t.test('do not keep an alert from being sent', async t => {
    const times = [['immediate', '1 hour', '3 hours'], ['daily', '25 hours', '3 days'], ['weekly', '7 days 1 hour', '9 days']] as const
    for (const [frequency, normal, tooLate] of times) {
      for (const [time, tasks] of [[normal, []], [tooLate, ['send-alert']]] as const) {
        await sql`delete from alert`.execute(db)
        await sql`insert into alert (project_id, kind, target, frequency, next_send_at)
          values (${project_id}, 'webhook', 'https://hooks.example.org/', ${frequency}, now() + ${time}::interval)`.execute(db)
        t.strictSame(await dueTasks(), tasks, `${frequency} in ${time}`)
      }
    }
    await sql`delete from alert`.execute(db)
  })

  await t.test('do not keep a project from syncing with Zotero', async t => {
    await sql`insert into zotero_account (account_id, api_key, user_id, username)
      values (${user.context.account.id}, '', '1', 'reader')`.execute(db)
    await sql`insert into zotero_sync (project_id, library, library_name, collections)
      values (${project_id}, 'users/1', 'My library', '[]')`.execute(db)
    for (const [next, paused, tasks] of [
      ['1 hour', null, []],
      ['3 hours', null, ['sync-zotero']],
      ['1 day', '1 day', []],
      ['-1 hour', '1 day', []],
      ['2 days', '2 days', ['sync-zotero']],
      ['-1 hour', '2 days', ['sync-zotero']]
    ]) {
      await sql`update zotero_sync set next_sync_at = now() + ${next}::interval`.execute(db)
      await sql`update zotero_account set paused_until = now() + ${paused}::interval`.execute(db)
      t.strictSame(await dueTasks(), tasks, `next in ${next as string}, paused for ${paused as string}`)
    }
    const { paused_until } = await zoteroGet.run(user.context, {})
    t.equal(paused_until, null)
    t.match(await zoteroSyncQueue.run(user.context, { project_id }), { created: false })
  })
})
