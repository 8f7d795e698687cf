import { sql } from 'kysely'
import type { ProjectSource } from '../../schemas/project.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'

/** State of one source of a feed; times in ISO 8601. */
interface SourceCoverage {
  name: string
  query: string
  last_fetched_at: string | null
  next_fetch_at: string
  failures: number
  last_fault: string | null
  disabled: boolean
}

/** Facts that decide whether a feed is complete. */
export interface CoverageRow {
  name: string
  created_at: Date
  matching_state: 'active' | 'paused'
  sources: ProjectSource[]
  source_coverage: SourceCoverage[]
}

/** States of the sources of the enclosing query's project, as JSON. */
const sourceCoverage = sql<SourceCoverage[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'query', query, 'last_fetched_at', last_fetched_at, 'next_fetch_at', next_fetch_at, 'failures', failures, 'last_fault',
      last_fault, 'disabled', exists (select from disabled_source where disabled_source.name = source_state.name)
  )), '[]') from source_state where source_state.project_id = project.id)`

/** The account's projects with the columns of a CoverageRow. */
const selectCoverages = (db: Db, accountId: string) =>
  db
    .selectFrom('project')
    .select(['project.name', 'project.created_at', 'project.matching_state', 'project.sources'])
    .select(sourceCoverage.as('source_coverage'))
    .where('project.account_id', '=', accountId)

/** The account's project with the columns of a CoverageRow. */
export const selectCoverage = (db: Db, accountId: string, projectId: string) =>
  selectCoverages(db, accountId).where('project.id', '=', projectId)

/** Of these projects of the account. With its queries, a project can have megabytes: read a few at a time. */
export const listCoverage = (db: Db, accountId: string, projectIds: readonly string[]): Promise<CoverageRow[]> =>
  selectCoverages(db, accountId).where('project.id', '=', anyUuid(projectIds)).execute()
