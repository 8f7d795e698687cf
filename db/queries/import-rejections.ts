import { sql } from 'kysely'
import { type LibraryImportCounts, type LibraryRejection, maxListedRejections } from '../../schemas/library-import.js'
import type { Db } from '../connection.js'

/** Divides counts into what lists of imports read, and further rejections, which have a column of their own. */
export const divideCounts = ({ rejected, ...counts }: LibraryImportCounts) => ({
  counts: JSON.stringify({ ...counts, rejected: rejected.slice(0, maxListedRejections) }),
  moreRejected: rejected.length > maxListedRejections ? JSON.stringify(rejected.slice(maxListedRejections)) : null
})

/** The counts of a row with all rejections that are kept. */
export const joinCounts = (
  counts: LibraryImportCounts | null,
  moreRejected: readonly LibraryRejection[] | null
): LibraryImportCounts | null =>
  counts === null || moreRejected === null ? counts : { ...counts, rejected: [...counts.rejected, ...moreRejected] }

/** A page of the rejections that are kept of an import, and the number of all; undefined if it is missing or another account's. */
export const findImportRejections = async (
  db: Db,
  accountId: string,
  { projectId, id }: { projectId: string, id: string },
  { limit, offset }: { limit: number, offset: number }
): Promise<{ rejected: LibraryRejection[], rejected_count: number } | undefined> =>
  await db
    .selectFrom('library_import')
    .select([
      sql<LibraryRejection[]>`jsonb_path_query_array(
        coalesce(coalesce(result, counts)->'rejected', '[]') || coalesce(more_rejected, '[]'),
        ${`$[${offset} to ${offset + limit - 1}]`}::jsonpath)`.as('rejected'),
      sql<number>`coalesce((coalesce(result, counts)->>'rejected_count')::integer, 0)`.as('rejected_count')
    ])
    .where('account_id', '=', accountId).where('project_id', '=', projectId).where('id', '=', id).where('complete', '=', true)
    .executeTakeFirst()

/** What the import of a job has done, with the name of its file; undefined if it is missing, unfinished or another account's. */
export const findImportOfJob = async (
  db: Db,
  accountId: string,
  jobId: string
): Promise<{ file_name: string, result: LibraryImportCounts } | undefined> => {
  const imported = await db.selectFrom('library_import').select(['file_name', 'result', 'more_rejected'])
    .where('account_id', '=', accountId)
    .where('id', '=', ({ selectFrom }) => selectFrom('job').select('import_id').where('job.id', '=', jobId))
    .executeTakeFirst()
  const result = imported === undefined ? null : joinCounts(imported.result, imported.more_rejected)
  return result === null ? undefined : { file_name: imported!.file_name, result }
}
