import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { dayMs } from '../../schemas/durations.js'
import { anyUuid } from './any-of.js'
import { isListedAfter, readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isKept } from './item-state.js'
import { isOwnProject } from './ownership.js'
import { candidateColumns } from './candidates.js'

/** Weekly limit of a feed, and a week. */
export interface WeeklySelection {
  /** Papers of a week, at most. */
  limit: number
  /** Minimum score of a candidate. */
  minScore: number
  /** Start of the week: Monday, 00:00 UTC. */
  monday: Date
  /** Whether items stay that their owner has seen, or that an alert or a brief has delivered. */
  keepsSeen: boolean
}

/** A paper whose place the selection changes. */
export interface MovingPaper {
  /** The item that leaves the feed, because it is not among the best of its week. Null: the paper is a candidate that is, and enters. */
  item_id: string | null
  paper_id: string
  title: string
  relevance_score: number
}

/**
 * Papers that enter or leave the account's feed when only the best of a week are in it. Fetched items and candidates compete by their
 * stored scores; of equal ones, items stay. Items with a vote or a mark of their owner take the first places and never leave, however low
 * their score.
 */
export async function listMovingPapers (
  db: Db,
  accountId: string,
  projectId: string,
  { limit, minScore, monday, keepsSeen }: WeeklySelection
): Promise<MovingPaper[]> {
  const nextMonday = new Date(monday.getTime() + 7 * dayMs)
  return await readInIndexOrder(db, async transaction => {
    const { rows } = await sql<MovingPaper>`
      with competing as (
        select id as item_id, paper_id, relevance_score, ready_at as found_at,
          ${isKept} or (${keepsSeen} and (seen_at is not null or ${isDelivered(projectId)})) as is_kept
        from project_paper
        where project_id = ${projectId} and origin = 'fetch' and ready_at >= ${monday} and ready_at < ${nextMonday}
          and ${isOwnProject(accountId, projectId)}
        union all
        select null, paper_id, relevance_score, found_at, false
        from ${bestOfWeek(projectId, { limit, minScore, monday, nextMonday })} where ${isOwnProject(accountId, projectId)}
      ), ranked as (
        select competing.*, row_number() over (order by is_kept desc, relevance_score desc, item_id is null, found_at, paper_id) as place
        from competing
      )
      select ranked.item_id, ranked.paper_id, paper.title, ranked.relevance_score
      from ranked join paper on paper.id = ranked.paper_id
      where not is_kept and (item_id is null) = (place <= ${limit})
      order by ranked.relevance_score desc, ranked.paper_id`.execute(transaction)
    return rows
  })
}

/** The best candidates of a week, by the index that has their order: of those after the first `limit`, none can enter the feed. */
const bestOfWeek = (
  projectId: string,
  { limit, minScore, monday, nextMonday }: Omit<WeeklySelection, 'keepsSeen'> & { nextMonday: Date }
) => sql`(
  select paper_id, relevance_score, found_at from candidate
  where project_id = ${projectId} and date_trunc('week', found_at at time zone 'UTC') = ${monday}::timestamptz at time zone 'UTC'
    and found_at >= ${monday} and found_at < ${nextMonday}
    and relevance_score >= ${minScore} and ${minScore > 0 ? sql`relevance_score > 0` : sql`true`}
  order by relevance_score desc, found_at, paper_id limit ${sql.lit(limit)}
) as best`

/** Whether an alert or a brief of the project has the paper of a row of `project_paper`. */
const isDelivered = (projectId: string) => sql<boolean>`(
  exists (
    select from alert join alert_item on alert_item.alert_id = alert.id
    where alert.project_id = ${projectId} and alert_item.paper_id = project_paper.paper_id
  ) or exists (
    select from brief_item where brief_item.project_id = ${projectId} and brief_item.paper_id = project_paper.paper_id
  )
)`

/**
 * The candidates found since a time that a weekly limit excludes from the account's feed, and how many relevant papers their scores predict
 * among them.
 */
export async function countExcluded (
  db: Db,
  accountId: string,
  projectId: string,
  foundSince: Date | null
): Promise<{ papers: number, expected: number }> {
  const { papers, expected } = await db
    .selectFrom('candidate')
    .innerJoin('project', 'project.id', 'candidate.project_id')
    .select(({ fn }) => [fn.countAll<number>().as('papers'), fn.sum<number | null>('candidate.relevance_score').as('expected')])
    .where('project.id', '=', projectId)
    .where('project.account_id', '=', accountId)
    .where('project.weekly_limit', '>', 0)
    .where('candidate.relevance_score', '>', 0)
    .where('candidate.relevance_score', '>=', ({ ref }) => ref('project.feed_threshold'))
    .$if(foundSince !== null, query => query.where('candidate.found_at', '>=', foundSince))
    .executeTakeFirstOrThrow()
  return { papers: Number(papers), expected: Number(expected ?? 0) }
}

/** When the first of the candidates was found that a fetch left behind without choosing the best of their week; null without any. */
export async function findFirstUnselected (db: Db, accountId: string, projectId: string): Promise<Date | null> {
  const { first } = await db
    .selectFrom('candidate')
    .innerJoin('project', 'project.id', 'candidate.project_id')
    .select(({ fn }) => fn.min<Date | null>('candidate.found_at').as('first'))
    .where('project.id', '=', projectId)
    .where('project.account_id', '=', accountId)
    .where(({ eb, or, ref }) => or([
      eb('project.last_fetched_at', 'is', null),
      eb('candidate.found_at', '>', ref('project.last_fetched_at'))
    ]))
    .executeTakeFirstOrThrow()
  return first
}

/** These candidates of the account's project, with their papers. */
export const listCandidates = (db: Db, accountId: string, projectId: string, paperIds: readonly string[]) =>
  db
    .selectFrom('candidate')
    .innerJoin('paper', 'paper.id', 'candidate.paper_id')
    .select(candidateColumns)
    .select('paper.source_name')
    .where('candidate.project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('candidate.paper_id', '=', anyUuid(paperIds))
    .execute()

/**
 * Items that a change of settings can remove: fetched since a time, unrated and without marks of their owner. Newest first, `batchSize` at
 * a time.
 */
export const walkFetchedItems = (db: Db, accountId: string, projectId: string, since: Date, batchSize: number) =>
  walkInIndexOrder(db, (transaction, last: { ready_at: Date, id: string } | undefined) => transaction
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.id as paper_id', 'paper.title', 'paper.abstract'])
    .select(['project_paper.relevance_score', 'project_paper.relevance_class', 'project_paper.ready_at'])
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('origin', '=', 'fetch')
    .where(eb => eb.not(isKept))
    .where('ready_at', '>=', since)
    .$if(last !== undefined, query => query.where(isListedAfter(last!)))
    .orderBy('project_paper.ready_at', 'desc')
    .orderBy('project_paper.id')
    .limit(batchSize)
    .execute())

/** Times and scores of the fetched items of the account's feed that no change of settings removes. */
export const listKeptItems = (db: Db, accountId: string, projectId: string, since: Date, limit: number) =>
  db
    .selectFrom('project_paper')
    .select(['ready_at', 'relevance_score'])
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('origin', '=', 'fetch')
    .where(isKept)
    .where('ready_at', '>=', since)
    .orderBy('ready_at', 'desc')
    .limit(limit)
    .execute()

/** Records how many papers of a source's last fetch entered the account's feed. */
export const recordEntered = (
  db: Db,
  accountId: string,
  projectId: string,
  { name, query, entered }: { name: string, query: string, entered: number }
) =>
  db
    .updateTable('source_state')
    .set({ papers_entered: entered })
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('name', '=', name)
    .where('query', '=', query)
    .execute()
