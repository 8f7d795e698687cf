import { namesIn, write } from './acknowledged.js'
import { createBystander, fillDatabase, withBystander } from './bystander.js'
import { serveDisturbed } from './disturbed-service.js'
import { report } from './report.js'
import { type Environment, account, serve, temporaryDirectory } from './service.js'

const seconds = Number(process.env.CHAOS_SECONDS ?? 30)
const diskDelayMs = 5

/**
 * Delays every read and write of a file by the embedded database and the main thread, as a busy hard disk or a network file system does.
 * Kills the service at the end: what it acknowledged must be there.
 */
export async function slowDisk (): Promise<void> {
  const environment: Environment = { DATA_DIR: temporaryDirectory() }
  const bystander = await fillDatabase(environment, createBystander)
  const { service, disturb } = await serveDisturbed(environment)
  const { headers } = await account(environment, service)
  const acknowledged: string[] = []
  const statuses: Record<string, number> = {}
  await withBystander(`a disk that delays each read and write by ${diskDelayMs} ms, embedded, one writer`, service, bystander, seconds, async () => {
    disturb({ diskDelayMs })
    const end = performance.now() + seconds * 1000
    for (let at = 0; performance.now() < end; at++) {
      const { status } = await write(service, headers, `Project ${at}`)
      if (status === 201) acknowledged.push(`Project ${at}`)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return { bytes: 0, statuses }
  })
  await service.kill()
  const again = await serve(environment)
  const names = await namesIn(again, headers)
  const lost = acknowledged.filter(name => !names.has(name)).length
  report(
    'writes to the slow disk before a SIGKILL',
    'none lost',
    `${lost} of ${acknowledged.length} lost`,
    lost === 0 && acknowledged.length > 0
  )
  await again.stop()
}
