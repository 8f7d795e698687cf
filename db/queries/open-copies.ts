import { sql } from 'kysely'
import type { Db } from '../connection.js'
import type { CheckedPaper } from './notice-checks.js'
import { retryConflicts } from './retry.js'

/**
 * Service-wide, for the job that asks sources: stores where everyone can read papers whose records do not say so. An address or PMCID of
 * a paper stays, and a PMCID that another paper of the same owner has is not taken.
 */
export async function saveOpenCopies (db: Db, checked: readonly CheckedPaper[], now: Date): Promise<void> {
  const stated = checked.flatMap(({ id, openCopy }) => openCopy === undefined ? [] : [{ id, ...openCopy }])
    .filter(({ pdf_url, pmcid }) => pdf_url !== null || pmcid !== null)
  if (stated.length === 0) return
  await retryConflicts(() => sql`
    update paper set pdf_url = coalesce(paper.pdf_url, stated.pdf_url), pmcid = coalesce(paper.pmcid, stated.free_pmcid),
      updated_at = ${now}
    from (
      select each.id, each.pdf_url, case
        when each.pmcid is not null and row_number() over (partition by known.account_id, each.pmcid order by each.id) = 1 and not exists (
          select from paper other where other.pmcid = each.pmcid and other.account_id is not distinct from known.account_id)
        then each.pmcid
      end as free_pmcid
      from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) as each (id uuid, pdf_url text, pmcid text)
      join paper known on known.id = each.id
    ) stated
    where paper.id = stated.id and ((paper.pdf_url is null and stated.pdf_url is not null) or
      (paper.pmcid is null and stated.free_pmcid is not null))`.execute(db))
}
