import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { MarkdownTable } from '../tables/papers.js'

/** What the account may read: the text of its own upload, else the one that was made from a source. */
export const findMarkdown = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').select(['markdown', 'origin', 'converter', 'warnings', 'created_at']).where('paper_id', '=', paperId)
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

export const saveMarkdown = (db: Db, { warnings = [], ...text }: Omit<Insertable<MarkdownTable>, 'warnings'> & { warnings?: readonly string[] }) =>
  db.insertInto('markdown').values({ ...text, warnings: JSON.stringify(warnings) })
    .onConflict(conflict => conflict.constraint('markdown_once').doUpdateSet(({ ref }) => ({
      markdown: ref('excluded.markdown'), origin: ref('excluded.origin'), converter: ref('excluded.converter'), warnings: ref('excluded.warnings'), created_at: sql<Date>`now()`
    }))).execute()

/** Keeps a PDF until it is converted; a newer one takes its place. */
export const keepUpload = (db: Db, upload: { account_id: string, paper_id: string, bytes: Buffer }) =>
  db.insertInto('pdf_upload').values(upload)
    .onConflict(conflict => conflict.columns(['account_id', 'paper_id']).doUpdateSet({ bytes: upload.bytes, created_at: sql<Date>`clock_timestamp()` }))
    .returning('created_at').executeTakeFirstOrThrow()

export const findUpload = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('pdf_upload').select(['bytes', 'created_at']).where('account_id', '=', accountId).where('paper_id', '=', paperId).executeTakeFirst()

/** When the account's PDF of a paper came that waits for its conversion. */
export const findUploadTime = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('pdf_upload').select('created_at').where('account_id', '=', accountId).where('paper_id', '=', paperId).executeTakeFirst()

/** Removes an upload that was converted. @returns false where another came meanwhile */
export async function dropUpload (db: Db, accountId: string, paperId: string, createdAt: Date): Promise<boolean> {
  const dropped = await db.deleteFrom('pdf_upload').where('account_id', '=', accountId).where('paper_id', '=', paperId).where('created_at', '=', createdAt)
    .returning('paper_id').executeTakeFirst()
  return dropped !== undefined
}
