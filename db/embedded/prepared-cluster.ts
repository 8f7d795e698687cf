import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { postgresOptions } from './postgres-options.js'

/* A new, empty database as a compressed file, which the build makes. To copy it takes a third of the memory and time of initdb. */

const pgliteFolder = createRequire(import.meta.url).resolve('@electric-sql/pglite').replace(/dist[\\/][^\\/]*$/, '')
const { version } = JSON.parse(readFileSync(`${pgliteFolder}package.json`, 'utf8')) as { version: string }

const optionsHash = createHash('sha256').update(JSON.stringify(postgresOptions)).digest('hex').slice(0, 8)

/** Path of the file. Another version of PGlite could not open it, and other options would not be in it, so its name has both. */
export const clusterArchive = fileURLToPath(new URL(`./cluster-${version}-${optionsHash}.tar.gz`, import.meta.url))

/** Creates the file, unless it exists, and removes those of other versions from its folder. */
export async function prepareCluster (path = clusterArchive): Promise<void> {
  for (const name of readdirSync(dirname(path))) {
    if (/^cluster-.+\.tar\.gz(?:\.\d+)?$/.test(name) && name !== basename(path)) rmSync(join(dirname(path), name), { force: true })
  }
  if (existsSync(path)) return
  const database = await PGlite.create(postgresOptions)
  const archive = await database.dumpDataDir('gzip')
  await database.close()
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, new Uint8Array(await archive.arrayBuffer()))
  renameSync(temporary, path)
}

/**
 * Creates a database in a directory: from the file, or by initdb in a program that was built without it, or whose file is damaged.
 * @returns why the file was not used, if it exists
 */
export async function createCluster (dataDir: string, path = clusterArchive): Promise<Error | undefined> {
  let damage: Error | undefined
  if (existsSync(path)) {
    try {
      await checkArchive(path)
      const database = await PGlite.create({ dataDir, ...postgresOptions, loadDataDir: new Blob([readFileSync(path)]) })
      await database.close()
      return undefined
    } catch (error) {
      damage = error as Error
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  const database = await PGlite.create({ dataDir, ...postgresOptions })
  await database.close()
  return damage
}

/** PGlite would end the process. @throws Error if the file is incomplete or its checksum is wrong */
const checkArchive = async (path: string): Promise<void> =>
  await pipeline(createReadStream(path), createGunzip(), new Writable({ write: (_part, _encoding, done) => done() }))
