import { sql } from 'kysely'

/*
 * Sizes of papers' records, by which statements are divided: most have 2 kB, those of large collaborations hundreds of them. Measuring
 * decompresses what it measures, so it is for some hundreds of papers; the estimate is for any number.
 */

/** Bytes of records that a statement of a page reads, unless it is one record: others wait for the database meanwhile. */
export const maxPageBytes = 1_000_000

/** Bytes of records that a statement of a walk through many reads, unless it is one record: as much as 500 ordinary ones have. */
export const maxStatementBytes = 2_000_000

/** The size of a compressed value is that on disk; concatenation with an empty one gives the whole value. */
export const measuredBytes = sql<number>`pg_column_size(paper.authors || '[]') + pg_column_size(paper.metadata || '{}')
  + coalesce(octet_length(paper.abstract), 0)`

/** What is recorded of papers of earlier versions, which were not measured. */
const unmeasured = sql.lit(4000)
const stored = sql.join(
  ['authors', 'metadata', 'abstract'].map(column => sql`coalesce(pg_column_size(${sql.ref(`paper.${column}`)}), 0)`),
  sql` + `
)

/** About the bytes of the record of a row of `paper`. The database compresses what it has beyond 2 kB, to about a sixth. */
export const estimatedBytes = sql<number>`case when paper.bytes = ${unmeasured} then greatest(paper.bytes, 6 * (${stored} - 2000))
  else paper.bytes end`

/** The same of a row of `project_paper`. */
export const estimatedItemBytes = sql<number>`(select ${estimatedBytes} from paper where paper.id = project_paper.paper_id)`
