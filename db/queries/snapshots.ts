import { type Insertable, sql } from 'kysely'
import type { SnapshotSchedule, SnapshotSummary } from '../../schemas/snapshot.js'
import type { Db } from '../connection.js'
import type { SnapshotTable } from '../tables/snapshots.js'
import { noticesFor } from './notices.js'
import { isOwnProject } from './ownership.js'

/** Papers that a page of a feed's decisions has. */
const pageSize = 200

const columns = [
  'id', 'project_id', 'project_name', 'since', 'until', 'scheduled', 'requested_at', 'error', 'frozen_at', 'sha256', 'bytes'
] as const

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

/**
 * Adds a snapshot to a project of the account, to be frozen.
 * @returns undefined if the project is missing or another account's; what has reached its bound
 */
export const createSnapshot = (
  db: Db,
  accountId: string,
  snapshot: Omit<Insertable<SnapshotTable>, 'project_name'>,
  { maxSnapshots, maxBytes }: { maxSnapshots: number, maxBytes: number }
) =>
  db.transaction().execute(async transaction => {
    // The lock makes concurrent calls count one after another.
    const project = await transaction.selectFrom('project').select('name').where('account_id', '=', accountId)
      .where('id', '=', snapshot.project_id).forUpdate().executeTakeFirst()
    if (project === undefined) return undefined
    const { snapshots } = await transaction.selectFrom('snapshot').select(({ fn }) => fn.countAll<number>().as('snapshots'))
      .where('project_id', '=', snapshot.project_id).executeTakeFirstOrThrow()
    if (Number(snapshots) >= maxSnapshots) return 'too many'
    const { bytes } = await transaction.selectFrom('snapshot').innerJoin('project', 'project.id', 'snapshot.project_id')
      .select(({ fn }) => fn.sum<number | null>('snapshot.bytes').as('bytes')).where('project.account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (Number(bytes ?? 0) >= maxBytes) return 'too large'
    return await transaction.insertInto('snapshot').values({ ...snapshot, project_name: project.name }).returning(columns)
      .executeTakeFirstOrThrow()
  })

/** The snapshots of the account's project, newest first. */
export const listSnapshots = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('snapshot').select(columns).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('requested_at', 'desc').orderBy('id').execute()

/** A snapshot without its document. */
export type SnapshotRow = Awaited<ReturnType<typeof listSnapshots>>[number]

/** A snapshot of the account's project, with its counts. */
export const findSnapshot = (db: Db, accountId: string, projectId: string, id: string) =>
  db.selectFrom('snapshot').select([...columns, 'summary']).where('id', '=', id).where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId)).executeTakeFirst()

/** @returns whether the account's project had the snapshot */
export const deleteSnapshot = async (db: Db, accountId: string, projectId: string, id: string): Promise<boolean> =>
  (await db.deleteFrom('snapshot').where('id', '=', id).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .returning('id').executeTakeFirst()) !== undefined

/** Snapshots of the account's project that are not frozen, oldest first. */
export const listUnfrozenSnapshots = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('snapshot').select(columns).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .where('frozen_at', 'is', null).where('error', 'is', null).orderBy('requested_at').orderBy('id').execute()

/** What a snapshot says about the account's project and its sources. */
export const findReviewSettings = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project')
    .select([
      'id', 'name', 'interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold',
      'weekly_limit', 'sources'
    ])
    .select(sql<Array<{
      name: string, query: string, last_fetched_at: string | null, fetched_through: string | null, failures: number
    }>>`(
      select coalesce(jsonb_agg(jsonb_build_object('name', state.name, 'query', state.query, 'last_fetched_at', state.last_fetched_at,
        'fetched_through', state.fetched_through, 'failures', state.failures)), '[]')
      from source_state state where state.project_id = project.id)`.as('states'))
    .where('account_id', '=', accountId).where('id', '=', projectId).executeTakeFirst()

/** The version, votes and words of the project's model, with a hash of all of it. */
export const findModelSummary = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('relevance_model').select('trained_at')
    .select([
      sql<number | null>`(model->>'version')::integer`.as('version'),
      sql<{ liked: number, disliked: number } | null>`model->'votes'`.as('votes'),
      sql<{ wanted: Array<{ term: string }>, unwanted: Array<{ term: string }> } | null>`model->'lessons'`.as('lessons'),
      sql<string>`encode(sha256(convert_to(model::text, 'UTF8')), 'hex')`.as('sha256')
    ])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).executeTakeFirst()

/** A decision as the database writes it. Times are in ISO 8601. */
export type DecisionRow = [
  paperId: string, isInFeed: boolean, vote: 'star' | 'upvote' | 'downvote' | null, reason: 'not_relevant' | 'low_quality' | null,
  votedAt: string | null, score: number, enteredAt: string, origin: 'import' | 'fetch' | null, sources: string[] | null
]

/** Everything that entered a project in a period, as of one moment. */
export interface Decisions {
  /** JSON lists of DecisionRow without their brackets, by the id of the paper. */
  pages: string[]
  /** Papers that are neither in the feed nor among its candidates any more. */
  unlisted: Array<{ sources: string[], records: number }>
}

/**
 * Reads what entered the account's project in a period, as of one moment: in one statement, whose rows are long texts, so that their number
 * stays small.
 */
export async function readDecisions (
  db: Db,
  accountId: string,
  { projectId, since, until }: { projectId: string, since: Date | null, until: Date }
): Promise<Decisions> {
  const own = isOwnProject(accountId, projectId)
  const within = (column: string) => since === null
    ? sql`${sql.ref(column)} <= ${until}::timestamptz`
    : sql`${sql.ref(column)} >= ${since}::timestamptz and ${sql.ref(column)} <= ${until}::timestamptz`
  const { rows } = await sql<{ text: string | null, unlisted: Decisions['unlisted'] | null }>`
    with decision as (
      select item.paper_id, json_build_array(item.paper_id, true, item.vote, item.downvote_reason, item.voted_at, item.relevance_score,
        item.ready_at, item.origin, found.sources)::text as line
      from project_paper item left join found_paper found on found.project_id = item.project_id and found.paper_id = item.paper_id
      where item.project_id = ${projectId}::uuid and ${own} and ${within('item.ready_at')}
      union all
      select candidate.paper_id, json_build_array(candidate.paper_id, false, null, null, null, candidate.relevance_score,
        candidate.found_at, null, found.sources)::text
      from candidate left join found_paper found on found.project_id = candidate.project_id and found.paper_id = candidate.paper_id
      where candidate.project_id = ${projectId}::uuid and ${own} and ${within('candidate.found_at')}
    ), numbered as (
      select paper_id, line, (row_number() over (order by paper_id) - 1) / ${sql.lit(pageSize)} as page from decision
    ), unlisted as (
      select sources, count(*)::integer as records from found_paper found
      where found.project_id = ${projectId}::uuid and ${own} and ${within('found.found_at')}
        and not exists (select from project_paper item where item.project_id = found.project_id and item.paper_id = found.paper_id)
        and not exists (select from candidate where candidate.project_id = found.project_id and candidate.paper_id = found.paper_id)
      group by sources
    )
    select page, string_agg(line, ',' order by paper_id) as text, null::jsonb as unlisted from numbered group by page
    union all
    select null, null, (select coalesce(jsonb_agg(jsonb_build_object('sources', sources, 'records', records) order by sources), '[]')
      from unlisted)
    order by page nulls last`.execute(db)
  return { pages: rows.flatMap(({ text }) => text ?? []), unlisted: rows.find(({ unlisted }) => unlisted !== null)?.unlisted ?? [] }
}

/** Papers that the account sees, without their abstracts, with the notices that it was told. */
export const listPapersForSnapshot = (db: Db, accountId: string, ids: readonly string[]) =>
  db.selectFrom('paper')
    .select([
      'id', 'title', 'authors', 'published_date', 'url', 'doi', 'venue_name', 'source_name', 'arxiv_id', 'pmid', 'pmcid', 'openalex_id',
      'index_url', 'metadata'
    ])
    .select(noticesFor(accountId).as('notices'))
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where(({ eb, or }) => or([eb('account_id', 'is', null), eb('account_id', '=', accountId)]))
    .execute()

/** A row of listPapersForSnapshot. */
export type SnapshotPaperRow = Awaited<ReturnType<typeof listPapersForSnapshot>>[number]

const ofAccount = (accountId: string, snapshotId: string) => sql<boolean>`exists (
  select from snapshot join project on project.id = snapshot.project_id
  where snapshot.id = ${snapshotId}::uuid and project.account_id = ${accountId}::uuid)`

/** Removes what an earlier attempt wrote. */
export const clearSnapshotParts = (db: Db, accountId: string, snapshotId: string) =>
  db.deleteFrom('snapshot_part').where('snapshot_id', '=', snapshotId).where(ofAccount(accountId, snapshotId)).execute()

/** Adds a part to a snapshot that is not frozen; nothing if it was deleted. @returns whether it was added */
export const addSnapshotPart = async (
  db: Db,
  accountId: string,
  snapshotId: string,
  { ordinal, content }: { ordinal: number, content: string }
): Promise<boolean> => {
  const { rows } = await sql`
    insert into snapshot_part (snapshot_id, ordinal, content)
    select snapshot.id, ${ordinal}::integer, ${content}::text from snapshot join project on project.id = snapshot.project_id
    where snapshot.id = ${snapshotId}::uuid and project.account_id = ${accountId}::uuid returning ordinal`.execute(db)
  return rows.length > 0
}

/** What is known of a snapshot once it is complete. */
export interface Frozen { frozen_at: Date, until: Date, sha256: string, bytes: number, parts: number, summary: SnapshotSummary }

/** Freezes a snapshot of the account: nothing of it changes afterwards. */
export const freezeSnapshot = (db: Db, accountId: string, snapshotId: string, { summary, ...frozen }: Frozen) =>
  db.updateTable('snapshot').set({ ...frozen, summary: JSON.stringify(summary) }).where('id', '=', snapshotId)
    .where('frozen_at', 'is', null).where(ofAccount(accountId, snapshotId)).execute()

/** Records why a snapshot cannot be frozen, and removes its parts. */
export const failSnapshot = (db: Db, accountId: string, snapshotId: string, error: string) =>
  db.transaction().execute(async transaction => {
    await clearSnapshotParts(transaction, accountId, snapshotId)
    await transaction.updateTable('snapshot').set({ error }).where('id', '=', snapshotId).where('frozen_at', 'is', null)
      .where(ofAccount(accountId, snapshotId)).execute()
  })

/** Yields the document of a snapshot part by part, each in a statement of its own. */
export async function * readSnapshotParts (db: Db, accountId: string, snapshotId: string): AsyncIterable<string> {
  for (let ordinal = 0; ; ordinal++) {
    const part = await db.selectFrom('snapshot_part').select('content').where('snapshot_id', '=', snapshotId)
      .where('ordinal', '=', ordinal).where(ofAccount(accountId, snapshotId)).executeTakeFirst()
    if (part === undefined) return
    yield part.content
  }
}

/** The schedule of the account's project; undefined if the project is missing or another account's. */
export const findSnapshotSchedule = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').select(['snapshot_schedule', 'next_snapshot_at']).where('id', '=', projectId).where('account_id', '=', accountId)
    .executeTakeFirst()

/** Sets the schedule of the account's project. @returns whether it is the account's */
export const setSnapshotSchedule = async (
  db: Db,
  accountId: string,
  projectId: string,
  { schedule, nextAt }: { schedule: SnapshotSchedule | null, nextAt: Date | null }
): Promise<boolean> =>
  (await db.updateTable('project').set({ snapshot_schedule: schedule, next_snapshot_at: nextAt }).where('id', '=', projectId)
    .where('account_id', '=', accountId).returning('id').executeTakeFirst()) !== undefined

/** Service-wide, for the ticker: projects of enabled accounts whose scheduled snapshot is due. */
export const listDueSnapshots = (db: Db, now: Date, id?: string) =>
  db.selectFrom('project').innerJoin('account', 'account.id', 'project.account_id').select(['project.id', 'project.account_id'])
    .where('project.next_snapshot_at', '<=', now).where('account.disabled_at', 'is', null)
    .$if(id !== undefined, query => query.where('project.id', '=', id!)).orderBy('project.next_snapshot_at').limit(100).execute()
