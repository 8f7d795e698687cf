import { type Expression, type ExpressionBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import { linkBits, type LinkFilter } from '../../schemas/relevance.js'
import type { PaperFilter } from '../../schemas/search-filter.js'
import type { SearchedIndex } from '../../schemas/search-index.js'
import type { Db } from '../connection.js'
import type { Database } from '../tables.js'
import { listSlices, orderOf, rowsPerSlice, type SliceOrder } from './feed-slices.js'
import { noticesFor } from './notices.js'
import { isOwnProject, isVisibleToKey } from './ownership.js'
import { paperConditions } from './paper-filter.js'
import { itemStateColumns, markdownReady, paperColumns } from './papers.js'
import { isIndexCurrent } from './search-index.js'
import { readSized, walkSized } from './sized-items.js'

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

/** Filters the items of a project's feed. */
export interface FeedFilter {
  projectId: string
  must_read?: boolean | undefined
  since?: Date | undefined
  /** Exclusive, so that periods that follow each other share no item. */
  until?: Date | undefined
  feedback?: FeedbackFilter | undefined
  /** Only items with a vote. */
  rated?: true
  seen?: boolean | undefined
  saved?: boolean | undefined
  tagKey?: string | undefined
  link?: LinkFilter | undefined
  /** Conditions on the papers' records. */
  papers?: PaperFilter | undefined
  /** Only these items. */
  items?: ItemList | undefined
  /** The feed as of this time: without later items, and as if later votes were not given and later items not seen. */
  asOf?: Date | undefined
}

/** Ids, separated by commas, and their number. */
export interface ItemList { ids: string, count: number }

/** Items that are looked up one by one; of more, a walk in the order of the list soon meets some. */
const maxLookups = 2000

const isListed = ({ ids, count }: ItemList) => {
  const array = sql`${`{${ids}}`}::uuid[]`
  // The database makes a hash table of a subquery that it cannot make a join of.
  return count <= maxLookups
    ? sql<SqlBool>`project_paper.id = any(${array})`
    : sql<SqlBool>`(project_paper.id in (select unnest(${array}))) is true`
}

/* Conditions of the partial indexes. */
const isSaved = sql<SqlBool>`project_paper.saved`
/** Whether an item has tags. */
const isTagged = sql<SqlBool>`project_paper.tags <> '{}'`
const hasTag = (key: string) => sql<SqlBool>`${isTagged} and project_paper.tag_keys @> array[${key}]`

/** Whether an item has links to papers or people. */
const isLinked = sql<SqlBool>`project_paper.links <> 0`
const allLinks = Object.values(linkBits).reduce<number>((all, bit) => all | bit, 0)
/** Lists the values that have the bit: the planner knows how frequent each is, and an index finds those of a rare one. */
const hasLink = (link: LinkFilter) => {
  const values = Array.from({ length: allLinks }, (_, at) => at + 1).filter(value => (value & linkBits[link]) !== 0)
  return sql<SqlBool>`${isLinked} and project_paper.links = any(${sql.lit(`{${values.join()}}`)})`
}

/** A filter as an SQL condition, for queries on `project_paper`. */
export function matching ({ projectId, ...filter }: FeedFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'project_paper'>()
  return eb.and([eb('project_paper.project_id', '=', projectId), filterCondition(filter)])
}

/** The same condition for items of any project; the caller limits the projects. */
export function filterCondition (filter: Omit<FeedFilter, 'projectId'>): Expression<SqlBool> {
  const { must_read, since, until, feedback = 'all', rated, seen, saved, tagKey, link, papers, items, asOf } = filter
  const eb = expressionBuilder<Database, 'project_paper'>()
  const conditions: Array<Expression<SqlBool>> = papers === undefined ? [] : paperConditions(papers)
  if (items !== undefined) conditions.push(isListed(items))
  if (must_read !== undefined) conditions.push(eb('project_paper.relevance_class', must_read ? '=' : '<>', 'must_read'))
  if (since !== undefined) conditions.push(eb('project_paper.ready_at', '>=', since))
  if (until !== undefined) conditions.push(eb('project_paper.ready_at', '<', until))
  if (asOf !== undefined) conditions.push(eb('project_paper.ready_at', '<=', asOf))
  if (rated === true) conditions.push(eb('project_paper.vote', 'is not', null))
  const condition = feedbackCondition[feedback](eb, asOf)
  if (condition !== undefined) conditions.push(condition)
  if (seen === true) conditions.push(eb('project_paper.seen_at', 'is not', null))
  if (seen === false) conditions.push(isMissing(eb, 'seen_at', asOf))
  // As in the partial indexes.
  if (saved !== undefined) conditions.push(saved ? isSaved : eb.not(isSaved))
  if (tagKey !== undefined) conditions.push(hasTag(tagKey))
  if (link !== undefined) conditions.push(hasLink(link))
  return eb.and(conditions)
}

type Items = ExpressionBuilder<Database, 'project_paper'>

/** Whether a time is missing, or later than the time of which a feed is read. */
const isMissing = (eb: Items, column: 'voted_at' | 'seen_at', asOf: Date | undefined) =>
  eb.or([eb(`project_paper.${column}`, 'is', null), ...(asOf === undefined ? [] : [eb(`project_paper.${column}`, '>', asOf)])])

/** The condition of each feedback filter. */
const feedbackCondition: Record<FeedbackFilter, (eb: Items, asOf?: Date) => ReturnType<Items['and']> | undefined> = {
  all: () => undefined,
  unrated: (eb, asOf) => isMissing(eb, 'voted_at', asOf),
  liked: eb => eb.and([eb('project_paper.vote', '=', 'upvote')]),
  disliked: eb => eb.and([eb('project_paper.vote', '=', 'downvote')]),
  starred: eb => eb.and([eb('project_paper.vote', '=', 'star')]),
  // Naming the vote as well lets the index of rated items answer.
  'not-relevant': eb => eb.and([eb('project_paper.vote', '=', 'downvote'), eb('project_paper.downvote_reason', '=', 'not_relevant')]),
  'low-quality': eb => eb.and([eb('project_paper.vote', '=', 'downvote'), eb('project_paper.downvote_reason', '=', 'low_quality')])
}

/** A page of a feed in an order: newest first, or highest score first. */
export interface FeedPage { limit: number, offset: number, order?: 'newest' | 'relevance' | undefined }

/** One page of the account's project, newest or best first, ties newest first, then by id; empty if the project is another account's. */
export const listFeed = (db: Db, accountId: string, filter: FeedFilter, { order = 'newest', ...page }: FeedPage) =>
  listPage(db, accountId, filter, { ...page, order })

/**
 * One page in an order. The subquery skips rows by the index alone; as an array, PostgreSQL does not plan it as a join. A deep page is
 * found slice by slice.
 */
async function listPage (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  { limit, offset, order }: { limit: number, offset: number, order: SliceOrder }
): Promise<ItemDetails[]> {
  const isDeep = offset + limit > rowsPerSlice
  const walk = { projectId: filter.projectId, order, part: walkedPart(filter, order), condition: matching(filter) }
  const ids = isDeep
    ? sql`${await listSlices(db, accountId, walk, { limit, offset })}::uuid[]`
    : sql`array(${
      db
        .selectFrom('project_paper')
        .select('project_paper.id')
        .where(isOwnProject(accountId, filter.projectId))
        .where(matching(filter))
        .orderBy(orderOf(order))
        .limit(limit)
        .offset(offset)
    })`
  return await readSized(ids, sql<SqlBool>`true`, page =>
    selectItemsFor(db, accountId).innerJoin(page, 'page.id', 'project_paper.id').select('page.further').orderBy('page.place').execute())
}

/** The part of a feed that an index has in an order, and that contains every item that a filter admits. */
export function walkedPart ({ must_read, since, until, saved, tagKey, link, asOf }: FeedFilter, order: SliceOrder): Expression<SqlBool> {
  if (order === 'voted') return sql<SqlBool>`project_paper.vote is not null`
  if (order === 'relevance') return must_read === true ? sql<SqlBool>`relevance_class = 'must_read'` : sql<SqlBool>`true`
  const eb = expressionBuilder<Database, 'project_paper'>()
  const marked = tagKey !== undefined ? isTagged : link !== undefined ? isLinked : saved === true ? isSaved : undefined
  const inPeriod = filterCondition({ since, until, asOf })
  return marked === undefined ? inPeriod : eb.and([inPeriod, marked])
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
