import { type Kysely, sql } from 'kysely'

/**
 * Deletions of snapshots take many transactions: the first one takes a snapshot from its project, and its parts can be deleted from then
 * on, also if it is frozen.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table snapshot add column if not exists deleted_account_id uuid references account (id) on delete cascade`.execute(db)
  await sql`alter table snapshot alter column project_id drop not null`.execute(db)
  await sql`alter table snapshot drop constraint if exists snapshot_owned`.execute(db)
  await sql`alter table snapshot add constraint snapshot_owned check ((project_id is null) <> (deleted_account_id is null))`.execute(db)
  await sql`
    create index if not exists snapshot_deleted on snapshot (deleted_account_id) where deleted_account_id is not null`.execute(db)
  await sql`
    create or replace function snapshot_refuse_change () returns trigger language plpgsql as $$
    declare
      otherwise snapshot := new;
    begin
      otherwise.published_at := old.published_at;
      if old.deleted_account_id is null and new.deleted_account_id is not null then
        otherwise.project_id := old.project_id;
        otherwise.deleted_account_id := null;
      end if;
      if otherwise is distinct from old then
        raise exception 'a frozen snapshot does not change' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create or replace function snapshot_part_refuse_change () returns trigger language plpgsql as $$
    declare
      frozen_parts integer;
    begin
      select parts into frozen_parts from snapshot where frozen_at is not null and deleted_account_id is null
        and id = case tg_op when 'INSERT' then new.snapshot_id else old.snapshot_id end;
      if frozen_parts is not null and (tg_op <> 'INSERT' or new.ordinal >= frozen_parts) then
        raise exception 'a frozen snapshot does not change' using errcode = 'restrict_violation';
      end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$`.execute(db)
}
