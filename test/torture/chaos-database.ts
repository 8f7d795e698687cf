import { proxyTo } from '../support/proxy.js'
import { createBystander, fillDatabase, readFeed, withBystander } from './bystander.js'
import { ms, quantile, report } from './report.js'
import { atEnd, emptyDatabase, serve, temporaryDirectory } from './service.js'

const seconds = Number(process.env.CHAOS_SECONDS ?? 20)
const ordinaryRoundTripMs = 20
const slowRoundTripsMs = [200, 1000]
const maxRejectionMs = 3000

/** Puts a proxy before PostgreSQL that delays every packet, so the database answers slowly rather than never. */
export async function slowDatabase (): Promise<void> {
  const databaseUrl = await emptyDatabase()
  const environment = { DATA_DIR: temporaryDirectory(), DATABASE_URL: databaseUrl }
  const bystander = await fillDatabase(environment, createBystander)
  const proxy = await proxyTo(new URL(databaseUrl))
  atEnd(async () => await proxy.close())
  const address = new URL(databaseUrl)
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  const service = await serve({ ...environment, DATABASE_URL: address.href })
  await withBystander(`round trips to PostgreSQL of ${ordinaryRoundTripMs} ms`, service, bystander, seconds, async () => {
    proxy.delay(ordinaryRoundTripMs / 2)
    return undefined
  })
  for (const roundTripMs of slowRoundTripsMs) {
    proxy.delay(roundTripMs / 2)
    const answers = await readFeed(service, bystander, seconds)
    const rejected = answers.filter(({ status }) => status === 503)
    const slowestRejection = Math.max(0, ...rejected.map(({ took }) => took))
    const others = answers.filter(({ status }) => status !== 503 && status !== 200)
    const took = answers.filter(({ status }) => status === 200).map(each => each.took)
    report(
      `round trips to PostgreSQL of ${roundTripMs} ms`,
      `successful responses, or 503 within ${maxRejectionMs} ms`,
      `200: ${took.length} (p50 ${ms(quantile(took, 0.5))}, p99 ${ms(quantile(took, 0.99))}), 503: ${rejected.length} (slowest ${ms(slowestRejection)}), others: ${others.length} ${others[0]?.text.slice(0, 80) ?? ''}`,
      others.length === 0 && slowestRejection <= maxRejectionMs && took.length > 0
    )
    proxy.delay(0)
    const began = performance.now()
    let right = 0
    let since = began
    while (right < 10 && performance.now() - began < 30_000) {
      const [read] = await readFeed(service, bystander, 0.1)
      if (read!.status === 200 && read!.took < 1000) right++
      else [right, since] = [0, performance.now()]
    }
    report(
      `recovery after round trips of ${roundTripMs} ms`,
      'within 5 s, without a restart',
      ms(since - began),
      right === 10 && since - began <= 5000
    )
  }
  await service.stop()
}
