import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { postgresOptions } from './postgres-options.js'

/* A new, empty database as a compressed file, which the build makes. To copy it takes a third of the memory and time of initdb. */

const pgliteFolder = createRequire(import.meta.url).resolve('@electric-sql/pglite').replace(/dist[\\/][^\\/]*$/, '')
const { version } = JSON.parse(readFileSync(`${pgliteFolder}package.json`, 'utf8')) as { version: string }

const optionsHash = createHash('sha256').update(JSON.stringify(postgresOptions)).digest('hex').slice(0, 8)

/** Path of the file. Another version of PGlite could not open it, and other options would not be in it, so its name has both. */
export const clusterArchive = fileURLToPath(new URL(`./cluster-${version}-${optionsHash}.tar.gz`, import.meta.url))

/** Creates the file, unless it exists. */
export async function prepareCluster (path = clusterArchive): Promise<void> {
  if (existsSync(path)) return
  const database = await PGlite.create(postgresOptions)
  const archive = await database.dumpDataDir('gzip')
  await database.close()
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, new Uint8Array(await archive.arrayBuffer()))
  renameSync(temporary, path)
}

/** Creates a database in a directory: from the file, or by initdb in a program that was built without it. */
export async function createCluster (dataDir: string, path = clusterArchive): Promise<void> {
  const loadDataDir = existsSync(path) ? new Blob([readFileSync(path)]) : undefined
  const database = await PGlite.create({ dataDir, ...postgresOptions, ...(loadDataDir === undefined ? {} : { loadDataDir }) })
  await database.close()
}
