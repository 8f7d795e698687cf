import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { textGenerator } from '../../bench/text-generator.js'
import { callTool, onBothKinds, reader, send } from './operations-calls.js'
import { report } from './report.js'
import { type Environment, json, serve, temporaryDirectory } from './service.js'

const backupCount = 5

/** Takes backups under write load, restores them into both kinds of database, and compares them row by row. */
export const backup = async (): Promise<void> => await onBothKinds(async (kind, environment) => {
  const service = await serve(environment)
  const { key, token, project } = await reader(environment, service)
  const write = textGenerator()
  const stopping = new AbortController()
  const faults: string[] = []
  let written = 0
  const writer = async () => {
    while (!stopping.signal.aborted) {
      try {
        const { id } = await send(service.url, 'POST', '/api/projects', token, { name: write(4), interest_description: write(20) })
        await send(service.url, 'PATCH', `/api/projects/${id}`, token, { positive_keywords: [write(1)] })
        await callTool(service.url, key, 'feed_get', { project_id: project })
        if (written % 3 === 0) await send(service.url, 'DELETE', `/api/projects/${id}`, token)
        written++
      } catch (error) {
        faults.push(String(error))
      }
    }
  }
  const writers = Array.from({ length: 5 }, writer)
  const directory = temporaryDirectory()
  const backups: string[] = []
  for (let at = 0; at < backupCount; at++) {
    const file = join(directory, `${at}.gz`)
    await json(['backup', file], environment)
    backups.push(file)
  }
  stopping.abort()
  await Promise.all(writers)
  report(`writes during ${backupCount} backups, ${kind}`, 'no failure', `${faults.length} failures in ${written} rounds ${faults[0] ?? ''}`, faults.length === 0 && written > backupCount)
  await service.stop()

  for (const file of [backups[0]!, backups.at(-1)!]) {
    const wanted = await rowsOf(file)
    await onBothKinds(async (into, environment) => await restored(environment, { file, wanted, from: kind, into }))
  }
})

async function restored (
  environment: Environment,
  { file, wanted, from, into }: { file: string, wanted: string[], from: string, into: string }
): Promise<void> {
  await json(['restore', file], environment)
  const again = `${file}.${into}`
  await json(['backup', again], environment)
  const seen = await rowsOf(again)
  const different =
    seen.length === wanted.length ? seen.filter((row, at) => row !== wanted[at]).length : Math.abs(seen.length - wanted.length)
  report(
    `a backup of ${from} under load, restored into ${into}`,
    `the same ${wanted.length} rows`,
    `${seen.length} rows, ${different} different`,
    different === 0 && wanted.length > 0
  )
}

/** All rows of a backup, sorted, with sorted properties. */
async function rowsOf (file: string): Promise<string[]> {
  const rows: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })) {
    const value = JSON.parse(line) as { table?: string, row?: object }
    if (value.table !== undefined) rows.push(JSON.stringify([value.table, Object.entries(value.row!).sort()]))
  }
  return rows.sort()
}
