import { stopUnderLoad } from '../support/stopping.js'
import { until } from '../support/until.js'
import { onNewDatabase } from './operations-database.js'
import { environmentOf, reader, serve, serverUrl } from './operations-service.js'
import { verdict } from './verdict.js'

/** SIGTERM with fifty clients that keep connections, and five requests under way. */
export async function stopWithClients (): Promise<void> {
  await onKind('embedded', undefined)
  if (serverUrl !== undefined) await onNewDatabase(serverUrl, async url => await onKind('PostgreSQL', url))
}

async function onKind (kind: string, databaseUrl: string | undefined): Promise<void> {
  const environment = environmentOf(databaseUrl)
  for (let round = 1; round <= 3; round++) {
    const service = await serve(environment)
    const { key } = await reader(environment, service, { email: `round${round}@example.org` })
    const { answered, kept, code, milliseconds } = await stopUnderLoad(service.child, { port: service.port, key, idle: 50, underWay: 5, told: () => until(async () => service.printed().includes('stopping')) })
    verdict(`${kind}, stop ${round}: 50 clients, 5 requests under way`, 'all 5 answered, none kept, exit 0 within 10 s', `${answered} answered, ${kept} kept, exit ${code} after ${(milliseconds / 1000).toFixed(2)} s`, answered === 5 && kept === 0 && code === 0 && milliseconds < 10_000)
  }
}
