import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { deleteBatches } from './delete-batches.js'
import { addFilePart, type FilePart, partBatchSize, readFileParts } from './file-parts.js'
import { countPrivateTextBytes } from './markdown.js'

/** Bytes of a part. Small parts keep memory flat, also in the embedded database, whose memory never shrinks. */
export const uploadPartBytes = 256 * 1024

/** Bytes that an account uses. */
export interface UploadUsage {
  /** Of uploaded PDFs that are not converted yet. */
  pendingBytes: number
  /** Of files that wait to be imported. */
  importBytes: number
  /** Of texts that were converted from uploads, and of papers that the account owns. */
  textBytes: number
}

/** Bytes of all kinds. */
export const usedBytes = ({ pendingBytes, importBytes, textBytes }: UploadUsage): number => pendingBytes + importBytes + textBytes

/** Bytes that count towards the account's quota. */
export async function findUploadUsage (db: Db, accountId: string): Promise<UploadUsage> {
  const { bytes } = await db
    .selectFrom('pdf_upload')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const imports = await db
    .selectFrom('library_import')
    .select(sql<number>`coalesce(sum(pending_bytes), 0)::bigint`.as('bytes'))
    .where('account_id', '=', accountId)
    .where('pending_bytes', '>', 0)
    .executeTakeFirstOrThrow()
  return { pendingBytes: bytes, importBytes: imports.bytes, textBytes: await countPrivateTextBytes(db, accountId) }
}

/** An upload that begins, and the bytes that the account may use. */
export interface NewUpload { account_id: string, paper_id: string, size_bytes: number, maxAccountBytes: number }

/**
 * Begins an upload, if it fits into the account's quota. Concurrent uploads of the account are counted.
 * @returns its id, or what the account uses already
 */
export const beginUpload = async (db: Db, { maxAccountBytes, ...upload }: NewUpload): Promise<{ id: string } | { usage: UploadUsage }> =>
  await db.transaction().execute(async transaction => {
    await transaction.selectFrom('account').select('id').where('id', '=', upload.account_id).forNoKeyUpdate().execute()
    const usage = await findUploadUsage(transaction, upload.account_id)
    if (usedBytes(usage) + upload.size_bytes > maxAccountBytes) return { usage }
    return await transaction.insertInto('pdf_upload').values(upload).returning('id').executeTakeFirstOrThrow()
  })

const tables = { files: 'pdf_upload', parts: 'pdf_part', fileColumn: 'upload_id' } as const

/** Adds a part to an upload of the account. @throws RowNotFound if the upload was deleted, with its paper or account */
export const addUploadPart = (db: Db, accountId: string, part: FilePart) => addFilePart(db, accountId, tables, part)

/** Yields the parts of an upload in order; ends early if it was deleted. */
export const readUploadParts = (db: Db, accountId: string, id: string): AsyncIterable<Buffer> => readFileParts(db, accountId, tables, id)

/** The paper of an upload: another than it began with, if they were merged meanwhile. @throws RowNotFound if the upload was deleted */
export const findUploadPaper = async (db: Db, accountId: string, id: string): Promise<string> =>
  (await db.selectFrom('pdf_upload').select('paper_id').where('account_id', '=', accountId).where('id', '=', id)
    .executeTakeFirstOrThrow()).paper_id

/**
 * Marks an upload as complete, in a transaction, and the earlier one of the same paper as replaced.
 * @returns when it was completed, and the ids of the replaced uploads, for `abandonUpload`
 * @throws RowNotFound if it was deleted
 */
export async function completeUpload (
  transaction: Db,
  accountId: string,
  id: string
): Promise<{ created_at: Date, replacedIds: string[] }> {
  const upload = await transaction
    .selectFrom('pdf_upload')
    .select('paper_id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const replacedIds = await withdrawUploads(transaction, accountId, upload.paper_id)
  const { created_at } = await transaction
    .updateTable('pdf_upload')
    .set({ complete: true, created_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning('created_at')
    .executeTakeFirstOrThrow()
  return { created_at, replacedIds }
}

/** Marks the account's complete upload of a paper as incomplete: no conversion saves its text. @returns its id, for `abandonUpload` */
export async function withdrawUploads (db: Db, accountId: string, paperId: string): Promise<string[]> {
  const withdrawn = await db
    .updateTable('pdf_upload')
    .set({ complete: false })
    .where('account_id', '=', accountId)
    .where('paper_id', '=', paperId)
    .where('complete', '=', true)
    .returning('id')
    .execute()
  return withdrawn.map(({ id }) => id)
}

/** Deletes an upload that is not complete, or not any more, some parts at a time. */
export async function abandonUpload (db: Db, accountId: string, id: string): Promise<void> {
  await deleteBatches(
    db,
    'pdf_part',
    sql`upload_id = ${id}::uuid and exists (
      select from pdf_upload where pdf_upload.id = upload_id and account_id = ${accountId}::uuid and not complete
    )`,
    partBatchSize
  )
  await db.deleteFrom('pdf_upload').where('account_id', '=', accountId).where('id', '=', id).where('complete', '=', false).execute()
}

/** Deletes uploads that began before this time and are not complete: their process ended. */
export async function deleteAbandonedUploads (db: Db, before: Date): Promise<void> {
  const abandoned = await db
    .selectFrom('pdf_upload')
    .select(['id', 'account_id'])
    .where('complete', '=', false)
    .where('created_at', '<', before)
    .execute()
  for (const { id, account_id } of abandoned) await abandonUpload(db, account_id, id)
}

/** The account's PDF of a paper, until it is converted. */
export const findUpload = (db: Db, accountId: string, paperId: string) =>
  db
    .selectFrom('pdf_upload')
    .select(['id', 'size_bytes', 'created_at'])
    .where('account_id', '=', accountId)
    .where('paper_id', '=', paperId)
    .where('complete', '=', true)
    .executeTakeFirst()

/** Withdraws a converted upload, which `abandonUpload` then deletes. @returns false if a newer one has replaced it */
export async function withdrawUpload (db: Db, accountId: string, paperId: string, createdAt: Date): Promise<boolean> {
  const withdrawn = await db
    .updateTable('pdf_upload')
    .set({ complete: false })
    .where('account_id', '=', accountId)
    .where('paper_id', '=', paperId)
    .where('created_at', '=', createdAt)
    .where('complete', '=', true)
    .returning('paper_id')
    .executeTakeFirst()
  return withdrawn !== undefined
}
