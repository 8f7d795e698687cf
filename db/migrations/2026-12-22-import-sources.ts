import { type Kysely, sql } from 'kysely'

/**
 * Tells which sources of a paper each import stated, in place of what the first of them alone stated, so that undoing all of them leaves
 * nothing. What an earlier import stated after another is unknown and counts as fetched.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('found_paper')
    .addColumn('fetched_sources', sql`text[]`, column => column.notNull().defaultTo('{}'))
    .addColumn('imports', 'jsonb', column => column.notNull().defaultTo('{}'))
    .execute()
  await sql`
    update found_paper set
      fetched_sources = case when import_id is null then sources
        else array(select unnest(sources) except select unnest(import_sources) order by 1) end,
      imports = case when import_id is null or import_sources = '{}' then '{}' else jsonb_build_object(import_id, import_sources) end
  `.execute(db)
  await db.schema.alterTable('found_paper').dropColumn('import_id').dropColumn('import_sources').execute()
}

/** Converts a row of `found_paper` from an older backup. */
export function convertRow ({ import_id, import_sources, ...row }: Record<string, unknown>): Record<string, unknown> {
  const { sources } = row
  const imported = typeof import_id === 'string' && Array.isArray(import_sources) ? import_sources : []
  return {
    ...row,
    fetched_sources: Array.isArray(sources) ? sources.filter(source => !imported.includes(source)) : sources,
    imports: imported.length > 0 ? { [import_id as string]: imported } : {}
  }
}
