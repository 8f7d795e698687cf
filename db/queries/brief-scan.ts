import { type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { firstId } from './id-range.js'

/*
 * Where a reader's next brief begins in each feed, and what it has to read from there. Each function is a step of a transaction under the
 * lock of the account's briefs, and reads a bounded number of rows: what a reader has acknowledged can be all of a large feed.
 */

/** Reader of briefs, with its projects. */
export interface BriefReader {
  /** Each consumer of an account has its own acknowledgements. */
  consumer: string
  /** Only these projects' feeds. */
  projectIds: readonly string[]
  /** The projects of the reader's key; undefined: all of the account. */
  visibleProjectIds?: readonly string[] | undefined
}

/** A place in the order of a feed: best first, then newest first, then by id. */
interface Place { relevance_score: number, ready_at: Date, id: string }

/** What has been read of a feed. */
interface FeedScan {
  /** Outstanding items, as far as they are among the best of a step. */
  found: Place[]
  /** The first item that has not been read; undefined: none, or there is enough. */
  next: Place | undefined
}

/** What a call has read so far, by project. */
export type BriefScan = ReadonlyMap<string, FeedScan>

/** Items that one step reads of all feeds, and at least of each. */
export interface BriefStep { items: number, itemsOfFeed: number }
/** Feeds that one step reads. */
const scannedFeeds = 40
/** Feeds whose changes one step applies to the positions of all consumers: about a thousand rows. */
export const changedFeedBatch = 15

/** Identifies a consumer in the items that it has acknowledged. The migration that added them computes the same. */
export const readerId = (accountId: string, consumer: string) =>
  sql<string>`md5(${accountId}::uuid::text || ' ' || ${consumer}::text)::uuid`

/** The ids of the reader's projects, as a subquery. */
export const ownProjects = (accountId: string, { projectIds }: BriefReader) => sql`
  select project.id from project
  where project.account_id = ${accountId} and project.id = ${anyUuid(projectIds)}`

/** With a limit here and above, the planner looks each item up by the index, also when its statistics are old. */
export const isOutstanding = (accountId: string, { consumer }: BriefReader) => sql<SqlBool>`(
  select true from brief_item
  where brief_item.reader = ${readerId(accountId, consumer)}
    and brief_item.project_id = project_paper.project_id and brief_item.paper_id = project_paper.paper_id limit 1
) is null`

/**
 * Moves the positions of all readers up to the highest change of some feeds since the last brief. A change puts a position one microsecond
 * above the item, where no scan puts it: a scan that finds the position where it left it knows that nothing above has changed.
 * @returns the number of these feeds, `changedFeedBatch` at most
 */
export async function applyChanges (db: Db, accountId: string, reader: BriefReader): Promise<number> {
  const { rows: [applied] } = await sql<{ feeds: number }>`
    with changed as materialized (
      select own.id from (${ownProjects(accountId, reader)}) as own
      where exists (select from feed_change where feed_change.project_id = own.id) limit ${sql.lit(changedFeedBatch)}
    ), noted as (
      delete from feed_change where project_id = any(array(select id from changed)) returning project_id, relevance_score, ready_at
    ), highest as (
      select distinct on (project_id) project_id, relevance_score, ready_at + interval '1 microsecond' as ready_at from noted
      order by project_id, relevance_score desc, ready_at desc
    ), moved as (
      update brief_position set relevance_score = highest.relevance_score, ready_at = highest.ready_at,
        acknowledged = case when highest.relevance_score < 'infinity' then acknowledged end,
        counted_through = case when highest.relevance_score < 'infinity' then counted_through end
      from highest
      where brief_position.project_id = highest.project_id
        and (brief_position.relevance_score, brief_position.ready_at) < (highest.relevance_score, highest.ready_at)
    )
    select count(*)::integer as feeds from changed`.execute(db)
  return applied!.feeds
}

/**
 * Begins to read some feeds at the reader's positions; once all are begun, reads on in some that are not finished. Moves the positions of
 * feeds in which nothing is outstanding so far.
 */
export async function scanFeeds (db: Db, accountId: string, reader: BriefReader, { limit, step, scan = new Map() }: {
  limit: number
  step: BriefStep
  scan: BriefScan | undefined
}): Promise<BriefScan> {
  const unread = listUnread(scan, reader).slice(0, scannedFeeds)
  const unfinished = unread.length > 0 ? [] : listUnfinished(scan, limit).slice(0, scannedFeeds)
  const feeds = unread.length + unfinished.length
  if (feeds === 0) return scan
  const starts = unread.length > 0
    ? atPositions(accountId, { ...reader, projectIds: unread })
    : atPlaces(accountId, reader, unfinished)
  const maxItems = Math.max(Math.floor(step.items / feeds), step.itemsOfFeed)
  const [place, startPlace] = [sql`(project_paper.relevance_score, project_paper.ready_at)`, sql`(start.relevance_score, start.ready_at)`]
  const itemsFromStart = sql`
    project_paper where project_paper.project_id = start.project_id
      and ${place} <= ${startPlace} and (${place} < ${startPlace} or project_paper.id >= start.id)
    order by project_paper.relevance_score desc, project_paper.ready_at desc, project_paper.id`
  const { rows } = await sql<Place & { project_id: string, is_found: boolean }>`
    with start as materialized (${starts}), found as materialized (
      select start.project_id, item.id, item.relevance_score, item.ready_at from start cross join lateral (
        select project_paper.id, project_paper.relevance_score, project_paper.ready_at from (
          select project_paper.* from ${itemsFromStart} limit ${maxItems}
        ) as project_paper
        where ${isOutstanding(accountId, reader)}
        order by project_paper.relevance_score desc, project_paper.ready_at desc, project_paper.id limit ${limit}
      ) as item
    ), next as materialized (
      select start.project_id, item.id, item.relevance_score, item.ready_at from start cross join lateral (
        select project_paper.id, project_paper.relevance_score, project_paper.ready_at from ${itemsFromStart} limit 1 offset ${maxItems}
      ) as item
      where (select count(*) from found where found.project_id = start.project_id) < ${limit}
    ), best as (
      select distinct on (project_id) * from (select * from found union all select * from next) as read
      order by project_id, relevance_score desc, ready_at desc, id
    ), moved as (
      insert into brief_position (reader, project_id, relevance_score, ready_at)
      select ${readerId(accountId, reader.consumer)}, start.project_id, coalesce(best.relevance_score, '-infinity'),
        coalesce(best.ready_at, '-infinity')
      from start left join best on best.project_id = start.project_id where start.is_position
      on conflict (reader, project_id) do update set relevance_score = excluded.relevance_score, ready_at = excluded.ready_at
      where (brief_position.relevance_score, brief_position.ready_at) <> (excluded.relevance_score, excluded.ready_at)
    )
    (select *, true as is_found from found order by relevance_score desc, ready_at desc, id limit ${limit})
    union all select *, false from next`.execute(db)
  const read = new Map(scan)
  for (const projectId of unread) read.set(projectId, { found: [], next: undefined })
  for (const [projectId, { found }] of unfinished) read.set(projectId, { found, next: undefined })
  for (const { project_id: projectId, is_found: isFound, ...place } of rows) {
    const { found, next } = read.get(projectId)!
    // An item whose score fell since a step found it is found again at its new place.
    read.set(projectId, isFound ? { found: [...found.filter(({ id }) => id !== place.id), place], next } : { found, next: place })
  }
  return read
}

/** The best items of a scan. */
export const bestItems = (scan: BriefScan, limit: number): Place[] =>
  [...scan.values()].flatMap(({ found }) => found).sort(byPlace).slice(0, limit)

/** Whether feeds are left to begin, or to read on in. */
export const isUnfinished = (scan: BriefScan, reader: BriefReader, limit: number): boolean =>
  listUnread(scan, reader).length > 0 || listUnfinished(scan, limit).length > 0

/** The feeds that the scan has not begun. */
const listUnread = (scan: BriefScan, { projectIds }: BriefReader): string[] => [...new Set(projectIds)].filter(id => !scan.has(id))

/** The feeds whose next item ranks before the last of the best, the best of these items first: later feeds may drop out. */
function listUnfinished (scan: BriefScan, limit: number): Array<[string, FeedScan & { next: Place }]> {
  const last = bestItems(scan, limit)[limit - 1]
  const unfinished = [...scan].flatMap(([projectId, { found, next }]): Array<[string, FeedScan & { next: Place }]> =>
    next !== undefined && (last === undefined || byPlace(next, last) < 0) ? [[projectId, { found, next }]] : [])
  return unfinished.sort(([, one], [, other]) => byPlace(one.next, other.next))
}

const byPlace = (one: Place, other: Place): number =>
  other.relevance_score - one.relevance_score || other.ready_at.getTime() - one.ready_at.getTime() || (one.id < other.id ? -1 : 1)

/** Feeds of the reader from its positions. */
const atPositions = (accountId: string, reader: BriefReader) => sql`
  select own.id as project_id, coalesce(position.relevance_score, 'infinity') as relevance_score,
    coalesce(position.ready_at, 'infinity') as ready_at, ${firstId}::uuid as id, true as is_position
  from (${ownProjects(accountId, reader)}) as own left join brief_position as position
    on position.project_id = own.id and position.reader = ${readerId(accountId, reader.consumer)}`

/** These feeds from their next items. What another call has found changed before such an item, or read beyond it, keeps the position. */
const atPlaces = (accountId: string, reader: BriefReader, feeds: ReadonlyArray<[string, FeedScan & { next: Place }]>) => {
  const scans = feeds.map(([, scan]) => scan)
  return sql`
    select start.project_id, start.relevance_score, start.ready_at, start.id, not start.has_items and exists (
      select from brief_position as position
      where position.reader = ${readerId(accountId, reader.consumer)} and position.project_id = start.project_id
        and (position.relevance_score, position.ready_at) = (start.relevance_score, start.ready_at)
    ) as is_position
    from unnest(
      ${feeds.map(([projectId]) => projectId)}::uuid[], ${scans.map(({ next }) => next.relevance_score)}::float8[],
      ${scans.map(({ next }) => next.ready_at.toISOString())}::timestamptz[], ${scans.map(({ next }) => next.id)}::uuid[],
      ${scans.map(({ found }) => found.length > 0)}::boolean[]
    ) as start (project_id, relevance_score, ready_at, id, has_items)
    where start.project_id in (${ownProjects(accountId, reader)})`
}
