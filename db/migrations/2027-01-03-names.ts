import { type Kysely, sql } from 'kysely'

/** Papers of one part. */
const papersPerPart = 4000
/** Bytes of all parts of a segment; above, filters by names look at the papers themselves. */
const maxBytes = 32 * 1024 * 1024

/** A value without the characters that separate values. */
const value = (text: string) => sql`translate(${sql.raw(text)}, E'\\t\\n\\x1f', '   ')`

/**
 * Gives each segment of the search index the venues and authors of its papers, as src/search/names.ts describes, and indexes papers again
 * whose venue changes.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table search_segment add column if not exists name_parts integer`.execute(db)
  await sql`create or replace trigger search_paper_venue after update of venue_name on paper for each row
    when (old.venue_name is distinct from new.venue_name) execute function search_note_paper()`.execute(db)
  const { rows: segments } = await sql<{ id: string, project_id: string, first_number: number, next: number | null }>`
    select id, project_id, first_number,
      lead(first_number) over (partition by project_id order by first_number) as next
    from search_segment where live`.execute(db)
  for (const { id, project_id, first_number, next } of segments) {
    await sql`
      with line as (
        select document.number, document.number || E'\t' || ${value("coalesce(paper.venue_name, '')")} || E'\t' || coalesce((
            select string_agg(${value("author ->> 'name'")}, E'\x1f') from jsonb_array_elements(paper.authors) as author), '') as text,
          (row_number() over (order by document.number) - 1) / ${sql.lit(papersPerPart)} as part
        from search_document as document join project_paper on project_paper.id = document.item_id
          join paper on paper.id = project_paper.paper_id
        where document.project_id = ${project_id}::uuid and document.number >= ${first_number}
          and (${next}::integer is null or document.number < ${next})
      ), part as (
        select -3 - part as part, convert_to(string_agg(text, E'\n' order by number), 'UTF8') as bytes from line group by part
      ), added as (
        insert into search_block (segment_id, part, bytes) select ${id}::uuid, part, bytes from part
        where (select sum(length(bytes)) from part) <= ${sql.lit(maxBytes)} on conflict do nothing
      )
      update search_segment set name_parts = (select count(*) from part)
      where id = ${id}::uuid and coalesce((select sum(length(bytes)) from part), 0) <= ${sql.lit(maxBytes)}`.execute(db)
  }
}
