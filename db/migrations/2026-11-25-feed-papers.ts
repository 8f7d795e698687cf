import { type Kysely, sql } from 'kysely'

/**
 * Makes papers of journal feeds private. They were shared, together with the feeds' addresses, which may contain private keys. A paper that
 * one account has becomes that account's, one that no account has is deleted, and one that several accounts have stays shared. Hashes
 * replace addresses (see src/sources/journal-feed.ts), which disappear from the metadata of all papers. Idempotent, since restoring an
 * older backup runs it again.
 */
export async function up (db: Kysely<any>): Promise<void> {
  const held = sql`(select paper_id, project_id from project_paper union select paper_id, project_id from candidate)`
  await sql`
    update paper set account_id = reader.account_id
    from (
      select paper.id, min(project.account_id::text)::uuid as account_id
      from paper join ${held} held on held.paper_id = paper.id join project on project.id = held.project_id
      where paper.account_id is null and paper.source_name = 'feed'
      group by paper.id having count(distinct project.account_id) = 1
    ) reader
    where paper.id = reader.id`.execute(db)
  await sql`
    delete from paper where account_id is null and source_name = 'feed'
      and not exists (select from project_paper where paper_id = paper.id)
        and not exists (select from candidate where paper_id = paper.id)`.execute(db)
  // Only shared papers have links between preprints and published forms.
  await sql`
    delete from paper_relation using paper
    where paper.id in (preprint_id, published_id) and paper.account_id is not null and paper.source_name = 'feed'`.execute(db)
  await sql`
    update paper set source_paper_id = encode(sha256(convert_to(source_paper_id, 'UTF8')), 'hex')
    where source_name = 'feed' and source_paper_id ~* '^https?:'`.execute(db)
  await sql`update paper set metadata = metadata - 'feed' where metadata->>'feed' ~* '^https?:'`.execute(db)
}
