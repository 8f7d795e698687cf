import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type NoticeKind, warningKinds } from '../../schemas/notice.js'
import type { Db } from '../connection.js'
import { anyText, anyUuid } from './any-of.js'
import { firstId } from './id-range.js'
import { readInIndexOrder } from './index-order.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { retryConflicts } from './retry.js'
import type { SortOrder } from './sort-keys.js'

/** A notice as its source states it, and when the account was notified. Times are JSON strings. */
export interface StoredNotice {
  id: string
  source: string
  kind: NoticeKind
  date: string | null
  doi: string | null
  pmid: string | null
  url: string | null
  found_at: string
  withdrawn_at: string | null
}

/** Notices of one paper; a hostile source may state any number. */
const maxNotices = 100
/** Notices that one transaction reports. */
const batchSize = 500
/** Notices and watching items that one transaction looks at; those of a single paper can be more. */
const sliceRows = 2500
/** Looking a paper up costs about as much as this many of its notices or items. */
const paperRows = 3

/** The notices on a paper of which an account was notified, as SQL. */
const noticesOn = (paper: RawBuilder<unknown>, account: RawBuilder<unknown>) => sql<StoredNotice[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', stated.id, 'source', stated.source, 'kind', stated.kind, 'date', stated.date,
    'doi', stated.doi, 'pmid', stated.pmid, 'url', stated.url, 'found_at', stated.found_at, 'withdrawn_at', stated.withdrawn_at)), '[]')
  from (
    select paper_notice.*, account_notice.found_at from paper_notice
    join account_notice on account_notice.notice_id = paper_notice.id and account_notice.account_id = ${account}
    where paper_notice.paper_id = ${paper} order by paper_notice.first_seen_at, paper_notice.id limit ${sql.lit(maxNotices)}
  ) stated
)`

/**
 * The notices on a row of `paper` of which the account was notified, as SQL. Costs nothing per row for accounts without notices.
 * @param projectIds limits them to papers that the account watches in these projects: others tell what hidden projects chose; null: all
 */
export const noticesFor = (accountId: string, projectIds: ProjectIds = null) => sql<StoredNotice[]>`(
  case when exists (select from account_notice where account_notice.account_id = ${accountId}::uuid)
    and ${projectIds === null ? sql`true` : isWatchedIn(accountId, sql`paper.id`, projectIds)}
    then ${noticesOn(sql`paper.id`, sql`${accountId}::uuid`)} else '[]' end
)`

/** The order of an account's notices: the last found first. */
export const noticeOrder: SortOrder = {
  keys: [{ value: sql`account_notice.found_at`, type: sql`timestamptz` }],
  id: sql`account_notice.notice_id`
}

/** Whether the owner of a feed item watches its paper: starred, upvoted, saved or cited it, as in the partial index. */
export const isWatched = (item: string) => sql<SqlBool>`(
  ${sql.ref(`${item}.vote`)} in ('upvote', 'star') or ${sql.ref(`${item}.saved`)} or ${sql.ref(`${item}.cited_at`)} is not null
)`

/** Whether the account watches a paper in one of these projects, as SQL. The offset has it looked up paper by paper. */
export const isWatchedIn = (accountId: string, paper: RawBuilder<unknown>, projectIds: ProjectIds) => sql<SqlBool>`exists (
  select from project_paper watched join project on project.id = watched.project_id
  where watched.paper_id = ${paper} and ${isWatched('watched')}
    and project.account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)} offset 0)`

/**
 * Service-wide, after a check for notices and in maintenance: notifies each account of new notices on papers that it watches, and of later
 * notices on papers of whose warning it was notified. A paper with news comes again in briefs that had it.
 * @param isNews whether the notices of which an account was notified, those of now included, contain news
 * @returns the number of notices, counted once for each account
 */
export async function notifyAccounts (db: Db, options: NotifyOptions): Promise<number> {
  let total = 0
  for (let after = firstId; ;) {
    const through = await findLastOfSlice(db, after)
    if (through === undefined) return total
    // Many accounts may watch one paper.
    for (let count = batchSize; count === batchSize;) {
      count = await notifyBatch(db, { after, through }, options)
      total += count
    }
    after = through
  }
}

interface NotifyOptions { isNews: (notices: readonly StoredNotice[], now: Date) => boolean, now: Date }

/** Papers in the order of their ids: those after one, and through another. */
interface PaperSlice { after: string, through: string }

/** The last of the next papers with notices, as many as one statement can look at with their notices and items; undefined at the end. */
async function findLastOfSlice (db: Db, after: string): Promise<string | undefined> {
  const paperAfter = (paper: RawBuilder<unknown>) => sql`(
    select paper_id from paper_notice where paper_id > ${paper} order by paper_id limit 1)`
  const { rows: [last] } = await readInIndexOrder(db, transaction => sql<{ paper_id: string }>`
    with recursive slice as (
      select ${paperAfter(sql`${after}::uuid`)} as paper_id, 0 as rows
      union all
      select ${paperAfter(sql`slice.paper_id`)}, slice.rows + paper.rows
      from slice cross join lateral (
        select ${sql.lit(paperRows)} + (
          select count(*)::integer from paper_notice where paper_notice.paper_id = slice.paper_id
        ) + (
          select count(*)::integer from (
            select from project_paper where project_paper.paper_id = slice.paper_id and ${isWatched('project_paper')}
            limit ${sql.lit(sliceRows)}
          ) watched
        ) as rows offset 0
      ) paper
      where slice.paper_id is not null and slice.rows + paper.rows < ${sql.lit(sliceRows)}
    )
    select paper_id from slice where paper_id is not null order by paper_id desc limit 1`.execute(transaction))
  return last?.paper_id
}

/**
 * Looks up the accounts of each paper before their notices: one account may watch a paper in hundreds of projects. Each offset makes the
 * database look rows up by an index: without statistics, it would join all of them.
 */
const notifyBatch = (db: Db, { after, through }: PaperSlice, { isNews, now }: NotifyOptions): Promise<number> =>
  readInIndexOrder(db, async transaction => {
    const { rows: reported } = await sql<{ account_id: string, notice_id: string }>`
      insert into account_notice (account_id, notice_id, found_at, is_warning)
      select item.account_id, item.id, ${now}::timestamptz, item.kind = ${anyText(warningKinds)} from (
        select distinct paper_id from paper_notice where paper_id > ${after} and paper_id <= ${through} offset 0
      ) noticed cross join lateral (
        select reader.account_id, bool_or(reader.is_watching) as is_watching from (
          select project.account_id, true as is_watching from project_paper join project on project.id = project_paper.project_id
          where project_paper.paper_id = noticed.paper_id and ${isWatched('project_paper')} and project.account_id is not null
          union all
          select notified.account_id, false from paper_notice warning join account_notice notified on notified.notice_id = warning.id
          where warning.paper_id = noticed.paper_id and warning.kind = ${anyText(warningKinds)}
        ) reader group by reader.account_id
      ) reader cross join lateral (
        select reader.account_id, unknown.id, unknown.kind from (
          select stated.* from paper_notice stated where stated.paper_id = noticed.paper_id and stated.withdrawn_at is null
            and not exists (
              select from account_notice known
              where known.account_id = reader.account_id and known.notice_id = stated.id offset 0)
          offset 0
        ) unknown
        where reader.is_watching or (
          exists (
            select from paper_notice earlier join account_notice notified on notified.notice_id = earlier.id
            where earlier.paper_id = noticed.paper_id and earlier.kind = ${anyText(warningKinds)} and earlier.id <> unknown.id
              and notified.account_id = reader.account_id
              and (earlier.withdrawn_at is null or earlier.withdrawn_at >= unknown.first_seen_at))
          and exists (
            select from project join project_paper on project_paper.project_id = project.id
            where project.account_id = reader.account_id and project_paper.paper_id = noticed.paper_id)
        )
      ) item
      limit ${sql.lit(batchSize)}
      on conflict do nothing returning account_id, notice_id`.execute(transaction)
    if (reported.length === 0) return 0
    const { rows: papers } = await sql<{ account_id: string, paper_id: string, notices: StoredNotice[] }>`
      select account_id, paper_id, ${noticesOn(sql`reported.paper_id`, sql`reported.account_id`)} as notices from (
        select distinct account_id, paper_id
        from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as row (account_id uuid, notice_id uuid)
        join paper_notice on paper_notice.id = row.notice_id
      ) reported`.execute(transaction)
    const news = papers.filter(({ notices }) => isNews(notices, now)).map(({ account_id, paper_id }) => ({ account_id, paper_id }))
    await sql`
      delete from brief_item using brief, jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as news (account_id uuid, paper_id uuid)
      where brief_item.paper_id = news.paper_id and brief.id = brief_item.brief_id
        and brief.account_id = news.account_id`.execute(transaction)
    return reported.length
  })

/** Items that one statement marks as cited: each has triggers. */
const citedBatchSize = 25

/** Records that the account took a reference to a paper, which chooses it in these of its projects. @param projectIds null: all */
export async function markCited (db: Db, accountId: string, paperId: string, projectIds: ProjectIds, now: Date): Promise<void> {
  for (;;) {
    // A merge of the paper changes the items of several projects, too.
    const marked = await retryConflicts(() => db.updateTable('project_paper').set({ cited_at: now })
      .where('cited_at', 'is', null)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('project_paper as item').innerJoin('project', 'project.id', 'item.project_id').select('item.id')
          .where('item.paper_id', '=', paperId).where('item.cited_at', 'is', null)
          .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
          .orderBy('item.id').limit(citedBatchSize))
      .executeTakeFirstOrThrow())
    if (marked.numUpdatedRows < citedBatchSize) return
  }
}

/** Records that the account saw, in a project's feed, the notices of which it had been notified by then. */
export const dismissNotices = (db: Db, accountId: string, projectId: string, seenAt: Date) =>
  db.updateTable('project').set({ notices_seen_at: sql<Date>`greatest(notices_seen_at, ${seenAt})` })
    .where('account_id', '=', accountId).where('id', '=', projectId).returning('id').executeTakeFirst()

/** When the account last saw the notices of a project; undefined if the project is missing or another account's. */
export const findNoticesSeen = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').select('notices_seen_at').where('account_id', '=', accountId).where('id', '=', projectId).executeTakeFirst()

/** The account's feed items of these papers. */
export const listItemsOfPapers = (db: Db, accountId: string, paperIds: readonly string[], projectIds: ProjectIds) =>
  db.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id')
    .select(['project_paper.paper_id', 'project_paper.project_id', 'project_paper.id as feed_item_id'])
    .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
    .where('project_paper.paper_id', '=', anyUuid(paperIds))
    .orderBy('project.created_at').orderBy('project.id').execute()
