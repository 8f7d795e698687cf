import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { TextSection } from '../../schemas/markdown.js'
import type { MarkdownTable } from '../tables/papers.js'
import { anyUuid } from './any-of.js'
import { walkInIndexOrder } from './index-order.js'
import { isSharedOrOwn } from './ownership.js'

/** The Markdown that the account may read, with its first part: its own, of an upload or of a paper that it owns, else the shared one. */
export const findMarkdown = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').selectAll().where('paper_id', '=', paperId).where('start', '=', 0)
    .where(isSharedOrOwn(accountId))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** Names a version of a text. */
export type TextVersion = Pick<NonNullable<Awaited<ReturnType<typeof findMarkdown>>>, 'paper_id' | 'account_id' | 'created_at'>

const isOfText = ({ paper_id, account_id, created_at }: TextVersion) => sql<boolean>`
  paper_id = ${paper_id} and account_id is not distinct from ${account_id} and created_at = ${created_at}`

/**
 * The parts of a text that the account may read which have the characters from one offset to another, in order; the last part if the text
 * ends before. Empty if the text was replaced.
 */
export const listTextParts = (db: Db, accountId: string, text: TextVersion, { from, to }: { from: number, to: number }) =>
  db.selectFrom('markdown').select(['start', 'markdown']).where(isOfText(text)).where(isSharedOrOwn(accountId))
    .where('start', '<=', to)
    .where('start', '>=', ({ selectFrom, fn }) => selectFrom('markdown').select(fn.max('start').as('start'))
      .where(isOfText(text)).where('start', '<=', from))
    .orderBy('start').execute()

/** Records that a shared text is read. @param readBefore one that was read later stays as it is */
export const markTextRead = (db: Db, paperId: string, { now, readBefore }: { now: Date, readBefore: Date }) =>
  db.updateTable('markdown').set({ read_at: now })
    .where('paper_id', '=', paperId).where('account_id', 'is', null).where('read_at', '<', readBefore).execute()

/** Where the Markdown that the account may read comes from, without its text. */
export const findConversion = (db: Db, accountId: string, paperId: string) =>
  db.selectFrom('markdown').select(['origin', 'warnings', 'created_at']).where('paper_id', '=', paperId).where('start', '=', 0)
    .where(isSharedOrOwn(accountId))
    .orderBy(sql`account_id nulls last`).limit(1).executeTakeFirst()

/** How a text is divided: where its parts begin, from 0, in UTF-16 code units, and its sections. */
export interface TextDivision { partStarts: readonly number[], sections: readonly TextSection[] }

/** The first part of a text, with what it states of the whole, and the other parts. */
function divide (markdown: string, { partStarts, sections }: TextDivision) {
  const [first, ...others] = partStarts.map((start, at) => ({ start, markdown: markdown.slice(start, partStarts[at + 1]) }))
  return { first: { ...first!, characters: markdown.length, sections: JSON.stringify(sections) }, others }
}

/** A text to save. */
export type NewText = Omit<Insertable<MarkdownTable>, 'warnings' | 'start' | 'characters' | 'sections'> & { warnings?: readonly string[] }

/**
 * Saves a paper's Markdown, replacing an earlier one of the same account.
 * @param text account_id null: shared
 * @param division default: the text is divided when a part of it is first read
 */
export async function saveMarkdown (db: Db, { warnings = [], ...text }: NewText, division?: TextDivision): Promise<void> {
  if (!db.isTransaction) {
    return await db.transaction().execute(async transaction => await saveMarkdown(transaction, { warnings, ...text }, division))
  }
  const { first, others } = division === undefined
    ? { first: { start: 0, markdown: text.markdown, characters: null, sections: null }, others: [] }
    : divide(text.markdown, division)
  const { paper_id, account_id, created_at } = await db
    .insertInto('markdown')
    .values({ ...text, ...first, warnings: JSON.stringify(warnings) })
    .onConflict(conflict =>
      conflict.constraint('markdown_once').doUpdateSet(({ ref }) => ({
        markdown: ref('excluded.markdown'),
        characters: ref('excluded.characters'),
        sections: ref('excluded.sections'),
        origin: ref('excluded.origin'),
        converter: ref('excluded.converter'),
        warnings: ref('excluded.warnings'),
        created_at: sql<Date>`now()`,
        read_at: sql<Date>`now()`
      }))
    )
    .returning(['paper_id', 'account_id', 'created_at'])
    .executeTakeFirstOrThrow()
  await db.deleteFrom('markdown').where('paper_id', '=', paper_id)
    .where('account_id', 'is not distinct from', account_id).where('start', '>', 0).execute()
  await addParts(db, { paper_id, account_id, created_at }, others)
}

/** Deletes the text of a PDF that the account uploaded. @returns whether there was one */
export async function deleteUploadedText (db: Db, accountId: string, paperId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('markdown').where('paper_id', '=', paperId).where('account_id', '=', accountId)
    .where(({ exists, selectFrom }) => exists(
      selectFrom('markdown as first').select('first.paper_id')
        .where('first.paper_id', '=', paperId).where('first.account_id', '=', accountId)
        .where('first.start', '=', 0).where('first.origin', '=', 'upload')
    )).executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** Divides a text that an earlier version stored as a whole; does nothing if it was divided or replaced meanwhile. */
export const saveDivision = (db: Db, text: TextVersion & { markdown: string }, division: TextDivision): Promise<void> =>
  db.transaction().execute(async transaction => {
    const { first, others } = divide(text.markdown, division)
    const divided = await transaction.updateTable('markdown').set(first)
      .where(isOfText(text)).where('start', '=', 0).where('characters', 'is', null).returning('read_at').executeTakeFirst()
    if (divided !== undefined) await addParts(transaction, text, others)
  })

/** Each in a statement of its own: together, they can have many megabytes. */
async function addParts (
  transaction: Db,
  { paper_id, account_id, created_at }: TextVersion,
  parts: ReadonlyArray<{ start: number, markdown: string }>
): Promise<void> {
  for (const part of parts) await transaction.insertInto('markdown').values({ paper_id, account_id, created_at, ...part }).execute()
}

/** Bytes of the account's own texts: those of its uploads and of papers that it owns. @param paperId default: of all papers */
export const countPrivateTextBytes = async (db: Db, accountId: string, paperId?: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('markdown')
    .select(sql<number>`coalesce(sum(octet_length(markdown)), 0)::bigint`.as('bytes'))
    .where('account_id', '=', accountId)
    .$if(paperId !== undefined, query => query.where('paper_id', '=', paperId!))
    .executeTakeFirstOrThrow()
  return bytes
}

/** Texts that one transaction sums up or deletes, at most. */
const textBatch = 100

/**
 * Service-wide, for maintenance: deletes shared texts, those that nobody has read for longest first, until the others have at most
 * `maxBytes`. A text that is asked for again is converted again.
 */
export async function deleteUnreadTexts (db: Db, maxBytes: number): Promise<void> {
  let total = 0
  for await (const texts of walkLastRead(db)) {
    const excess = texts.filter(({ bytes }) => { total += bytes; return total > maxBytes })
    if (excess.length === 0) continue
    await db.deleteFrom('markdown').where('account_id', 'is', null)
      .where('paper_id', '=', anyUuid(excess.map(({ paper_id }) => paper_id))).execute()
  }
}

/** The shared texts with their bytes, those that were read last first. */
const walkLastRead = (db: Db) => walkInIndexOrder(db, (transaction, last: { paper_id: string, read_at: Date } | undefined) =>
  transaction.selectFrom('markdown').where('account_id', 'is', null)
    .select(['paper_id', 'read_at', sql<number>`sum(octet_length(markdown))::bigint`.as('bytes')])
    .$if(last !== undefined, query => query.where(sql<boolean>`(read_at, paper_id) < (${last?.read_at}, ${last?.paper_id}::uuid)`))
    .groupBy(['read_at', 'paper_id']).orderBy('read_at', 'desc').orderBy('paper_id', 'desc').limit(textBatch).execute())
