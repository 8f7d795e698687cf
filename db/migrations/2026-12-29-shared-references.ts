import { type Kysely, sql } from 'kysely'

/** Items that share references with a liked paper have a bit in `links`, by which feeds are filtered. Idempotent. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    update project_paper set links = links | 8
    where matching_details->'citations'->'shares' <> 'null' and links & 8 = 0`.execute(db)
}
