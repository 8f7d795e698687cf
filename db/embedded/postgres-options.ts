import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'

/** Settings of PostgreSQL that keep its memory and its write-ahead log small. The operating system caches its files, too. */
const settings = { shared_buffers: '16MB', max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' }

/** How PGlite creates and opens the embedded database. */
export const postgresOptions = {
  startParams: [...PGlite.defaultStartParams, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  extensions: { btree_gin }
} satisfies PGliteOptions
