import { stopUnderLoad } from '../support/stopping.js'
import { until } from '../support/until.js'
import { onBothKinds } from './operations-calls.js'
import { report } from './report.js'
import { account, serve } from './service.js'

const rounds = 3

/** Sends SIGTERM with fifty keep-alive clients and five requests in flight. */
export const stop = async (): Promise<void> =>
  await onBothKinds(async (kind, environment) => {
    for (let round = 1; round <= rounds; round++) {
      const service = await serve({ ...environment, LOG_LEVEL: 'info' })
      const { key } = await account(environment)
      let printed = ''
      service.child.stdout!.on('data', chunk => {
        printed += chunk
      })
      const { answered, kept, code, milliseconds } = await stopUnderLoad(service.child, {
        port: Number(new URL(service.url).port),
        key,
        idle: 50,
        underWay: 5,
        told: async () => await until(async () => printed.includes('stopping'))
      })
      report(
        `SIGTERM with 50 clients and 5 requests in flight, ${kind}, ${round} of ${rounds}`,
        'all 5 completed, no connection left open, exit 0 within 10 s',
        `${answered} completed, ${kept} left open, exit ${code} after ${(milliseconds / 1000).toFixed(2)} s`,
        answered === 5 && kept === 0 && code === 0 && milliseconds < 10_000
      )
    }
  })
