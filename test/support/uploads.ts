import { Readable } from 'node:stream'
import type { Db } from '../../db/connection.js'
import {
  abandonUpload, addUploadPart, beginUpload, completeUpload, findUpload, readUploadParts, uploadPartBytes
} from '../../db/queries/uploads.js'
import type { TemporaryFile } from '../../src/files/temporary-files.js'
import type { ServiceContext } from '../../src/operations/context.js'

/** Runs a function with a file that the service received. */
export async function withReceivedFile<T> ({ files }: ServiceContext, bytes: Buffer, run: (file: TemporaryFile) => Promise<T>): Promise<T> {
  const file = await files.receive(Readable.from([bytes]), { maxBytes: bytes.length })
  try {
    return await run(file)
  } finally {
    await file.remove()
  }
}

/** Stores a PDF as an upload does. */
export async function storeUpload (
  db: Db,
  { account_id, paper_id, bytes }: { account_id: string, paper_id: string, bytes: Buffer }
): Promise<{ created_at: Date }> {
  const begun = await beginUpload(db, { account_id, paper_id, size_bytes: bytes.length, maxAccountBytes: Infinity })
  if (!('id' in begun)) throw new Error('The quota has no limit here.')
  for (let ordinal = 0; ordinal * uploadPartBytes < bytes.length; ordinal++) {
    await addUploadPart(db, account_id, {
      fileId: begun.id,
      ordinal,
      bytes: bytes.subarray(ordinal * uploadPartBytes, (ordinal + 1) * uploadPartBytes)
    })
  }
  const { created_at, replacedIds } = await db.transaction().execute(transaction => completeUpload(transaction, account_id, begun.id))
  for (const id of replacedIds) await abandonUpload(db, account_id, id)
  return { created_at }
}

/** The bytes of a stored PDF; undefined if there is none. */
export async function readUpload (db: Db, accountId: string, paperId: string): Promise<Buffer | undefined> {
  const upload = await findUpload(db, accountId, paperId)
  if (upload === undefined) return undefined
  const parts: Buffer[] = []
  for await (const part of readUploadParts(db, accountId, upload.id)) parts.push(part)
  return Buffer.concat(parts)
}
