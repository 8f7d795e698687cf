import { type SqlBool, sql } from 'kysely'
import type { SearchedIndex } from '../../schemas/search-index.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { type FeedFilter, matching } from './feed-filter.js'
import { listIds } from './feed-listing.js'
import { noticesFor } from './notices.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { type Extract, extractColumns, itemStateColumns, markdownReady, paperColumns } from './papers.js'
import { isIndexCurrent } from './search-index.js'
import { collectBatches, givenItems, type SizedItems, walkSized } from './sized-items.js'
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

/** The columns of an extract as those of a paper, which have the same types. */
const recordColumns = (extract: Extract | undefined) =>
  extract === undefined ? paperColumns : extractColumns(extract) as unknown as typeof paperColumns

/** How feed items are read. */
interface ReadOptions {
  /** What is read of each paper; default: all. */
  extract?: Extract | undefined
  /** The projects that a key can see, whose notices the papers have; default, and null: all. */
  visibleProjectIds?: ProjectIds | undefined
}

/** Feed items with their papers, for the account; the caller limits them to its projects. */
const selectItemsFor = (db: Db, accountId: string, { extract, visibleProjectIds }: ReadOptions = {}) =>
  db
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(itemColumns)
    .select(recordColumns(extract))
    .select(markdownReady(sql`${accountId}::uuid`).as('markdown_ready'))
    .select(noticesFor(accountId, visibleProjectIds).as('notices'))

/** Feed items of the account's projects, with their papers. */
export const selectItems = (db: Db, accountId: string, options?: ReadOptions) =>
  selectItemsFor(db, accountId, options).innerJoin('project', 'project.id', 'project_paper.project_id')
    .where('project.account_id', '=', accountId)

/** A feed item with its paper. Of an extract, with the number of all authors. */
export type ItemDetails = Awaited<ReturnType<ReturnType<typeof selectItemsFor>['execute']>>[number] & { author_count?: number }

/** A page of a feed in an order: newest first, or highest score first. */
export interface FeedPage extends ReadOptions { limit: number, offset: number, order?: 'newest' | 'relevance' | undefined }

/** One page of the account's project, newest or best first, ties newest first, then by id; empty if the project is another account's. */
export const listFeed = (db: Db, accountId: string, filter: FeedFilter, page: FeedPage): Promise<ItemDetails[]> =>
  collectBatches(walkFeedPage(db, accountId, filter, page))

/** The same page, about a megabyte at a time. */
export const walkFeedPage = (db: Db, accountId: string, filter: FeedFilter, { order = 'newest', ...page }: FeedPage) =>
  walkPage(db, accountId, filter, { ...page, order })

/** One page in an order, about a megabyte at a time; extracts at once. */
async function * walkPage (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  { limit, offset, order, ...options }: ReadOptions & { limit: number, offset: number, order: SliceOrder }
): AsyncGenerator<ItemDetails[], void> {
  const ids = await listIds(db, accountId, filter, order, { limit, offset })
  if (ids.length === 0) return
  const read = (page: SizedItems) => selectItemsFor(db, accountId, options)
    .innerJoin(page, 'page.id', 'project_paper.id').select('page.further').orderBy('page.place').execute()
  if (options.extract === undefined) yield * walkSized(sql`${ids}::uuid[]`, sql<SqlBool>`true`, read)
  else yield await read(givenItems(ids))
}

/** One item of the account's feeds. */
export const findItem = (db: Db, accountId: string, itemId: string, visibleProjectIds: ProjectIds = null) =>
  selectItems(db, accountId, { visibleProjectIds }).where('project_paper.id', '=', itemId).executeTakeFirst()

/** How items of known ids are listed. */
export interface ItemOptions extends ReadOptions {
  filter?: FeedFilter | { projectIds: readonly string[] } | undefined
  /** Adds to each whether this index of a search is current. */
  index?: SearchedIndex | undefined
}

type ListedItem = ItemDetails & { is_current?: boolean }

/** The papers of items of the account's feeds, by the ids of the items. */
export async function findPaperIds (db: Db, accountId: string, itemIds: readonly string[]): Promise<Map<string, string>> {
  const items = await db.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id')
    .select(['project_paper.id', 'project_paper.paper_id'])
    .where('project.account_id', '=', accountId).where('project_paper.id', '=', anyUuid(itemIds)).execute()
  return new Map(items.map(({ id, paper_id }) => [id, paper_id]))
}

/** These items of the account's feeds, in the order of `itemIds`, without those that no longer exist or do not pass the filter. */
export const listItems = (db: Db, accountId: string, itemIds: readonly string[], options: ItemOptions = {}): Promise<ListedItem[]> =>
  collectBatches(walkItems(db, accountId, itemIds, options))

/** The same items, about a megabyte at a time; extracts at once. */
export async function * walkItems (
  db: Db,
  accountId: string,
  itemIds: readonly string[],
  { filter, index, ...options }: ItemOptions = {}
): AsyncGenerator<ListedItem[], void> {
  if (itemIds.length === 0) return
  const isOwn = sql<SqlBool>`exists (
    select from project as own_project where own_project.id = project_paper.project_id and own_project.account_id = ${accountId}::uuid)`
  const passes = filter === undefined
    ? sql<SqlBool>`true`
    : 'projectIds' in filter ? isVisibleToKey(filter.projectIds, 'project_paper.project_id') : matching(filter)
  const read = (page: SizedItems) =>
    selectItems(db, accountId, options).innerJoin(page, 'page.id', 'project_paper.id').select('page.further')
      .$if(options.extract !== undefined, query => query.where(passes))
      .$if(index !== undefined, query => query.select(isIndexCurrent(index!).as('is_current')))
      .orderBy('page.place').execute()
  if (options.extract === undefined) yield * walkSized(sql`${[...itemIds]}::uuid[]`, sql<SqlBool>`${isOwn} and ${passes}`, read)
  else yield await read(givenItems(itemIds))
}

/** One page of the account's rated items, last vote first, ties by id, about a megabyte at a time. */
export const walkRated = (db: Db, accountId: string, filter: FeedFilter, page: Omit<FeedPage, 'order'>) =>
  walkPage(db, accountId, { ...filter, rated: true }, { ...page, order: 'voted' })

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
