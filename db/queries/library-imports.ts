import type { LibraryImportCounts } from '../../schemas/library-import.js'
import type { Db } from '../connection.js'
import { retryConflicts } from './retry.js'

/** Begins an import. The caller has checked whose project it is. @returns its id */
export const beginLibraryImport = async (
  db: Db,
  row: { account_id: string, project_id: string, file_name: string, vote: 'upvote' | null, created_at: Date }
): Promise<string> => (await db.insertInto('library_import').values(row).returning('id').executeTakeFirstOrThrow()).id

/** Saves what an import did, and rescores the feed if it voted. */
export const finishLibraryImport = (
  db: Db,
  accountId: string,
  id: string,
  { result, scoreAt }: { result: LibraryImportCounts, scoreAt: Date | undefined }
): Promise<void> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      const saved = await transaction
        .updateTable('library_import')
        .set({ result: JSON.stringify(result) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returning('project_id')
        .executeTakeFirst()
      if (saved !== undefined && scoreAt !== undefined) {
        await transaction
          .updateTable('project')
          .set({ scoring_due_at: scoreAt })
          .where('account_id', '=', accountId)
          .where('id', '=', saved.project_id)
          .execute()
      }
    })
  )

/** Forgets an import that added nothing. */
export const deleteLibraryImport = (db: Db, accountId: string, id: string) =>
  db.deleteFrom('library_import').where('account_id', '=', accountId).where('id', '=', id).execute()

/** The newest imports into a project. */
export const listLibraryImports = (db: Db, accountId: string, projectId: string, limit: number) =>
  db
    .selectFrom('library_import')
    .select(['id', 'file_name', 'vote', 'created_at', 'result', 'undone_at'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Removes the items that an import added, with their votes, and rescores the feed if it voted. Papers that the feed had before stay.
 * @returns the number of removed items; undefined if there is no such import, or it was undone before
 */
export const undoLibraryImport = (
  db: Db,
  accountId: string,
  { projectId, id, now, scoreAt }: { projectId: string, id: string, now: Date, scoreAt: Date }
): Promise<number | undefined> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      // Locks the project first, as its deletion does: another order could deadlock.
      await transaction
        .selectFrom('project')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '=', projectId)
        .forNoKeyUpdate()
        .execute()
      const undone = await transaction
        .updateTable('library_import')
        .set({ undone_at: now })
        .where('account_id', '=', accountId)
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('undone_at', 'is', null)
        .returning('vote')
        .executeTakeFirst()
      if (undone === undefined) return undefined
      const removed = await transaction
        .deleteFrom('project_paper')
        .where('project_id', '=', projectId)
        .where('import_id', '=', id)
        .returning('id')
        .execute()
      if (undone.vote !== null && removed.length > 0) {
        await transaction
          .updateTable('project')
          .set({ scoring_due_at: scoreAt })
          .where('account_id', '=', accountId)
          .where('id', '=', projectId)
          .execute()
      }
      return removed.length
    })
  )
