import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'

/** State of one source of a feed; times in ISO 8601, null where it was never due. */
export interface SourceCoverage {
  name: string
  /** The start of the query, which names the host of a journal feed. */
  first_characters: string
  last_fetched_at: string | null
  next_fetch_at: string | null
  failures: number | null
  last_fault: string | null
  disabled: boolean
}

/** Facts that decide whether a feed is complete. */
export interface CoverageRow {
  name: string
  created_at: Date
  matching_state: 'active' | 'paused'
  /** What the database read of the sources. */
  query_characters: number
  source_coverage: SourceCoverage[]
}

/** States of the sources of the enclosing query's project, as JSON. Queries can have megabytes: their first characters will do. */
const sourceCoverage = sql<SourceCoverage[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', source.name, 'first_characters', left(source.query, 300), 'last_fetched_at', last_fetched_at, 'next_fetch_at', next_fetch_at,
      'failures', failures, 'last_fault', last_fault, 'disabled',
      exists (select from disabled_source where disabled_source.name = source.name)
  ) order by source.at), '[]')
  from rows from (jsonb_to_recordset(project.sources) as (name text, query text)) with ordinality as source (name, query, at)
  left join source_state on source_state.project_id = project.id and source_state.name = source.name and source_state.query = source.query)`

const queryCharacters = sql<number>`(
  select coalesce(sum(length(query)), 0)::int from jsonb_to_recordset(project.sources) as source (query text))`

/** The account's projects with the columns of a CoverageRow. */
const selectCoverages = (db: Db, accountId: string) =>
  db
    .selectFrom('project')
    .select(['project.name', 'project.created_at', 'project.matching_state'])
    .select([sourceCoverage.as('source_coverage'), queryCharacters.as('query_characters')])
    .where('project.account_id', '=', accountId)

/** The account's project with the columns of a CoverageRow. */
export const selectCoverage = (db: Db, accountId: string, projectId: string) =>
  selectCoverages(db, accountId).where('project.id', '=', projectId)

/** The coverage of these projects. A project can have megabytes of queries, which the database reads: list a few at a time. */
export const listCoverage = (db: Db, accountId: string, projectIds: readonly string[]): Promise<CoverageRow[]> =>
  selectCoverages(db, accountId).where('project.id', '=', anyUuid(projectIds)).execute()
