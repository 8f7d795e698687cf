import { sql } from 'kysely'
import type { Citations } from '../../schemas/paper.js'
import type { Db } from '../connection.js'
import type { PaperNoticeTable } from '../tables/notices.js'
import { anyText, anyUuid } from './any-of.js'
import { enabledAccountIds } from './enabled-accounts.js'
import { keepPapers } from './import.js'
import { isWatched } from './notices.js'
import { renameNotices } from './renamed-notices.js'
import { retryConflicts } from './retry.js'

/** A paper to ask sources about. */
export interface WatchedPaper {
  id: string
  doi: string | null
  pmid: string | null
  pmcid: string | null
  arxiv: string | null
  openalex: string | null
  /** Its version and the date of that, as its record states them; a file may state anything. */
  version: unknown
  updated: unknown
  /** The citation of its published form in its record. */
  journal_ref: unknown
  /** When the paper was added. */
  created_at: Date
  /** References of the notices that the source stated, withdrawn ones too: its record may have changed since. */
  stated: string[]
  /** DOIs of its published forms, as notices, its record and linked papers state them; a file may state anything. */
  published?: string[]
}

/** Published forms of one paper that are read. */
const maxPublished = 5

/** Columns of the identifiers by which sources find papers. */
const watchedIdentifierColumns = {
  doi: 'paper.doi', pmid: 'paper.pmid', pmcid: 'paper.pmcid', arxiv: 'paper.arxiv_id', openalex: 'paper.openalex_id'
} as const
/** An identifier by which a source finds papers. */
export type WatchedIdentifier = keyof typeof watchedIdentifierColumns

/** Papers of an account that sources are asked about, at most: the newest that it watches. */
const maxWatchedPapers = 5000

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

/**
 * The newest papers that an account watches in one of its projects, at most, as SQL. Several projects with many watched papers share six
 * times the maximum of the account, so that what is read for it does not grow with its projects.
 */
function maxPerProject (accountId: string, maxWatched: number) {
  const few = Math.ceil(maxWatched / 25)
  return sql`(
    select least(${maxWatched}::bigint, greatest(${few}::bigint, ceil(6.0 * ${maxWatched} / greatest(count(*), 1))::bigint))
    from project where account_id = ${accountId} and exists (
      select from project_paper item where item.project_id = project.id and ${isWatched('item')}
      order by item.ready_at desc, item.paper_id offset ${few}::bigint
    )
  )`
}

/**
 * Papers in the feeds of an account with a warning of which it was notified and that stands, the last first, as SQL: watched until the
 * warning ends, also if the vote was cleared, so that no paper stays marked for ever.
 */
const warnedPapers = (accountId: string, maxWatched: number) => sql`(
  select paper_id, found_at from (
    select stated.paper_id, account_notice.found_at from account_notice cross join lateral (
      select paper_id from paper_notice where id = account_notice.notice_id and withdrawn_at is null offset 0
    ) stated
    where account_notice.account_id = ${accountId} and account_notice.is_warning
    order by account_notice.found_at desc, account_notice.notice_id limit ${maxWatched}
  ) warned
  where exists (
    select from project_paper item join project on project.id = item.project_id
    where item.paper_id = warned.paper_id and project.account_id = ${accountId})
)`

/** The papers of an account that are due, as a FROM clause. With `offset 0`, papers are read one by one, however few there are. */
const fromDue = (accountId: string, { source, identifiers, dois, now, maxWatched = maxWatchedPapers }: DuePapers) => {
  const isIdentified = dois === undefined
    ? sql.join(identifiers.map(each => sql`${sql.ref(watchedIdentifierColumns[each])} is not null`), sql` or `)
    : sql`paper.doi ~ ${dois}`
  return sql`(
      select paper_id from (
        select newest.paper_id, newest.ready_at as newest_at from project cross join lateral (
          select item.paper_id, item.ready_at from project_paper item
          where item.project_id = project.id and ${isWatched('item')}
          order by item.ready_at desc, item.paper_id limit ${maxPerProject(accountId, maxWatched)}
        ) newest
        where project.account_id = ${accountId}
        union all select paper_id, found_at from ${warnedPapers(accountId, maxWatched)} warned
      ) of_account
      group by paper_id order by max(newest_at) desc, paper_id limit ${maxWatched}
    ) watched
    cross join lateral (select paper.* from paper where paper.id = watched.paper_id offset 0) paper
    left join paper_check on paper_check.paper_id = paper.id and paper_check.source = ${source}
    where (${isIdentified}) and (paper_check.next_check_at is null or paper_check.next_check_at <= ${now}::timestamptz)`
}

/** A paper to ask a source about, and its place among those of its account. */
interface DuePaper { id: string, next_check_at: Date | null, turn: number }

/** An account's due papers: first those that the source was never asked about, then those that have been due for longest. */
async function listDuePapers (db: Db, accountId: string, { limit, ...due }: DuePapers & { limit: number }): Promise<DuePaper[]> {
  const { rows } = await sql<Omit<DuePaper, 'turn'>>`
    select paper.id, paper_check.next_check_at from ${fromDue(accountId, due)}
    order by paper_check.next_check_at nulls first, paper.id limit ${limit}`.execute(db)
  return rows.map((row, at) => ({ ...row, turn: at + 1 }))
}

const byTurn = (a: DuePaper, b: DuePaper): number =>
  a.turn - b.turn || (a.next_check_at?.getTime() ?? 0) - (b.next_check_at?.getTime() ?? 0) || (a.id < b.id ? -1 : 1)

/** The first of these papers by their turns, each once. */
function firstTurns (papers: readonly DuePaper[], limit: number): DuePaper[] {
  const first = new Map<string, DuePaper>()
  for (const paper of [...papers].sort(byTurn)) {
    if (first.size === limit) break
    if (!first.has(paper.id)) first.set(paper.id, paper)
  }
  return [...first.values()]
}

/**
 * Service-wide, for the job that asks sources: papers that an account which is not disabled watches, that the source was not asked about
 * for long enough. Accounts take turns: the first paper of each, then the second of each. A statement reads what one account watches, so
 * that none grows with their number. The accounts stay unnamed.
 */
export async function listPapersToCheck (db: Db, { limit, ...due }: DuePapers & { limit: number }): Promise<WatchedPaper[]> {
  let asked: DuePaper[] = []
  for (const { id } of await enabledAccountIds(db).execute()) {
    // Later turns than those of a full list do not count.
    const turns = asked.length < limit ? limit : asked.at(-1)!.turn
    const papers = await listDuePapers(db, id, { ...due, limit: turns })
    if (papers.length > 0) asked = firstTurns([...asked, ...papers], limit)
  }
  const known = new Map((await readWatched(db, due.source, asked.map(({ id }) => id))).map(paper => [paper.id, paper]))
  return asked.flatMap(({ id }) => known.get(id) ?? [])
}

/** What a source is asked about these papers. */
const readWatched = (db: Db, source: string, paperIds: readonly string[]): Promise<WatchedPaper[]> =>
  db.selectFrom('paper')
    .leftJoin('paper_check as checked', join => join.onRef('checked.paper_id', '=', 'paper.id').on('checked.source', '=', source))
    .select(['paper.id', 'paper.doi', 'paper.pmid', 'paper.pmcid', 'paper.arxiv_id as arxiv', 'paper.openalex_id as openalex'])
    .select('paper.created_at')
    .select([sql<unknown>`coalesce(to_jsonb(checked.version), paper.metadata->'version')`.as('version')])
    .select(sql<unknown>`paper.metadata->'updated'`.as('updated'))
    .select(sql<unknown>`paper.metadata->'journal_ref'`.as('journal_ref'))
    .select(({ selectFrom }) => selectFrom('paper_notice').whereRef('paper_notice.paper_id', '=', 'paper.id')
      .where('paper_notice.source', '=', source)
      .select(sql<string[]>`coalesce(array_agg(paper_notice.reference), '{}')`.as('references')).$asScalar().as('stated'))
    .select(sql<string[]>`array(
      select distinct doi from (
        select doi from paper_notice where paper_id = paper.id and kind = 'published' and withdrawn_at is null
        union all select paper.metadata->>'published_doi'
        union all select form.doi from paper_relation join paper form on form.id = published_id
          where preprint_id = paper.id and (form.account_id is null or form.account_id = paper.account_id)
      ) forms where doi is not null order by doi limit ${maxPublished})`.as('published'))
    .where('paper.id', '=', anyUuid(paperIds)).execute()

/** Service-wide, for maintenance: whether there is such a paper, without ordering them. */
export async function hasDuePaper (db: Db, due: DuePapers): Promise<boolean> {
  for (const { id } of await enabledAccountIds(db).execute()) {
    const { rows: [row] } = await sql<{ found: boolean }>`select exists (select from ${fromDue(id, due)}) as found`.execute(db)
    if (row!.found) return true
  }
  return false
}

/** A notice as a source states it. `reference` tells notices of one kind apart. */
export type StatedNotice = Pick<PaperNoticeTable, 'source' | 'kind' | 'reference' | 'date' | 'doi' | 'pmid' | 'url'>

/** A paper that a source knows, with what it states about it. */
export interface CheckedPaper {
  id: string
  notices: readonly StatedNotice[]
  /** Whether the source may state more than these. */
  isPartial?: boolean
  /** Its id at OpenAlex, by which works in OpenAlex cite it. */
  openalex?: string | undefined
  citations?: Citations | undefined
  /** Where everyone can read it. */
  openCopy?: { pdf_url: string | null, pmcid: string | null } | undefined
}

/**
 * Service-wide, for the job that asks sources: saves what these papers' notices are now. A notice that is not stated any more is withdrawn;
 * stated again, it is a new one, so that accounts and alerts are notified again. One that gains or loses an identifier stays the same.
 * Nor does a record state a retraction that none of its sources states. A partial answer withdraws nothing.
 * @param sources the names under which the source states notices
 */
export const saveNotices = (db: Db, checked: readonly CheckedPaper[], sources: readonly string[], now: Date) =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    if (checked.length === 0) return
    // One may have been merged or deleted since it was listed.
    await keepPapers(transaction, checked.map(({ id }) => id))
    const complete = checked.filter(({ isPartial }) => isPartial !== true)
    const stated = sql`jsonb_to_recordset(${JSON.stringify(checked.flatMap(({ id, notices }) =>
      notices.map(notice => ({ paper_id: id, ...notice }))))}::jsonb)
      as stated (paper_id uuid, source text, kind text, reference text, date text, doi text, pmid text, url text)`
    const isStated = sql`stated.paper_id = paper_notice.paper_id and stated.source = paper_notice.source
      and stated.kind = paper_notice.kind and stated.reference = paper_notice.reference`
    await sql`delete from paper_notice using ${stated} where ${isStated} and paper_notice.withdrawn_at is not null`.execute(transaction)
    await renameNotices(transaction, checked, sources)
    await sql`
      insert into paper_notice (paper_id, source, kind, reference, date, doi, pmid, url, first_seen_at)
      select stated.paper_id, stated.source, stated.kind, stated.reference, stated.date, stated.doi, stated.pmid, stated.url, ${now}
      from ${stated} join paper on paper.id = stated.paper_id
      on conflict (paper_id, source, kind, reference) do update set date = excluded.date, doi = excluded.doi, pmid = excluded.pmid,
        url = excluded.url`.execute(transaction)
    await sql`
      update paper_notice set withdrawn_at = ${now}
      where withdrawn_at is null and source = ${anyText(sources)} and paper_id = ${anyUuid(complete.map(({ id }) => id))}
        and not exists (select from ${stated} where ${isStated})`.execute(transaction)
    // The source corrects what it stated with a record; src/papers/retractions.ts says which sources state a retraction. Where the list is
    // missing, rows of former versions may have it from any.
    await sql`
      update paper set updated_at = ${now}, metadata = case
        when others = '[]' then metadata - 'retracted' - 'retracted_by'
        else jsonb_set(metadata, '{retracted_by}', others)
      end
      from (
        select id as paper_id, stating, stating - ${[...sources]}::text[] as others
        from paper cross join lateral (
          select case jsonb_typeof(metadata->'retracted_by')
            when 'array' then metadata->'retracted_by' else jsonb_build_array(source_name) end as stating
        ) named
        where id = ${anyUuid(complete.map(({ id }) => id))} and metadata @> '{"retracted": true}'
      ) retracted
      where id = paper_id and others <> stating and not exists (
        select from paper_notice
        where paper_notice.paper_id = paper.id and kind = 'retraction' and withdrawn_at is null
          and (source = ${anyText(sources)} or not metadata ? 'retracted_by'))`.execute(transaction)
  }))

/**
 * Service-wide, for the job that asks sources: records that a source answered about these papers, and when to ask again; the first time,
 * also which version of each was known.
 */
export const markChecked = (db: Db, source: string, paperIds: readonly string[], { now, next }: { now: Date, next: Date }) =>
  sql`
    insert into paper_check (paper_id, source, checked_at, next_check_at, version)
    select id, ${source}, ${now}, ${next}, case when metadata->>'version' ~ '^[0-9]{1,6}$' then (metadata->>'version')::integer end
    from paper where id = ${anyUuid(paperIds)} order by id for key share
    on conflict (paper_id, source) do update set checked_at = excluded.checked_at, next_check_at = excluded.next_check_at, failures = 0,
      version = coalesce(paper_check.version, excluded.version)
  `.execute(db)

/** Service-wide, for the job that asks sources: records that a source failed, and when to ask again. */
export const markCheckFailed = (
  db: Db,
  source: string,
  paperIds: readonly string[],
  { now, delayMs, maxDelayMs }: { now: Date, delayMs: number, maxDelayMs: number }
) => sql`
    insert into paper_check (paper_id, source, next_check_at, failures)
    select id, ${source}, ${new Date(now.getTime() + delayMs)}, 1 from paper
    where id = ${anyUuid(paperIds)} order by id for key share
    on conflict (paper_id, source) do update set failures = least(paper_check.failures + 1, 20), next_check_at = ${now}::timestamptz
      + make_interval(secs => least(${delayMs} * 2 ^ least(paper_check.failures, 20), ${maxDelayMs}) / 1000)`.execute(db)
