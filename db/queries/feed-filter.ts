import { type Expression, type ExpressionBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import { linkBits, type LinkFilter } from '../../schemas/relevance.js'
import type { PaperFilter } from '../../schemas/search-filter.js'
import type { Database } from '../tables.js'
import { entriesPerSlice, rowsPerSlice, type Walk } from './feed-slices.js'
import type { ProjectIds } from './ownership.js'
import { paperConditions } from './paper-filter.js'
import { type SliceOrder, utcDay } from './sort-keys.js'

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

/** Filters the items of all feeds. */
export type AllFeedsFilter = Omit<FeedFilter, 'projectId'>

/** Filters the items of the feeds that a key can see; null: all. */
export type FeedsFilter = AllFeedsFilter & { projectIds: ProjectIds }

/** Filters the items of these feeds. */
export type NamedFeedsFilter = AllFeedsFilter & { projectIds: readonly string[] }

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
export function filterCondition (filter: AllFeedsFilter): Expression<SqlBool> {
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

/**
 * Conditions that a filter implies and that an index other than those of the orders answers, if few items meet them: of years, and of what
 * people or scores marked, which is usually little of a feed.
 */
export function marksOf (
  { must_read, feedback = 'all', rated, seen, saved, tagKey, link, papers }: AllFeedsFilter
): Array<Expression<SqlBool>> {
  const { yearFrom, yearTo } = papers ?? {}
  const marks: AllFeedsFilter[] = [
    ...(tagKey === undefined ? [] : [{ tagKey }]),
    ...(link === undefined ? [] : [{ link }]),
    ...(rated === true ? [{ rated }] : []),
    ...(feedback === 'all' || feedback === 'unrated' ? [] : [{ feedback }]),
    ...(saved === true ? [{ saved }] : []),
    ...(must_read === true ? [{ must_read }] : []),
    ...(seen === true ? [{ seen }] : []),
    ...(yearFrom === undefined && yearTo === undefined ? [] : [{ papers: { yearFrom, yearTo } }])
  ]
  return marks.map(filterCondition)
}

/** Whether a filter admits every item. */
export const admitsAll = ({ feedback = 'all', papers = {}, ...others }: AllFeedsFilter): boolean =>
  feedback === 'all' && [...Object.values(papers), ...Object.values(others)].every(value => value === undefined)

/** How the items that a filter admits are found in an order of a feed, slice by slice. */
export function walkOf ({ projectId, ...filter }: FeedFilter, order: SliceOrder): Walk {
  const { must_read, saved, tagKey, link, papers: { yearFrom, yearTo, minScore, maxScore, ...papers } = {}, items, ...others } = filter
  const years = { papers: { yearFrom, yearTo } }
  const scores = { papers: { minScore, maxScore } }
  const unordered = { saved, tagKey, link, papers, items }
  const walk = (part: Expression<SqlBool>, checked: AllFeedsFilter, uncovered: AllFeedsFilter): Walk => ({
    projectId,
    order,
    part,
    condition: filterCondition(checked),
    rows: admitsAll(uncovered) ? entriesPerSlice : rowsPerSlice
  })
  const { since, until, asOf, ...states } = others
  const times = { since, until, asOf }
  switch (order) {
    case 'voted': {
      const isVoted = sql<SqlBool>`project_paper.vote is not null`
      return walk(isVoted, filter, { ...unordered, papers: filter.papers, seen: filter.seen })
    }
    case 'relevance': {
      const isScored = filterCondition(scores)
      const isUncovered = { ...unordered, papers: { ...papers, ...years.papers } }
      if (must_read !== true) return walk(isScored, filter, isUncovered)
      // The index of must-reads has no other columns.
      const eb = expressionBuilder<Database, 'project_paper'>()
      return walk(eb.and([isScored, filterCondition({ must_read })]), { ...filter, must_read: undefined }, { ...isUncovered, ...states })
    }
    case 'published': return walk(filterCondition(years), filter, { ...unordered, papers: { ...papers, ...scores.papers } })
    case 'day': return walk(daysOf(times), filter, { ...unordered, papers: { ...papers, ...years.papers } })
    case 'newest': {
      const eb = expressionBuilder<Database, 'project_paper'>()
      const uncovered = { ...unordered, papers: filter.papers }
      const marked = tagKey !== undefined ? isTagged : link !== undefined ? isLinked : saved === true ? isSaved : undefined
      if (marked === undefined) return walk(filterCondition(times), filter, uncovered)
      // The indexes of marked items have no other columns.
      const checked = marked === isSaved ? { ...filter, saved: undefined } : filter
      const { since: _since, until: _until, asOf: _asOf, ...unchecked } = checked
      return walk(eb.and([filterCondition(times), marked]), checked, unchecked)
    }
  }
}

/** The days of UTC of a period. */
const daysOf = ({ since, until, asOf }: Pick<AllFeedsFilter, 'since' | 'until' | 'asOf'>) => {
  const eb = expressionBuilder<Database, 'project_paper'>()
  const dayOf = (time: Date) => sql`(${time}::timestamptz at time zone 'UTC')::date`
  return eb.and([
    ...(since === undefined ? [] : [sql<SqlBool>`${utcDay} >= ${dayOf(since)}`]),
    ...[until, asOf].filter(time => time !== undefined).map(time => sql<SqlBool>`${utcDay} <= ${dayOf(time)}`)
  ])
}
