import { sql } from 'kysely'
import { type Db, writeInPassing } from '../connection.js'
import { keepOnly } from '../../src/search/block-cache.js'
import { planSearch } from '../../src/search/plan.js'
import { type NumberFilter, rank, type Ranked, type Ranking } from '../../src/search/ranking.js'
import { type FeedFilter, type ItemDetails, matching, selectItems } from './feed.js'
import { loadSegments, SegmentGone, type SegmentRow } from './search-blocks.js'
import { takeIn } from './search-index.js'

export interface Search extends Omit<FeedFilter, 'since'> {
  /** As src/search/tokenizer.ts makes them; at least one. */
  terms: readonly string[]
  limit: number
  offset: number
}

export type Found = ItemDetails & { has_all: boolean }

/** How often what is live is asked for anew because it was folded meanwhile. */
const patience = 20

/**
 * One page of a search over a whole feed, and one item more where another page follows. Items that have every term come first, then
 * those that have some; within each by rank, ties newest first, then by id. What was committed before the call is found.
 * @see literature-feed-mcp, section 4.1, rules 2 to 4; contract, section 7; docs/search.md
 */
export const searchFeed = async (db: Db, search: Search): Promise<Found[]> => await showItems(db, await rankItems(db, search))

/** Everything that a search finds and that has every term, best first, so many at a time; where nothing has, what has some. */
export async function * walkSearch (db: Db, search: Omit<Search, 'limit' | 'offset'>, atOnce: number): AsyncIterable<ItemDetails[]> {
  const ranked = await rankItems(db, { ...search, limit: Number.MAX_SAFE_INTEGER - 1, offset: 0 })
  const found = ranked[0]?.hasAll === true ? ranked.filter(({ hasAll }) => hasAll) : ranked
  for (let at = 0; at < found.length; at += atOnce) yield await showItems(db, found.slice(at, at + atOnce))
}

/** What a search finds, without what the items say. */
export async function rankItems (db: Db, { terms, limit, offset, ...filter }: Search): Promise<Ranked[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { ranking, rest } = await rankFeed(db, terms, filter)
      const page = { limit: limit + 1, offset }
      return rest === undefined ? ranking(page) : await pageOf(db, ranking, rest, page)
    } catch (error) {
      if (!(error instanceof SegmentGone) || attempt === patience) throw error
    }
  }
}

/** @returns what was found, and what is still to be asked of each item, where that is cheaper than a list of all that it is true of */
async function rankFeed (db: Db, terms: readonly string[], filter: FeedFilter): Promise<{ ranking: Ranking, rest: FeedFilter | undefined }> {
  const { projectId } = filter
  const plan = planSearch(terms)
  let state = await readState(db, projectId)
  if (state.is_pending) {
    await writeInPassing(takeIn(db, projectId))
    state = await readState(db, projectId)
  }
  keepOnly(projectId, state.segments.map(({ id }) => id))
  const { filters, rest } = await readFilters(db, filter)
  const beginnings = new Set([...plan.terms.flat().flatMap(({ beginnings }) => beginnings), plan.identifier])
  const segments = await loadSegments(db, state.segments, [...beginnings])
  return { ranking: rank({ plan, segments, gone: state.gone ?? [], filters }), rest }
}

interface State { segments: SegmentRow[], gone: number[] | null, is_pending: boolean }

/** What a search works on, as of one moment. */
async function readState (db: Db, projectId: string): Promise<State> {
  const { rows: [state] } = await sql<State>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'words', words) order by first_number), '[]') from search_segment where project_id = ${projectId} and live) as segments,
      (select array_agg(number) from search_gone where project_id = ${projectId}) as gone,
      exists (select from search_pending where project_id = ${projectId}) as is_pending`.execute(db)
  return state!
}

/** Up to so many items, a filter is read as a list. */
const longestList = 2000

async function readFilters (db: Db, { projectId, must_read, feedback = 'all', asOf }: FeedFilter): Promise<{ filters: NumberFilter[], rest: FeedFilter | undefined }> {
  const filters: NumberFilter[] = []
  if (feedback === 'unrated') filters.push({ numbers: await numbersOf(db, projectId, asOf === undefined ? sql<boolean>`vote is not null` : sql<boolean>`voted_at <= ${asOf}`), keep: false })
  else if (feedback !== 'all') filters.push({ numbers: await numbersOf(db, projectId, matching({ projectId, feedback })), keep: true })
  let rest: FeedFilter | undefined
  if (must_read !== undefined) {
    const numbers = await numbersOf(db, projectId, sql<boolean>`relevance_class = 'must_read'`, longestList + 1)
    if (numbers.length <= longestList) filters.push({ numbers, keep: must_read })
    else rest = { projectId, must_read }
  }
  return { filters, rest }
}

async function numbersOf (db: Db, projectId: string, condition: ReturnType<typeof matching> | ReturnType<typeof sql<boolean>>, limit?: number): Promise<number[]> {
  const items = db.selectFrom('project_paper').select('id').where('project_id', '=', projectId).where(condition as ReturnType<typeof sql<boolean>>)
  const { rows: [list] } = await sql<{ numbers: number[] | null }>`
    select array_agg(document.number) as numbers from (${limit === undefined ? items : items.limit(limit)}) item
    cross join lateral (select number from search_document where project_id = ${projectId} and item_id = item.id limit 1) document`.execute(db)
  return list?.numbers ?? []
}

/** Pieces of the ranking that are asked about, each so many times larger than the one before. */
const firstPiece = 200
const growth = 4

/** A page of those that pass a filter: the ranking is walked until it is full. */
async function pageOf (db: Db, ranking: Ranking, rest: FeedFilter, { limit, offset }: { limit: number, offset: number }): Promise<Ranked[]> {
  const passed: Ranked[] = []
  for (let from = 0, piece = Math.max(firstPiece, offset + limit); ; from += piece, piece *= growth) {
    const ranked = ranking({ limit: piece, offset: from })
    const ids = ranked.map(({ id }) => id)
    const rows = await db.selectFrom('project_paper').select('id').where('id', '=', sql<string>`any(${ids}::uuid[])`).where(matching(rest)).execute()
    const passing = new Set(rows.map(({ id }) => id))
    passed.push(...ranked.filter(({ id }) => passing.has(id)))
    if (passed.length >= offset + limit || ranked.length < piece) return passed.slice(offset, offset + limit)
  }
}

async function showItems (db: Db, ranked: readonly Ranked[]): Promise<Found[]> {
  if (ranked.length === 0) return []
  const items = await selectItems(db).where('project_paper.id', '=', sql<string>`any(${ranked.map(({ id }) => id)}::uuid[])`).execute()
  const known = new Map(items.map(item => [item.item_id, item]))
  // One that was deleted since is passed over.
  return ranked.flatMap(({ id, hasAll }) => known.has(id) ? [{ ...known.get(id)!, has_all: hasAll }] : [])
}
