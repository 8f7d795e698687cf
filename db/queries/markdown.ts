import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { MarkdownTable } from '../tables/papers.js'

/** The Markdown that the account may read: that of its own upload, else the shared one. */
export const findMarkdown = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').select(['markdown', 'origin', 'converter', 'warnings', 'created_at']).where('paper_id', '=', paperId)
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** Saves a paper's Markdown, replacing an earlier one of the same account. @param account_id null: shared */
export const saveMarkdown = (db: Db, { warnings = [], ...text }: Omit<Insertable<MarkdownTable>, 'warnings'> & { warnings?: readonly string[] }) =>
  db.insertInto('markdown').values({ ...text, warnings: JSON.stringify(warnings) })
    .onConflict(conflict => conflict.constraint('markdown_once').doUpdateSet(({ ref }) => ({
      markdown: ref('excluded.markdown'), origin: ref('excluded.origin'), converter: ref('excluded.converter'), warnings: ref('excluded.warnings'), created_at: sql<Date>`now()`
    }))).execute()

/** Saves a PDF for its conversion, replacing an earlier one of the account. */
export const saveUpload = (db: Db, upload: { account_id: string, paper_id: string, bytes: Buffer }) =>
  db.insertInto('pdf_upload').values(upload)
    .onConflict(conflict => conflict.columns(['account_id', 'paper_id']).doUpdateSet({ bytes: upload.bytes, created_at: sql<Date>`clock_timestamp()` }))
    .returning('created_at').executeTakeFirstOrThrow()

/** The account's PDF of a paper, until it is converted. */
export const findUpload = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('pdf_upload').select(['bytes', 'created_at']).where('account_id', '=', accountId).where('paper_id', '=', paperId).executeTakeFirst()

/** When the account uploaded the PDF of a paper that is not converted yet. */
export const findUploadTime = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('pdf_upload').select('created_at').where('account_id', '=', accountId).where('paper_id', '=', paperId).executeTakeFirst()

/** Deletes a converted upload. @returns false if a newer one has replaced it */
export async function deleteUpload (db: Db, accountId: string, paperId: string, createdAt: Date): Promise<boolean> {
  const deleted = await db.deleteFrom('pdf_upload').where('account_id', '=', accountId).where('paper_id', '=', paperId).where('created_at', '=', createdAt)
    .returning('paper_id').executeTakeFirst()
  return deleted !== undefined
}
