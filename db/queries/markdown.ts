import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { MarkdownTable } from '../tables/papers.js'
import { anyUuid } from './any-of.js'
import { isSharedOrOwn } from './ownership.js'

/** The Markdown that the account may read: its own, of an upload or of a paper that it owns, else the shared one. */
export const findMarkdown = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').selectAll().where('paper_id', '=', paperId)
    .where(isSharedOrOwn(accountId))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** Records that a shared text is read. @param readBefore one that was read later stays as it is */
export const markTextRead = (db: Db, paperId: string, { now, readBefore }: { now: Date, readBefore: Date }) =>
  db.updateTable('markdown').set({ read_at: now })
    .where('paper_id', '=', paperId).where('account_id', 'is', null).where('read_at', '<', readBefore).execute()

/** Where the Markdown that the account may read comes from, without its text. */
export const findConversion = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').select(['origin', 'warnings', 'created_at']).where('paper_id', '=', paperId)
    .where(isSharedOrOwn(accountId))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** Saves a paper's Markdown, replacing an earlier one of the same account. @param account_id null: shared */
export const saveMarkdown = (
  db: Db,
  { warnings = [], ...text }: Omit<Insertable<MarkdownTable>, 'warnings'> & { warnings?: readonly string[] }
) =>
  db
    .insertInto('markdown')
    .values({ ...text, warnings: JSON.stringify(warnings) })
    .onConflict(conflict =>
      conflict.constraint('markdown_once').doUpdateSet(({ ref }) => ({
        markdown: ref('excluded.markdown'),
        origin: ref('excluded.origin'),
        converter: ref('excluded.converter'),
        warnings: ref('excluded.warnings'),
        created_at: sql<Date>`now()`,
        read_at: sql<Date>`now()`
      }))
    )
    .execute()

/** Bytes of the account's own texts: those of its uploads and of papers that it owns. */
export const countPrivateTextBytes = async (db: Db, accountId: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('markdown')
    .select(sql<number>`coalesce(sum(octet_length(markdown)), 0)::bigint`.as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Texts that one transaction deletes, at most. */
const deletionBatch = 100

/**
 * Service-wide, for maintenance: deletes shared texts, those that nobody has read for longest first, until the others have at most
 * `maxBytes`. A text that is asked for again is converted again.
 * @returns the number of deleted texts
 */
export async function deleteUnreadTexts (db: Db, maxBytes: number): Promise<number> {
  const ordered = db.selectFrom('markdown').where('account_id', 'is', null)
    .select(['paper_id', sql<number>`sum(octet_length(markdown)) over (order by read_at desc, paper_id)`.as('bytes')])
  const excess = await db.selectFrom(ordered.as('ordered')).select('paper_id').where('bytes', '>', maxBytes).execute()
  for (let from = 0; from < excess.length; from += deletionBatch) {
    const paperIds = excess.slice(from, from + deletionBatch).map(({ paper_id }) => paper_id)
    await db.deleteFrom('markdown').where('account_id', 'is', null).where('paper_id', '=', anyUuid(paperIds)).execute()
  }
  return excess.length
}
