import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { ForeignKeyViolation, SerializationConflict } from '../../db/errors.js'
import { getPassword } from '../../db/queries/accounts.js'
import { backupTables } from '../../db/queries/backup.js'
import { deleteAccount, deleteProject, listPendingDeletions } from '../../db/queries/deletions.js'
import { addItems } from '../../db/queries/import.js'
import { ownsProject } from '../../db/queries/projects.js'
import { deleteSnapshot, listSnapshots } from '../../db/queries/snapshots.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { accountsList } from '../../src/operations/accounts/accounts-list.js'
import { backup } from '../../src/operations/administration/backup.js'
import { backupVerify } from '../../src/operations/administration/backup-verify.js'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { restore } from '../../src/operations/administration/restore.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedsGet } from '../../src/operations/feed/feeds-get.js'
import { projectsList } from '../../src/operations/projects/projects-list.js'
import { snapshotDelete } from '../../src/operations/snapshots/snapshot-delete.js'
import { projectWith, testService } from '../support/service.js'

class Crash extends Error {}

/** A database whose process ends before one of its transactions. */
function crashingDb (db: Db, allowed: number, crash: () => Error = () => new Crash()): { crashing: Db, begun: () => number } {
  let begun = 0
  const crashing = new Proxy(db, {
    get (target, name) {
      if (name === 'transaction' && begun++ >= allowed) return () => ({ execute: async () => { throw crash() } })
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  return { crashing, begun: () => begun }
}

t.test('deletions', { timeout: 240_000 }, async t => {
  const service = await testService(t)
  const { context: { db } } = service
  await service.user('first@example.org')
  const titlesOf = (count: number, name: string) => Array.from({ length: count }, (_each, at) => ({ title: `${name} paper ${at}` }))

  /** The number of rows of every table; jobs and keys of other users do not change. */
  async function rowCounts (): Promise<Record<string, number>> {
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
    const counts: Record<string, number> = {}
    for (const { name } of rows) {
      counts[name] = Number((await sql<{ count: string }>`select count(*) from ${sql.table(name)}`.execute(db)).rows[0]!.count)
    }
    return counts
  }
  const fill = async (name: string) => {
    const user = await service.user(`${name}@example.org`)
    const project_id = await projectWith(user, titlesOf(450, name), { name })
    await feedSearch.run(user.context, { project_id, q: 'paper' })
    return { user, project_id }
  }
  /** Adds a frozen snapshot to a project. */
  const freeze = async (project_id: string, parts = 20): Promise<string> => {
    const { id } = await db.insertInto('snapshot').values({ project_id, project_name: 'Frozen', requested_at: new Date() }).returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into snapshot_part (snapshot_id, ordinal, content)
      select ${id}::uuid, ordinal, repeat('x', 1000) from generate_series(0, ${parts - 1}::integer) ordinal`.execute(db)
    await db.updateTable('snapshot').set({ frozen_at: new Date(), until: new Date(), parts, bytes: 1000 * parts, sha256: 'a'.repeat(64) })
      .where('id', '=', id).execute()
    return id
  }
  const finish = async (t: Test) => {
    await maintenance.run(service.context, {})
    t.strictSame(await listPendingDeletions(db), [])
  }

  await t.test('of a project are finished by maintenance wherever they stopped', async t => {
    const { user, project_id: kept } = await fill('kept')
    await maintenance.run(service.context, {})
    const before = await rowCounts()
    const notInGone = (await feedSearch.run(user.context, { project_id: kept, q: 'kept paper 449', limit: 1 })).items[0]!.paper.id
    for (const allowed of [1, 2, 4, 9, 16, 20, 22, Infinity]) {
      const project_id = await projectWith(user, [...titlesOf(20, 'kept'), ...titlesOf(450, 'gone')], { name: 'Gone' })
      await feedSearch.run(user.context, { project_id, q: 'paper' })
      await freeze(project_id)
      const { crashing } = crashingDb(db, allowed)
      const isInterrupted = await deleteProject(crashing, user.context.account.id, project_id).then(() => false, (error: unknown) => {
        if (!(error instanceof Crash)) throw error
        return true
      })
      t.strictSame((await projectsList.run(user.context, {})).items.map(({ id }) => id), [kept])
      await t.rejects(feedGet.run(user.context, { project_id }), { code: 'project_not_found' })
      t.equal((await feedsGet.run(user.context, { limit: 1 })).total, 450)
      t.equal(isInterrupted, allowed < Infinity, 'each number stops it')
      if (isInterrupted) {
        const values = { summary: null, relevance_score: 0.5, relevance_class: 'related' as const, ready_at: new Date() }
        await t.rejects(addItems(db, [{ project_id, paper_id: notInGone, ...values }]), ForeignKeyViolation, 'like one that is gone')
        await finish(t)
      }
      t.strictSame(await rowCounts(), before, `${allowed} transactions`)
      t.equal((await feedSearch.run(user.context, { project_id: kept, q: 'kept paper 7', limit: 1 })).items[0]!.paper_title, 'kept paper 7')
    }
  })

  await t.test('are left to maintenance where they conflict with other transactions to the last attempt', async t => {
    const { user } = await fill('conflicting')
    const project_id = await projectWith(user, titlesOf(20, 'gone'), { name: 'Gone' })
    const { crashing } = crashingDb(db, 1, () => new SerializationConflict())
    t.equal(await deleteProject(crashing, user.context.account.id, project_id), true)
    t.strictSame(await listPendingDeletions(db), [user.context.account.id])
    await finish(t)
  })

  await t.test('of frozen snapshots take a few parts at a time', async t => {
    const { user } = await fill('frozen')
    const { context, context: { account } } = user
    await sql`create table deleted_parts (parts integer)`.execute(db)
    t.teardown(() => sql`drop table deleted_parts cascade; drop function note_deleted_parts cascade`.execute(db))
    await sql`create function note_deleted_parts () returns trigger language plpgsql as $$
      begin
        insert into deleted_parts select count(*) from old_parts having count(*) > 0;
        return null;
      end $$`.execute(db)
    await sql`create trigger note_deleted_parts after delete on snapshot_part referencing old table as old_parts for each statement
      execute function note_deleted_parts()`.execute(db)
    const projectId = async () => await projectWith(user, [{ title: 'A paper' }], { name: 'Reviewed' })
    const [kept, left] = [await projectId(), await projectId()]
    const [first, second, stopped] = [await freeze(kept), await freeze(kept), await freeze(kept)]
    await freeze(left)

    await snapshotDelete.run(context, { project_id: kept, snapshot_id: first })
    const crash = await deleteSnapshot(crashingDb(db, 1).crashing, account.id, kept, stopped).catch((error: unknown) => error)
    t.ok(crash instanceof Crash)
    t.strictSame((await listSnapshots(db, account.id, kept)).map(({ id }) => id), [second])
    t.strictSame(await listPendingDeletions(db), [account.id])
    await finish(t)
    await deleteProject(db, account.id, left)
    await deleteAccount(db, account.id, (await getPassword(db, account.id)).password_hash)

    t.equal((await rowCounts()).snapshot_part, 0)
    const { rows: [deleted] } = await sql<{ sum: number, max: number }>`
      select sum(parts)::integer as sum, max(parts) as max from deleted_parts`.execute(db)
    t.equal(deleted!.sum, 80)
    t.ok(deleted!.max <= 8, `${deleted!.max} in one statement`)
  })

  await t.test('of an account end its access at once and are finished by maintenance wherever they stopped', async t => {
    await maintenance.run(service.context, {})
    const before = await rowCounts()
    for (const allowed of [1, 3, 12, 21, Infinity]) {
      const { user: { context: { account } }, project_id } = await fill('leaving')
      await freeze(project_id)
      const { password_hash } = await getPassword(db, account.id)
      const { crashing } = crashingDb(db, allowed)
      const isInterrupted = await deleteAccount(crashing, account.id, password_hash).then(() => false, (error: unknown) => {
        if (!(error instanceof Crash)) throw error
        return true
      })
      const { items } = await accountsList.run(service.context, {})
      t.notOk(items.some(({ id }) => id === account.id))
      t.equal(await deleteAccount(db, account.id, ''), false, 'only maintenance continues')
      t.notOk(await ownsProject(db, account.id, project_id))
      const { id } = await accountCreate.run(service.context, { email: 'leaving@example.org' })
      await db.deleteFrom('account').where('id', '=', id).execute()
      t.equal(isInterrupted, allowed < Infinity, 'each number stops it')
      if (isInterrupted) await finish(t)
      t.strictSame(await rowCounts(), before, `${allowed} transactions`)
    }
  })

  await t.test('continue after a restore of a backup that was made meanwhile', async t => {
    const storedCounts = async () => {
      const counts = await rowCounts()
      return Object.fromEntries(backupTables.map(table => [table, counts[table]]))
    }
    const { user, project_id: kept } = await fill('restored')
    await maintenance.run(service.context, {})
    const before = await storedCounts()
    const deleted = await projectWith(user, titlesOf(450, 'gone'), { name: 'Gone' })
    const { user: { context: { account } }, project_id: left } = await fill('leaving')
    const interrupt = async (deletion: Promise<unknown>) => { t.ok(await deletion.catch((error: unknown) => error) instanceof Crash) }
    await interrupt(deleteProject(crashingDb(db, 2).crashing, user.context.account.id, deleted))
    const { password_hash } = await getPassword(db, account.id)
    await interrupt(deleteAccount(crashingDb(db, 2).crashing, account.id, password_hash))
    const ofDeleted = async (table: string) => (await sql`
      select from ${sql.table(table)} where project_id in (${deleted}::uuid, ${left}::uuid)`.execute(db)).rows.length
    const items = await ofDeleted('project_paper')
    t.ok(items > 0)
    const meanwhile = await storedCounts()
    const file = join(t.testdir(), 'a.backup')
    await backup.run(service.context, { file })
    t.match(await backupVerify.run(service.context, { file }), { ok: true })

    await restore.run(service.context, { file, replace: true })
    t.strictSame(await storedCounts(), meanwhile)
    t.equal(await ofDeleted('project_paper'), items)
    t.equal(await ofDeleted('search_document'), 0, 'what is being deleted is not indexed')
    t.strictSame((await projectsList.run(user.context, {})).items.map(({ id }) => id), [kept])
    await finish(t)
    t.strictSame(await storedCounts(), before)
    const { items: [paper] } = await feedSearch.run(user.context, { project_id: kept, q: 'restored paper 7', limit: 1 })
    t.equal(paper!.paper_title, 'restored paper 7')
    const other = await projectWith(user, titlesOf(1, 'other'), { name: 'Gone again' })
    await interrupt(deleteProject(crashingDb(db, 1).crashing, user.context.account.id, other))
    const values = { summary: null, relevance_score: 0.5, relevance_class: 'related' as const, ready_at: new Date() }
    const item = { project_id: other, paper_id: paper!.paper.id, ...values }
    await t.rejects(addItems(db, [item]), ForeignKeyViolation, 'only a restore adds to them')
    await finish(t)
  })
})
