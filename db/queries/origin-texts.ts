import type { Db } from '../connection.js'
import { type NewText, saveMarkdown, type TextDivision } from './markdown.js'
import { findUploadUsage, usedBytes } from './uploads.js'

/** A text that a full-text origin had. */
type OriginText = Omit<NewText, 'account_id'> & { division: TextDivision }

/** The account that owns the paper; null if it is shared, or missing. */
const findOwner = async (db: Db, paperId: string): Promise<string | null> =>
  (await db.selectFrom('paper').select('account_id').where('id', '=', paperId).executeTakeFirst())?.account_id ?? null

/** Service-wide, for conversions: whether an account owns the paper, and its texts and uploads fill its quota. */
export async function isTextQuotaFull (db: Db, paperId: string, maxAccountBytes: number): Promise<boolean> {
  const owner = await findOwner(db, paperId)
  return owner !== null && usedBytes(await findUploadUsage(db, owner)) >= maxAccountBytes
}

/**
 * Service-wide, for conversions: saves a text. That of a paper that an account owns, whose address an import may have chosen, is the
 * account's alone and counts towards its quota; that of its own PDF remains.
 * @returns false, and saves nothing, if it does not fit
 */
export const saveOriginText = async (db: Db, { division, ...text }: OriginText, maxAccountBytes: number): Promise<boolean> =>
  await db.transaction().execute(async transaction => {
    const owner = await findOwner(transaction, text.paper_id)
    if (owner !== null) {
      // Concurrent uploads and texts of the account are counted.
      await transaction.selectFrom('account').select('id').where('id', '=', owner).forNoKeyUpdate().execute()
      const usage = await findUploadUsage(transaction, owner)
      if (usedBytes(usage) + Buffer.byteLength(text.markdown) > maxAccountBytes) return false
      const own = await transaction.selectFrom('markdown').select('origin').where('paper_id', '=', text.paper_id)
        .where('account_id', '=', owner).executeTakeFirst()
      if (own?.origin === 'upload') return true
    }
    await saveMarkdown(transaction, { ...text, account_id: owner }, division)
    return true
  })
