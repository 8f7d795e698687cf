import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { runCommand, temporaryDirectory } from '../../bench/process.js'
import { texts } from '../../bench/texts.js'
import { onNewDatabase } from './operations-database.js'
import { callTool, environmentOf, reader, send, serve, serverUrl } from './operations-service.js'
import { note, verdict } from './verdict.js'

/** Backs up while requests write, restores into both kinds of database, and compares what is there row by row. */
export async function backupUnderLoad (): Promise<void> {
  await onKind('embedded', undefined)
  if (serverUrl !== undefined) await onNewDatabase(serverUrl, async url => await onKind('PostgreSQL', url))
}

async function onKind (kind: string, databaseUrl: string | undefined): Promise<void> {
  const environment = environmentOf(databaseUrl)
  const service = await serve(environment)
  const { key, token, project } = await reader(environment, service)
  const write = texts()
  let stopping = false
  let written = 0
  let failed = 0
  const writer = async () => {
    while (!stopping) {
      try {
        const { id } = await send(service.url, 'POST', '/api/projects', token, { name: write(4), interest_description: write(20) })
        await send(service.url, 'PATCH', `/api/projects/${id}`, token, { positive_keywords: [write(1)] })
        await callTool(service.url, key, 'feed_get', { project_id: project })
        if (written % 3 === 0) await send(service.url, 'DELETE', `/api/projects/${id}`, token)
        written++
      } catch (error) {
        failed++
        note(String(error))
      }
    }
  }
  const writers = Array.from({ length: 5 }, writer)
  const directory = temporaryDirectory()
  const backups: string[] = []
  for (let at = 0; at < 5; at++) {
    const file = join(directory, `${at}.gz`)
    const before = written
    const { rows } = await runCommand(['backup', file], environment)
    note(`${kind}: backup ${at + 1} has ${rows} rows; ${written - before} rounds of writing while it was made`)
    backups.push(file)
  }
  stopping = true
  await Promise.all(writers)
  verdict(`${kind}: writing beside five backups`, 'no failure', `${failed} failures in ${written} rounds`, failed === 0 && written > 0)
  await service.stop()

  for (const file of [backups[0]!, backups[2]!, backups[4]!]) {
    const wanted = await rowsOf(file)
    await restored('embedded', undefined, file, wanted, kind)
    if (serverUrl !== undefined) await onNewDatabase(serverUrl, async url => await restored('PostgreSQL', url, file, wanted, kind))
  }
}

async function restored (into: string, databaseUrl: string | undefined, file: string, wanted: string[], from: string): Promise<void> {
  const environment = environmentOf(databaseUrl)
  await runCommand(['restore', file], environment)
  const again = `${file}.${into}`
  await runCommand(['backup', again], environment)
  const seen = await rowsOf(again)
  const different = seen.length === wanted.length ? seen.filter((row, at) => row !== wanted[at]).length : Math.abs(seen.length - wanted.length)
  verdict(`a backup of ${from}, restored into ${into}`, `the same ${wanted.length} rows`, `${seen.length} rows, ${different} different`, different === 0 && wanted.length > 0)
}

/** Every row of a backup, in one order, with the properties of each in one order. */
async function rowsOf (file: string): Promise<string[]> {
  const rows: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })) {
    const value = JSON.parse(line) as { table?: string, row?: object }
    if (value.table !== undefined) rows.push(JSON.stringify([value.table, Object.entries(value.row!).sort()]))
  }
  return rows.sort()
}
