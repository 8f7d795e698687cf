import { type Insertable, type Updateable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { FeedTallyTable } from '../tables/feed.js'
import type { ProjectTable } from '../tables/projects.js'
import { anyUuid } from './any-of.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

/** Sizes of a feed, from its tally: counting a large feed would take longer than the rest of a page. */
const counts = (db: Db) =>
  db
    .selectFrom('feed_tally')
    .select(({ eb, fn }) => {
      const items = (measure: FeedTallyTable['measure'], value?: string) =>
        fn.coalesce(
          fn
            .sum<number>('change')
            .filterWhere(
              value === undefined ? eb('measure', '=', measure) : eb.and([eb('measure', '=', measure), eb('value', '=', value)])
            ),
          sql<number>`0`
        )
      return [items('class').as('papers'), items('class', 'must_read').as('must_read'), items('vote', 'none').as('unrated')]
    })
    .whereRef('feed_tally.project_id', '=', sql.ref('project.id'))

/** States of the project's sources, as JSON. */
const sourceStates = (db: Db) => db.selectFrom('source_state')
  .select(sql<SourceStateRow[]>`coalesce(jsonb_agg(jsonb_build_object(
    'name', source_state.name, 'query', source_state.query, 'last_fetched_at', source_state.last_fetched_at, 'last_error',
      source_state.last_error, 'failures', source_state.failures,
    'papers_found', source_state.papers_found, 'papers_entered', source_state.papers_entered, 'next_fetch_at', source_state.next_fetch_at,
    'disabled', exists (select from disabled_source where disabled_source.name = source_state.name)
  )), '[]')`.as('states'))
  .whereRef('source_state.project_id', '=', sql.ref('project.id'))

/** State of one source of a project; times in ISO 8601. */
export interface SourceStateRow {
  name: string
  query: string
  last_fetched_at: string | null
  last_error: string | null
  failures: number
  papers_found: number
  papers_entered: number
  next_fetch_at: string
  disabled: boolean
}

const withCounts = (db: Db, accountId: string) =>
  db.selectFrom('project').innerJoinLateral(counts(db).as('counted'), join => join.onTrue())
    .select([
      'project.id',
      'name',
      'interest_description',
      'positive_keywords',
      'negative_keywords',
      'sources',
      'mode',
      'visibility',
      'matching_state',
      'created_at',
      'updated_at',
      'last_fetched_at',
      'must_read_threshold',
      'feed_threshold',
      'weekly_limit',
      'counted.papers',
      'counted.must_read',
      'counted.unrated'
    ])
    .select(sourceStates(db).as('source_states'))
    .where('account_id', '=', accountId)

/**
 * A page of the account's projects with their counts and source states, newest first. @param projectIds those that a key can see; null: all
 */
export const listProjects = (
  db: Db,
  accountId: string,
  { limit, offset }: { limit: number, offset: number },
  projectIds: ProjectIds = null
) => {
  // Counts and states would be read for skipped projects too.
  const ids = db.selectFrom('project').select('project.id').where('account_id', '=', accountId).where(isVisibleToKey(projectIds))
    .orderBy('created_at', 'desc').orderBy('project.id').limit(limit).offset(offset)
  return withCounts(db, accountId).where('project.id', '=', sql<string>`any(array(${ids}))`)
    .orderBy('created_at', 'desc').orderBy('project.id').execute()
}

/** Number of the account's projects. @param projectIds those that a key can see; null: all */
export async function countProjects (db: Db, accountId: string, projectIds: ProjectIds = null): Promise<number> {
  const { projects } = await db.selectFrom('project').select(({ fn }) => fn.countAll<number>().as('projects'))
    .where('account_id', '=', accountId).where(isVisibleToKey(projectIds)).executeTakeFirstOrThrow()
  return Number(projects)
}

/** Counts the account's projects and lets no concurrent transaction count them before this one ends. */
export async function lockAndCountProjects (transaction: Db, accountId: string): Promise<number> {
  await transaction.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  return await countProjects(transaction, accountId)
}

/** Ids and names of the account's projects, newest first. */
export const listProjectNames = (db: Db, accountId: string, projectIds: ProjectIds = null) =>
  db
    .selectFrom('project')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where(isVisibleToKey(projectIds))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** The keywords to include of some of the account's projects, newest project first. */
export async function listKeywords (db: Db, accountId: string, projectIds: readonly string[]): Promise<string[]> {
  const projects = await db
    .selectFrom('project')
    .select('positive_keywords')
    .where('account_id', '=', accountId)
    .where('id', '=', anyUuid(projectIds))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return projects.flatMap(({ positive_keywords }) => positive_keywords)
}

/** Undefined if the project is missing or another account's. */
export const findProject = (db: Db, accountId: string, id: string) =>
  withCounts(db, accountId).where('project.id', '=', id).executeTakeFirst()

/** A project with its counts and source states. */
export type ProjectDetails = NonNullable<Awaited<ReturnType<typeof findProject>>>

/** When the project learned last, what changed then, and whether more is due; undefined if the project is missing or another account's. */
export const findLearning = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('project')
    .select(['learned_at', 'learned', 'scoring_due_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Undefined if the project is missing or another account's. */
export const findProjectName = (db: Db, accountId: string, id: string) =>
  db.selectFrom('project').select(['id', 'name']).where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()

/** When a project began, its state, and how many of its sources administrators disabled. */
export const findProjectStart = (db: Db, accountId: string, id: string) =>
  db.selectFrom('project').select(['created_at', 'matching_state', 'is_sample'])
    .select(eb => eb.selectFrom('source_state').innerJoin('disabled_source', 'disabled_source.name', 'source_state.name')
      .select(({ fn }) => fn.countAll<number>().as('count')).whereRef('source_state.project_id', '=', 'project.id')
      .as('disabled_sources'))
    .where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()

/** Marks the account's project as one of invented papers. @returns whether the account has the project */
export const markAsSample = async (db: Db, accountId: string, id: string): Promise<boolean> =>
  (await db.updateTable('project').set({ is_sample: true }).where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst())
    .numUpdatedRows > 0n

/** Whether the account has the project. */
export async function ownsProject (db: Db, accountId: string, id: string): Promise<boolean> {
  return (
    (await db.selectFrom('project').select('id').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()) !== undefined
  )
}

/** The weekly limit of the account's project, 0 without one; undefined if the project is missing or another account's. */
export const findWeeklyLimit = async (db: Db, accountId: string, id: string): Promise<number | undefined> =>
  (await db.selectFrom('project').select('weekly_limit').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst())
    ?.weekly_limit

/** Creates a project. @returns its id */
export const createProject = (db: Db, project: Insertable<ProjectTable>) =>
  db.insertInto('project').values(project).returning('id').executeTakeFirstOrThrow()

/** The sources of a project, locked against changes until the transaction ends; undefined if it is missing or another account's. */
export const lockProjectSources = (transaction: Db, accountId: string, id: string) =>
  transaction
    .selectFrom('project')
    .select('sources')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Changes a project's settings. @returns undefined if the project is missing or another account's */
export const updateProject = (db: Db, accountId: string, id: string, change: Updateable<ProjectTable>) =>
  db.updateTable('project').set(change).where('account_id', '=', accountId).where('id', '=', id).returning('id').executeTakeFirst()

/** Every account's projects with their owners, for the operator. */
export const listAllProjects = (db: Db) =>
  db.selectFrom('project').innerJoin('account', 'account.id', 'project.account_id')
    .innerJoinLateral(counts(db).as('counted'), join => join.onTrue())
    .select(['project.id', 'project.name', 'account.email', 'account.id as account_id', 'project.created_at', 'counted.papers'])
    .orderBy('project.created_at', 'desc').orderBy('project.id').execute()

/** Service-wide, for the operator's commands, which name no account: the account of a project. */
export const findProjectOwner = (db: Db, id: string) =>
  db.selectFrom('project').select('account_id').where('id', '=', id).where('account_id', 'is not', null).executeTakeFirst()
