import { sql } from 'kysely'
import type { Db } from '../connection.js'

export const findMarkdown = (db: Db, paperId: string) =>
  db.selectFrom('markdown').select('markdown').where('paper_id', '=', paperId).executeTakeFirst()

export const saveMarkdown = (db: Db, paperId: string, markdown: string) =>
  db.insertInto('markdown').values({ paper_id: paperId, markdown })
    .onConflict(conflict => conflict.column('paper_id').doUpdateSet({ markdown, created_at: sql<Date>`now()` })).execute()
