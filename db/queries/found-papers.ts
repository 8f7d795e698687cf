import { sql } from 'kysely'
import type { Db } from '../connection.js'

/** Papers with a source that found each. */
export interface FoundPaper { paper_id: string, source: string }

/** Records which sources found the papers of a project. @param db the transaction that puts the papers into the project */
export async function addFoundPapers (db: Db, projectId: string, found: readonly FoundPaper[], now: Date): Promise<void> {
  const sources = new Map<string, Set<string>>()
  for (const { paper_id, source } of found) sources.set(paper_id, (sources.get(paper_id) ?? new Set()).add(source))
  if (sources.size === 0) return
  await db.insertInto('found_paper')
    // In one order, so that concurrent batches do not wait for each other in a circle.
    .values([...sources].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([paper_id, names]) => ({ project_id: projectId, paper_id, sources: [...names].sort(), found_at: now })))
    .onConflict(conflict => conflict.columns(['project_id', 'paper_id'])
      .doUpdateSet({ sources: unitedSources })
      .where(sql<boolean>`not found_paper.sources @> excluded.sources`))
    .execute()
}

const unitedSources = sql<string[]>`(
  select array_agg(distinct source order by source) from unnest(found_paper.sources || excluded.sources) source)`

/** Moves what is known about a duplicate's sources to the kept paper. @param db the transaction that merges them */
export async function mergeFoundPapers (db: Db, keptId: string, duplicateId: string): Promise<void> {
  await sql`
    insert into found_paper (project_id, paper_id, sources, found_at)
    select project_id, ${keptId}::uuid, sources, found_at from found_paper where paper_id = ${duplicateId}::uuid
    on conflict (project_id, paper_id) do update
      set sources = ${unitedSources}, found_at = least(found_paper.found_at, excluded.found_at)`.execute(db)
  await sql`delete from found_paper where paper_id = ${duplicateId}::uuid`.execute(db)
}

/** Forgets the sources of papers that a project does not have any more. */
export const deleteFoundPapers = (db: Db, projectId: string, paperIds: readonly string[]) =>
  db.deleteFrom('found_paper').where('project_id', '=', projectId)
    .where('paper_id', '=', sql<string>`any(${[...paperIds]}::uuid[])`).execute()
