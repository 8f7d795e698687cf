import { sql } from 'kysely'
import t from 'tap'
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hourMs } from '../../schemas/durations.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { backupScheduled } from '../../src/operations/administration/backup-scheduled.js'
import { backupVerify } from '../../src/operations/administration/backup-verify.js'
import { serviceReport } from '../../src/operations/administration/service-report.js'
import { serviceState } from '../../src/operations/administration/service-state.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { testService } from '../support/service.js'

t.test('scheduled backups are private files, the newest of which stay', async t => {
  const { context } = await testService(t)
  const directory = join(t.testdir(), 'below', 'backups')
  let clock = Date.now()
  const backups = { directory, everyMs: 24 * 60 * 60 * 1000, keep: 2 }
  const scheduled = { ...context, now: () => new Date(clock), installation: { ...context.installation, backups } }
  const runJob = async () => {
    await queueDue.run(scheduled, {})
    const job = await context.queue.claim('back-up')
    if (job === undefined) return undefined
    const { run, retries, retryDelaySeconds } = tasks.find(({ task }) => task === 'back-up')!
    try {
      const result = await run({ ...scheduled, signal: new AbortController().signal }, job)
      await context.queue.complete(job, result)
      return result as { file: string, bytes: number }
    } catch (error) {
      await context.queue.fail({ ...job, attempts: retries + 1 }, error as Error, { retries, retryDelaySeconds })
      return error as Error
    }
  }
  const made: Array<{ file: string, bytes: number }> = []
  for (let day = 0; day < 3; day++) {
    made.push(await runJob() as { file: string, bytes: number })
    t.equal(await runJob(), undefined, 'not before it is due')
    clock += 60_000
    await sql`update job set updated_at = updated_at - interval '25 hours'`.execute(context.db)
  }
  writeFileSync(join(directory, 'notes.txt'), 'stay')
  t.strictSame(readdirSync(directory).sort(), [...made.slice(1).map(({ file }) => file), 'notes.txt'])
  t.equal(statSync(join(directory, made[2]!.file)).mode & 0o777, 0o600)
  t.equal(statSync(directory).mode & 0o777, 0o700)
  const { file, bytes } = made[2]!
  const expected = { failing: false, every_hours: 24, keep: 2, last_success: { file, bytes }, last_failure: null }
  t.match(await serviceReport.run(scheduled, {}), { backups: expected })
  t.match(await serviceState.run(scheduled, {}), { backups: { failing: false, since_success_seconds: Number, interval_seconds: 86_400 } })
  const [older, newer] = [join(directory, made[1]!.file), join(directory, file)]
  t.match(await serviceReport.run(scheduled, {}), { backups: { files: { count: 2 }, last_verified: null } })
  symlinkSync(join(directory, 'notes.txt'), `${newer}.verified`)
  const isRoot = process.getuid!() === 0
  if (isRoot) chownSync(newer, 12345, 12345)
  await backupVerify.run(scheduled, { file: newer })
  t.equal(readFileSync(join(directory, 'notes.txt'), 'utf8'), 'stay', 'a link is replaced, not followed')
  if (isRoot) t.equal(statSync(`${newer}.verified`).uid, 12345, 'the service can read it')
  t.match(await serviceReport.run(scheduled, {}), { backups: { last_verified: { at: /Z$/, file, ok: true } } })
  appendFileSync(newer, 'x')
  t.match(await serviceReport.run(scheduled, {}), { backups: { last_verified: null } }, 'it is about another content')
  writeFileSync(older, 'damaged')
  await t.rejects(backupVerify.run(scheduled, { file: older }), { code: 'invalid_arguments' })
  t.match(await serviceReport.run(scheduled, {}), { backups: { last_verified: { file: made[1]!.file, ok: false } } })
  t.match(await runJob(), { removed: 1 })
  t.strictSame(readdirSync(directory).filter(name => name.includes(made[1]!.file)), [], 'the record goes with the backup')
  await sql`update job set updated_at = updated_at - interval '25 hours'`.execute(context.db)
  backups.directory = join(directory, 'notes.txt')
  t.match(await runJob(), { message: 'BACKUP_DIR is a file, not a directory.' })
  const last_failure = { error: 'BACKUP_DIR is a file, not a directory.' }
  t.match(await serviceReport.run(scheduled, {}), { backups: { failing: true, last_failure } })
  t.match(await serviceReport.run(context, {}), { backups: null })
})

t.test('a scheduled backup', async t => {
  const { context } = await testService(t)
  const directory = join(t.testdir(), 'backups')
  mkdirSync(directory)
  const backups = { directory, everyMs: 24 * 60 * 60 * 1000, keep: 2 }
  const scheduled = { ...context, installation: { ...context.installation, backups } }

  await t.test('first deletes what killed processes left, which may have filled the disk', async t => {
    const left = join(directory, 'litfeed-2026-01-01T00-00-00Z.backup.gz.deadbeef.unfinished')
    writeFileSync(left, 'x')
    const written = new Date(Date.now() - 2 * hourMs)
    utimesSync(left, written, written)
    const readConsistently = async () => { throw Object.assign(new Error('no space'), { code: 'ENOSPC' }) }
    await t.rejects(backupScheduled.run({ ...scheduled, readConsistently }, {}), { message: 'BACKUP_DIR is on a disk without free space.' })
    t.strictSame(readdirSync(directory), [])
  })

  await t.test('ends when its service stops, and leaves no file', async t => {
    const controller = new AbortController()
    const readConsistently: typeof context.readConsistently = run => context.readConsistently(async transaction => {
      controller.abort(new Error('stopping'))
      return await run(transaction)
    })
    await t.rejects(backupScheduled.run({ ...scheduled, readConsistently, signal: controller.signal }, {}), { message: 'stopping' })
    t.strictSame(readdirSync(directory), [])
  })

  await t.test('does not contain its own job, which would wait forever where no backups are scheduled', async t => {
    await queueDue.run(scheduled, {})
    t.ok(await context.queue.claim('back-up'))
    const { file } = await backupScheduled.run(scheduled, {})
    const lines = gunzipSync(readFileSync(join(directory, file))).toString()
    t.notMatch(lines, /"task": ?"back-up"/)
    t.match(await backupVerify.run(scheduled, { file: join(directory, file) }), { ok: true })
  })
})

t.test('scheduled backups continue when a clock that ran ahead has been set back', async t => {
  const { context } = await testService(t)
  const { db, queue } = context
  const directory = join(t.testdir(), 'backups')
  for (const keep of [1, 2]) {
    await sql`delete from job`.execute(db)
    const installation = { ...context.installation, backups: { directory, everyMs: 24 * 60 * 60 * 1000, keep } }
    const runJob = async (aheadMs: number) => {
      const scheduled = { ...context, now: () => new Date(Date.now() + aheadMs), installation }
      await queueDue.run({ ...scheduled, now: () => new Date() }, {})
      const job = await queue.claim('back-up')
      if (job === undefined) return undefined
      const result = await tasks.find(({ task }) => task === 'back-up')!.run({ ...scheduled, signal: new AbortController().signal }, job)
      await queue.complete(job, result)
      return (result as { file: string }).file
    }
    const early = await runJob(30 * 24 * 60 * 60 * 1000)
    t.type(early, 'string')
    await sql`update job set updated_at = now() + interval '30 days'`.execute(db)
    t.match(await serviceReport.run({ ...context, installation }, {}), { backups: { last_success: null } })
    const file = await runJob(0)
    t.type(file, 'string')
    t.strictSame(readdirSync(directory), keep === 1 ? [file] : [file, early].sort())
    t.equal(await runJob(0), undefined, 'not before the next is due')
  }
})
