import { type Kysely, sql } from 'kysely'

/**
 * When a snapshot was published, for its public page, which is found by the hash. Nothing else of a frozen snapshot changes.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table snapshot add column if not exists published_at timestamptz(3)`.execute(db)
  await sql`alter table snapshot drop constraint if exists snapshot_published_frozen`.execute(db)
  await sql`
    alter table snapshot add constraint snapshot_published_frozen check (published_at is null or frozen_at is not null)`.execute(db)
  await sql`create index if not exists snapshot_published on snapshot (sha256) where published_at is not null`.execute(db)
  await sql`
    create or replace function snapshot_refuse_change () returns trigger language plpgsql as $$
    declare
      otherwise snapshot := new;
    begin
      otherwise.published_at := old.published_at;
      if otherwise is distinct from old then
        raise exception 'a frozen snapshot does not change' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db)
}
