import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { dayMs } from '../../schemas/durations.js'
import { anyUuid } from './any-of.js'
import { candidateColumns } from './candidates.js'
import { walkFetched } from './fetched-items.js'
import { readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** Candidates that one statement reads, so that others run in between. */
const rowsPerStatement = 500

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
 * Papers that enter or leave the account's feed when only the best of a week are in it: batches of those that leave, while the week is
 * read, then all that enter, each with the best first. Fetched items and candidates compete by their stored scores; of equal ones, items
 * stay. Items with a vote or a mark of their owner take the first places and never leave, however low their score. Each statement reads a
 * slice of the week, and memory has as many papers as the week has places. The caller can remove items during the walk.
 */
export async function * walkMovingPapers (
  db: Db,
  accountId: string,
  projectId: string,
  { limit, minScore, monday, keepsSeen }: WeeklySelection
): AsyncGenerator<MovingPaper[], void> {
  const nextMonday = new Date(monday.getTime() + 7 * dayMs)
  const ranking = new Ranking(limit)
  for await (const candidates of walkBestCandidates(db, accountId, projectId, { limit, minScore, monday, nextMonday })) {
    for (const candidate of candidates) ranking.add({ ...candidate, item_id: null })
    if (ranking.excludesScore(candidates.at(-1)!.relevance_score)) break
  }
  for await (const items of walkFetched(db, accountId, projectId, { since: monday, until: nextMonday, keepsSeen })) {
    const displaced = items.map(({ id, paper_id, relevance_score, ready_at, is_kept }) =>
      is_kept ? ranking.takePlace() : ranking.add({ item_id: id, paper_id, relevance_score, found_at: ready_at }))
    const leaving = displaced.flatMap(paper => paper === undefined || paper.item_id === null ? [] : [paper])
    if (leaving.length > 0) yield await withTitles(db, leaving)
  }
  const entering = ranking.papers.filter(({ item_id }) => item_id === null)
  if (entering.length > 0) yield await withTitles(db, entering)
}

/** A fetched item or, without `item_id`, a candidate that competes for a place of its week. */
interface Competitor { item_id: string | null, paper_id: string, relevance_score: number, found_at: Date }

const inOrderOfPlaces = (a: Competitor, b: Competitor): number =>
  b.relevance_score - a.relevance_score ||
  Number(a.item_id === null) - Number(b.item_id === null) ||
  a.found_at.getTime() - b.found_at.getTime() ||
  (a.paper_id < b.paper_id ? -1 : 1)

/** The best of the competitors so far. */
class Ranking {
  readonly papers: Competitor[] = []
  #places: number

  constructor (places: number) {
    this.#places = places
  }

  /** @returns the one that has no place now */
  add (paper: Competitor): Competitor | undefined {
    let [from, to] = [0, this.papers.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (inOrderOfPlaces(this.papers[middle]!, paper) < 0) from = middle + 1
      else to = middle
    }
    if (from >= this.#places) return paper
    this.papers.splice(from, 0, paper)
    return this.#removeExcess()
  }

  /** Gives a place to a paper that does not compete. @returns the one that has no place now */
  takePlace (): Competitor | undefined {
    this.#places--
    return this.#removeExcess()
  }

  /** Whether no paper of a lower score than this has a place. */
  excludesScore (score: number): boolean {
    return this.papers.length >= this.#places && (this.papers.at(-1)?.relevance_score ?? Infinity) > score
  }

  #removeExcess (): Competitor | undefined {
    return this.papers.length > this.#places ? this.papers.pop() : undefined
  }
}

/** The best first. */
async function withTitles (db: Db, papers: readonly Competitor[]): Promise<MovingPaper[]> {
  const ids = papers.map(({ paper_id }) => paper_id)
  const rows = await db.selectFrom('paper').select(['id', 'title']).where('id', '=', anyUuid(ids)).execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return papers
    .map(({ item_id, paper_id, relevance_score }) => ({ item_id, paper_id, title: titles.get(paper_id) ?? '', relevance_score }))
    .sort((a, b) => b.relevance_score - a.relevance_score || (a.paper_id < b.paper_id ? -1 : 1))
}

interface Week { limit: number, minScore: number, monday: Date, nextMonday: Date }

/** The candidates of a week with a minimum score, the best first, at least as many as its limit. */
async function * walkBestCandidates (db: Db, accountId: string, projectId: string, week: Week) {
  let count = 0
  for await (const candidates of walkScoredCandidates(db, accountId, projectId, week)) {
    count += candidates.length
    yield candidates
  }
  // The index of scores lacks these. The statement skips those with scores, which are fewer than the limit.
  if (week.minScore > 0 || count >= week.limit) return
  const unscored = await listUnscoredCandidates(db, accountId, projectId, week)
  if (unscored.length > 0) yield unscored
}

/** By the index that has their order. */
const walkScoredCandidates = (db: Db, accountId: string, projectId: string, { minScore, monday, nextMonday }: Week) =>
  walkInIndexOrder(db, async (transaction, last: { relevance_score: number, paper_id: string } | undefined) => {
    const conditions = last === undefined
      ? [sql`true`]
      : [sql`(relevance_score = ${last.relevance_score} and paper_id > ${last.paper_id})`, sql`relevance_score < ${last.relevance_score}`]
    const ranges = conditions.map(range => sql`(
      select paper_id, relevance_score, found_at from candidate
      where project_id = ${projectId} and date_trunc('week', found_at at time zone 'UTC') = ${monday}::timestamptz at time zone 'UTC'
        and found_at >= ${monday} and found_at < ${nextMonday} and relevance_score >= ${minScore} and relevance_score > 0
        and ${isOwnProject(accountId, projectId)} and ${range}
      order by relevance_score desc, paper_id limit ${sql.lit(rowsPerStatement)})`)
    const { rows } = await sql<Omit<Competitor, 'item_id'>>`
      select * from (${sql.join(ranges, sql` union all `)}) ranges
      order by relevance_score desc, paper_id limit ${sql.lit(rowsPerStatement)}`.execute(transaction)
    return rows
  })

const listUnscoredCandidates = (db: Db, accountId: string, projectId: string, { limit, minScore, monday, nextMonday }: Week) =>
  readInIndexOrder(db, transaction => transaction
    .selectFrom('candidate')
    .select(['paper_id', 'relevance_score', 'found_at'])
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('found_at', '>=', monday)
    .where('found_at', '<', nextMonday)
    .where('relevance_score', '<=', 0)
    .where('relevance_score', '>=', minScore)
    .orderBy('found_at')
    .orderBy('paper_id')
    .limit(limit)
    .execute())

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
export const findFirstUnselected = (db: Db, accountId: string, projectId: string): Promise<Date | null> =>
  readInIndexOrder(db, async transaction => {
    const lastFetched = sql<Date>`(select coalesce(last_fetched_at, '-infinity') from project
      where id = ${projectId} and account_id = ${accountId})`
    const first = await transaction
      .selectFrom('candidate')
      .select('found_at')
      .where('project_id', '=', projectId)
      .where('found_at', '>', lastFetched)
      .orderBy('found_at')
      .limit(1)
      .executeTakeFirst()
    return first?.found_at ?? null
  })

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
