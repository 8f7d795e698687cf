import type { Db } from '../connection.js'
import { countPrivateTextBytes, type NewText, saveMarkdown, type TextDivision } from './markdown.js'
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

/** Whether a text fits the account's quota in place of the earlier one. Concurrent uploads and texts of the account are counted. */
async function fitsQuota (
  transaction: Db,
  { paper_id, account_id, markdown }: Pick<NewText, 'paper_id' | 'markdown'> & { account_id: string },
  maxBytes: number
): Promise<boolean> {
  await transaction.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const used = usedBytes(await findUploadUsage(transaction, account_id))
  return used - await countPrivateTextBytes(transaction, account_id, paper_id) + Buffer.byteLength(markdown) <= maxBytes
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
      if (!await fitsQuota(transaction, { ...text, account_id: owner }, maxAccountBytes)) return false
      const own = await transaction.selectFrom('markdown').select('origin').where('paper_id', '=', text.paper_id)
        .where('account_id', '=', owner).where('start', '=', 0).executeTakeFirst()
      if (own?.origin === 'upload') return true
    }
    await saveMarkdown(transaction, { ...text, account_id: owner }, division)
    return true
  })

/**
 * Saves the text of the account's PDF, in a transaction.
 * @param maxAccountBytes without those of the PDF, which the text replaces @returns false, and saves nothing, if it does not fit
 */
export async function saveUploadedText (
  transaction: Db,
  { division, ...text }: OriginText & { account_id: string },
  maxAccountBytes: number
): Promise<boolean> {
  if (!await fitsQuota(transaction, text, maxAccountBytes)) return false
  await saveMarkdown(transaction, text, division)
  return true
}
