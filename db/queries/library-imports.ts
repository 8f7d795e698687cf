import { sql } from 'kysely'
import { unfinishedStates } from '../../schemas/job.js'
import type { ImportProgress, LibraryImportCounts } from '../../schemas/library-import.js'
import type { Db } from '../connection.js'
import { deleteBatches } from './delete-batches.js'
import { addFilePart, type FilePart, partBatchSize, readFileParts } from './file-parts.js'
import { keepImportedSources } from './found-papers.js'
import { joinCounts, divideCounts } from './import-rejections.js'
import type { ProjectIds } from './ownership.js'
import { scheduleScoring } from './relevance.js'
import { retryConflicts } from './retry.js'
import { findUploadUsage, usedBytes, type UploadUsage } from './uploads.js'

/** An import that begins, and what the account may have waiting. */
export interface NewLibraryImport {
  account_id: string
  project_id: string
  file_name: string
  vote: 'upvote' | null
  pending_bytes: number
  visible_projects?: ProjectIds
  created_at: Date
  maxAccountBytes: number
  maxPending: number
}

/**
 * Begins an import, if its file fits into the account's quota. Concurrent ones of the account are counted. The caller has checked whose
 * project it is.
 * @returns its id, or what the account uses already
 */
export const beginLibraryImport = (
  db: Db,
  { maxAccountBytes, maxPending, ...row }: NewLibraryImport
): Promise<{ id: string } | { pending: number } | { usage: UploadUsage }> =>
  db.transaction().execute(async transaction => {
    await transaction.selectFrom('account').select('id').where('id', '=', row.account_id).forNoKeyUpdate().execute()
    const { pending } = await transaction.selectFrom('library_import').select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('account_id', '=', row.account_id).where('pending_bytes', '>', 0).executeTakeFirstOrThrow()
    if (pending >= maxPending) return { pending }
    const usage = await findUploadUsage(transaction, row.account_id)
    if (usedBytes(usage) + row.pending_bytes > maxAccountBytes) return { usage }
    return await transaction.insertInto('library_import').values({ ...row, complete: false }).returning('id').executeTakeFirstOrThrow()
  })

const tables = { files: 'library_import', parts: 'import_part', fileColumn: 'import_id' } as const

/** Adds a part to the file of an import of the account. @throws RowNotFound if the import was deleted, with its project or account */
export const addImportPart = (db: Db, accountId: string, part: FilePart) => addFilePart(db, accountId, tables, part)

/** Yields the parts of an import's file in order. */
export const readImportParts = (db: Db, accountId: string, id: string): AsyncIterable<Buffer> => readFileParts(db, accountId, tables, id)

/** Marks the file of an import as stored. @returns false if the import was deleted */
export const completeImportFile = async (db: Db, accountId: string, id: string): Promise<boolean> =>
  (await db
    .updateTable('library_import')
    .set({ complete: true })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Forgets an import that did not begin. */
export const deleteLibraryImport = (db: Db, accountId: string, id: string) =>
  db.deleteFrom('library_import').where('account_id', '=', accountId).where('id', '=', id).execute()

/** An import; undefined if it is missing or another account's. */
export async function findLibraryImport (db: Db, accountId: string, id: string) {
  const row = await db.selectFrom('library_import').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { counts, result, more_rejected: moreRejected, ...imported } = row
  return { ...imported, counts: joinCounts(counts, moreRejected), result: joinCounts(result, moreRejected) }
}

/** An import, for the job that runs it. */
export type LibraryImportDetails = NonNullable<Awaited<ReturnType<typeof findLibraryImport>>>

/** Keeps an import from being undone until the transaction ends. @returns false if it was undone */
export const lockLibraryImport = async (transaction: Db, accountId: string, id: string): Promise<boolean> =>
  (await transaction
    .selectFrom('library_import')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .forShare()
    .executeTakeFirst()) !== undefined

/**
 * Saves how far an import is, and what it has done, and has the feed rescored if it voted: no later step may follow.
 * @param db the transaction that stores what it has done
 */
export async function saveImportProgress (
  db: Db,
  accountId: string,
  id: string,
  { progress, counts, scoreAt }: { progress: ImportProgress, counts: LibraryImportCounts, scoreAt?: Date | undefined }
): Promise<void> {
  const stored = divideCounts(counts)
  const saved = await db
    .updateTable('library_import')
    .set({
      progress: JSON.stringify(progress),
      counts: stored.counts,
      // Most batches reject nothing: the stored value is not written again.
      more_rejected: sql`case when (counts->>'rejected_count')::integer = ${counts.rejected_count}::integer then more_rejected
        else ${stored.moreRejected}::jsonb end`
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (saved !== undefined && scoreAt !== undefined) await scheduleScoring(db, accountId, saved.project_id, scoreAt)
}

/** Saves which journal feeds an import added to its project. */
export const saveImportedFeeds = (db: Db, accountId: string, id: string, feeds: readonly string[]) =>
  db.updateTable('library_import').set({ feeds: JSON.stringify(feeds) }).where('account_id', '=', accountId).where('id', '=', id).execute()

/** Saves what an import did, removes its file, and rescores the feed if it voted. */
export const finishLibraryImport = (
  db: Db,
  accountId: string,
  id: string,
  { result, scoreAt }: { result: LibraryImportCounts, scoreAt: Date | undefined }
): Promise<unknown> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      const stored = divideCounts(result)
      const imported = await transaction
        .selectFrom('library_import')
        .select('project_id')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (imported === undefined) return
      // Locks the project first, as undoing does.
      if (scoreAt !== undefined) await scheduleScoring(transaction, accountId, imported.project_id, scoreAt)
      await transaction
        .updateTable('library_import')
        .set({ result: stored.counts, more_rejected: stored.moreRejected, counts: null })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
      await releaseImportFile(transaction, accountId, id)
    })
  ).then(() => removeReleasedParts(db, id))

/** Removes the file of an import. */
export async function removeImportFile (db: Db, accountId: string, id: string): Promise<void> {
  if (await releaseImportFile(db, accountId, id)) await removeReleasedParts(db, id)
}

/** Marks the file of an import as one that nothing reads any more; `removeReleasedParts` follows. @returns whether it is the account's */
export const releaseImportFile = async (db: Db, accountId: string, id: string): Promise<boolean> =>
  (await db
    .updateTable('library_import')
    .set({ pending_bytes: 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Removes the parts of a released file, some at a time; if the process ends, maintenance continues. */
export const removeReleasedParts = (db: Db, id: string) => deleteBatches(
  db,
  'import_part',
  sql`import_id = ${id}::uuid and exists (select from library_import where library_import.id = import_id and pending_bytes = 0)`,
  partBatchSize
)

/**
 * Removes the files of imports that began before a time and have no job any more that would read them: their process ended, or their job
 * failed. Some parts at a time; if the process ends, another call continues.
 */
export async function removeAbandonedImports (db: Db, before: Date): Promise<void> {
  await retryConflicts(() => db
    .updateTable('library_import')
    .set({ pending_bytes: 0 })
    .where('pending_bytes', '>', 0)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .whereRef('job.import_id', '=', 'library_import.id')
            .where('job.state', 'in', unfinishedStates)
        )
      )
    )
    .execute())
  const removed = await db.selectFrom('import_part').innerJoin('library_import', 'library_import.id', 'import_part.import_id')
    .select('library_import.id').where('pending_bytes', '=', 0).groupBy('library_import.id').execute()
  for (const { id } of removed) await deleteBatches(db, 'import_part', sql`import_id = ${id}::uuid`, partBatchSize)
  const incomplete = await db.selectFrom('library_import').select('id').where('complete', '=', false).where('created_at', '<', before)
    .execute()
  for (const { id } of incomplete) await deleteIncomplete(db, id)
}

/** Service-wide upkeep: the accounts that have more than this number of imports. */
export const listImporters = async (db: Db, imports: number): Promise<string[]> =>
  (await db.selectFrom('library_import').select('account_id').where('complete', '=', true).groupBy('account_id')
    .having(({ fn }) => fn.countAll(), '>', imports).execute()).map(({ account_id }) => account_id)

/** Deletes the ended imports of an account with their jobs, except the newest. Their papers stay in the feed. */
export async function deleteOldImports (db: Db, accountId: string, maxKept: number): Promise<void> {
  // Ends their undo: papers lose their import batch by batch. If the process ends, maintenance deletes what is not complete.
  const old = await retryConflicts(() => db
    .updateTable('library_import')
    .set({ complete: false })
    .where('account_id', '=', accountId)
    .where('undo_pending', '=', false)
    .where('id', 'in', ({ selectFrom }) => selectFrom('library_import as ended')
      .select('ended.id')
      .where('account_id', '=', accountId)
      .where('complete', '=', true)
      .where('pending_bytes', '=', 0)
      .where('undo_pending', '=', false)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('job').select('job.id').whereRef('job.import_id', '=', 'ended.id')
        .where('job.state', 'in', unfinishedStates))))
      .orderBy('created_at', 'desc')
      .orderBy('ended.id')
      .offset(maxKept))
    .returning(['id', 'project_id'])
    .execute())
  for (const projectId of new Set(old.map(({ project_id }) => project_id))) {
    const importIds = old.filter(({ project_id }) => project_id === projectId).map(({ id }) => id)
    await keepImportedSources(db, accountId, { projectId, importIds, batchSize: foundBatchSize })
  }
  for (const { id } of old) await deleteIncomplete(db, id)
}

/** Items that one transaction updates, and papers whose sources it updates. */
const [itemBatchSize, foundBatchSize] = [300, 500]

async function deleteIncomplete (db: Db, id: string): Promise<void> {
  for (;;) {
    const { numUpdatedRows } = await retryConflicts(() => db.updateTable('project_paper').set({ import_id: null })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('project_paper as item').select('item.id').where('item.import_id', '=', id).limit(itemBatchSize))
      .executeTakeFirstOrThrow())
    if (numUpdatedRows < itemBatchSize) break
  }
  await retryConflicts(() => db.deleteFrom('library_import').where('id', '=', id).where('complete', '=', false).execute())
}

/** The newest imports into a project, with the states of their jobs. */
export const listLibraryImports = (
  db: Db,
  accountId: string,
  projectId: string,
  { limit, offset }: { limit: number, offset: number }
) =>
  db
    .selectFrom('library_import')
    .leftJoinLateral(
      eb => eb.selectFrom('job').select(['job.state', 'job.error']).whereRef('job.import_id', '=', 'library_import.id').limit(1).as('job'),
      join => join.onTrue()
    )
    .select(['id', 'file_name', 'vote', 'created_at', 'progress', 'result', 'feeds', 'undone_at', 'undo_pending', 'job.state', 'job.error'])
    .where('account_id', '=', accountId).where('project_id', '=', projectId).where('complete', '=', true)
    .orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()
