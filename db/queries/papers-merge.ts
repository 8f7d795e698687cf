import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Makes two papers one: everything that belongs to the second goes over to the first. Where a feed has both, the item with a vote stays
 * (the latest, where both have one), else the older one; its time of entering is the earlier of the two.
 */
export async function mergePapers (db: Db, keptId: string, goneId: string): Promise<void> {
  const [kept, gone] = [sql`${keptId}::uuid`, sql`${goneId}::uuid`]
  // Whoever is adding something to it right now is waited for, so that it goes over too; whoever comes later finds it gone, and looks again.
  await sql`select from paper where id = ${gone} for update`.execute(db)
  // Nor may a vote come between the choice of the item that stays and the end of the other.
  await sql`select from project_paper where paper_id in (${kept}, ${gone}) order by id for update`.execute(db)
  await sql`
    with pair as (
      select one.id as one, other.id as other, least(one.ready_at, other.ready_at) as ready_at,
        (other.voted_at is not null and (one.voted_at is null or other.voted_at > one.voted_at)) as other_stays
      from project_paper one join project_paper other on other.project_id = one.project_id and other.paper_id = ${gone}
      where one.paper_id = ${kept}
    ), earlier as (
      update project_paper set ready_at = pair.ready_at from pair
      where project_paper.id = case when pair.other_stays then pair.other else pair.one end
    ), removed as (
      delete from project_paper using pair where project_paper.id = case when pair.other_stays then pair.one else pair.other end returning project_paper.id
    )
    insert into paper_alias (id, paper_id) select id, ${kept} from removed`.execute(db)
  await sql`update project_paper set paper_id = ${kept} where paper_id = ${gone}`.execute(db)
  // Of two uploads, the later is the one that is meant; what was sent of one paper was sent of both.
  await sql`delete from pdf_upload there using pdf_upload later where there.paper_id = ${kept} and later.paper_id = ${gone} and later.account_id = there.account_id and later.created_at > there.created_at`.execute(db)
  await sql`
    update alert_item there set batch = sent.batch, sent_at = sent.sent_at from alert_item sent
    where there.paper_id = ${kept} and there.sent_at is null and sent.paper_id = ${gone} and sent.sent_at is not null and sent.alert_id = there.alert_id`.execute(db)
  for (const [table, others] of [['markdown', 'account_id'], ['pdf_upload', 'account_id'], ['candidate', 'project_id'], ['alert_item', 'alert_id']] as const) {
    await sql`
      update ${sql.table(table)} moving set paper_id = ${kept} where paper_id = ${gone}
        and not exists (select from ${sql.table(table)} there where there.paper_id = ${kept} and there.${sql.ref(others)} is not distinct from moving.${sql.ref(others)})`.execute(db)
  }
  // What is in the feed is no candidate any more.
  await sql`delete from candidate where paper_id = ${kept} and exists (select from project_paper where project_paper.paper_id = ${kept} and project_paper.project_id = candidate.project_id)`.execute(db)
  await mergeJobs(db, keptId, goneId)
  await sql`update paper_alias set paper_id = ${kept} where paper_id = ${gone}`.execute(db)
  await sql`insert into paper_alias (id, paper_id) values (${gone}, ${kept})`.execute(db)
  for (const [end, other] of [['preprint_id', 'published_id'], ['published_id', 'preprint_id']] as const) {
    await sql`
      insert into paper_relation (${sql.ref(end)}, ${sql.ref(other)}) select ${kept}, ${sql.ref(other)} from paper_relation
      where ${sql.ref(end)} = ${gone} and ${sql.ref(other)} <> ${kept} on conflict do nothing`.execute(db)
  }
  await sql`delete from paper where id = ${gone}`.execute(db)
}

/** Jobs go over too, those that wait or run under the key of the paper that stays; one whose work another does already has ended. */
async function mergeJobs (db: Db, keptId: string, goneId: string): Promise<void> {
  const key = sql`replace(once_key, ${goneId}, ${keptId})`
  await sql`
    update job set state = 'failed', error = 'The paper turned out to be another one, which is being converted.' where paper_id = ${goneId}::uuid and state in ('waiting', 'running')
      and exists (select from job other where other.task = job.task and other.once_key = replace(job.once_key, ${goneId}, ${keptId}) and other.state in ('waiting', 'running'))`.execute(db)
  await sql`update job set paper_id = ${keptId}::uuid, once_key = ${key} where paper_id = ${goneId}::uuid`.execute(db)
}

/** Links preprints and published forms that name each other's DOI, among these papers and all shared ones. */
export async function linkVersions (db: Db, paperIds: readonly string[]): Promise<void> {
  if (paperIds.length === 0) return
  const ids = sql`any(${[...paperIds]}::uuid[])`
  for (const [end, other, naming] of [['preprint_id', 'published_id', 'published_doi'], ['published_id', 'preprint_id', 'preprint_doi']] as const) {
    const name = sql.lit(naming)
    await sql`
      insert into paper_relation (${sql.ref(end)}, ${sql.ref(other)})
      select naming.id, named.id from paper naming join paper named on named.doi = lower(naming.metadata->>${name})
      where naming.metadata ? ${name} and (naming.id = ${ids} or named.id = ${ids})
        and naming.account_id is null and named.account_id is null and naming.id <> named.id
      on conflict do nothing`.execute(db)
  }
}
