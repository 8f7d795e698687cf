import type { Db } from '../../db/connection.js'

/** Counts the rows of a table of the search index, of one project or of all. */
export async function countIndexRows (
  db: Db,
  table: 'search_segment' | 'search_block' | 'search_document' | 'search_pending',
  projectId?: string
): Promise<number> {
  const rows = await db.selectFrom(table).selectAll().execute()
  return rows.filter(row => projectId === undefined || ('project_id' in row && row.project_id === projectId)).length
}
