import { type RawBuilder, sql } from 'kysely'

/** Inserts private papers "Paper 1" and so on of an account, for a CTE: `id` and the number `n` of each. */
export const numberedPapers = (accountId: string, count: number): RawBuilder<unknown> => sql`
  insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
  select ${accountId}, 'large', 'Paper ' || n, '[]', 'json-lines', '{}', n::text
  from generate_series(1, ${count}::integer) n returning id, title_key::integer as n`
