import { type SqlBool, sql } from 'kysely'
import { tagKey } from '../../schemas/tags.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { type FeedFilter, matching } from './feed-filter.js'
import { isListedAfter, readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'
import { retryConflicts } from './retry.js'

/** Changes of the marks of an item. Undefined ones stay; tags are clean. */
export interface ItemStateChange {
  seen?: boolean | undefined
  saved?: boolean | undefined
  tags?: readonly string[] | undefined
  note?: string | null | undefined
}

/**
 * Sets marks of an item of the account's feeds. Repeating it changes nothing: an item that was seen keeps `seen_at`.
 * @throws RowNotFound if the item is missing or another account's
 */
export const setItemState = (db: Db, accountId: string, itemId: string, { seen, saved, tags, note }: ItemStateChange, now: Date) =>
  retryConflicts(() => db.updateTable('project_paper').set({
    ...(seen === undefined ? {} : { seen_at: seen ? sql<Date>`coalesce(seen_at, ${now})` : null }),
    ...(saved === undefined ? {} : { saved }),
    ...(tags === undefined ? {} : tagColumns(tags)),
    ...(note === undefined ? {} : { note })
  }).where('id', '=', itemId).where('project_id', 'in', projectsOf(db, accountId)).returning('id').executeTakeFirstOrThrow())

const projectsOf = (db: Db, accountId: string) => db.selectFrom('project').select('id').where('account_id', '=', accountId)
const tagColumns = (tags: readonly string[]) => ({ tags: [...tags], tag_keys: tags.map(tagKey) })

/** Tags, clean, and a note. */
export interface ItemTexts { tags: string[], note: string | null }

/**
 * Replaces tags and note of an item of the account's feeds by what follows from them. Nothing else changes them meanwhile.
 * @param amend may throw; gets the transaction
 * @throws RowNotFound if the item is missing or another account's
 */
export const amendItemTexts = <Texts extends ItemTexts>(
  db: Db,
  accountId: string,
  itemId: string,
  amend: (stored: ItemTexts, transaction: Db) => Promise<Texts>
): Promise<Texts> =>
    retryConflicts(() => db.transaction().execute(async transaction => {
      const stored = await transaction.selectFrom('project_paper').select(['tags', 'note']).where('id', '=', itemId)
        .where('project_id', 'in', projectsOf(transaction, accountId)).forUpdate().executeTakeFirstOrThrow()
      const amended = await amend(stored, transaction)
      const { tags, note } = amended
      await transaction.updateTable('project_paper').set({ ...tagColumns(tags), note }).where('id', '=', itemId).execute()
      return amended
    }))

/** Items that one transaction of `changeSeen` looks at, so that others run in between. */
const seenBatchSize = 300

/** Marks the matching items of the account's feed that were not seen, as seen at a time. @returns their number */
export const markSeen = (db: Db, accountId: string, filter: FeedFilter, seenAt: Date): Promise<number> =>
  changeSeen(db, accountId, { ...filter, asOf: seenAt }, { from: null, to: seenAt })

/** Takes back what `markSeen` did at a time. @returns the number of items */
export const unmarkSeen = (db: Db, accountId: string, filter: FeedFilter, seenAt: Date): Promise<number> =>
  changeSeen(db, accountId, filter, { from: seenAt, to: null })

/**
 * Changes `seen_at` of the matching items from one value to another, newest first, batch by batch. Visits an item once, so it ends also
 * beside calls that take it back. If the process ends, a repetition continues.
 * @returns the number of items
 */
async function changeSeen (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  { from, to }: { from: Date | null, to: Date | null }
): Promise<number> {
  const hasValue = from === null ? sql<SqlBool>`project_paper.seen_at is null` : sql<SqlBool>`project_paper.seen_at = ${from}`
  let changed = 0
  for (let last: { ready_at: Date, id: string } | undefined; ;) {
    const { items, numUpdatedRows } = await retryConflicts(() => readInIndexOrder(db, async transaction => {
      const items = await transaction
        .selectFrom('project_paper')
        .select(['project_paper.id', 'project_paper.ready_at'])
        .where(isOwnProject(accountId, filter.projectId))
        .where(matching(filter))
        .where(hasValue)
        .$if(last !== undefined, query => query.where(isListedAfter(last!)))
        .orderBy('project_paper.ready_at', 'desc')
        .orderBy('project_paper.id')
        .limit(seenBatchSize)
        .execute()
      const { numUpdatedRows } = await transaction
        .updateTable('project_paper')
        .set({ seen_at: to })
        .where(isOwnProject(accountId, filter.projectId))
        .where('project_paper.id', '=', anyUuid(items.map(({ id }) => id)))
        .where(hasValue)
        .executeTakeFirstOrThrow()
      return { items, numUpdatedRows }
    }))
    changed += Number(numUpdatedRows)
    if (items.length < seenBatchSize) return changed
    last = items.at(-1)!
  }
}

/** Whether an item has marks that its owner would lose with it, as an SQL condition on `project_paper`. */
export const isAnnotated = sql<boolean>`(project_paper.saved or project_paper.tags <> '{}' or project_paper.note is not null)`

/** Whether an item stays whatever its score, as its owner rated or annotated it, as an SQL condition on `project_paper`. */
export const isKept = sql<boolean>`(project_paper.vote is not null or ${isAnnotated})`

/**
 * Whether an alert or a brief of a project has a paper, as an SQL condition. @param paperId column. The offsets have its few entries looked
 * up paper by paper: the planner would read all those of the project.
 */
export const isDelivered = (projectId: string, paperId: 'project_paper.paper_id' | 'slice.paper_id') => sql<boolean>`(
  exists (
    select from (select alert_id from alert_item where alert_item.paper_id = ${sql.ref(paperId)} offset 0) as entry
    join alert on alert.id = entry.alert_id where alert.project_id = ${projectId}::uuid
  ) or exists (
    select from (select project_id from brief_item where brief_item.paper_id = ${sql.ref(paperId)} offset 0) as entry
    where entry.project_id = ${projectId}::uuid
  )
)`
