import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isWatchedIn, noticeOrder, noticesFor } from './notices.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { rangesAfter } from './sort-keys.js'

/** Notices that one statement reads, so that others run in between. */
const rowsPerStatement = 500

/** A filter of the notices of an account. */
export interface NoticeFilter {
  /** The projects that a key can see, one of which has to watch the paper; default, and null: all. */
  visibleProjectIds?: ProjectIds | undefined
  /** Null: all projects. */
  projectIds: ProjectIds
  since?: Date | undefined
  /** Whether to list papers with withdrawn notices alone; `since`: those that were withdrawn since then, whenever they were found. */
  withdrawn: boolean | 'since'
}

/**
 * Papers in the account's feeds with notices of which it was notified, last found first, ties by id. Each statement reads a slice of the
 * notices, however many there are.
 */
export async function listNoticedPapers (
  db: Db,
  accountId: string,
  filter: NoticeFilter,
  { limit, offset }: { limit: number, offset: number }
) {
  const ids: string[] = []
  for await (const id of walkPapers(walkNotices(db, accountId, filter))) {
    ids.push(id)
    if (ids.length === offset + limit) break
  }
  const listed = ids.slice(offset)
  if (listed.length === 0) return []
  const papers = await db.selectFrom('paper')
    .select(['paper.id', 'paper.title', 'paper.reference_label', 'paper.metadata'])
    .select(noticesFor(accountId, filter.visibleProjectIds).as('notices'))
    .where('paper.id', '=', anyUuid(listed)).execute()
  const byId = new Map(papers.map(paper => [paper.id, paper]))
  return listed.flatMap(id => byId.get(id) ?? [])
}

/** A notice of which an account was notified. */
interface AccountNotice { found_at: Date, paper_id: string, is_listed: boolean }

/** Papers with listed notices, once each: at the last found of them, ties by id. */
async function * walkPapers (notices: AsyncIterable<AccountNotice[]>): AsyncGenerator<string, void> {
  const known = new Set<string>()
  let tied: string[] = []
  let foundAt: number | undefined
  for await (const batch of notices) {
    for (const { found_at, paper_id, is_listed } of batch) {
      if (!is_listed || known.has(paper_id)) continue
      if (found_at.getTime() !== foundAt) {
        yield * tied.sort()
        tied = []
        foundAt = found_at.getTime()
      }
      known.add(paper_id)
      tied.push(paper_id)
    }
  }
  yield * tied.sort()
}

/** The account's notices, last found first. Those withdrawn since a time, and found before it, follow all others. */
async function * walkNotices (db: Db, accountId: string, filter: NoticeFilter): AsyncGenerator<AccountNotice[], void> {
  yield * walkFound(db, accountId, filter)
  if (filter.withdrawn !== 'since' || filter.since === undefined) return
  if (await hasFoundBefore(db, accountId, filter.since)) yield await listWithdrawnSince(db, accountId, filter.since, filter)
}

const walkFound = (db: Db, accountId: string, { since, withdrawn, ...filter }: NoticeFilter) =>
  walkInIndexOrder(db, async (transaction, last: { found_at: Date, notice_id: string } | undefined) => {
    const isFound = since === undefined ? sql<SqlBool>`true` : sql<SqlBool>`account_notice.found_at >= ${since}`
    const ranges = rangesAfter(noticeOrder, last && { keys: [last.found_at], id: last.notice_id }).map(range => sql`(
      select found_at, notice_id from account_notice where account_id = ${accountId} and ${isFound} and ${range}
      order by found_at desc, notice_id limit ${sql.lit(rowsPerStatement)})`)
    const { rows } = await sql<AccountNotice & { notice_id: string }>`
      select notified.found_at, notified.notice_id, stated.paper_id,
        (${withdrawn === false ? sql`stated.withdrawn_at is null` : sql`true`} and ${isInFeeds(accountId, filter)}) as is_listed
      from (
        select * from (${sql.join(ranges, sql` union all `)}) ranges
        order by found_at desc, notice_id limit ${sql.lit(rowsPerStatement)}
      ) notified
      cross join lateral (select paper_id, withdrawn_at from paper_notice where id = notified.notice_id offset 0) stated
      order by notified.found_at desc, notified.notice_id`.execute(transaction)
    return rows
  })

/** The projects of a filter. */
type FilteredProjects = Pick<NoticeFilter, 'projectIds' | 'visibleProjectIds'>

/**
 * Whether the paper of `stated` is in the account's feeds, and watched in one that the key can see, as SQL. The offset has it looked up
 * paper by paper.
 */
const isInFeeds = (accountId: string, { projectIds, visibleProjectIds = null }: FilteredProjects): RawBuilder<SqlBool> => sql<SqlBool>`(
  exists (
    select from project_paper join project on project.id = project_paper.project_id
    where project_paper.paper_id = stated.paper_id and project.account_id = ${accountId} and ${isVisibleToKey(projectIds)} offset 0)
  and ${visibleProjectIds === null ? sql`true` : isWatchedIn(accountId, sql`stated.paper_id`, visibleProjectIds)})`

const hasFoundBefore = (db: Db, accountId: string, time: Date): Promise<boolean> =>
  readInIndexOrder(db, async transaction => await transaction.selectFrom('account_notice').select('notice_id')
    .where('account_id', '=', accountId).where('found_at', '<', time)
    .orderBy('found_at', 'desc').orderBy('notice_id').limit(1).executeTakeFirst() !== undefined)

/** Found before a time and withdrawn since it, of which there are few. Reads what was withdrawn since then, for any account. */
async function listWithdrawnSince (db: Db, accountId: string, since: Date, filter: FilteredProjects): Promise<AccountNotice[]> {
  const listed: AccountNotice[] = []
  const walk = walkInIndexOrder(db, async (transaction, last: { withdrawn_at: Date, id: string } | undefined) => {
    const { rows } = await sql<{ withdrawn_at: Date, id: string, paper_id: string, found_at: Date | null, is_listed: boolean }>`
      select stated.withdrawn_at, stated.id, stated.paper_id, notified.found_at,
        (notified.found_at is not null and ${isInFeeds(accountId, filter)}) as is_listed
      from (
        select withdrawn_at, id, paper_id from paper_notice where withdrawn_at >= ${since}
          and ${last === undefined ? sql`true` : sql`(withdrawn_at, id) > (${last.withdrawn_at}::timestamptz, ${last.id}::uuid)`}
        order by withdrawn_at, id limit ${sql.lit(rowsPerStatement)}
      ) stated
      left join lateral (
        select found_at from account_notice where account_id = ${accountId} and notice_id = stated.id and found_at < ${since} offset 0
      ) notified on true
      order by stated.withdrawn_at, stated.id`.execute(transaction)
    return rows
  })
  for await (const rows of walk) {
    for (const { found_at, paper_id, is_listed } of rows) if (found_at !== null && is_listed) listed.push({ found_at, paper_id, is_listed })
  }
  return listed.sort((a, b) => b.found_at.getTime() - a.found_at.getTime())
}
