import { sql } from 'kysely'

/* The right side of `=` for a list. One parameter, however long the list is: `in` takes a parameter for each value. */

/** Any of these ids. */
export const anyUuid = (ids: Iterable<string>) => sql<string>`any(${[...ids]}::uuid[])`

/** Any of these texts. */
export const anyText = (texts: Iterable<string>) => sql<string>`any(${[...texts]}::text[])`
