import { type Kysely, sql } from 'kysely'

/**
 * What RSS and Atom feeds of people's own choice gave was everybody's, with the feeds' addresses, in which private keys may stand. Now it is
 * its reader's own: a paper that one account has becomes that account's, one that nobody has any more goes, and one that several accounts have
 * stays shared. Addresses give way to their hash (as src/sources/records/feed-entry.ts makes it) and go from the metadata of all papers.
 * Doing it twice has the effect of once: a restored backup of before needs it too.
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
      and not exists (select from project_paper where paper_id = paper.id) and not exists (select from candidate where paper_id = paper.id)`.execute(db)
  // Preprints and published forms are linked among shared papers alone.
  await sql`
    delete from paper_relation using paper
    where paper.id in (preprint_id, published_id) and paper.account_id is not null and paper.source_name = 'feed'`.execute(db)
  await sql`
    update paper set source_paper_id = encode(sha256(convert_to(source_paper_id, 'UTF8')), 'hex')
    where source_name = 'feed' and source_paper_id ~* '^https?:'`.execute(db)
  await sql`update paper set metadata = metadata - 'feed' where metadata->>'feed' ~* '^https?:'`.execute(db)
}
