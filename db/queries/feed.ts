import { type SqlBool, sql } from 'kysely'
import type { SearchedIndex } from '../../schemas/search-index.js'
import type { Db } from '../connection.js'
import { type FeedFilter, matching } from './feed-filter.js'
import { listIds } from './feed-listing.js'
import { noticesFor } from './notices.js'
import { isVisibleToKey } from './ownership.js'
import { itemStateColumns, markdownReady, paperColumns } from './papers.js'
import { isIndexCurrent } from './search-index.js'
import { readSized, walkSized } from './sized-items.js'
import type { SliceOrder } from './sort-keys.js'

const itemColumns = [
  'project_paper.id as item_id',
  'project_paper.short_id as item_short_id',
  'project_paper.project_id',
  'project_paper.summary',
  'project_paper.summary_origin',
  'project_paper.relevance_score',
  'project_paper.relevance_class',
  'project_paper.matching_details',
  'project_paper.personalized_note',
  'project_paper.ready_at',
  ...itemStateColumns,
  'project_paper.note'
] as const

/** Feed items with their papers, for the account; the caller limits them to its projects. */
export const selectItemsFor = (db: Db, accountId: string) =>
  db
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(itemColumns)
    .select(paperColumns)
    .select(markdownReady(sql`${accountId}::uuid`).as('markdown_ready'))
    .select(noticesFor(accountId).as('notices'))

/** Feed items of the account's projects, with their papers. */
export const selectItems = (db: Db, accountId: string) =>
  selectItemsFor(db, accountId).innerJoin('project', 'project.id', 'project_paper.project_id').where('project.account_id', '=', accountId)

/** A feed item with its paper. */
export type ItemDetails = Awaited<ReturnType<ReturnType<typeof selectItemsFor>['execute']>>[number]

/** A page of a feed in an order: newest first, or highest score first. */
export interface FeedPage { limit: number, offset: number, order?: 'newest' | 'relevance' | undefined }

/** One page of the account's project, newest or best first, ties newest first, then by id; empty if the project is another account's. */
export const listFeed = (db: Db, accountId: string, filter: FeedFilter, { order = 'newest', ...page }: FeedPage) =>
  listPage(db, accountId, filter, { ...page, order })

/** One page in an order. */
async function listPage (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  { limit, offset, order }: { limit: number, offset: number, order: SliceOrder }
): Promise<ItemDetails[]> {
  const ids = sql`${await listIds(db, accountId, filter, order, { limit, offset })}::uuid[]`
  return await readSized(ids, sql<SqlBool>`true`, page =>
    selectItemsFor(db, accountId).innerJoin(page, 'page.id', 'project_paper.id').select('page.further').orderBy('page.place').execute())
}

/** One item of the account's feeds. */
export const findItem = (db: Db, accountId: string, itemId: string) =>
  selectItems(db, accountId).where('project_paper.id', '=', itemId).executeTakeFirst()

/** How items of known ids are listed. */
export interface ItemOptions {
  filter?: FeedFilter | { projectIds: readonly string[] } | undefined
  /** Adds to each whether this index of a search is current. */
  index?: SearchedIndex | undefined
}

type ListedItem = ItemDetails & { is_current?: boolean }

/** These items of the account's feeds, in the order of `itemIds`, without those that no longer exist or do not pass the filter. */
export async function listItems (db: Db, accountId: string, itemIds: readonly string[], options: ItemOptions = {}): Promise<ListedItem[]> {
  const items: ListedItem[] = []
  for await (const batch of walkItems(db, accountId, itemIds, options)) items.push(...batch)
  return items
}

/** The same items, about a megabyte at a time. */
export async function * walkItems (
  db: Db,
  accountId: string,
  itemIds: readonly string[],
  { filter, index }: ItemOptions = {}
): AsyncGenerator<ListedItem[], void> {
  if (itemIds.length === 0) return
  const isOwn = sql<SqlBool>`exists (
    select from project as own_project where own_project.id = project_paper.project_id and own_project.account_id = ${accountId}::uuid)`
  const passes = filter === undefined
    ? sql<SqlBool>`true`
    : 'projectIds' in filter ? isVisibleToKey(filter.projectIds, 'project_paper.project_id') : matching(filter)
  yield * walkSized(sql`${[...itemIds]}::uuid[]`, sql<SqlBool>`${isOwn} and ${passes}`, page =>
    selectItems(db, accountId).innerJoin(page, 'page.id', 'project_paper.id').select('page.further')
      .$if(index !== undefined, query => query.select(isIndexCurrent(index!).as('is_current')))
      .orderBy('page.place').execute())
}

/** One page of the account's rated items, last vote first, ties by id. */
export const listRated = (db: Db, accountId: string, filter: FeedFilter, { limit, offset }: { limit: number, offset: number }) =>
  listPage(db, accountId, { ...filter, rated: true }, { limit, offset, order: 'voted' })

/**
 * Before authentication: a project with its account and the version of the token that its Atom feed needs; undefined also if the account is
 * disabled.
 */
export const findAtomProject = (db: Db, projectId: string) =>
  db
    .selectFrom('project')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select([
      'project.id',
      'project.name',
      'project.interest_description',
      'project.updated_at',
      'account.id as account_id',
      'account.feed_token_version'
    ])
    .where('project.id', '=', projectId)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
