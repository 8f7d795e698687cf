import { PGlite } from '@electric-sql/pglite'
import { postgresOptions } from './postgres-options.js'

/* The child process that creates the embedded database in the directory of its argument. It ends with its parent. */

process.on('disconnect', () => process.exit(1))
const database = await PGlite.create({ dataDir: process.argv[2]!, ...postgresOptions })
await database.close()
process.exit()
