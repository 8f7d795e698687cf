import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { rangesAfter, sliceOrderOf } from './sort-keys.js'

/** Items that one statement reads at most, so that others run in between. */
const itemsPerStatement = 2000
/** Projects whose newest items are read together. Few projects have more tagged items than are read of each. */
const projectsPerStatement = 50
const newestItems = itemsPerStatement / projectsPerStatement

/** The tags of an item with their keys. */
export interface TaggedItem { project_id: string, ready_at: Date, id: string, tags: string[], tag_keys: string[] }

/** The tagged items of the account's feeds, newest first in each. @param projectIds null: of all projects */
export async function * walkTagged (db: Db, accountId: string, projectIds: ProjectIds): AsyncGenerator<TaggedItem[], void> {
  const projects = await db.selectFrom('project').select('id').where('account_id', '=', accountId).where(isVisibleToKey(projectIds))
    .orderBy('id').execute()
  for (let at = 0; at < projects.length; at += projectsPerStatement) {
    const newest = await listNewest(db, projects.slice(at, at + projectsPerStatement).map(({ id }) => id))
    yield newest
    for (const last of newest.filter(({ place }) => place === newestItems)) yield * walkAfter(db, last)
  }
}

/** A few items of each project, with their place in it. */
const listNewest = (db: Db, projectIds: readonly string[]): Promise<Array<TaggedItem & { place: number }>> =>
  readInIndexOrder(db, async transaction => {
    const { rows } = await sql<TaggedItem & { place: number }>`
      select item.*, (row_number() over (partition by project_id order by ready_at desc, id))::integer as place
      from unnest(${projectIds}::uuid[]) as listed (listed_id)
      cross join lateral (${readItems(sql`listed.listed_id`, sql<SqlBool>`true`, newestItems)}) item`.execute(transaction)
    return rows
  })

const walkAfter = (db: Db, item: TaggedItem) =>
  walkInIndexOrder(db, async (transaction, last: TaggedItem = item) => {
    const ranges = rangesAfter(sliceOrderOf('newest'), { keys: [last.ready_at], id: last.id })
      .map(range => sql`(${readItems(sql`${item.project_id}::uuid`, range, itemsPerStatement)})`)
    const { rows } = await sql<TaggedItem>`
      select * from (${sql.join(ranges, sql` union all `)}) ranges
      order by ready_at desc, id limit ${sql.lit(itemsPerStatement)}`.execute(transaction)
    return rows
  })

const readItems = (projectId: RawBuilder<unknown>, range: RawBuilder<SqlBool>, count: number) => sql`
  select project_id, ready_at, id, tags, tag_keys from project_paper
  where project_id = ${projectId} and tags <> '{}' and ${range}
  order by ready_at desc, id limit ${sql.lit(count)}`
