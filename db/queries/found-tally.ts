import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { firstId } from './id-range.js'
import { isPaperAfter, preferIndexOrder, readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'
import { retryConflicts } from './retry.js'
import type { DecisionPeriod, UnlistedPapers } from './snapshot-decisions.js'

/** Rows of a project that one transaction looks at. */
const batchSize = 500
/** Projects that one transaction looks at, and the papers of each that it passes. */
const [projectBatchSize, passedPapers] = [20, 5000]

/** Papers outside the feed of a project. */
interface Bounds {
  /** Papers with a row of their own that are neither in the feed nor candidates. */
  maxUnlisted: number
  maxCandidates: number
}

/** Service-wide, for maintenance: the projects that found more papers than their feeds and these bounds have room for. */
export async function listProjectsToTally (db: Db, { maxUnlisted, maxCandidates }: Bounds): Promise<string[]> {
  const full: string[] = []
  const room = sql<number>`(${maxUnlisted + maxCandidates}::integer + (
    select greatest(coalesce(sum(change), 0), 0) from feed_tally where project_id = project.id and measure = 'class'))::integer`
  const pages = walkInIndexOrder(db, (transaction, last: { id: string } | undefined) =>
    transaction.selectFrom('project').select('id').orderBy('id').where('id', '>', last?.id ?? firstId).limit(projectBatchSize)
      .select(room.as('room'))
      .select(sql<string | null>`(
        select paper_id from found_paper where ${isPaperAfter('found_paper', sql`project.id`, firstId)} order by project_id, paper_id
        offset least(${room}, ${sql.lit(passedPapers)}) limit 1)`.as('next'))
      .execute())
  for await (const projects of pages) {
    for (let { id, room, next } of projects) {
      for (room -= passedPapers; next !== null && room > 0; room -= passedPapers) {
        next = await findPaperAfter(db, id, next, Math.min(room, passedPapers))
      }
      if (next !== null) full.push(id)
    }
  }
  return full
}

/** The paper that a project found, some papers after another one in the order of ids; null if there are not so many. */
const findPaperAfter = (db: Db, projectId: string, paperId: string, count: number): Promise<string | null> =>
  readInIndexOrder(db, async transaction => {
    const row = await transaction.selectFrom('found_paper').select('paper_id')
      .where(isPaperAfter('found_paper', sql`${projectId}::uuid`, paperId)).orderBy('project_id').orderBy('paper_id')
      .offset(count - 1).limit(1).executeTakeFirst()
    return row?.paper_id ?? null
  })

/** Papers that only fetches found, and that are neither in the feed nor among the candidates, as a condition on `found_paper`. */
const isUnlisted = sql<boolean>`(fetched_sources <> '{}' and imports = '{}'
  and not exists (select from project_paper item where item.project_id = found_paper.project_id and item.paper_id = found_paper.paper_id)
  and not exists (select from candidate where candidate.project_id = found_paper.project_id and candidate.paper_id = found_paper.paper_id))`

/**
 * Service-wide, for maintenance: counts the papers that a project found earliest, and that are neither in its feed nor candidates, by day
 * and sources in place of a row for each. Leaves nine tenths of `maxUnlisted`, so that this is seldom.
 */
export async function tallyFoundPapers (db: Db, projectId: string, { maxUnlisted }: Pick<Bounds, 'maxUnlisted'>): Promise<void> {
  // Without a comparison, which would take a tenth of a second for all of them.
  const times = Float64Array.from(await listUnlistedTimes(db, projectId)).sort()
  const through = times.at(-1 - Math.floor(0.9 * maxUnlisted))
  if (through === undefined) return
  for (let last: string | null = firstId; last !== null;) {
    last = await tallyBatch(db, { projectId, after: last, through: new Date(through) })
  }
}

/** When the papers were found that can be tallied, in milliseconds since 1970. */
async function listUnlistedTimes (db: Db, projectId: string): Promise<number[]> {
  const all: number[] = []
  for (let last: string | null = firstId; last !== null;) {
    const after: string = last
    const { rows: [batch] } = await readInIndexOrder(db, transaction => sql<{ last: string | null, times: number[] }>`
      with page as materialized (${pageAfter(projectId, after)})
      select (select paper_id from page order by paper_id desc limit 1) as last, array(
        select (extract(epoch from found_at) * 1000)::float8 from page as found_paper where ${isUnlisted}) as times`.execute(transaction))
    for (const time of batch!.times) all.push(time)
    last = batch!.last
  }
  return all
}

const pageAfter = (projectId: string, after: string) => sql`
  select * from found_paper where ${isPaperAfter('found_paper', sql`${projectId}::uuid`, after)}
  order by project_id, paper_id limit ${sql.lit(batchSize)}`

interface Batch { projectId: string, after: string, through: Date }

/** @returns the last paper of the batch; null if there is none */
const tallyBatch = (db: Db, { projectId, after, through }: Batch): Promise<string | null> =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    await preferIndexOrder(transaction)
    // Batches of fetches hold the project: none makes a paper a candidate while it is counted here.
    await transaction.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().execute()
    const { rows: [batch] } = await sql<{ last: string | null }>`
      with page as materialized (${pageAfter(projectId, after)}), tallied as (
        delete from found_paper where project_id = ${projectId}::uuid and paper_id = any(array(select paper_id from page))
          and found_at <= ${through} and ${isUnlisted}
        returning (found_at at time zone 'UTC')::date as day, sources
      ), counted as (
        insert into found_tally (project_id, day, sources, papers)
        select ${projectId}::uuid, day, sources, count(*) from tallied group by day, sources
        on conflict (project_id, day, sources) do update set papers = found_tally.papers + excluded.papers
      )
      select (select paper_id from page order by paper_id desc limit 1) as last`.execute(transaction)
    return batch!.last
  }))

/** Papers of a period of the account's project of which only the number is left, by sources. They were found when their day began. */
export async function listTalliedPapers (
  db: Db,
  accountId: string,
  { projectId, since, until }: DecisionPeriod
): Promise<UnlistedPapers[]> {
  const beginning = sql`(day::timestamp at time zone 'UTC')`
  const { rows } = await sql<UnlistedPapers>`
    select sources, sum(papers)::integer as records from found_tally
    where project_id = ${projectId}::uuid and ${isOwnProject(accountId, projectId)} and ${beginning} < ${until}::timestamptz
      ${since === null ? sql`` : sql`and ${beginning} >= ${since}::timestamptz`}
    group by sources order by sources`.execute(db)
  return rows
}
