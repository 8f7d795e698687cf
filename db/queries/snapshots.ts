import { type Insertable, type NotNull, type RawBuilder, sql } from 'kysely'
import type { SnapshotSchedule, SnapshotSummary } from '../../schemas/snapshot.js'
import type { Db } from '../connection.js'
import type { SnapshotTable } from '../tables/snapshots.js'
import { deleteBatches } from './delete-batches.js'
import { listDue } from './due.js'
import { partBatchSize } from './file-parts.js'
import { isOwnProject } from './ownership.js'
import { leaveConflicts, retryConflicts } from './retry.js'

const columns = [
  'id', 'project_id', 'project_name', 'since', 'until', 'scheduled', 'requested_at', 'error', 'frozen_at', 'sha256', 'bytes', 'published_at'
] as const

/**
 * Adds a snapshot to a project of the account, to be frozen.
 * @returns undefined if the project is missing or another account's; what has reached its bound
 */
export const createSnapshot = (db: Db, accountId: string, snapshot: NewSnapshot, bounds: SnapshotBounds) =>
  db.transaction().execute(async transaction => await insertSnapshot(transaction, accountId, snapshot, bounds))

type NewSnapshot = Omit<Insertable<SnapshotTable>, 'project_name'>
/** Snapshots of a project, and bytes of all frozen ones of its account. */
interface SnapshotBounds { maxSnapshots: number, maxBytes: number }

async function insertSnapshot (transaction: Db, accountId: string, snapshot: NewSnapshot, { maxSnapshots, maxBytes }: SnapshotBounds) {
  // The lock makes concurrent calls count one after another.
  const project = await transaction.selectFrom('project').select('name').where('account_id', '=', accountId)
    .where('id', '=', snapshot.project_id).forUpdate().executeTakeFirst()
  if (project === undefined) return undefined
  const { snapshots } = await transaction.selectFrom('snapshot').select(({ fn }) => fn.countAll<number>().as('snapshots'))
    .where('project_id', '=', snapshot.project_id).executeTakeFirstOrThrow()
  if (Number(snapshots) >= maxSnapshots) return 'too many'
  if (await sumSnapshotBytes(transaction, accountId) >= maxBytes) return 'too large'
  return await transaction.insertInto('snapshot').values({ ...snapshot, project_name: project.name }).returning(columns)
    .executeTakeFirstOrThrow()
}

/** Bytes of all frozen snapshots of the account. */
export async function sumSnapshotBytes (db: Db, accountId: string): Promise<number> {
  const { bytes } = await db.selectFrom('snapshot').innerJoin('project', 'project.id', 'snapshot.project_id')
    .select(({ fn }) => fn.sum<number | null>('snapshot.bytes').as('bytes')).where('project.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/**
 * Adds the snapshot that the schedule of the account's project asks for, and sets the next time.
 * @returns the added row, or which bound was reached; undefined if the schedule changed meanwhile
 */
export const createScheduledSnapshot = (
  db: Db,
  accountId: string,
  projectId: string,
  { schedule, due, nextAt, now }: { schedule: SnapshotSchedule, due: Date, nextAt: Date, now: Date },
  bounds: SnapshotBounds
) =>
  db.transaction().execute(async transaction => {
    const taken = await transaction.updateTable('project').set({ next_snapshot_at: nextAt }).where('id', '=', projectId)
      .where('account_id', '=', accountId).where('snapshot_schedule', '=', schedule).where('next_snapshot_at', '=', due)
      .returning('id').executeTakeFirst()
    return taken && await insertSnapshot(transaction, accountId, { project_id: projectId, requested_at: now, scheduled: true }, bounds)
  })

/** The snapshots of the account's project, newest first. */
export const listSnapshots = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('snapshot').select(columns).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('requested_at', 'desc').orderBy('id').execute()

/** A snapshot without its document. */
export type SnapshotRow = Awaited<ReturnType<typeof listSnapshots>>[number]

/** A snapshot of the account's project, with its counts and the number of its parts. */
export const findSnapshot = (db: Db, accountId: string, projectId: string, id: string) =>
  db.selectFrom('snapshot').select([...columns, 'parts', 'summary']).where('id', '=', id).where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId)).executeTakeFirst()

/** Deletes a snapshot, some parts at a time. @returns whether the account's project had it */
export async function deleteSnapshot (db: Db, accountId: string, projectId: string, id: string): Promise<boolean> {
  const detached = await retryConflicts(() => db.updateTable('snapshot').set({ project_id: null, deleted_account_id: accountId })
    .where('id', '=', id).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).returning('id').executeTakeFirst())
  if (detached === undefined) return false
  await leaveConflicts(deleteDetachedSnapshots(db, accountId))
  return true
}

/** Deletes all snapshots of a project that the account is deleting, as `deleteSnapshot` does. Idempotent. */
export async function deleteProjectSnapshots (db: Db, accountId: string, projectId: string): Promise<void> {
  await retryConflicts(() => db.updateTable('snapshot').set({ project_id: null, deleted_account_id: accountId })
    .where('project_id', 'in', ({ selectFrom }) =>
      selectFrom('project').select('project.id').where('project.id', '=', projectId).where('project.deleted_account_id', '=', accountId))
    .execute())
  await deleteDetachedSnapshots(db, accountId)
}

/** Deletes the snapshots that were taken from the account's projects: each can have 200 MB. Idempotent. */
export async function deleteDetachedSnapshots (db: Db, accountId: string): Promise<void> {
  const snapshots = await db.selectFrom('snapshot').select('id').where('deleted_account_id', '=', accountId).execute()
  for (const { id } of snapshots) {
    await deleteBatches(db, 'snapshot_part', sql`snapshot_id = ${id}::uuid`, partBatchSize)
    await retryConflicts(() => db.deleteFrom('snapshot').where('id', '=', id).where('deleted_account_id', '=', accountId).execute())
  }
}

/**
 * Publishes a frozen snapshot of the account's project; one that is published keeps its time.
 * @returns undefined if the account's project has no such snapshot
 */
export const publishSnapshot = (db: Db, accountId: string, projectId: string, id: string, now: Date) =>
  db.updateTable('snapshot').set(({ fn, val }) => ({ published_at: fn.coalesce('published_at', val(now)) }))
    .where('id', '=', id).where('project_id', '=', projectId).where('frozen_at', 'is not', null).where(isOwnProject(accountId, projectId))
    .returning([...columns, 'parts', 'summary']).executeTakeFirst()

/** Takes the publication of a snapshot back. @returns whether the account's project has the snapshot */
export const unpublishSnapshot = async (db: Db, accountId: string, projectId: string, id: string): Promise<boolean> =>
  (await db.updateTable('snapshot').set({ published_at: null }).where('id', '=', id).where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId)).returning('id').executeTakeFirst()) !== undefined

const published = (db: Db) =>
  db.selectFrom('snapshot').innerJoin('project', 'project.id', 'snapshot.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .where('snapshot.published_at', 'is not', null).where('account.disabled_at', 'is', null)

/** The published snapshot with a hash, for anyone; the first published one, should there be several. None of disabled accounts. */
export const findPublishedSnapshot = (db: Db, sha256: string) =>
  published(db)
    .select([
      'snapshot.id', 'project.account_id', 'snapshot.project_name', 'snapshot.since', 'snapshot.until', 'snapshot.frozen_at',
      'snapshot.sha256', 'snapshot.bytes', 'snapshot.parts', 'snapshot.summary', 'snapshot.published_at'
    ])
    .where('snapshot.sha256', '=', sha256).orderBy('snapshot.published_at').orderBy('snapshot.id').limit(1)
    // Only a frozen snapshot can be published.
    .$narrowType<{ until: NotNull, frozen_at: NotNull, sha256: NotNull, summary: NotNull, published_at: NotNull }>()
    .executeTakeFirst()

/** The oldest snapshot of the account's project that waits to be frozen, except some. */
export const findWaitingSnapshot = (db: Db, accountId: string, projectId: string, except: readonly string[]) =>
  db.selectFrom('snapshot').select([...columns, 'attempt']).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .where('frozen_at', 'is', null).where('error', 'is', null).where('id', '<>', sql<string>`all(${[...except]}::uuid[])`)
    .orderBy('requested_at').orderBy('id').limit(1).executeTakeFirst()

/** The account's project and its sources, as a snapshot states them. */
export const findReviewSettings = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project')
    .select([
      'id', 'name', 'interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold',
      'weekly_limit', 'sources'
    ])
    .select(sql<Array<{
      name: string, query: string, last_fetched_at: string | null, fetched_through: string | null, failures: number
    }>>`(
      select coalesce(jsonb_agg(jsonb_build_object('name', state.name, 'query', state.query, 'last_fetched_at', state.last_fetched_at,
        'fetched_through', state.fetched_through, 'failures', state.failures)), '[]')
      from source_state state where state.project_id = project.id)`.as('states'))
    .where('account_id', '=', accountId).where('id', '=', projectId).executeTakeFirst()

/** The version, votes and words of the project's model, with a hash of all of it. */
export const findModelSummary = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('relevance_model').select('trained_at')
    .select([
      sql<number | null>`(model->>'version')::integer`.as('version'),
      sql<{ liked: number, disliked: number } | null>`model->'votes'`.as('votes'),
      sql<{ wanted: Array<{ term: string }>, unwanted: Array<{ term: string }> } | null>`model->'lessons'`.as('lessons'),
      sql<string>`encode(sha256(convert_to(model::text, 'UTF8')), 'hex')`.as('sha256')
    ])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).executeTakeFirst()

const ofAccount = (accountId: string, snapshotId: string) => sql<boolean>`exists (
  select from snapshot join project on project.id = snapshot.project_id
  where snapshot.id = ${snapshotId}::uuid and project.account_id = ${accountId}::uuid)`

/** An attempt to freeze a snapshot. Once another one begins, it changes nothing any more. */
export interface SnapshotAttempt { id: string, attempt: string }

/** Begins an attempt and removes what an earlier one wrote. @returns undefined if the snapshot was deleted or does not wait any more */
export async function beginSnapshot (db: Db, accountId: string, snapshotId: string): Promise<SnapshotAttempt | undefined> {
  const begun = await db.updateTable('snapshot').set({ attempt: sql<string>`gen_random_uuid()` }).where('id', '=', snapshotId)
    .where('frozen_at', 'is', null).where('error', 'is', null).where(ofAccount(accountId, snapshotId)).returning('attempt')
    .executeTakeFirst()
  if (begun === undefined) return undefined
  // Those of another attempt, which begins meanwhile, stay.
  await deleteParts(db, snapshotId, sql`snapshot.attempt = ${begun.attempt}::uuid`)
  return { id: snapshotId, attempt: begun.attempt! }
}

/** Deletes the parts of a snapshot that is not frozen, while a condition on it holds. */
const deleteParts = (db: Db, snapshotId: string, condition: RawBuilder<unknown>) => deleteBatches(
  db,
  'snapshot_part',
  sql`snapshot_id = ${snapshotId}::uuid and exists (
    select from snapshot where snapshot.id = ${snapshotId}::uuid and frozen_at is null and ${condition}
  )`,
  partBatchSize
)

/** Adds a part to a snapshot. @returns whether it was added: not if the snapshot was deleted or another attempt began */
export const addSnapshotPart = async (
  db: Db,
  accountId: string,
  { id, attempt }: SnapshotAttempt,
  { ordinal, content }: { ordinal: number, content: string }
): Promise<boolean> => {
  // The lock waits for an attempt that begins.
  const { rows } = await sql`
    insert into snapshot_part (snapshot_id, ordinal, content)
    select snapshot.id, ${ordinal}::integer, ${content}::text from snapshot join project on project.id = snapshot.project_id
    where snapshot.id = ${id}::uuid and snapshot.attempt = ${attempt}::uuid and snapshot.frozen_at is null
      and project.account_id = ${accountId}::uuid
    for share of snapshot returning ordinal`.execute(db)
  return rows.length > 0
}

/** Properties of a snapshot once it is complete. */
export interface Frozen { frozen_at: Date, until: Date, sha256: string, bytes: number, parts: number, summary: SnapshotSummary }

/**
 * Freezes a snapshot of the account: nothing of it changes afterwards.
 * @returns whether it is frozen: not if it was deleted or another attempt began
 */
export const freezeSnapshot = async (
  db: Db,
  accountId: string,
  { id, attempt }: SnapshotAttempt,
  { summary, ...frozen }: Frozen
): Promise<boolean> =>
  (await db.updateTable('snapshot').set({ ...frozen, summary: JSON.stringify(summary) }).where('id', '=', id)
    .where('attempt', '=', attempt).where('frozen_at', 'is', null).where(ofAccount(accountId, id))
    .returning('id').executeTakeFirst()) !== undefined

/** Records why an attempt cannot freeze its snapshot, and removes its parts. */
export async function failSnapshot (db: Db, accountId: string, { id, attempt }: SnapshotAttempt, error: string): Promise<void> {
  const failed = await db.updateTable('snapshot').set({ error, attempt: null }).where('id', '=', id)
    .where('attempt', '=', attempt).where('frozen_at', 'is', null).where(ofAccount(accountId, id)).returning('id').executeTakeFirst()
  if (failed !== undefined) await deleteParts(db, id, sql`snapshot.error is not null`)
}

/** Yields the document of a snapshot part by part, each in a statement of its own. */
export async function * readSnapshotParts (db: Db, accountId: string, snapshotId: string): AsyncIterable<string> {
  for (let ordinal = 0; ; ordinal++) {
    const part = await db.selectFrom('snapshot_part').select('content').where('snapshot_id', '=', snapshotId)
      .where('ordinal', '=', ordinal).where(ofAccount(accountId, snapshotId)).executeTakeFirst()
    if (part === undefined) return
    yield part.content
  }
}

/** Yields the document of a published snapshot, as readSnapshotParts does, and ends once it is not published any more. */
export async function * readPublishedParts (db: Db, accountId: string, snapshotId: string): AsyncIterable<string> {
  for (let ordinal = 0; ; ordinal++) {
    const part = await published(db).innerJoin('snapshot_part', 'snapshot_part.snapshot_id', 'snapshot.id').select('content')
      .where('snapshot.id', '=', snapshotId).where('ordinal', '=', ordinal).where('project.account_id', '=', accountId).executeTakeFirst()
    if (part === undefined) return
    yield part.content
  }
}

/** The schedule of the account's project; undefined if the project is missing or another account's. */
export const findSnapshotSchedule = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').select(['snapshot_schedule', 'next_snapshot_at']).where('id', '=', projectId).where('account_id', '=', accountId)
    .executeTakeFirst()

/** Sets the schedule of the account's project. @returns whether it is the account's */
export const setSnapshotSchedule = async (
  db: Db,
  accountId: string,
  projectId: string,
  { schedule, nextAt }: { schedule: SnapshotSchedule | null, nextAt: Date | null }
): Promise<boolean> =>
  (await db.updateTable('project').set({ snapshot_schedule: schedule, next_snapshot_at: nextAt }).where('id', '=', projectId)
    .where('account_id', '=', accountId).returning('id').executeTakeFirst()) !== undefined

/** A snapshot waits without a job if it was requested while a job ended, or if its job failed. */
const overlookedSeconds = 60
const retrySeconds = 60 * 60

/**
 * Service-wide, for the ticker: projects of enabled accounts whose scheduled snapshot is due, or that have a snapshot that waits although
 * its job should be done; see `listDue`.
 */
export const listDueSnapshots = (db: Db, now: Date, id?: string) => {
  const due = db.selectFrom('project').innerJoin('account', 'account.id', 'project.account_id')
    .select(['project.id', 'project.account_id', 'project.next_snapshot_at as due_at'])
    .where(({ eb, or }) => or([
      eb('project.next_snapshot_at', '<=', now),
      eb('project.id', 'in', sql<string>`(
        select waiting.project_id from snapshot waiting
        where waiting.frozen_at is null and waiting.error is null
          and waiting.requested_at < ${now}::timestamptz - make_interval(secs => ${sql.lit(overlookedSeconds)})
          and not exists (
            select from job where job.project_id = waiting.project_id and job.task = 'freeze-snapshot' and job.state = 'failed'
              and job.updated_at > ${now}::timestamptz - make_interval(secs => ${sql.lit(retrySeconds)})))`)
    ]))
    .where('account.disabled_at', 'is', null)
  return listDue(db, 'freeze-snapshot', due, id)
}
