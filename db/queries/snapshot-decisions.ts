import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { firstId, lastId } from './id-range.js'
import { isPaperAfter, isPaperBetween, readInIndexOrder } from './index-order.js'
import { noticesFor } from './notices.js'
import { isOwnProject, isSharedOrOwn } from './ownership.js'
import { readSized } from './sized-items.js'

/** Papers that a page of a feed's decisions has at most. */
const pageSize = 200

/** A decision as the database writes it. Times are in ISO 8601. */
export type DecisionRow = [
  paperId: string, isInFeed: boolean, vote: 'star' | 'upvote' | 'downvote' | null, reason: 'not_relevant' | 'low_quality' | null,
  votedAt: string | null, score: number, enteredAt: string, origin: 'import' | 'fetch' | null, sources: string[] | null,
  /** Whether an import gave the vote. Absent for papers outside the feed. */
  isImportedVote?: boolean,
  /** Whether it was found before the period. Absent for papers outside the feed. */
  isFoundEarlier?: boolean
]

/** The sources of a paper; null for one that entered before they were recorded, even if one of them returned it again since. */
const sourcesSince = (column: string) =>
  sql`case when found.found_at <= ${sql.ref(column)} + interval '1 minute' then found.sources end`

/**
 * The sources of a paper: those that fetches asked, and each imported file, as its format and its name: two files of one format are exports
 * of two databases. Files that were imported without a name, and imports that are not kept any more, count as their format.
 */
const namedSources = sql`array(
  with stated as (
    select name, file_name from jsonb_each(found_paper.imports) each_import (id, names)
    cross join jsonb_array_elements_text(names) name
    left join library_import on library_import.id = each_import.id::uuid
  )
  select unnest(found_paper.fetched_sources)
  union select case when file_name is null then name else name || ':' || file_name end from stated
  union (select unnest(found_paper.sources) except select name from stated)
  order by 1)`

/** The period in which papers entered a project, without its end. A null `since`: without a beginning. */
export interface DecisionPeriod { projectId: string, since: Date | null, until: Date }

/** Papers that are neither in the feed nor among its candidates any more. */
export interface UnlistedPapers { sources: string[], records: number }

/** Decisions on the papers of a range of ids. */
export interface DecisionPage {
  /** The range: after the one, through the other. */
  after: string
  last: string
  decisions: number
  /** A JSON list of DecisionRow without its brackets, by the id of the paper. */
  text: string
  unlisted: UnlistedPapers[]
}

const listingTables = ['project_paper', 'candidate', 'found_paper'] as const

/**
 * The decisions on the papers of a range of ids as CTEs, each paper once. A paper that a source first found in the period, and that
 * entered the feed later, was a candidate then. A source may find a candidate again that was deleted meanwhile, and items become
 * candidates: neither is found anew.
 */
function decisionsIn (
  { since, until }: DecisionPeriod,
  own: RawBuilder<boolean>,
  range: (table: string) => RawBuilder<SqlBool>
) {
  const within = (column: string) => since === null
    ? sql<boolean>`${sql.ref(column)} < ${until}::timestamptz`
    : sql<boolean>`${sql.ref(column)} >= ${since}::timestamptz and ${sql.ref(column)} < ${until}::timestamptz`
  const isFoundEarlier = since === null ? sql<boolean>`false` : sql<boolean>`coalesce(found.found_at < ${since}::timestamptz, false)`
  return sql`
    item as materialized (
      -- As addedAt of recall.ts: later than ready_at for a paper that a weekly limit had excluded in an earlier week.
      select *, ${within('added_at')} as entered from (
        select item.*, coalesce(item.entered_at, item.ready_at) as added_at from project_paper item
      ) item where ${own} and ${range('item')}
    ), found as materialized (
      select paper_id, ${namedSources} as sources, found_at, fetched_sources from found_paper
      where ${own} and ${range('found_paper')}
    ), candidates as materialized (
      select candidate.paper_id, candidate.relevance_score, candidate.found_at, least(found.found_at, candidate.found_at) as first_found_at
      from candidate left join found on found.paper_id = candidate.paper_id
      where ${own} and ${range('candidate')}
    ), decision as (
      select item.paper_id, case
        when entered then json_build_array(item.paper_id, true, item.vote, item.downvote_reason, item.voted_at, item.relevance_score,
          item.added_at, item.origin, ${sourcesSince('item.added_at')}, item.vote_import_id is not null, ${isFoundEarlier})
        else json_build_array(item.paper_id, false, null, null, null, item.relevance_score, found.found_at, null, found.sources)
      end::text as line
      from item left join found on found.paper_id = item.paper_id
      where entered or (item.added_at >= ${until}::timestamptz and ${within('found.found_at')})
      union all
      select candidates.paper_id, json_build_array(candidates.paper_id, false, null, null, null, candidates.relevance_score,
        candidates.first_found_at, null, ${sourcesSince('candidates.found_at')})::text
      from candidates left join found on found.paper_id = candidates.paper_id where ${within('candidates.first_found_at')}
    ), unlisted as (
      -- Imported papers enter the feed whatever their score, so those that no fetch found do not count as excluded.
      select sources, count(*)::integer as records from found
      where ${within('found.found_at')} and fetched_sources <> '{}' and not exists (select from item where item.paper_id = found.paper_id)
        and not exists (select from candidates where candidates.paper_id = found.paper_id)
      group by sources
    )`
}

/**
 * Yields what entered the account's project in a period, in pages of papers by their ids, each read in a statement of its own, whose time
 * does not depend on the size of the feed.
 */
export async function * walkDecisions (db: Db, accountId: string, period: DecisionPeriod): AsyncIterable<DecisionPage> {
  const own = isOwnProject(accountId, period.projectId)
  for (let after = firstId; after !== lastId;) {
    const keys = listingTables.map(table => sql`(
      select paper_id from ${sql.table(table)} where ${own} and ${isPaperAfter(table, sql`${period.projectId}::uuid`, after)}
      order by project_id, paper_id limit ${sql.lit(pageSize)})`)
    const range = (table: string) => isPaperBetween(table, period.projectId, { after, through: sql`(select last from range)` })
    const page = await readInIndexOrder(db, async transaction => (await sql<Omit<DecisionPage, 'after'>>`
      with range as materialized (
        select coalesce((
          select paper_id from (${sql.join(keys, sql` union `)}) key order by paper_id offset ${sql.lit(pageSize - 1)} limit 1
        ), ${lastId}::uuid) as last
      ), ${decisionsIn(period, own, range)}
      select (select last from range) as last, (select count(*)::integer from decision) as decisions,
        (select coalesce(string_agg(line, ',' order by paper_id), '') from decision) as text,
        (select coalesce(jsonb_agg(jsonb_build_object('sources', sources, 'records', records) order by sources), '[]') from unlisted)
          as unlisted`.execute(transaction)).rows[0]!)
    yield { after, ...page }
    after = page.last
  }
}

/** Number of decisions on the papers of a page's range now. */
export async function countDecisions (
  db: Db,
  accountId: string,
  period: DecisionPeriod,
  { after, last }: Pick<DecisionPage, 'after' | 'last'>
): Promise<number> {
  const range = (table: string) => isPaperBetween(table, period.projectId, { after, through: sql`${last}::uuid` })
  const own = isOwnProject(accountId, period.projectId)
  const { rows: [counted] } = await readInIndexOrder(db, async transaction => await sql<{ decisions: number }>`
    with ${decisionsIn(period, own, range)} select count(*)::integer as decisions from decision`.execute(transaction))
  return counted!.decisions
}

/**
 * Papers that the account sees, without their abstracts, with the notices of which it was notified. A merged paper stands for its former
 * id. Large records are read about a megabyte at a time.
 */
export const listPapersForSnapshot = (db: Db, accountId: string, ids: readonly string[]) =>
  readSized(sql`${[...ids]}::uuid[]`, isSharedOrOwn(accountId, 'paper.account_id'), page =>
    db.selectFrom(page)
      .leftJoin('paper_alias', 'paper_alias.id', 'page.id')
      .innerJoin('paper', join => join.on('paper.id', '=', sql<string>`coalesce(paper_alias.paper_id, page.id)`))
      .select(['page.id as asked_id', 'page.further'])
      .select([
        'paper.id', 'title', 'authors', 'published_date', 'url', 'doi', 'venue_name', 'source_name', 'arxiv_id', 'pmid', 'pmcid',
        'openalex_id', 'index_url', 'metadata'
      ])
      .select(noticesFor(accountId).as('notices'))
      .where(isSharedOrOwn(accountId, 'paper.account_id'))
      .orderBy('page.place')
      .execute(), 'papers')

/** A row of listPapersForSnapshot. */
export type SnapshotPaperRow = Awaited<ReturnType<typeof listPapersForSnapshot>>[number]
