import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { MarkdownTable } from '../tables/papers.js'

/** The Markdown that the account may read: its own, of an upload or of a paper that it owns, else the shared one. */
export const findMarkdown = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').selectAll().where('paper_id', '=', paperId)
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** Where the Markdown that the account may read comes from, without its text. */
export const findConversion = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').select(['origin', 'warnings', 'created_at']).where('paper_id', '=', paperId)
    .where(({ eb, or }) => or([eb('account_id', '=', accountId), eb('account_id', 'is', null)]))
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
        created_at: sql<Date>`now()`
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
