import { type SqlBool, sql } from 'kysely'
import { type NoticeKind, uniqueNoticeKinds } from '../../schemas/notice.js'
import type { Citations } from '../../schemas/paper.js'
import type { Db } from '../connection.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

/** A notice as a source states it, with when the account was told. Times are as JSON has them. */
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

/** The notices on a row of `paper` that the account was told, as SQL. For accounts without notices, rows cost nothing. */
export const noticesFor = (accountId: string) => sql<StoredNotice[]>`(
  case when exists (select from account_notice where account_notice.account_id = ${accountId}::uuid) then (
    select coalesce(jsonb_agg(jsonb_build_object('id', stated.id, 'source', stated.source, 'kind', stated.kind, 'date', stated.date,
      'doi', stated.doi, 'pmid', stated.pmid, 'url', stated.url, 'found_at', stated.found_at, 'withdrawn_at', stated.withdrawn_at)), '[]')
    from (
      select paper_notice.*, account_notice.found_at from paper_notice
      join account_notice on account_notice.notice_id = paper_notice.id and account_notice.account_id = ${accountId}::uuid
      where paper_notice.paper_id = paper.id order by paper_notice.first_seen_at, paper_notice.id limit ${sql.lit(maxNotices)}
    ) stated
  ) else '[]' end
)`

/** A paper to ask sources about. */
export interface WatchedPaper {
  id: string
  doi: string | null
  pmid: string | null
  arxiv: string | null
  openalex: string | null
  /** What its record states as its version and the date of that; a file may state anything. */
  version: unknown
  updated: unknown
  /** The citation of its published form in its record. */
  journal_ref: unknown
  /** When the paper was added. */
  created_at: Date
  /** References of the notices that the source stated, withdrawn ones too: its record may have changed since. */
  stated: string[]
}

/** Columns of the identifiers by which sources find papers. */
const identifierColumns = { doi: 'paper.doi', pmid: 'paper.pmid', arxiv: 'paper.arxiv_id', openalex: 'paper.openalex_id' } as const
/** An identifier by which a source finds papers. */
export type WatchedIdentifier = keyof typeof identifierColumns

/** Whether the owner of a feed item starred, upvoted, saved or cited it, as in the partial index. */
export const isChosen = (item: string) => sql<SqlBool>`(
  ${sql.ref(`${item}.vote`)} in ('upvote', 'star') or ${sql.ref(`${item}.saved`)} or ${sql.ref(`${item}.cited_at`)} is not null
)`

/** Papers of an account that sources are asked about, at most: the newest that it chose. */
export const maxWatchedPapers = 5000

/** Which papers a source is asked about. */
interface DuePapers {
  source: string
  identifiers: readonly WatchedIdentifier[]
  /** A regular expression that their DOIs match. */
  dois?: string | undefined
  now: Date
  /** Papers of one account. */
  maxWatched?: number | undefined
}

/** The papers that are due, with their accounts, as a FROM clause. */
const fromDue = ({ source, identifiers, dois, now, maxWatched = maxWatchedPapers }: DuePapers) => {
  const isIdentified = dois === undefined
    ? sql.join(identifiers.map(each => sql`${sql.ref(identifierColumns[each])} is not null`), sql` or `)
    : sql`paper.doi ~ ${dois}`
  return sql`account cross join lateral (
      select paper_id from (
        select distinct on (chosen.paper_id) chosen.paper_id, chosen.ready_at from project cross join lateral (
          select item.paper_id, item.ready_at from project_paper item
          where item.project_id = project.id and ${isChosen('item')}
          order by item.ready_at desc, item.paper_id limit ${maxWatched}
        ) chosen
        where project.account_id = account.id order by chosen.paper_id, chosen.ready_at desc
      ) of_projects
      order by ready_at desc, paper_id limit ${maxWatched}
    ) watched
    join paper on paper.id = watched.paper_id
    left join paper_check on paper_check.paper_id = paper.id and paper_check.source = ${source}
    where account.disabled_at is null and (${isIdentified})
      and (paper_check.next_check_at is null or paper_check.next_check_at <= ${now}::timestamptz)`
}

/**
 * Service-wide, for the job that asks sources: papers that an account which is not disabled chose, that the source was not asked about for
 * long enough. Accounts take turns: the first paper of each, then the second of each. Of an account, papers that the source was never asked
 * about come first, then those that are due longest. The accounts stay unnamed.
 */
export const listPapersToCheck = (db: Db, { limit, ...due }: DuePapers & { limit: number }): Promise<WatchedPaper[]> => {
  const asked = sql<{ id: string, turn: number, next_check_at: Date | null }>`(
    with due as (
      select paper.id, paper_check.next_check_at,
        row_number() over (partition by account.id order by paper_check.next_check_at nulls first, paper.id) as turn
      from ${fromDue(due)}
    )
    select id, turn, next_check_at from (
      select distinct on (id) * from due order by id, turn
    ) each_paper
    order by turn, next_check_at nulls first, id limit ${limit})`.as('asked')
  return db.selectFrom('paper').innerJoin(asked, 'asked.id', 'paper.id')
    .select(['paper.id', 'paper.doi', 'paper.pmid', 'paper.arxiv_id as arxiv', 'paper.openalex_id as openalex', 'paper.created_at'])
    .select([sql<unknown>`paper.metadata->'version'`.as('version'), sql<unknown>`paper.metadata->'updated'`.as('updated')])
    .select(sql<unknown>`paper.metadata->'journal_ref'`.as('journal_ref'))
    .select(({ selectFrom }) => selectFrom('paper_notice').whereRef('paper_notice.paper_id', '=', 'paper.id')
      .where('paper_notice.source', '=', due.source)
      .select(sql<string[]>`coalesce(array_agg(paper_notice.reference), '{}')`.as('references')).$asScalar().as('stated'))
    .orderBy('asked.turn').orderBy('asked.next_check_at', order => order.asc().nullsFirst()).orderBy('paper.id').execute()
}

/** Service-wide, for the ticker: whether there is such a paper, without ordering them. */
export const hasDuePaper = async (db: Db, due: DuePapers): Promise<boolean> =>
  (await sql<{ found: boolean }>`select exists (select from ${fromDue(due)}) as found`.execute(db)).rows[0]!.found

/** What a source states about a paper. `reference` tells notices of one kind apart. */
export interface StatedNotice {
  source: string
  kind: NoticeKind
  reference: string
  date: string | null
  doi: string | null
  pmid: string | null
  url: string | null
}

/** A paper that a source knows, with what it states about it. */
export interface CheckedPaper {
  id: string
  notices: readonly StatedNotice[]
  /** Whether the source may state more than these. */
  isPartial?: boolean
  /** Its id at OpenAlex, by which works in OpenAlex cite it. */
  openalex?: string | undefined
  citations?: Citations | undefined
}

/**
 * Service-wide, for the job that asks sources: saves what these papers' notices are now. A notice that is not stated any more is withdrawn,
 * one that is stated again is current again. Nor does a record state a retraction that its source does not. A partial answer withdraws
 * nothing.
 * @param sources the names under which the source states notices
 */
export const saveNotices = (db: Db, checked: readonly CheckedPaper[], sources: readonly string[], now: Date) =>
  db.transaction().execute(async transaction => {
    if (checked.length === 0) return
    const complete = checked.filter(({ isPartial }) => isPartial !== true)
    const stated = checked.flatMap(({ id, notices }) => notices.map(notice => ({ paper_id: id, ...notice })))
    // A paper may have been merged or deleted since it was listed.
    await sql`
      insert into paper_notice (paper_id, source, kind, reference, date, doi, pmid, url, first_seen_at)
      select stated.paper_id, stated.source, stated.kind, stated.reference, stated.date, stated.doi, stated.pmid, stated.url, ${now}
      from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb)
        as stated (paper_id uuid, source text, kind text, reference text, date text, doi text, pmid text, url text)
      join paper on paper.id = stated.paper_id
      on conflict (paper_id, source, kind, reference) do update set date = excluded.date, doi = excluded.doi, pmid = excluded.pmid,
        url = excluded.url, withdrawn_at = null`.execute(transaction)
    await sql`
      update paper_notice set withdrawn_at = ${now}
      where withdrawn_at is null and source = any(${[...sources]}::text[]) and paper_id = any(${complete.map(({ id }) => id)}::uuid[])
        and not exists (
          select from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) as stated (paper_id uuid, source text, kind text, reference text)
          where stated.paper_id = paper_notice.paper_id and stated.source = paper_notice.source and stated.kind = paper_notice.kind
            and stated.reference = paper_notice.reference
        )`.execute(transaction)
    // The record's own source has corrected itself.
    await sql`
      update paper set metadata = metadata - 'retracted'
      where id = any(${complete.map(({ id }) => id)}::uuid[]) and source_name = any(${[...sources]}::text[]) and metadata ? 'retracted'
        and not exists (
          select from paper_notice where paper_notice.paper_id = paper.id and kind = 'retraction' and withdrawn_at is null
        )`.execute(transaction)
  })

/** Service-wide, for the job that asks sources: records that a source answered about these papers, and when to ask again. */
export const markChecked = (db: Db, source: string, paperIds: readonly string[], { now, next }: { now: Date, next: Date }) =>
  sql`
    insert into paper_check (paper_id, source, checked_at, next_check_at)
    select id, ${source}, ${now}, ${next} from paper where id = any(${[...paperIds]}::uuid[])
    on conflict (paper_id, source) do update set checked_at = excluded.checked_at, next_check_at = excluded.next_check_at, failures = 0
  `.execute(db)

/** Service-wide, for the job that asks sources: records that a source failed, and when to ask again. */
export const markCheckFailed = (
  db: Db,
  source: string,
  paperIds: readonly string[],
  { now, delayMs, maxDelayMs }: { now: Date, delayMs: number, maxDelayMs: number }
) => sql`
    insert into paper_check (paper_id, source, next_check_at, failures)
    select id, ${source}, ${new Date(now.getTime() + delayMs)}, 1 from paper where id = any(${[...paperIds]}::uuid[])
    on conflict (paper_id, source) do update set failures = least(paper_check.failures + 1, 20), next_check_at = ${now}::timestamptz
      + make_interval(secs => least(${delayMs} * 2 ^ least(paper_check.failures, 20), ${maxDelayMs}) / 1000)`.execute(db)

/**
 * Service-wide, for the ticker: tells each account of the notices on the papers that it chose; others are told nothing. A paper with
 * news comes again in briefs that had it. That a further source states what the account was told is no news; a notice with another
 * identifier is, unless it is the only one of its source and contradicts none, as in `mergeNotices`.
 * @param unconfirmed the kinds that sources state without naming a notice: what confirms them is news
 * @returns the number of notices, counted once for each account
 */
export const notifyAccounts = async (
  db: Db,
  { unconfirmed, now }: { unconfirmed: ReadonlyArray<{ source: string, kind: NoticeKind }>, now: Date }
): Promise<number> => {
  const { rows: [reported] } = await sql<{ count: number }>`
    with reported as (
      insert into account_notice (account_id, notice_id, found_at)
      select distinct project.account_id, paper_notice.id, ${now}::timestamptz from paper_notice
      join project_paper on project_paper.paper_id = paper_notice.paper_id and ${isChosen('project_paper')}
      join project on project.id = project_paper.project_id
      where paper_notice.withdrawn_at is null and not exists (
        select from account_notice
        where account_notice.account_id = project.account_id and account_notice.notice_id = paper_notice.id)
      on conflict do nothing returning account_id, notice_id
    ), news as (
      select reported.account_id, paper_notice.paper_id from reported join paper_notice on paper_notice.id = reported.notice_id
      where not exists (
        select from account_notice earlier join paper_notice same on same.id = earlier.notice_id
        where earlier.account_id = reported.account_id and same.paper_id = paper_notice.paper_id and same.kind = paper_notice.kind
          and not exists (
            select from jsonb_to_recordset(${JSON.stringify(unconfirmed)}::jsonb) as unconfirmed(source text, kind text)
            where unconfirmed.source = same.source and unconfirmed.kind = same.kind)
          and (
            same.kind = any(${[...uniqueNoticeKinds]}::text[]) or same.doi = paper_notice.doi or same.pmid = paper_notice.pmid
            or not exists (
              select from paper_notice other
              where other.paper_id = paper_notice.paper_id and other.kind = paper_notice.kind and other.id <> paper_notice.id
                and (other.source = paper_notice.source or other.doi <> paper_notice.doi or other.pmid <> paper_notice.pmid))))
    ), renewed as (
      delete from brief_item using news, brief
      where brief_item.paper_id = news.paper_id and brief.id = brief_item.brief_id and brief.account_id = news.account_id
    )
    select count(*)::integer as count from reported`.execute(db)
  return reported!.count
}

/** Records that the account took a reference to a paper, which chooses it in these of its projects. @param projectIds null: all */
export const markCited = (db: Db, accountId: string, paperId: string, projectIds: ProjectIds, now: Date) =>
  db.updateTable('project_paper').set({ cited_at: now })
    .where('paper_id', '=', paperId).where('cited_at', 'is', null)
    .where('project_id', 'in', ({ selectFrom }) =>
      selectFrom('project').select('id').where('account_id', '=', accountId).where(isVisibleToKey(projectIds)))
    .execute()

/** Records that the account saw the notices which it was told until then, in a project's feed. */
export const dismissNotices = (db: Db, accountId: string, projectId: string, seenAt: Date) =>
  db.updateTable('project').set({ notices_seen_at: sql<Date>`greatest(notices_seen_at, ${seenAt})` })
    .where('account_id', '=', accountId).where('id', '=', projectId).returning('id').executeTakeFirst()

/** When the account last saw the notices of a project; undefined if the project is missing or another account's. */
export const findNoticesSeen = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').select('notices_seen_at').where('account_id', '=', accountId).where('id', '=', projectId).executeTakeFirst()

/** A filter of the notices of an account. */
export interface NoticeFilter {
  /** Null: all projects. */
  projectIds: ProjectIds
  since?: Date | undefined
  /** Whether to list papers with withdrawn notices alone; `since`: those that were withdrawn since then, whenever they were found. */
  withdrawn: boolean | 'since'
}

/** Papers in the account's feeds with notices that it was told, last found first, ties by id. */
export const listNoticedPapers = (
  db: Db,
  accountId: string,
  { projectIds, since, withdrawn }: NoticeFilter,
  { limit, offset }: { limit: number, offset: number }
) =>
  db.selectFrom('account_notice').innerJoin('paper_notice', 'paper_notice.id', 'account_notice.notice_id')
    .innerJoin('paper', 'paper.id', 'paper_notice.paper_id')
    .select(['paper.id', 'paper.title', 'paper.reference_label', 'paper.metadata'])
    .select(noticesFor(accountId).as('notices'))
    .where('account_notice.account_id', '=', accountId)
    .where(({ exists, selectFrom }) => exists(
      selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
        .whereRef('project_paper.paper_id', '=', 'paper.id').where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
    ))
    .$if(since !== undefined, query => query.where(({ or, eb }) => or([
      eb('account_notice.found_at', '>=', since!),
      ...(withdrawn === 'since' ? [eb('paper_notice.withdrawn_at', '>=', since!)] : [])
    ])))
    .$if(withdrawn === false, query => query.where('paper_notice.withdrawn_at', 'is', null))
    .groupBy('paper.id')
    .orderBy(({ fn }) => fn.max('account_notice.found_at'), 'desc').orderBy('paper.id')
    .limit(limit).offset(offset).execute()

/** The account's feed items of these papers. */
export const listItemsOfPapers = (db: Db, accountId: string, paperIds: readonly string[], projectIds: ProjectIds) =>
  db.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id')
    .select(['project_paper.paper_id', 'project_paper.project_id', 'project_paper.id as feed_item_id'])
    .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds))
    .where('project_paper.paper_id', '=', sql<string>`any(${[...paperIds]}::uuid[])`)
    .orderBy('project.created_at').orderBy('project.id').execute()
