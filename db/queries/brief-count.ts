import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { type BriefReader, type BriefStep, ownProjects, readerId } from './brief-scan.js'
import { firstId } from './id-range.js'

/* How many items of its feeds a reader has acknowledged. The position also holds an unfinished count, which any call continues. */

/** Feeds that one step counts. */
const countedFeeds = 50

/** Continues the count in some of the feeds where it is unknown. An item that leaves or returns to a feed restarts its count. */
export async function countAcknowledged (db: Db, accountId: string, reader: BriefReader, step: BriefStep): Promise<void> {
  await sql`
    with start as materialized (
      select position.project_id, coalesce(position.counted_through, ${firstId}) as last_paper_id,
        coalesce(-1 - position.acknowledged, 0) as items
      from brief_position as position
      where position.reader = ${readerId(accountId, reader.consumer)} and position.project_id in (${ownProjects(accountId, reader)})
        and (position.acknowledged is null or position.acknowledged < 0)
      limit ${sql.lit(countedFeeds)}
    ), size as materialized (
      select greatest(${sql.lit(step.items)} / greatest(count(*), 1), ${sql.lit(step.itemsOfFeed)}) as items from start
    ), counted as materialized (
      select start.project_id, slice.last_paper_id, start.items + slice.items as items, slice.read < size.items as is_finished
      from size cross join start cross join lateral (
        select count(*)::integer as read, count(project_paper.id)::integer as items,
          (array_agg(acknowledged.paper_id order by acknowledged.paper_id desc))[1] as last_paper_id
        from (
          select distinct brief_item.paper_id from brief_item
          where brief_item.reader = ${readerId(accountId, reader.consumer)} and brief_item.project_id = start.project_id
            and brief_item.paper_id > start.last_paper_id
          order by brief_item.paper_id limit size.items
        ) as acknowledged
        left join project_paper on project_paper.project_id = start.project_id and project_paper.paper_id = acknowledged.paper_id
      ) as slice
    )
    update brief_position set acknowledged = case when counted.is_finished then counted.items else -1 - counted.items end,
      counted_through = case when counted.is_finished then null else counted.last_paper_id end
    from counted
    where brief_position.reader = ${readerId(accountId, reader.consumer)} and brief_position.project_id = counted.project_id`.execute(db)
}

/** Items of the feeds, by their tally, that the consumer has not acknowledged. @returns undefined: some feeds are not counted */
export async function countOutstanding (db: Db, accountId: string, reader: BriefReader): Promise<number | undefined> {
  const { rows: [row] } = await sql<{ items: number, acknowledged: number, is_counted: boolean }>`
    select (
      select coalesce(sum(change), 0) from feed_tally where measure = 'class' and project_id in (${ownProjects(accountId, reader)})
    ) as items, coalesce(sum(acknowledged), 0) as acknowledged, coalesce(bool_and(coalesce(acknowledged, -1) >= 0), true) as is_counted
    from brief_position
    where reader = ${readerId(accountId, reader.consumer)} and project_id in (${ownProjects(accountId, reader)})`.execute(db)
  return row!.is_counted ? Number(row!.items) - Number(row!.acknowledged) : undefined
}
