import { type Kysely, sql } from 'kysely'

/** Rejections of imports after the first 20 have their own column, so that lists do not read them, and jobs have none. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('library_import').addColumn('more_rejected', 'jsonb').execute()
  await separateRejections(db)
}

/** Moves rejections of imports after the first 20 to their own column, and removes them from jobs. Idempotent. */
export async function separateRejections (db: Kysely<any>): Promise<void> {
  for (const name of ['counts', 'result']) {
    const column = sql.ref(name)
    await sql`
      update library_import set
        more_rejected = jsonb_path_query_array(${column}, '$.rejected[20 to last]'),
        ${column} = jsonb_set(${column}, '{rejected}', jsonb_path_query_array(${column}, '$.rejected[0 to 19]'))
      where jsonb_array_length(${column}->'rejected') > 20`.execute(db)
  }
  await sql`
    update job set result = job.result - 'rejected' from library_import
    where library_import.id = job.import_id and library_import.result is not null and job.result ? 'rejected'`.execute(db)
}
