import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { deleteBatches } from './delete-batches.js'
import { selectItems } from './feed.js'
import { addStoredSources } from './found-papers.js'
import { firstId } from './id-range.js'
import { type ItemValues, keepPapers, takeCandidates, withFormerState } from './import.js'
import { isPaperAfter, readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isDelivered, isKept } from './item-state.js'
import { noticesFor } from './notices.js'
import { isOwnProject, isVisibleToKey, type ProjectIds } from './ownership.js'
import { isReferenced, listedPaperColumns } from './papers.js'
import { ownsProject } from './projects.js'
import { retryConflicts } from './retry.js'

/** The columns of a candidate with its paper. */
export const candidateColumns = [
  'paper.id as paper_id',
  'paper.title',
  'paper.abstract',
  'paper.authors',
  'paper.doi',
  'paper.arxiv_id',
  'paper.pmid',
  'paper.pmcid',
  'paper.openalex_id',
  'candidate.relevance_score',
  'candidate.found_at'
] as const

/** Candidates of any age that one statement looks at: most of a project can be older than what is asked for. */
const sliceSize = 1000

/** The project's candidates found since a time, by the ids of their papers, at most `batchSize` at a time. */
export async function * walkCandidates (db: Db, accountId: string, projectId: string, since: Date, batchSize: number) {
  for (let last: string | null = firstId; last !== null;) {
    const after: string = last
    const { rows: [slice] } = await readInIndexOrder(db, transaction => sql<{ last: string | null, ids: string[] }>`
      with slice as materialized (
        select paper_id, found_at from candidate
        where ${isPaperAfter('candidate', sql`${projectId}::uuid`, after)} and ${isOwnProject(accountId, projectId)}
        order by project_id, paper_id limit ${sql.lit(sliceSize)}
      )
      select (select paper_id from slice order by paper_id desc limit 1) as last,
        array(select paper_id from slice where found_at >= ${since} order by paper_id) as ids`.execute(transaction))
    const { ids } = slice!
    last = slice!.last
    for (let at = 0; at < ids.length; at += batchSize) {
      const candidates = await readInIndexOrder(db, transaction => transaction
        .selectFrom('candidate')
        .innerJoin('paper', 'paper.id', 'candidate.paper_id')
        .select(candidateColumns)
        .where('candidate.project_id', '=', projectId)
        .where('candidate.paper_id', '=', anyUuid(ids.slice(at, at + batchSize)))
        .where(isOwnProject(accountId, projectId))
        .orderBy('candidate.paper_id')
        .execute())
      if (candidates.length > 0) yield candidates
    }
  }
}

/** Those without a score match nothing, or have an excluded keyword. */
const ofProject = (db: Db, accountId: string, projectId: string) =>
  db
    .selectFrom('candidate')
    .where('candidate.project_id', '=', projectId)
    .where('candidate.relevance_score', '>', 0)
    .where(isOwnProject(accountId, projectId))

/** Last week first, best first within a week, as an index has them. */
const listOrder = sql`date_trunc('week', candidate.found_at at time zone 'UTC') desc, candidate.relevance_score desc, candidate.paper_id`

/** One page of the papers that sources found and the account's feed does not include, in the order of the list. */
export const listNotIncluded = (
  db: Db,
  accountId: string,
  projectId: string,
  { limit, offset, visibleProjectIds }: { limit: number, offset: number, visibleProjectIds?: ProjectIds | undefined }
) =>
  readInIndexOrder(db, transaction => {
    // The subquery skips rows by the index alone.
    const page = ofProject(transaction, accountId, projectId)
      .select(['candidate.paper_id', 'candidate.relevance_score', 'candidate.found_at'])
      .orderBy(listOrder).limit(limit).offset(offset)
    return transaction
      .selectFrom(page.as('candidate'))
      // With the statistics of a time without papers, a plain join would read the page again for each paper.
      .innerJoinLateral(eb => eb.selectFrom('paper').selectAll().whereRef('id', '=', 'candidate.paper_id').limit(1).as('paper'), join =>
        join.onTrue())
      .select([
        'candidate.paper_id',
        'candidate.relevance_score',
        'candidate.found_at',
        'paper.url',
        'paper.index_url'
      ])
      .select(listedPaperColumns)
      .select(noticesFor(accountId, visibleProjectIds).as('notices'))
      .orderBy(listOrder)
      .execute()
  })

/** Their number, at most `max`. */
export const countNotIncluded = (db: Db, accountId: string, projectId: string, max: number): Promise<number> =>
  readInIndexOrder(db, async transaction => {
    const counted = ofProject(transaction, accountId, projectId).select('candidate.paper_id').orderBy(listOrder).limit(max).as('counted')
    const { total } = await transaction.selectFrom(counted).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return total
  })

/** The account's feed item of a paper. */
export const findItemOfPaper = (
  db: Db,
  accountId: string,
  projectId: string,
  paperId: string,
  visibleProjectIds: ProjectIds = null
) =>
  selectItems(db, accountId, { visibleProjectIds })
    .where('project_paper.project_id', '=', projectId)
    .where('project_paper.paper_id', '=', paperId)
    .executeTakeFirst()

/**
 * The account's papers that left a feed and whose item had an id.
 * @param reference a UUID, or its first eight digits @param projectIds limits it to these feeds
 */
export const findLeftItems = (db: Db, accountId: string, reference: string, projectIds: ProjectIds = null) =>
  db
    .selectFrom('candidate')
    .innerJoin('project', 'project.id', 'candidate.project_id')
    .innerJoin('paper', 'paper.id', 'candidate.paper_id')
    .select(['candidate.project_id', 'candidate.item_id', 'paper.id', 'paper.title', 'paper.abstract'])
    .where('project.account_id', '=', accountId)
    .where(isVisibleToKey(projectIds))
    .where(isReferenced('candidate.item_id', reference))
    .execute()

/** Saves new scores of the account's candidates. Skips papers that entered the feed meanwhile. */
export async function replaceCandidateScores (
  db: Db,
  accountId: string,
  projectId: string,
  scores: ReadonlyArray<{ paper_id: string, relevance_score: number }>
): Promise<void> {
  if (scores.length === 0) return
  await retryConflicts(() => sql`
    update candidate set relevance_score = scored.relevance_score
    from json_to_recordset(${JSON.stringify(scores)}::json) as scored (paper_id uuid, relevance_score float8)
    where candidate.project_id = ${projectId} and candidate.paper_id = scored.paper_id
      and ${isOwnProject(accountId, projectId)}`.execute(db))
}

interface NewCandidate {
  project_id: string
  paper_id: string
  relevance_score: number
  found_at: Date
  seen_at?: Date | null
  item_id?: string
  left_at?: Date
}

/** Adds candidates, or updates the scores of existing ones, which keep `found_at`. */
export async function addCandidates (
  db: Db,
  candidates: ReadonlyArray<NewCandidate>
): Promise<void> {
  if (candidates.length === 0) return
  await db
    .insertInto('candidate')
    .values([...candidates])
    .onConflict(conflict =>
      conflict.columns(['project_id', 'paper_id']).doUpdateSet(({ ref }) => ({ relevance_score: ref('excluded.relevance_score') }))
    )
    .execute()
}

interface Promotion {
  lock?: ((transaction: Db) => Promise<void>) | undefined
  /** How papers that are not candidates were found. */
  found?: { now: Date, importId: string | null }
  /** Whether to refuse all if a paper was merged or deleted since it was read. Otherwise it is left out: a merge moved its candidate. */
  isComplete?: boolean
}

/** Moves candidates, or other stored papers, into the account's feed. @returns the number of items that are new in it */
export const promoteCandidates = (
  db: Db,
  accountId: string,
  projectId: string,
  papers: readonly ItemValues[],
  { lock, found, isComplete = false }: Promotion = {}
) =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    await lock?.(transaction)
    if (!await ownsProject(transaction, accountId, projectId)) return 0
    const stored = await keepPapers(transaction, papers.map(({ paper_id }) => paper_id))
    const items = papers.filter(({ paper_id }) => isComplete || stored.has(paper_id))
    if (items.length === 0) return 0
    const former = await takeCandidates(transaction, projectId, items)
    const added = await transaction.insertInto('project_paper').values(withFormerState(items, former))
      .onConflict(conflict => conflict.constraint('project_paper_once').doNothing()).returning('paper_id').execute()
    if (found !== undefined) {
      const candidates = new Set(former.map(({ paper_id }) => paper_id))
      const others = added.map(({ paper_id }) => paper_id).filter(id => !candidates.has(id))
      await addStoredSources(transaction, projectId, others, found)
    }
    return added.length
  }))

/**
 * Removes fetched, unrated items without marks of their owner from the feed and makes them candidates.
 * @param keepsSeen whether items stay that their owner has seen, or that an alert or a brief has delivered @returns their number
 */
export const demoteItems = (
  db: Db,
  accountId: string,
  projectId: string,
  ids: readonly string[],
  leftAt: Date,
  { keepsSeen = false }: { keepsSeen?: boolean } = {}
) =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      // Locks the project first, as votes do: another order could deadlock.
      await transaction
        .updateTable('project')
        .set({ items_left_at: leftAt })
        .where('account_id', '=', accountId)
        .where('id', '=', projectId)
        .execute()
      const removed = await transaction
        .deleteFrom('project_paper')
        .where('project_id', '=', projectId)
        .where(isOwnProject(accountId, projectId))
        .where('id', '=', anyUuid(ids))
        .where('origin', '=', 'fetch')
        .where(eb => eb.not(isKept))
        .$if(keepsSeen, query => query.where('seen_at', 'is', null).where(eb => eb.not(isDelivered(projectId, 'project_paper.paper_id'))))
        .returning(['id as item_id', 'paper_id', 'relevance_score', 'ready_at', 'seen_at'])
        .execute()
      await addCandidates(
        transaction,
        removed.map(({ ready_at, ...candidate }) => ({ ...candidate, project_id: projectId, found_at: ready_at, left_at: leftAt }))
      )
      return removed.length
    })
  )

/** Projects that one transaction looks at: it may skip tens of thousands of index entries for each. */
const projectBatchSize = 20

/**
 * Deletes candidates found before a time, and the oldest of a project with more than `maxPerProject`: batch by batch, and project by
 * project, since their index starts with the project.
 */
export async function deleteOldCandidates (db: Db, { before, maxPerProject }: { before: Date, maxPerProject: number }): Promise<void> {
  const ofProject = sql`from candidate where candidate.project_id = project.id`
  const pages = walkInIndexOrder(db, (transaction, last: { id: string } | undefined) =>
    transaction.selectFrom('project').select('id').where('id', '>', last?.id ?? firstId).orderBy('id').limit(projectBatchSize)
      .select(sql<boolean>`exists (select ${ofProject} and found_at < ${before})`.as('has_old'))
      .select(sql<Date | null>`(
        select found_at ${ofProject} order by found_at desc offset ${maxPerProject}::bigint limit 1)`.as('first_excess'))
      .execute())
  for await (const projects of pages) {
    for (const { id, has_old, first_excess } of projects) {
      const bounds = [has_old && sql`found_at < ${before}`, first_excess !== null && sql`found_at <= ${first_excess}`]
      for (const isExcess of bounds) {
        if (isExcess !== false) await deleteBatches(db, 'candidate', sql`project_id = ${id}::uuid and ${isExcess}`, 1000)
      }
    }
  }
}
