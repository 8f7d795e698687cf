import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { postgresOptions } from './postgres-options.js'

/* A new, empty database as a compressed file, which the build makes. To copy it takes a third of the memory and time of initdb. */

const pgliteFolder = createRequire(import.meta.url).resolve('@electric-sql/pglite').replace(/dist[\\/][^\\/]*$/, '')
const { version } = JSON.parse(readFileSync(`${pgliteFolder}package.json`, 'utf8')) as { version: string }

/** Path of the file. Another version of PGlite could not open it, so its name has the version. */
export const clusterArchive = fileURLToPath(new URL(`./cluster-${version}.tar.gz`, import.meta.url))

/** Creates the file, unless it exists. */
export async function prepareCluster (): Promise<void> {
  if (existsSync(clusterArchive)) return
  const database = await PGlite.create(postgresOptions)
  const archive = await database.dumpDataDir('gzip')
  await database.close()
  const temporary = `${clusterArchive}.${process.pid}`
  writeFileSync(temporary, new Uint8Array(await archive.arrayBuffer()))
  renameSync(temporary, clusterArchive)
}

/** Creates a database in a directory: from the file, or by initdb in a program that was built without it. */
export async function createCluster (dataDir: string): Promise<void> {
  const loadDataDir = existsSync(clusterArchive) ? new Blob([readFileSync(clusterArchive)]) : undefined
  const database = await PGlite.create({ dataDir, ...postgresOptions, ...(loadDataDir === undefined ? {} : { loadDataDir }) })
  await database.close()
}
