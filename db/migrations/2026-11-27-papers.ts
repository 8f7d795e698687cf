import { type Kysely, sql } from 'kysely'

const texts = [
  'type',
  'citation_key',
  'published',
  'updated',
  'volume',
  'issue',
  'pages',
  'edition',
  'journal_abbreviation',
  'issn',
  'issn_or_isbn',
  'publisher',
  'language',
  'category',
  'primary_category',
  'comment',
  'journal_ref',
  'owner',
  'license',
  'published_doi',
  'preprint_doi',
  'jatsxml',
  'feed'
]
const lists = ['publication_types', 'keywords', 'mesh_terms', 'categories']
const flags = ['open_access', 'preprint', 'retracted']
const rowsAtOnce = 500
const noReasons = {
  terms: [],
  positive_keywords: [],
  negative_keywords: [],
  liked_paper: null,
  learned_from: { liked: 0, disliked: 0 },
  excluded: false
}

/**
 * Converts metadata and matching_details to their schemas. A value that its metadata field cannot hold moves to `metadata.other` unchanged;
 * fields of other names stay. Reasons that earlier versions did not store are empty until the next scoring. Idempotent, since restoring an
 * older backup runs it again.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table project_paper alter column matching_details set default ${sql.lit(JSON.stringify(noReasons))}::jsonb`.execute(db)
  await convertRows(db)
}

/** The part of the migration that converts rows. */
export async function convertRows (db: Kysely<any>): Promise<void> {
  const isNoList = sql`jsonb_typeof(value) <> 'array' or jsonb_path_exists(value, '$[*] ? (@.type() != "string")')`
  await convertColumn(db, 'paper', 'metadata', sql`exists (
    select from jsonb_each(metadata) as field (name, value)
    where (name = any(${texts}::text[]) and jsonb_typeof(value) <> 'string')
      or (name = any(${lists}::text[]) and (${isNoList}))
      or (name = 'isbn' and jsonb_typeof(value) <> 'string' and (${isNoList}))
      or (name = any(${flags}::text[]) and jsonb_typeof(value) <> 'boolean')
      or (name = 'version' and (jsonb_typeof(value) <> 'number' or value::text !~ '^[0-9]+$'))
      or (name = 'other' and jsonb_typeof(value) <> 'object'))`,
  metadataFrom
  )
  await convertColumn(
    db,
    'project_paper',
    'matching_details',
    sql`
    not (matching_details ?& ${Object.keys(noReasons)}::text[])
      or jsonb_path_exists(matching_details, '$.terms[*] ? (!(exists (@.term)) || !(exists (@.weight)) || !(exists (@.from)))')`,
    reasonsFrom
  )
}

async function convertColumn (
  db: Kysely<any>,
  table: string,
  column: string,
  isFormer: ReturnType<typeof sql>,
  convert: (value: Record<string, unknown>) => object
): Promise<void> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string, value: Record<string, unknown> }>`
      select id, ${sql.ref(column)} as value from ${sql.table(table)} where id > ${last}::uuid and (${isFormer}) order by id
      limit ${sql.lit(rowsAtOnce)}`.execute(db)
    if (rows.length === 0) return
    await sql`
      update ${sql.table(table)} row set ${sql.ref(column)} = converted.value
      from jsonb_to_recordset(${JSON.stringify(rows.map(({ id, value }) => ({ id, value: convert(value) })))}::jsonb) as converted (id
      uuid, value jsonb) where row.id = converted.id`.execute(db)
    last = rows.at(-1)!.id
  }
}

function metadataFrom (stated: Record<string, unknown>): object {
  const read = new Map<string, unknown>()
  const other = new Map<string, unknown>()
  for (const [name, value] of Object.entries(stated)) {
    if (name === 'other' && isObject(value)) for (const [each, kept] of Object.entries(value)) other.set(each, kept)
    else if (![...texts, ...lists, ...flags, 'isbn', 'version', 'other'].includes(name)) read.set(name, value)
    else if (value !== null) {
      const converted = convertedValue(name, value)
      if (converted !== undefined) read.set(name, converted)
      if (converted === undefined || listOf(converted).length !== listOf(value).length) other.set(name, value)
    }
  }
  if (other.size > 0) read.set('other', Object.fromEntries(other))
  return Object.fromEntries(read)
}

function convertedValue (name: string, value: unknown): unknown {
  const scalars = listOf(value).filter(each => typeof each === 'string' || typeof each === 'number').map(String)
  const list = scalars.length > 0 || (Array.isArray(value) && value.length === 0) ? scalars : undefined
  if (texts.includes(name)) return scalars[0]
  if (lists.includes(name)) return list
  if (name === 'isbn') return Array.isArray(value) ? list : scalars[0]
  if (flags.includes(name)) return typeof value === 'boolean' ? value : undefined
  return name === 'version' && Number.isInteger(value) && (value as number) >= 0 ? value : undefined
}

/** The first version stored terms as strings, and neither liked papers nor votes. */
function reasonsFrom (former: Record<string, unknown>): object {
  const terms = Array.isArray(former.terms) ? former.terms as unknown[] : []
  return {
    ...noReasons,
    ...former,
    terms: terms.flatMap(each =>
      typeof each === 'string'
        ? { term: each, weight: 0, from: 'interest' }
        : isObject(each) && typeof each.term === 'string'
          ? { weight: 0, from: 'interest', ...each }
          : []
    )
  }
}

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : [value]
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
