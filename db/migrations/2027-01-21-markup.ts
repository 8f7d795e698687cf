import { type Kysely, sql } from 'kysely'

/** Elements of publishers that titles and abstracts kept. */
const markup = '</?(scp|ovl|bold|underline|strike|overline|roman|sans-serif|tex-math|alternatives|disp-formula|math|' +
  String.raw`m(frac|i|n|o|over|row|s|sqrt|style|sub|subsup|sup|text|under))(\s+[\w:-]+\s*=\s*"[^"<>]*")*\s*/?>`

const unmarked = (column: 'title' | 'abstract') =>
  sql`nullif(trim(regexp_replace(regexp_replace(${sql.ref(column)}, ${markup}, '', 'gi'), ' {2,}', ' ', 'g')), '')`

/** Removes publishers' markup from stored titles and abstracts. The trigger on papers has changed ones indexed again. Idempotent. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    update paper set title = coalesce(${unmarked('title')}, title), abstract = ${unmarked('abstract')}
    where concat_ws(' ', title, abstract) like '%</%' and concat_ws(' ', title, abstract) ~* ${markup}`.execute(db)
}
