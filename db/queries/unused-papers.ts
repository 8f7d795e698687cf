import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { deleteBatches } from './delete-batches.js'
import { firstId, lastId } from './id-range.js'
import { lockSharedPapers } from './import.js'
import { preferIndexOrder, readInIndexOrder } from './index-order.js'
import { retryConflicts } from './retry.js'

/** Papers that one transaction looks at: each in the indexes of all tables that refer to papers. */
const batchSize = 200
/** Full texts that one transaction deletes: each can have megabytes. */
const textBatchSize = 50

/** Tables whose rows use a paper. Rows of other tables describe it and go with it, except full texts that belong to an account. */
export const usingTables = [
  'project_paper', 'candidate', 'found_paper', 'brief_item', 'alert_item', 'zotero_item', 'job', 'pdf_upload'
] as const

const uses = [
  ...usingTables.map(table => sql`select from ${sql.table(table)} used where used.paper_id = paper.id`),
  sql`select from markdown where markdown.paper_id = paper.id and markdown.account_id is not null`
]
const isUnused = sql<boolean>`(${sql.join(uses.map(use => sql`not exists (${use})`), sql` and `)})`

/** A walk through the papers in the order of their ids. */
interface Walk {
  /** Papers that have changed since are kept. */
  before: Date
  /** Where it begins. It continues at the first id after the last. */
  after: string
  /** Papers that it looks at, about. */
  maxPapers: number
}

/**
 * Service-wide, for maintenance: deletes shared papers that nothing uses, such as those that were found for projects which are deleted.
 * @returns where the next walk begins
 */
export async function deleteUnusedSharedPapers (db: Db, { before, after, maxPapers }: Walk): Promise<string> {
  let left = maxPapers
  for (const [from, through] of [[after, lastId], [firstId, after]] as const) {
    for (let last: string = from; ; left -= batchSize) {
      if (left <= 0) return last
      const batch = await readBatch(db, { before, after: last, through })
      if (batch.last === null) break
      if (batch.unused.length > 0) await deleteIfUnused(db, batch.unused, before)
      last = batch.last
    }
  }
  return after
}

/** Finds the unused ones among the next papers. */
const readBatch = (db: Db, { before, after, through }: { before: Date, after: string, through: string }) =>
  readInIndexOrder(db, async transaction => {
    const { rows: [batch] } = await sql<{ last: string | null, unused: string[] }>`
      with batch as materialized (
        select id, account_id, updated_at from paper where id > ${after}::uuid and id <= ${through}::uuid
        order by id limit ${sql.lit(batchSize)}
      )
      select (select id from batch order by id desc limit 1) as last, array(
        select id::text from batch as paper where account_id is null and updated_at < ${before} and ${isUnused}
      ) as unused`.execute(transaction)
    return batch!
  })

async function deleteIfUnused (db: Db, ids: readonly string[], before: Date): Promise<void> {
  await deleteBatches(db, 'markdown', sql`account_id is null and paper_id = ${anyUuid(ids)}`, textBatchSize)
  await retryConflicts(() => db.transaction().execute(async transaction => {
    // Batches of fetches match, merge and link shared papers.
    await lockSharedPapers(transaction)
    await preferIndexOrder(transaction)
    // A paper that another transaction holds is coming into use.
    const papers = await transaction.selectFrom('paper').select('id').where('id', '=', anyUuid(ids)).where('account_id', 'is', null)
      .orderBy('id').forUpdate().skipLocked().execute()
    // A statement of its own, since it must see everything that was added until the papers were locked.
    await transaction.deleteFrom('paper').where('id', '=', anyUuid(papers.map(({ id }) => id)))
      .where('updated_at', '<', before).where(isUnused).execute()
  }))
}
