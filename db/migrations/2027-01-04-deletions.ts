import { type Kysely, sql } from 'kysely'

/**
 * Deletions of projects and accounts take many transactions: the first one takes a project from its account, and marks an account.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table project add column if not exists deleted_account_id uuid references account (id) on delete cascade`.execute(db)
  await sql`alter table project alter column account_id drop not null`.execute(db)
  await sql`alter table project drop constraint if exists project_owned`.execute(db)
  await sql`alter table project add constraint project_owned check ((account_id is null) <> (deleted_account_id is null))`.execute(db)
  await sql`create index if not exists project_deleted on project (deleted_account_id, id) where deleted_account_id is not null`.execute(db)
  await sql`alter table account add column if not exists deleted_at timestamptz(3)`.execute(db)
  // A project that is being deleted accepts no items, as if its row were gone, and its items are not noted one by one.
  await sql`
    create or replace function search_note_items () returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' and exists (select from project where deleted_account_id is not null
        and id in (select project_id from changed_items)) then
        raise foreign_key_violation using message = 'The project is being deleted.', table = 'project_paper';
      end if;
      insert into search_pending (project_id, item_id)
        select item.project_id, item.id from changed_items item
        where tg_op <> 'DELETE' or exists (select from project where project.id = item.project_id and deleted_account_id is null);
      return null;
    end $$`.execute(db)
}
