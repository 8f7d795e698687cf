import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { ms, quantile, report } from './report.js'
import { type Environment, account, answer, emptyDatabase, runParts, serve, steadily, temporaryDirectory } from './service.js'

const floodSeconds = 30
const floodPerSecond = 200
const listProjects = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list', arguments: {} } })

const callWith = async (url: string, key: string) =>
  await answer(`${url}/api/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: listProjects
  })

// The flood runs in a separate thread, so its own work does not delay the measured requests.
if (!isMainThread) {
  const { url, prefix } = workerData as { url: string, prefix: string }
  const answers = await steadily(
    floodPerSecond,
    floodSeconds,
    async at => (await callWith(url, `svcmcp_${prefix}_${String(at).padStart(32, 'x')}`)).status
  )
  parentPort!.postMessage(answers)
} else {
  await runParts({
    flood: async () => {
      await flood('embedded', { DATA_DIR: temporaryDirectory() })
      await flood('PostgreSQL', { DATA_DIR: temporaryDirectory(), DATABASE_URL: await emptyDatabase() })
    },
    login
  })
}

async function flood (kind: string, environment: Environment): Promise<void> {
  const service = await serve(environment)
  const { key } = await account(environment)
  const rightly = async (seconds: number) => await steadily(25, seconds, async () => await callWith(service.url, key))
  await rightly(5)
  const before = await rightly(15)
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { url: service.url, prefix: key.split('_')[1] } })
  const refused = new Promise<number[]>((resolve, reject) => { worker.once('message', resolve).once('error', reject) })
  const during = await rightly(floodSeconds)
  const statuses = await refused
  await sleep(1000)
  const after = await rightly(15)
  const [idle, flooded] = [[...before, ...after], during].map(answers =>
    quantile(
      answers.map(({ took }) => took),
      0.99
    )
  ) as [number, number]
  const bound = Math.max(2 * idle, idle + 10)
  report(
    `p99 of valid keys during ${floodPerSecond} invalid keys per second with a valid prefix for ${floodSeconds} s, ${kind}`,
    `at most ${ms(bound)} (idle ${ms(idle)})`,
    ms(flooded),
    flooded <= bound
  )
  report(
    `valid keys accepted, invalid keys rejected, ${kind}`,
    'all',
    `${during.filter(({ status }) => status === 200).length} of ${during.length}, ${statuses.filter(status => status === 401).length} of ${statuses.length} refused`,
    during.every(({ status }) => status === 200) && statuses.every(status => status === 401)
  )
  await service.stop()
}

/** Tests whether the response time of a login reveals which accounts exist. */
async function login (): Promise<void> {
  const service = await serve({ DATA_DIR: temporaryDirectory(), REGISTRATION: 'open', TRUST_PROXY: '127.0.0.1' })
  const send = async (path: string, email: string, password: string, from: number) =>
    await answer(`${service.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${from >> 8}.${from & 255}` },
      body: JSON.stringify({ email, password })
    })
  const accounts = 16
  for (let at = 0; at < accounts; at++) await send('register', `known${at}@example.org`, 'correct horse battery', 1000 + at)
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let round = 0; round < 9; round++) {
    for (let at = 0; at < accounts; at++) {
      for (const who of round % 2 === 0 ? ['known', 'unknown'] as const : ['unknown', 'known'] as const) {
        const { status, took } = await send('login', `${who}${at}@example.org`, 'a wrong password', round * accounts + at)
        if (status !== 401) throw new Error(`A wrong login returned ${status}.`)
        times[who].push(took)
      }
    }
  }
  const [known, unknown] = [quantile(times.known, 0.5), quantile(times.unknown, 0.5)]
  report(
    `login with an unknown address compared to a wrong password, ${times.known.length} of each (median)`,
    'within 10 %',
    `${ms(unknown)} against ${ms(known)}`,
    Math.abs(known - unknown) <= 0.1 * known
  )
  await service.stop()
}
