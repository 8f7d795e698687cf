import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'
import { addCitations } from './citations.js'
import { mergeFoundPapers } from './found-papers.js'

/**
 * Merges a duplicate into a paper: moves all rows that refer to it, then deletes it. If a feed has both, the item with the latest vote
 * remains (that of an import only without another), and without votes that of the kept paper; an upvote takes back no star. The item keeps
 * the earlier `ready_at`, and has the marks of both and the origin that keeps more. Former ids become aliases.
 * @param db a transaction
 */
export async function mergePapers (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const [kept, duplicate] = [sql`${keptId}::uuid`, sql`${duplicateId}::uuid`]
  // Waits for transactions that are adding rows to it, which move too; later ones find it deleted and start again.
  await sql`select from paper where id = ${duplicate} for update`.execute(db)
  await mergeItems(db, keptId, duplicateId)
  await mergeUploads(db, keptId, duplicateId)
  await mergeSeen(db, keptId, duplicateId)
  for (const [table, others] of [['markdown', 'account_id'], ['candidate', 'project_id']] as const) {
    await sql`
      update ${sql.table(table)} moving set paper_id = ${kept} where paper_id = ${duplicate}
        and not exists (select from ${sql.table(table)} there where there.paper_id = ${kept} and there.${sql.ref(others)} is not distinct
          from moving.${sql.ref(others)})`.execute(db)
  }
  await mergeDeliveries(db, keptId, duplicateId)
  await sql`update zotero_item set paper_id = ${kept} where paper_id = ${duplicate}`.execute(db)
  // A paper in the feed is no candidate.
  await sql`delete from candidate where paper_id = ${kept}
    and exists (select from project_paper where project_paper.paper_id = ${kept}
      and project_paper.project_id = candidate.project_id)`.execute(db)
  await mergeCitations(db, keptId, duplicateId)
  await mergeNotices(db, keptId, duplicateId)
  await mergeFoundPapers(db, keptId, duplicateId)
  await mergeJobs(db, keptId, duplicateId)
  await sql`update paper_alias set paper_id = ${kept} where paper_id = ${duplicate}`.execute(db)
  await sql`insert into paper_alias (id, paper_id) values (${duplicate}, ${kept})`.execute(db)
  for (const [end, other] of [['preprint_id', 'published_id'], ['published_id', 'preprint_id']] as const) {
    await sql`
      insert into paper_relation (${sql.ref(end)}, ${sql.ref(other)}) select ${kept}, ${sql.ref(other)} from paper_relation
      where ${sql.ref(end)} = ${duplicate} and ${sql.ref(other)} <> ${kept} on conflict do nothing`.execute(db)
  }
  await sql`delete from paper where id = ${duplicate}`.execute(db)
}

/** Unites the items of each feed that has both, and moves the others. */
async function mergeItems (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const [kept, duplicate] = [sql`${keptId}::uuid`, sql`${duplicateId}::uuid`]
  await rescoreWithoutVotes(db, keptId, duplicateId)
  // No vote may arrive between the choice of an item and the deletion of the other.
  await sql`select from project_paper where paper_id in (${kept}, ${duplicate}) order by id for update`.execute(db)
  await uniteOrigins(db, keptId, duplicateId)
  await sql`
    with choice as (
      select one.id as one, other.id as other,
        (other.voted_at is not null and (one.voted_at is null
          or (other.vote_import_id is null, other.voted_at) > (one.vote_import_id is null, one.voted_at))) as keeps_other
      from project_paper one join project_paper other on other.project_id = one.project_id and other.paper_id = ${duplicate}
      where one.paper_id = ${kept}
    ), pair as (
      select remaining.id as remaining, leaving.id as leaving, least(remaining.ready_at, leaving.ready_at) as ready_at,
        least(remaining.rated_at, case when remaining.vote_import_id is null then remaining.voted_at end,
          leaving.rated_at, case when leaving.vote_import_id is null then leaving.voted_at end) as rated_at,
        case when coalesce(leaving.rated_at, leaving.voted_at) < coalesce(remaining.rated_at, remaining.voted_at)
          then leaving.rated_weight else coalesce(remaining.rated_weight, leaving.rated_weight) end as rated_weight,
        least(remaining.seen_at, leaving.seen_at) as seen_at, least(remaining.cited_at, leaving.cited_at) as cited_at,
        remaining.saved or leaving.saved as saved, united.tags, united.tag_keys,
        case
          when remaining.vote = 'upvote' and leaving.vote = 'star'
            and remaining.vote_import_id is not distinct from leaving.vote_import_id then 'star'
          else remaining.vote
        end as vote,
        case
          when leaving.note is null or ${hasParagraphs(sql`remaining.note`, sql`leaving.note`)} then remaining.note
          when remaining.note is null or ${hasParagraphs(sql`leaving.note`, sql`remaining.note`)} then leaving.note
          else remaining.note || E'\\n\\n' || leaving.note
        end as note
      from choice
      join project_paper remaining on remaining.id = case when choice.keeps_other then choice.other else choice.one end
      join project_paper leaving on leaving.id = case when choice.keeps_other then choice.one else choice.other end
      cross join lateral (
        select coalesce(array_agg(tag order by place), '{}') as tags, coalesce(array_agg(key order by place), '{}') as tag_keys
        from (
          select distinct on (key) tag, key, place
          from unnest(remaining.tags || leaving.tags, remaining.tag_keys || leaving.tag_keys) with ordinality as tagged (tag, key, place)
          order by key, place
        ) each_tag
      ) united
    ), marked as (
      update project_paper set ready_at = pair.ready_at, rated_at = pair.rated_at, rated_weight = pair.rated_weight,
        vote = pair.vote, seen_at = pair.seen_at, cited_at = pair.cited_at, saved = pair.saved,
        tags = pair.tags, tag_keys = pair.tag_keys, note = pair.note
      from pair where project_paper.id = pair.remaining
    ), removed as (
      delete from project_paper using pair where project_paper.id = pair.leaving returning project_paper.id
    )
    insert into paper_alias (id, paper_id) select id, ${kept} from removed`.execute(db)
  await sql`update project_paper set paper_id = ${kept} where paper_id = ${duplicate}`.execute(db)
}

/** Moves uploads. The later of two remains. */
async function mergeUploads (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const [kept, duplicate] = [sql`${keptId}::uuid`, sql`${duplicateId}::uuid`]
  await sql`
    delete from pdf_upload earlier using pdf_upload later
    where earlier.complete and later.complete and earlier.account_id = later.account_id
    and (earlier.created_at, earlier.id) < (later.created_at, later.id)
      and earlier.paper_id in (${kept}, ${duplicate}) and later.paper_id in (${kept}, ${duplicate})`.execute(db)
  await sql`update pdf_upload set paper_id = ${kept} where paper_id = ${duplicate}`.execute(db)
}

/** Moves what alerts and briefs delivered: an alert about either paper, and an acknowledgement of either, counts for both. */
async function mergeDeliveries (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const [kept, duplicate] = [sql`${keptId}::uuid`, sql`${duplicateId}::uuid`]
  await sql`
    update alert_item there set batch = sent.batch, sent_at = sent.sent_at from alert_item sent
    where there.paper_id = ${kept} and there.sent_at is null and sent.paper_id = ${duplicate} and sent.sent_at is not null
    and sent.alert_id = there.alert_id`.execute(db)
  await sql`
    update alert_item moving set paper_id = ${kept} where paper_id = ${duplicate}
      and not exists (select from alert_item there where there.paper_id = ${kept} and there.alert_id = moving.alert_id)`.execute(db)
  await sql`
    update brief_item moving set paper_id = ${kept} where paper_id = ${duplicate} and not exists (
      select from brief_item there
      where there.brief_id = moving.brief_id and there.project_id = moving.project_id and there.paper_id = ${kept})`.execute(db)
}

/** Has the feeds rescored in which both papers have a vote, of which one goes. Locks the projects before the items, as votes do. */
const rescoreWithoutVotes = (db: Db, keptId: string, duplicateId: string) =>
  sql`
    update project set scoring_due_at = now() where id in (
      select one.project_id from project_paper one
      join project_paper other on other.project_id = one.project_id and other.paper_id = ${duplicateId}::uuid and other.vote is not null
      where one.paper_id = ${keptId}::uuid and one.vote is not null
    )`.execute(db)

/**
 * Gives both items of a feed the origin "import" if one has it, since settings never remove such items, and counts them as of the owner's
 * library. They remain items of an import only if it added both: undoing it must not remove a paper that was there otherwise.
 */
const uniteOrigins = (db: Db, keptId: string, duplicateId: string) =>
  sql`
    update project_paper item set origin = case when other.origin = 'import' then 'import' else item.origin end,
      own_library = item.own_library or other.own_library,
      import_id = case when other.import_id = item.import_id then item.import_id end
    from project_paper other
    where item.paper_id in (${keptId}::uuid, ${duplicateId}::uuid) and other.paper_id in (${keptId}::uuid, ${duplicateId}::uuid)
      and other.paper_id <> item.paper_id and other.project_id = item.project_id
      and (other.origin <> item.origin or other.own_library <> item.own_library
        or other.import_id is distinct from item.import_id)`.execute(db)

/** Whether a note contains another one as paragraphs of its own. */
const hasParagraphs = (note: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql`position(E'\\n\\n' || ${other} || E'\\n\\n' in E'\\n\\n' || ${note} || E'\\n\\n') > 0`

/** A paper was seen if a candidate of it was seen while it was in the feed. */
async function mergeSeen (db: Db, keptId: string, duplicateId: string): Promise<void> {
  for (const table of ['candidate', 'project_paper']) {
    await sql`
      update ${sql.table(table)} there set seen_at = least(there.seen_at, candidate.seen_at) from candidate
      where there.paper_id = ${keptId}::uuid and candidate.paper_id in (${keptId}::uuid, ${duplicateId}::uuid)
        and candidate.project_id = there.project_id and candidate.seen_at < coalesce(there.seen_at, 'infinity')`.execute(db)
  }
}

/** Unites the references of both papers. */
async function mergeCitations (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const stated = await db.selectFrom('paper_citation').select(['cited', 'cited_by']).where('paper_id', '=', duplicateId).executeTakeFirst()
  if (stated !== undefined) await addCitations(db, [{ paper_id: keptId, ...stated }])
}

/**
 * Moves notices. Of one that both papers have, the current one remains, or else the kept paper's; accounts that were notified of either
 * count as notified, unless that one was withdrawn. The next checks ask about the merged paper.
 */
async function mergeNotices (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const isSame = sql`there.source = moving.source and there.kind = moving.kind and there.reference = moving.reference`
  const both = sql`(${keptId}::uuid, ${duplicateId}::uuid)`
  await sql`
    delete from paper_notice there using paper_notice moving
    where there.paper_id in ${both} and moving.paper_id in ${both} and ${isSame}
      and there.withdrawn_at is not null and moving.withdrawn_at is null`.execute(db)
  const same = sql`there.paper_id = ${keptId}::uuid and moving.paper_id = ${duplicateId}::uuid and ${isSame}`
  await sql`
    update paper_notice there set first_seen_at = least(there.first_seen_at, moving.first_seen_at)
    from paper_notice moving where ${same}`.execute(db)
  await sql`
    insert into account_notice (account_id, notice_id, found_at, is_warning)
    select reported.account_id, there.id, reported.found_at, reported.is_warning from account_notice reported
    join paper_notice moving on moving.id = reported.notice_id join paper_notice there on ${same}
    on conflict (account_id, notice_id) do update set found_at = least(account_notice.found_at, excluded.found_at)`.execute(db)
  await sql`
    insert into alert_notice (alert_id, notice_id, batch, sent_at, withdrawn)
    select sent.alert_id, there.id, sent.batch, sent.sent_at, sent.withdrawn from alert_notice sent
    join paper_notice moving on moving.id = sent.notice_id join paper_notice there on ${same}
    on conflict (alert_id, notice_id, withdrawn) do update set sent_at = coalesce(alert_notice.sent_at, excluded.sent_at)`.execute(db)
  await sql`
    update paper_notice moving set paper_id = ${keptId} where paper_id = ${duplicateId} and not exists (
      select from paper_notice there where ${same})`.execute(db)
  await sql`delete from paper_check where paper_id = ${keptId}`.execute(db)
}

/** Moves jobs, with their keys. An unfinished one fails if the kept paper has an unfinished job of the same key. */
async function mergeJobs (db: Db, keptId: string, duplicateId: string): Promise<void> {
  const key = sql`replace(once_key, ${duplicateId}, ${keptId})`
  await sql`
    update job set state = 'failed', error = 'The paper was merged into another one, which is being converted.'
      where paper_id = ${duplicateId}::uuid and state in ('waiting', 'running')
      and exists (select from job other where other.task = job.task and other.once_key = replace(job.once_key, ${duplicateId}, ${keptId})
        and other.state in ('waiting', 'running'))`.execute(db)
  await sql`update job set paper_id = ${keptId}::uuid, once_key = ${key} where paper_id = ${duplicateId}::uuid`.execute(db)
}

/** A shared paper with its DOI and those that it names, each with the DOIs of all versions. */
export interface VersionNames { id: string, dois: readonly string[], published: readonly string[], preprint: readonly string[] }

/** The start of DOIs that arXiv derives from its ids, and does not state. */
const arxivPrefix = '10.48550/arxiv.'

/** Links these preprints and published forms with all shared ones that they name, or that name them, by the DOI of any version. */
export async function linkVersions (db: Db, papers: readonly VersionNames[]): Promise<void> {
  const rowsOf = (dois: (paper: VersionNames) => readonly string[]) =>
    JSON.stringify(papers.flatMap(paper => dois(paper).map(doi => ({ id: paper.id, doi }))))
  const stated = rowsOf(({ dois }) => dois)
  for (const [end, other, naming, names] of [
    ['preprint_id', 'published_id', 'published_doi', rowsOf(({ published }) => published)],
    ['published_id', 'preprint_id', 'preprint_doi', rowsOf(({ preprint }) => preprint)]
  ] as const) {
    const name = sql.lit(naming)
    const link = sql`
      insert into paper_relation (${sql.ref(end)}, ${sql.ref(other)})
      select naming.id, named.id from`
    const areShared = sql`naming.account_id is null and named.account_id is null and naming.id <> named.id on conflict do nothing`
    if (names !== '[]') {
      await sql`${link} json_to_recordset(${names}::json) as name (id uuid, doi text)
        join paper naming on naming.id = name.id join paper named on named.doi = name.doi where ${areShared}`.execute(db)
    }
    if (names.includes(arxivPrefix)) {
      await sql`${link} json_to_recordset(${names}::json) as name (id uuid, doi text)
        join paper naming on naming.id = name.id join paper named on named.arxiv_id = substr(name.doi, ${arxivPrefix.length + 1}::int)
        where starts_with(name.doi, ${arxivPrefix}) and named.doi is null and ${areShared}`.execute(db)
    }
    if (stated !== '[]') {
      await sql`${link} json_to_recordset(${stated}::json) as own (id uuid, doi text)
        join paper naming on naming.account_id is null and naming.metadata ? ${name} and lower(naming.metadata->>${name}) = own.doi
        join paper named on named.id = own.id where ${areShared}`.execute(db)
    }
  }
}
