import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { visibleText } from '../../schemas/visible-text.js'

const rowsAtOnce = 500
/** Every character that may be removed, for a regular expression of PostgreSQL. */
const suspect = String.raw`[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFDD0-\uFDEF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]`

interface PaperTexts {
  title: string
  abstract: string | null
  authors: Array<{ name: string }>
  published_date: string | null
  venue_name: string | null
  metadata: object
}

/**
 * Removes characters that people cannot see from stored papers, summaries and full texts. The triggers on these tables have changed items
 * indexed again. Idempotent, since restoring an older backup runs it again.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await cleanPapers(db)
  await cleanItems(db)
  await cleanMarkdown(db)
}

async function cleanPapers (db: Kysely<any>): Promise<void> {
  const columns = ['title', 'abstract', 'authors', 'published_date', 'venue_name', 'metadata']
  await cleanBatches<PaperTexts>(
    db,
    'paper',
    columns,
    paper => {
      const cleaned = clean(paper)
      const title = cleaned.title.trim() === '' ? '(no title)' : cleaned.title
      return { ...cleaned, title, title_key: titleKey({ ...cleaned, title }) }
    },
    sql`title = new.title, abstract = new.abstract, authors = new.authors, venue_name = new.venue_name, metadata = new.metadata,
      title_key = new.title_key`,
    sql`title text, abstract text, authors jsonb, venue_name text, metadata jsonb, title_key text`
  )
}

const cleanItems = async (db: Kysely<any>): Promise<void> =>
  await cleanBatches(
    db,
    'project_paper',
    ['summary', 'personalized_note'],
    clean,
    sql`summary = new.summary, personalized_note = new.personalized_note`,
    sql`summary text, personalized_note text`
  )

async function cleanBatches<T extends object> (
  db: Kysely<any>,
  table: string,
  columns: string[],
  cleaned: (row: T) => object,
  assignments: ReturnType<typeof sql>,
  types: ReturnType<typeof sql>
): Promise<void> {
  const texts = sql.join(
    columns.map(column => sql`${sql.ref(column)}::text`),
    sql`, `
  )
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<T & { id: string }>`
      select id, ${sql.join(columns.map(column => sql.ref(column)), sql`, `)} from ${sql.table(table)}
      where id > ${last}::uuid and concat_ws(' ', ${texts}) ~ ${suspect} order by id limit ${sql.lit(rowsAtOnce)}`.execute(db)
    if (rows.length === 0) return
    const changed = rows.filter(row => JSON.stringify(clean(row)) !== JSON.stringify(row))
    await sql`
      update ${sql.table(table)} as stored set ${assignments}
      from jsonb_to_recordset(${JSON.stringify(changed.map(row => ({ ...cleaned(row), id: row.id })))}::jsonb) as new (id uuid, ${types})
      where stored.id = new.id`.execute(db)
    last = rows.at(-1)!.id
  }
}

/** Full texts are long: one at a time. */
async function cleanMarkdown (db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{
    paper_id: string
    account_id: string | null
  }>`select paper_id, account_id from markdown where markdown ~ ${suspect}`.execute(db)
  for (const { paper_id, account_id } of rows) {
    const isRow = sql`paper_id = ${paper_id} and account_id is not distinct from ${account_id}`
    const { rows: [row] } = await sql<{ markdown: string }>`select markdown from markdown where ${isRow}`.execute(db)
    const cleaned = visibleText(row!.markdown)
    if (cleaned !== row!.markdown) await sql`update markdown set markdown = ${cleaned} where ${isRow}`.execute(db)
  }
}

function clean<T> (value: T): T {
  if (typeof value === 'string') return visibleText(value) as T
  if (Array.isArray(value)) return value.map(clean) as T
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [visibleText(name), clean(each)])) as T
  }
  return value
}

const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h'
}

/** The key of this version for papers without a common identifier: a hash of title, last name of the first author, and year. */
function titleKey ({ title, authors, published_date }: PaperTexts): string {
  const parts = [words(title).join(' '), words(authors[0]?.name ?? '').at(-1) ?? '', published_date?.slice(0, 4) ?? '']
  return createHash('sha256').update(parts.join('|')).digest('base64url').slice(0, 22)
}

const words = (text: string): string[] => (text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(word => {
  if (/^[a-z0-9]+$/.test(word)) return [word.slice(0, 64)]
  const entries: string[] = []
  let end = 0
  for (const { 0: run, index } of word.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu)) {
    if (index > end) entries.push(fold(word.slice(end, index)))
    const characters = [...run]
    for (let at = 0; at + 1 < characters.length; at++) entries.push(characters[at]! + characters[at + 1]!)
    entries.push(characters.at(-1)!)
    end = index + run.length
  }
  if (end < word.length) entries.push(fold(word.slice(end)))
  return entries.filter(entry => entry !== '')
})

const fold = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøđðłıþħ]/g, letter => foldedLetters[letter]!)
    .slice(0, 64)
