import { type Kysely, sql } from 'kysely'

/**
 * Indexes that bound the work of one call in the largest feed: for each order of a feed, for what a reader of briefs acknowledged, and for
 * the order of an account's export. The publication date is a copy, which triggers keep: an index has the columns of one table.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table project_paper add column published_date date`.execute(db)
  await sql`
    update project_paper set published_date = paper.published_date from paper
    where paper.id = project_paper.paper_id and paper.published_date is not null`.execute(db)
  await sql`
    create function feed_item_publication () returns trigger language plpgsql as $$
    begin
      new.published_date := (select paper.published_date from paper where paper.id = new.paper_id);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger feed_item_publication before insert or update of paper_id on project_paper
    for each row execute function feed_item_publication()`.execute(db)
  await sql`
    create function paper_publication () returns trigger language plpgsql as $$
    begin
      update project_paper set published_date = new.published_date where paper_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger paper_publication after update of published_date on paper
    for each row when (old.published_date is distinct from new.published_date) execute function paper_publication()`.execute(db)

  await sql`
    create index project_paper_best on project_paper (project_id, relevance_score desc, ready_at desc, id)
    include (relevance_class, vote, downvote_reason, voted_at)`.execute(db)
  await sql`
    create index project_paper_published on project_paper (project_id, published_date desc nulls last, id)
    include (ready_at, relevance_class, vote, downvote_reason, voted_at)`.execute(db)
  // An index finds what a consumer acknowledged by one entry a paper; otherwise every other brief with the paper would be looked at.
  await sql`alter table brief_item add column reader uuid`.execute(db)
  await markAcknowledged(db)
  await sql`create index brief_item_reader on brief_item (reader, project_id, paper_id) where reader is not null`.execute(db)
  await sql`drop index brief_item_project`.execute(db)
  await sql`create index brief_item_project on brief_item (project_id)`.execute(db)

  await sql`
    create index project_paper_voted on project_paper (project_id, voted_at desc, id)
    include (vote, downvote_reason, relevance_class, ready_at) where vote is not null`.execute(db)
  await sql`create index paper_owner on paper (account_id, id) where account_id is not null`.execute(db)
  await sql`drop index paper_account`.execute(db)
}

/** Names the reader in the items of acknowledged briefs. Idempotent. */
export async function markAcknowledged (db: Kysely<any>): Promise<void> {
  await sql`
    update brief_item set reader = md5(brief.account_id::text || ' ' || brief.consumer)::uuid from brief
    where brief.id = brief_item.brief_id and brief.acknowledged_at is not null and reader is null`.execute(db)
}
