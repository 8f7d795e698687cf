import { sql } from 'kysely'
import type { Db } from '../connection.js'

/** Tables of files that are stored in parts: the files, their parts, and the column of a part with the id of its file. */
export type PartTables =
  | { files: 'pdf_upload', parts: 'pdf_part', fileColumn: 'upload_id' }
  | { files: 'library_import', parts: 'import_part', fileColumn: 'import_id' }

/** Parts that one transaction deletes, so that others run in between: the rows of a large PDF take a third of a second. */
export const partBatchSize = 8

/** A part of a file; the first one has the ordinal 0. */
export interface FilePart { fileId: string, ordinal: number, bytes: Buffer }

/** The columns that are used have the same types in both pairs of tables, so one pair stands for both. */
const asUploads = (tables: PartTables) => tables as Extract<PartTables, { files: 'pdf_upload' }>

/** Adds a part to the account's file. @throws RowNotFound if the file was deleted */
export function addFilePart (db: Db, accountId: string, tables: PartTables, { fileId, ordinal, bytes }: FilePart) {
  const { files, parts, fileColumn } = asUploads(tables)
  return db
    .insertInto(parts)
    .columns([fileColumn, 'ordinal', 'bytes'])
    .expression(({ selectFrom }) =>
      selectFrom(files)
        .select(['id', sql<number>`${ordinal}::integer`.as('ordinal'), sql<Buffer>`${bytes}::bytea`.as('bytes')])
        .where('id', '=', fileId)
        .where('account_id', '=', accountId)
    )
    .returning('ordinal')
    .executeTakeFirstOrThrow()
}

/** Yields the parts of the account's file in order; ends early if it was deleted. */
export async function * readFileParts (db: Db, accountId: string, tables: PartTables, fileId: string): AsyncIterable<Buffer> {
  const { files, parts, fileColumn } = asUploads(tables)
  for (let ordinal = 0; ; ordinal++) {
    const part = await db.selectFrom(parts).innerJoin(files, `${files}.id` as const, `${parts}.${fileColumn}` as const).select('bytes')
      .where(fileColumn, '=', fileId).where('account_id', '=', accountId).where('ordinal', '=', ordinal).executeTakeFirst()
    if (part === undefined) return
    yield part.bytes
  }
}
