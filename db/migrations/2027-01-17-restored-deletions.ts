import { type Kysely, sql } from 'kysely'

/**
 * A restore adds the items of projects that were being deleted when the backup was made: the trigger refuses them otherwise. They are not
 * noted for the search index. `litfeed.restoring` is set for the transaction of a restore.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create or replace function search_note_items () returns trigger language plpgsql as $$
    declare
      restoring boolean := coalesce(current_setting('litfeed.restoring', true) = 'on', false);
    begin
      if tg_op = 'INSERT' and not restoring and exists (select from project where deleted_account_id is not null
        and id in (select project_id from changed_items)) then
        raise foreign_key_violation using message = 'The project is being deleted.', table = 'project_paper';
      end if;
      insert into search_pending (project_id, item_id)
        select item.project_id, item.id from changed_items item
        where tg_op = 'INSERT' and not restoring
          or exists (select from project where project.id = item.project_id and deleted_account_id is null);
      return null;
    end $$`.execute(db)
}
