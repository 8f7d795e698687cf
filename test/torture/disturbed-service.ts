import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Disturbances } from './disturbances.js'
import { type Environment, type Service, serve, temporaryDirectory } from './service.js'

/** A service whose clock and disk a trial can disturb. */
export interface DisturbedService { service: Service, disturb: (disturbances: Disturbances) => void }

/** Starts a service with the module that disturbs it. */
export async function serveDisturbed (environment: Environment): Promise<DisturbedService> {
  const path = join(temporaryDirectory(), 'disturbances.json')
  const disturb = (disturbances: Disturbances) => {
    // Renamed, so the service never reads half a file.
    writeFileSync(`${path}.new`, JSON.stringify(disturbances))
    renameSync(`${path}.new`, path)
  }
  disturb({})
  const service = await serve({
    ...environment,
    DISTURBANCES: path,
    NODE_OPTIONS: `--import=${new URL('./disturbances.js', import.meta.url).href}`
  })
  return { service, disturb }
}
