import { type RawBuilder, sql } from 'kysely'
import { keysOf } from '../../schemas/closed-lists.js'
import { anyUuid } from './any-of.js'
import type { ProjectIds } from './ownership.js'

/** Papers of one owner that are looked at for a title or an identifier: one account may have stored either without end. */
export const maxAlike = 20

/** The DOIs that papers name as those of their work's other forms. */
export type FormField = 'published_doi' | 'preprint_doi'
/** Columns and fields of the metadata with an index by owner and time. */
type AlikeField = 'doi' | 'arxiv_id' | 'pmid' | 'pmcid' | 'openalex_id' | 'title_key' | FormField
/** The id that a source has given a paper. */
export interface SourceId { source: string, id: string }
/** Values by which papers are looked up. */
export type SoughtValues = Partial<Record<AlikeField, readonly string[]>> & { sourceIds?: readonly SourceId[] }

const isForm = (field: AlikeField): field is FormField => field === 'published_doi' || field === 'preprint_doi'

/** Whether a paper has the sought value, as an SQL condition. */
const isAlike = (field: AlikeField) => isForm(field)
  ? sql`metadata ? ${sql.lit(field)} and lower(metadata->>${sql.lit(field)}) = sought.value`
  : sql`${sql.ref(field)} = sought.value`

/**
 * Any of the papers that have one of these values, as the right side of `=` for their ids: for each value, the `maxAlike` oldest of the
 * account's own and of shared ones. An array, because the planner takes it for short and reads its papers by id.
 * @param projectIds of its own papers, those that these projects have in their feeds or found
 */
export const anyAlikePaper = (accountId: string, { sourceIds, ...sought }: SoughtValues, projectIds: ProjectIds = null) => {
  const [isOwn, isShared] = [sql`account_id = ${accountId} and ${isInProjects(projectIds)}`, sql`account_id is null`]
  const oldest = (values: RawBuilder<unknown>, isAlike: RawBuilder<unknown>) => {
    const of = (isOwner: RawBuilder<unknown>) => sql`(
      select id from paper where ${isAlike} and ${isOwner}
      order by account_id, created_at, id limit ${maxAlike})`
    return sql`select alike.id from ${values} cross join lateral (${of(isOwn)} union all ${of(isShared)}) as alike`
  }
  const found = keysOf(sought).map(field => oldest(sql`unnest(${sought[field] ?? []}::text[]) as sought (value)`, isAlike(field)))
  if (sourceIds !== undefined) {
    const [sources, ids] = [sourceIds.map(({ source }) => source), sourceIds.map(({ id }) => id)]
    found.push(oldest(
      sql`unnest(${sources}::text[], ${ids}::text[]) as sought (source, value)`,
      sql`source_paper_id = sought.value and source_name = sought.source`
    ))
  }
  return sql<string>`any(array(${sql.join(found, sql` union `)}))`
}

/** Whether one of the projects has a paper in its feed or found it, as an SQL condition. @param projectIds null: always */
const isInProjects = (projectIds: ProjectIds) => projectIds === null
  ? sql<boolean>`true`
  : sql<boolean>`(
    exists (select from project_paper where paper_id = paper.id and project_id = ${anyUuid(projectIds)})
    or exists (select from candidate where paper_id = paper.id and project_id = ${anyUuid(projectIds)}))`
