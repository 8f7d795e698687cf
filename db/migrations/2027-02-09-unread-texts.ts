import { type Kysely, sql } from 'kysely'

/** Finds the shared texts that were read last, without sorting all of them. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index markdown_read on markdown (read_at desc, paper_id desc) where account_id is null`.execute(db)
}
